//! The part of a WGSL text that some functions use.

use std::collections::{HashMap, HashSet};

/// A declaration at the top level, with comments before it.
pub(super) struct Item<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

/// The declarations that `roots` reach by their names, in order, without lines of comments: a name in a comment reaches nothing. The text has one
/// declaration after another, each begun by `fn`, `struct`, `const` or `alias` at the start of a line.
pub(super) fn reachable(text: &str, roots: &[String]) -> String {
    let items = items(text);
    let by_name: HashMap<&str, usize> = items.iter().enumerate().map(|(i, item)| (item.name, i)).collect();
    let mut kept = HashSet::new();
    let mut open: Vec<usize> = roots.iter().filter_map(|root| by_name.get(root.as_str()).copied()).collect();
    while let Some(i) = open.pop() {
        if kept.insert(i) {
            open.extend(words(items[i].text).filter_map(|word| by_name.get(word).copied()));
        }
    }
    let used = items.iter().enumerate().filter(|(i, _)| kept.contains(i));
    used.flat_map(|(_, item)| item.text.split_inclusive('\n')).filter(|line| !is_comment(line)).collect()
}

/// Whether a line has nothing but a comment. Comments behind code stay: linters read some of them.
fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

pub(super) fn items(text: &str) -> Vec<Item<'_>> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if ["fn ", "struct ", "const ", "alias "].iter().any(|word| line.starts_with(word)) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let item = |(start, end): (usize, usize)| {
        let text = &text[start..end];
        let name = words(text).nth(1).unwrap_or("");
        Item { name, text }
    };
    starts.iter().copied().zip(ends).map(item).collect()
}

/// The words of a text, those of its comments left out.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    code.flat_map(|code| code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::reachable;

    #[test]
    fn what_is_used_stays_in_order() {
        let text = "const A: u32 = 1u;\nconst B: u32 = A;\n// A note.\nfn f() -> u32 {\n    return B;\n}\n\nfn g() -> u32 {\n    return f() + 2u;\n}\n";
        let kept = reachable(text, &["g".to_owned()]);
        assert_eq!(kept.matches("fn ").count(), 2);
        assert!(kept.starts_with("const A"));
        assert!(!reachable(text, &["f".to_owned()]).contains("fn g"));
        assert_eq!(reachable(text, &["B".to_owned()]).matches("const").count(), 2);
    }

    #[test]
    fn names_in_comments_reach_nothing() {
        let text = "fn f() -> u32 {\n    // As g does.\n    return 1u; // not g\n}\n\n// Of g and h.\nfn g() -> u32 {\n    return h();\n}\n\nfn h() -> u32 {\n    return 2u;\n}\n";
        let kept = reachable(text, &["f".to_owned()]);
        assert_eq!(kept, "fn f() -> u32 {\n    return 1u; // not g\n}\n\n");
        assert_eq!(reachable(text, &["g".to_owned()]).matches("fn ").count(), 2);
    }
}
