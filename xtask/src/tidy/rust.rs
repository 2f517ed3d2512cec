//! What the checks need to know of a Rust file, from its syntax tree.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// One function of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: String,
    /// Its first line, attributes and documentation left out.
    pub(crate) first: usize,
    /// Its last line.
    pub(crate) last: usize,
    /// Whether it stands in a test module or is a test.
    pub(crate) test: bool,
    /// Whether it is a free function of the file itself (no method, in no inner module or function).
    pub(crate) top_level: bool,
}

/// Every function of the file, in order.
pub(crate) fn functions(file: &syn::File) -> Vec<Function> {
    let mut collector = Collector::default();
    collector.visit_file(file);
    collector.found
}

/// The lines of the file's test modules, first and last.
pub(crate) fn test_modules(file: &syn::File) -> Vec<(usize, usize)> {
    let modules = file.items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) if is_test(&module.attrs) && module.content.is_some() => Some(module.span()),
        _ => None,
    });
    modules.map(|span| (span.start().line, span.end().line)).collect()
}

#[derive(Default)]
struct Collector {
    found: Vec<Function>,
    depth: usize,
    in_test: usize,
}

impl Collector {
    fn add(&mut self, signature: &syn::Signature, block: &syn::Block, attributes: &[syn::Attribute], free: bool) {
        self.found.push(Function {
            name: signature.ident.to_string(),
            first: signature.span().start().line,
            last: block.span().end().line,
            test: self.in_test > 0 || is_test(attributes),
            top_level: free && self.depth == 0,
        });
    }

    fn inside(&mut self, test: bool, visit: impl FnOnce(&mut Self)) {
        self.depth += 1;
        self.in_test += usize::from(test);
        visit(self);
        self.in_test -= usize::from(test);
        self.depth -= 1;
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.sig, &item.block, &item.attrs, true);
        self.inside(is_test(&item.attrs), |this| visit::visit_item_fn(this, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.sig, &item.block, &item.attrs, false);
        self.inside(false, |this| visit::visit_impl_item_fn(this, item));
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.inside(is_test(&item.attrs), |this| visit::visit_item_mod(this, item));
    }
}

/// Whether attributes say `#[test]` or `#[cfg(test)]`, also within `all(..)`.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) if list.path.is_ident("cfg") => {
            let words = list.tokens.to_string();
            words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "test")
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{functions, test_modules};

    const SOURCE: &str = "fn a() {\n    fn inner() {}\n}\nimpl S {\n    fn method() {}\n}\n#[cfg(all(test, unix))]\nmod tests {\n    fn helper() {}\n}\n";

    #[test]
    fn functions_know_their_place() {
        let file = syn::parse_file(SOURCE).expect("Rust");
        let found: Vec<_> =
            functions(&file).into_iter().map(|f| (f.name, f.first, f.last, f.test, f.top_level)).collect();
        let expected = [("a", 1, 3, false, true), ("inner", 2, 2, false, false), ("method", 5, 5, false, false)];
        let expected = expected.into_iter().chain([("helper", 9, 9, true, false)]);
        assert_eq!(found, expected.map(|(n, a, b, t, l)| (n.to_string(), a, b, t, l)).collect::<Vec<_>>());
        assert_eq!(test_modules(&file), [(7, 10)]);
    }
}
