//! A `lib.rs` holds documentation, modules and re-exports, and nothing else.

use syn::spanned::Spanned;

use super::Finding;
use crate::workspace::SourceFile;

/// Checks every `lib.rs`.
pub(crate) fn check(sources: &[SourceFile]) -> Vec<Finding> {
    sources.iter().filter(|source| source.name() == "lib.rs").flat_map(check_file).collect()
}

fn check_file(source: &SourceFile) -> Vec<Finding> {
    let file = match syn::parse_file(&source.text) {
        Ok(file) => file,
        Err(error) => return vec![Finding::fault(&source.path, error.span().start().line, error.to_string())],
    };
    let mut findings = Vec::new();
    if !source.text.trim_start().starts_with("//!") {
        findings.push(Finding::fault(&source.path, 1, "no documentation of the crate"));
    }
    for item in &file.items {
        let allowed = match item {
            syn::Item::Use(_) => true,
            syn::Item::Mod(module) => module.content.as_ref().is_none_or(|(_, items)| items.iter().all(is_use)),
            _ => false,
        };
        if !allowed {
            let line = item.span().start().line;
            findings.push(Finding::fault(&source.path, line, "an item that is neither a module nor a re-export"));
        }
    }
    findings
}

/// A module written out in `lib.rs` may group re-exports.
fn is_use(item: &syn::Item) -> bool {
    matches!(item, syn::Item::Use(_))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::examples::faults;

    #[test]
    fn an_item_in_the_root_fails() {
        let good = "//! A crate.\nmod a;\npub use a::A;\npub mod prelude {\n    pub use crate::a::A;\n}\n";
        assert!(faults(check, &[("src/lib.rs", good), ("src/a.rs", "pub struct A;\n")]).is_empty());
        let bad = "//! A crate.\nmod a;\npub struct A;\n";
        let expected = "src/lib.rs:3: fault: an item that is neither a module nor a re-export";
        assert_eq!(faults(check, &[("src/lib.rs", bad)]), [expected]);
        assert_eq!(
            faults(check, &[("src/lib.rs", "mod a;\n")]),
            ["src/lib.rs:1: fault: no documentation of the crate"]
        );
    }
}
