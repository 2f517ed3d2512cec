//! What the content of a file looks like, for messages about files under the wrong ending.

/// First bytes and what begins with them.
const STARTS: [(&[u8], &str); 15] = [
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"glTF", "a binary glTF file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"Kaydara FBX Binary", "an FBX file"),
    (b"ISO-10303-21", "a STEP file"),
    (b"OFF", "an OFF file"),
];

/// The kind of file that bytes look like, with its article; `None` for none of the known ones.
pub(super) fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    if let Some((_, kind)) = STARTS.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Some(kind);
    }
    let bytes = super::without_mark(bytes);
    if input_text::has_control_characters(bytes) {
        return None;
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 12)]);
    let start = head.trim_start().get(..64).unwrap_or(head.trim_start()).to_ascii_lowercase();
    let begins = |word: &str| start.split_whitespace().next() == Some(word);
    match () {
        () if begins("solid") => Some("an ASCII STL file"),
        () if begins("ply") => Some("a PLY file"),
        () if start.starts_with("<!doctype html") || start.starts_with("<html") => Some("an HTML page"),
        () if start.starts_with('<') => Some("an XML file"),
        () if start.starts_with('{') && head.contains("\"asset\"") => Some("a glTF file"),
        () if start.starts_with('{') || start.starts_with('[') => Some("a JSON file"),
        () if is_obj(&head) => Some("a Wavefront OBJ file"),
        () => None,
    }
}

/// Whether a line is a vertex of OBJ: the letter v and at least three numbers.
fn is_obj(head: &str) -> bool {
    head.lines().any(|line| {
        line.strip_prefix("v ").is_some_and(|numbers| {
            let numbers: Vec<_> = numbers.split_whitespace().map(str::parse::<f64>).collect();
            numbers.len() >= 3 && numbers.iter().all(Result::is_ok)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::looks_like;

    #[test]
    fn kinds_are_told_by_what_they_begin_with() {
        for (bytes, kind) in [
            (&b"\x89PNG\r\n\x1a\n\0\0"[..], Some("a PNG picture")),
            (b"\xef\xbb\xbfply\nformat ascii 1.0\n", Some("a PLY file")),
            (b"# made by hand\nv 0 1 2\nv 1 0 2\n", Some("a Wavefront OBJ file")),
            (b"\n<!DOCTYPE html>\n<html>", Some("an HTML page")),
            (b"{\"asset\": {\"version\": \"2.0\"}}", Some("a glTF file")),
            (b" SOLID a\nfacet", Some("an ASCII STL file")),
            (b"very plain words", None),
            (b"v is a letter", None),
            (b"\0\0\0", None),
            (b"", None),
        ] {
            assert_eq!(looks_like(bytes), kind, "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
