//! What cargo knows of the workspace and of what it depends on.

use serde::Deserialize;

use crate::error::{Error, Result};
use crate::shell;

/// The packages of `cargo metadata`.
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    pub(super) packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Option<Resolve>,
}

/// A package.
#[derive(Debug, Deserialize)]
pub(super) struct Package {
    id: String,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) rust_version: Option<String>,
    description: Option<String>,
    license: Option<String>,
    /// Registries that it may be published to: none at all is everywhere, an empty list nowhere.
    publish: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

/// What a package needs.
#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Debug, Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Debug, Deserialize)]
struct Kind {
    /// None for what a library needs; `dev` for its tests.
    kind: Option<String>,
}

/// Asks cargo.
pub(super) fn metadata() -> Result<Metadata> {
    let text = shell::output(shell::cargo().args(["metadata", "--format-version", "1"]))?;
    parse(&text)
}

fn parse(text: &str) -> Result<Metadata> {
    serde_json::from_str(text).map_err(|e| Error::Unexpected {
        what: "the answer of cargo metadata".into(),
        found: e.to_string(),
        expected: "its format 1".into(),
    })
}

impl Metadata {
    /// The packages of the workspace that are published.
    pub(super) fn published(&self) -> Vec<&Package> {
        let ours = |package: &&Package| self.workspace_members.contains(&package.id);
        self.packages.iter().filter(ours).filter(|p| p.publish.as_ref().is_none_or(|list| !list.is_empty())).collect()
    }

    /// What the registry asks for and a published package lacks.
    pub(super) fn incomplete(&self) -> Option<String> {
        let lacks = |p: &&Package| p.description.is_none() || p.license.is_none() || p.rust_version.is_none();
        self.published().into_iter().find(lacks).map(|p| p.name.clone())
    }

    /// Everything that the published packages need to be built, themselves among it.
    pub(super) fn needed(&self) -> Vec<&Package> {
        let nodes = self.resolve.as_ref().map_or(&[][..], |resolve| &resolve.nodes);
        let mut found: Vec<&str> = self.published().iter().map(|package| package.id.as_str()).collect();
        let mut next = 0;
        while let Some(&id) = found.get(next) {
            next += 1;
            let edges = nodes.iter().filter(|node| node.id == id).flat_map(|node| &node.deps);
            for edge in edges.filter(|edge| edge.dep_kinds.iter().any(|kind| kind.kind.as_deref() != Some("dev"))) {
                if !found.contains(&edge.pkg.as_str()) {
                    found.push(&edge.pkg);
                }
            }
        }
        self.packages.iter().filter(|package| found.contains(&package.id.as_str())).collect()
    }
}

/// Major and minor version of Rust.
pub(super) fn release(version: &str) -> Option<[u32; 2]> {
    let mut parts = version.split(['.', '-', ' ']).map(str::parse);
    Some([parts.next()?.ok()?, parts.next()?.ok()?])
}

#[cfg(test)]
mod tests {
    use super::{parse, release};

    #[test]
    fn what_is_published_and_needed_is_found() {
        let package = |id: &str, publish: &str| {
            format!(
                r#"{{"id": "{id}", "name": "{id}", "version": "1.0.0", "rust_version": "1.80", "description": "d", "license": null, "publish": {publish}}}"#
            )
        };
        let packages = [package("a", "null"), package("b", "[]"), package("c", "null"), package("d", "null")].join(",");
        let edge = |to: &str, kind: &str| format!(r#"{{"pkg": "{to}", "dep_kinds": [{{"kind": {kind}}}]}}"#);
        let (c, d) = (edge("c", "null"), edge("d", "\"dev\""));
        let text = format!(
            r#"{{"packages": [{packages}], "workspace_members": ["a", "b"], "resolve": {{"nodes": [{{"id": "a", "deps": [{c}, {d}]}}]}}}}"#
        );
        let metadata = parse(&text).expect("metadata");
        let names = |list: Vec<&super::Package>| list.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(metadata.published()), ["a"]);
        assert_eq!(names(metadata.needed()), ["a", "c"], "d is for tests alone");
        assert_eq!(metadata.incomplete().as_deref(), Some("a"), "it has no licence");
        assert!(parse("{}").is_err());
    }

    #[test]
    fn releases_are_compared_by_major_and_minor() {
        assert_eq!(["1.88", "1.88.0", "1.9"].map(release), [Some([1, 88]), Some([1, 88]), Some([1, 9])]);
        assert_eq!(release("stable"), None);
    }
}
