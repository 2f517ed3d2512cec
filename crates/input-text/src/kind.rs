//! Whether bytes are the text of a file.

/// Bytes at the beginning that tell text from other data.
const HEAD: usize = 1024;

/// Why bytes are not the text of a file (ASCII, UTF-8, or another code that has ASCII in it): they are UTF-16 or UTF-32, or there is a zero byte in
/// the first 1024.
///
/// `None` for text. Cost: a look at the first kibibyte.
pub fn why_not_text(bytes: &[u8]) -> Option<String> {
    let utf16 = "UTF-16 text, allowed is UTF-8";
    match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => return Some("UTF-32 text, allowed is UTF-8".to_owned()),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Some(utf16.to_owned()),
        _ => {}
    }
    let head = &bytes[..bytes.len().min(HEAD)];
    let zero = head.iter().position(|&byte| byte == 0)?;
    // Without a mark: every other byte of Latin letters is 0, and no other byte is.
    let [even, odd] = [0, 1].map(|start| {
        let all = head.iter().skip(start).step_by(2);
        (all.clone().filter(|&&byte| byte == 0).count(), all.count())
    });
    let every = |(zeros, all): (usize, usize)| all > 1 && zeros == all;
    if every(even) && odd.0 == 0 || every(odd) && even.0 == 0 {
        return Some(utf16.to_owned());
    }
    Some(format!("no text: byte {zero} is 0"))
}

/// Whether there are bytes in the first 1024 that no text has: control characters that move no line.
pub fn has_control_characters(bytes: &[u8]) -> bool {
    let of_text = |byte: u8| byte >= 0x20 || matches!(byte, b'\n' | b'\r' | b'\t' | 0x0b | 0x0c);
    !bytes[..bytes.len().min(HEAD)].iter().all(|&byte| of_text(byte))
}

#[cfg(test)]
mod tests {
    use super::{has_control_characters, why_not_text};

    fn utf16(text: &str, mark: bool, big: bool) -> Vec<u8> {
        let units = mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
        units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    #[test]
    fn text_is_told_from_what_is_none() {
        for text in ["", "v 0 0 0\n", "\u{feff}v", "# caf\u{e9}"] {
            assert_eq!(why_not_text(text.as_bytes()), None, "{text}");
        }
        assert_eq!(why_not_text(b"# K\xf6rper"), None, "Latin-1");
        for (mark, big) in [(true, false), (true, true), (false, false), (false, true)] {
            let said = why_not_text(&utf16("v 0 0 0\n", mark, big)).expect("no text");
            assert!(said.starts_with("UTF-16"), "{mark} {big}: {said}");
        }
        assert!(why_not_text(&[0xff, 0xfe, 0, 0, b'v', 0, 0, 0]).expect("no text").starts_with("UTF-32"));
        assert_eq!(why_not_text(b"v 0\0\x01").as_deref(), Some("no text: byte 3 is 0"));
        assert_eq!(why_not_text(b"\0").as_deref(), Some("no text: byte 0 is 0"));
        assert!(has_control_characters(b"solid \x01") && !has_control_characters(b"solid a\r\n\t"));
    }
}
