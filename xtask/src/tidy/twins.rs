//! Every WGSL file has a Rust twin beside it: the same functions in the same order, the same numbered steps.
//!
//! The Rust file may hold more (host code, helpers of a definition), but every function of the WGSL file has a function of
//! its name there, and those come in the same order. The step tags `[1] [2]` in plain comments are the same list in both.
//!
//! Schedules are free, since they only have to give the twins' words: an entry point needs no twin, and a file that begins
//! with `// Schedule: ` (packets, passes, stacks) needs none either. So does one that begins with `// Bound: `: a padded, proven
//! bound decides no bit, and the host may use another.
//!
//! Text whose twins are methods of generic types cannot lie beside them: it begins with `// Twins: ` and the Rust files, as seen
//! from the crate's `src`, and those have to exist. Only the comparison of words holds it to them.

use super::{Finding, rust};
use crate::workspace::SourceFile;

/// How a file begins that only orders work or bounds it.
const FREE: [&str; 2] = ["// Schedule: ", "// Bound: "];

/// How a file begins that names its twins.
const TWINS: &str = "// Twins: ";

/// Checks every WGSL file of the tree.
pub(crate) fn check(sources: &[SourceFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let decides_bits = |source: &&SourceFile| source.extension() == "wgsl" && !is_free(source);
    for wgsl in sources.iter().filter(decides_bits) {
        if wgsl.text.starts_with(TWINS) {
            check_named(wgsl, sources, &mut findings);
            continue;
        }
        let twin_path = format!("{}.rs", wgsl.path.trim_end_matches(".wgsl"));
        match sources.iter().find(|source| source.path == twin_path) {
            Some(twin) => check_pair(wgsl, twin, &mut findings),
            None => findings.push(Finding::fault(&wgsl.path, 0, format!("no twin {twin_path}"))),
        }
    }
    findings
}

/// A schedule says who asks what and in which order; like a bound it decides no bit, so it has no twin (docs/architecture.md).
fn is_free(wgsl: &SourceFile) -> bool {
    FREE.iter().any(|beginning| wgsl.text.starts_with(beginning))
}

/// The files that the first line names.
fn check_named(wgsl: &SourceFile, sources: &[SourceFile], findings: &mut Vec<Finding>) {
    let names = wgsl.text.lines().next().unwrap_or("").trim_start_matches(TWINS);
    let root = wgsl.path.split_inclusive("src/").next().unwrap_or("");
    let missing = names.split_whitespace().map(|name| format!("{root}{name}"));
    for path in missing.filter(|path| !sources.iter().any(|source| source.path == *path)) {
        findings.push(Finding::fault(&wgsl.path, 1, format!("no twin {path}")));
    }
    if names.trim().is_empty() {
        findings.push(Finding::fault(&wgsl.path, 1, "names no twin".to_string()));
    }
}

fn check_pair(wgsl: &SourceFile, twin: &SourceFile, findings: &mut Vec<Finding>) {
    let file = match syn::parse_file(&twin.text) {
        Ok(file) => file,
        Err(error) => {
            findings.push(Finding::fault(&twin.path, error.span().start().line, error.to_string()));
            return;
        }
    };
    let names: Vec<String> =
        rust::functions(&file).into_iter().filter(|f| f.top_level && !f.test).map(|f| f.name).collect();
    check_functions(wgsl, &names, findings);
    let last_line = rust::test_modules(&file).first().map_or(usize::MAX, |(first, _)| *first);
    check_steps(wgsl, &steps(&wgsl.text, usize::MAX), twin, &steps(&twin.text, last_line), findings);
}

/// Walks through the WGSL functions and their places in the Rust file, which must rise.
fn check_functions(wgsl: &SourceFile, names: &[String], findings: &mut Vec<Finding>) {
    let mut next = 0;
    let entry_points = entry_points(&wgsl.text);
    for (line, name) in wgsl_functions(&wgsl.text) {
        match names.iter().position(|twin| *twin == name) {
            None if entry_points.contains(&(line, name.clone())) => {}
            None => findings.push(Finding::fault(&wgsl.path, line, format!("`{name}` has no twin of its name"))),
            Some(place) if place < next => {
                findings.push(Finding::fault(&wgsl.path, line, format!("`{name}` comes earlier in the twin")));
            }
            Some(place) => next = place + 1,
        }
    }
}

fn check_steps(
    wgsl: &SourceFile,
    ours: &[(usize, String)],
    twin: &SourceFile,
    theirs: &[(usize, String)],
    findings: &mut Vec<Finding>,
) {
    let differ = ours.iter().zip(theirs).find(|((_, a), (_, b))| a != b);
    if let Some(((line, here), (twin_line, there))) = differ {
        let message = format!("step [{here}], but [{there}] in line {twin_line} of {}", twin.path);
        findings.push(Finding::fault(&wgsl.path, *line, message));
    } else if ours.len() != theirs.len() {
        let message = format!("{} step tags, but {} in {}", ours.len(), theirs.len(), twin.path);
        findings.push(Finding::fault(&wgsl.path, 0, message));
    }
}

/// Names and lines of the functions of a WGSL text, entry points included.
pub(crate) fn wgsl_functions(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split("//").next().unwrap_or("").split_whitespace();
        if words.any(|word| word == "fn") {
            let name = words.next().unwrap_or("").split('(').next().unwrap_or("");
            found.push((number + 1, name.to_string()));
        }
    }
    found
}

