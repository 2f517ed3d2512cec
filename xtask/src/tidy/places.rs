//! No path of one machine and no host of a package registry in the tree.

use super::Finding;
use crate::workspace::SourceFile;

/// Beginnings of paths that hold on one machine alone, and names of hosts. Written in halves, so that this file does not
/// hold what it looks for.
const PLACES: [(&str, &str); 10] = [
    ("/wo", "rk/"),
    ("/ho", "me/"),
    ("/ro", "ot/"),
    ("/tm", "p/"),
    ("/Us", "ers/"),
    ("C:\\Us", "ers"),
    ("registry.npm", "js.org"),
    ("index.crat", "es.io"),
    ("static.crat", "es.io"),
    ("deb.debi", "an.org"),
];

/// Checks every text file but the lock file, whose form is cargo's.
pub(crate) fn check(sources: &[SourceFile]) -> Vec<Finding> {
    sources.iter().filter(|source| source.name() != "Cargo.lock").flat_map(check_file).collect()
}

fn check_file(source: &SourceFile) -> Vec<Finding> {
    let places = PLACES.map(|(first, second)| format!("{first}{second}"));
    let mut findings = Vec::new();
    for (number, line) in source.text.lines().enumerate() {
        for place in places.iter().filter(|place| starts_at(line, place)) {
            findings.push(Finding::fault(&source.path, number + 1, format!("`{place}` is of one machine")));
        }
    }
    findings
}

/// Whether a place occurs in a line, a path only where it begins (`a/work/b` is no path of a machine).
fn starts_at(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !place.starts_with('/')
            || before.is_none_or(|c| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '/' | '}')))
    })
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::examples::faults;

    #[test]
    fn a_path_of_a_machine_fails() {
        let bad = format!("see {}x\n", "/wo".to_owned() + "rk/");
        assert_eq!(faults(check, &[("docs/a.md", &bad)]).len(), 1);
        assert!(faults(check, &[("docs/a.md", "a/work/b and ./tmp/x and network/\n")]).is_empty());
    }
}