/// The functions that follow `@compute`, with their lines.
pub(crate) fn entry_points(text: &str) -> Vec<(usize, String)> {
    let attributes = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("@compute"));
    let starts: Vec<usize> = attributes.map(|(number, _)| number + 1).collect();
    let functions = wgsl_functions(text);
    let next = |start: &usize| functions.iter().find(|(line, _)| line >= start).cloned();
    starts.iter().filter_map(next).collect()
}

/// The numbers in square brackets in plain comments (`// [3] edge bc`), with their lines, before a given line.
fn steps(text: &str, end: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate().take_while(|(number, _)| number + 1 < end) {
        let Some((_, comment)) = line.split_once("//") else { continue };
        if comment.starts_with(['/', '!']) {
            continue;
        }
        let tags = comment.split('[').skip(1).filter_map(|rest| rest.split_once(']')).map(|(tag, _)| tag);
        let numbers = tags.filter(|tag| !tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_digit()));
        found.extend(numbers.map(|tag| (number + 1, tag.to_string())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::examples::faults;

    const WGSL: &str = "// [1] first\nfn one(a: u32) -> u32 {\n    return a; // [2] second\n}\n@compute @workgroup_size(64)\nfn two() {\n}\n";
    const TWIN: &str = "//! Steps: [1] [2].\n// [1] first\npub fn one(a: u32) -> u32 {\n    a // [2] second\n}\nfn host() {}\nfn two() {}\n#[cfg(test)]\nmod tests {\n    // [3] not a step\n    fn two() {}\n}\n";

    fn pair(wgsl: &str, twin: &str) -> Vec<String> {
        faults(check, &[("src/k.wgsl", wgsl), ("src/k.rs", twin)])
    }

    #[test]
    fn a_true_pair_passes() {
        assert_eq!(pair(WGSL, TWIN), [""; 0]);
    }

    #[test]
    fn a_missing_twin_fails() {
        assert_eq!(faults(check, &[("src/k.wgsl", WGSL)]), ["src/k.wgsl:0: fault: no twin src/k.rs"]);
        assert_eq!(faults(check, &[("src/k.wgsl", &format!("// Schedule: packets.\n{WGSL}"))]), [""; 0]);
        assert_eq!(faults(check, &[("src/k.wgsl", &format!("// Bound: of a box.\n{WGSL}"))]), [""; 0]);
        assert_eq!(pair(WGSL, &TWIN.replace("fn two", "fn model")), [""; 0], "an entry point");
        let renamed = TWIN.replace("fn one", "fn uno");
        assert_eq!(pair(WGSL, &renamed), ["src/k.wgsl:2: fault: `one` has no twin of its name"]);
    }

    #[test]
    fn named_twins_have_to_exist() {
        let named =
            |first: &str| faults(check, &[("a/src/w/k.wgsl", &format!("{first}\n{WGSL}")), ("a/src/b/k.rs", TWIN)]);
        assert_eq!(named("// Twins: b/k.rs"), [""; 0]);
        assert_eq!(named("// Twins: b/k.rs k.rs"), ["a/src/w/k.wgsl:1: fault: no twin a/src/k.rs"]);
        assert_eq!(named("// Twins: "), ["a/src/w/k.wgsl:1: fault: names no twin"]);
    }

    #[test]
    fn another_order_fails() {
        let swapped = "// [1] [2]\nfn two() {}\nfn one() {}\n";
        assert_eq!(pair(WGSL, swapped), ["src/k.wgsl:6: fault: `two` comes earlier in the twin"]);
    }

    #[test]
    fn other_steps_fail() {
        let other = TWIN.replace("[2] second", "[3] third");
        assert_eq!(pair(WGSL, &other), ["src/k.wgsl:3: fault: step [2], but [3] in line 4 of src/k.rs"]);
        let fewer = TWIN.replace("// [2] second", "");
        assert_eq!(pair(WGSL, &fewer), ["src/k.wgsl:0: fault: 2 step tags, but 1 in src/k.rs"]);
    }
}
