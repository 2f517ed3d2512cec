//! Counting tests.

/// Counts of one or more test binaries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that passed.
    pub(crate) passed: usize,
    /// Tests that failed; a binary that ends otherwise than by its own count adds one.
    pub(crate) failed: usize,
    /// Tests marked `#[ignore]`.
    pub(crate) ignored: usize,
}

impl Tally {
    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            ignored: self.ignored + other.ignored,
        }
    }

    /// The counts in a line `test result: ok. 3 passed; 0 failed; 1 ignored; ..` of the test harness.
    pub(crate) fn of_line(line: &str) -> Option<Self> {
        let counts = line.trim().strip_prefix("test result: ")?.split_once(". ")?.1;
        let mut tally = Self::default();
        for part in counts.split(';') {
            let Some((number, word)) = part.trim().split_once(' ') else { continue };
            let slot = match word {
                "passed" => &mut tally.passed,
                "failed" => &mut tally.failed,
                "ignored" => &mut tally.ignored,
                _ => continue,
            };
            *slot = number.parse().ok()?;
        }
        Some(tally)
    }

    /// The counts of a whole run that ended with this status; one failure more when it failed without counting any.
    pub(crate) fn of_run(lines: impl Iterator<Item = String>, succeeded: impl FnOnce() -> bool) -> Self {
        let counted = lines.filter_map(|line| Self::of_line(&line)).fold(Self::default(), Self::plus);
        if succeeded() || counted.failed > 0 { counted } else { counted.plus(Self { failed: 1, ..Self::default() }) }
    }
}

/// One line of the summary.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    name: String,
    tally: Tally,
}

impl Row {
    /// A group of tests.
    pub(crate) fn new(name: &str, tally: Tally) -> Self {
        Self { name: name.into(), tally }
    }

    /// Something that is no test but fails the run.
    pub(crate) fn failure(name: &str) -> Self {
        Self::new(name, Tally { failed: 1, ..Tally::default() })
    }
}

/// Prints the rows, what was skipped, and the total as the last line, which machines read.
pub(crate) fn print_summary(rows: &[Row], skips: &[String]) -> Tally {
    println!();
    for Row { name, tally } in rows {
        println!("{:>6} passed {:>4} failed {:>4} ignored  {name}", tally.passed, tally.failed, tally.ignored);
    }
    skips.iter().for_each(|line| println!("SKIPPED: {line}"));
    let total = rows.iter().fold(Tally::default(), |sum, row| sum.plus(row.tally));
    println!("{} passed, {} failed", total.passed, total.failed);
    total
}

#[cfg(test)]
mod tests {
    use super::Tally;

    const LINE: &str =
        "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s";

    fn run(lines: &[&str], succeeded: bool) -> (usize, usize) {
        let tally = Tally::of_run(lines.iter().map(|line| (*line).to_string()), || succeeded);
        (tally.passed, tally.failed)
    }

    #[test]
    fn the_harness_line_is_read() {
        assert_eq!(Tally::of_line(LINE), Some(Tally { passed: 12, failed: 3, ignored: 1 }));
        assert_eq!(Tally::of_line("test tally::tests::ok ... ok"), None);
    }

    #[test]
    fn a_crash_counts_as_one_failure_and_a_counted_failure_is_not_doubled() {
        assert_eq!(run(&["running 4 tests"], false), (0, 1));
        assert_eq!(run(&[LINE], false), (12, 3));
        assert_eq!(run(&["test result: ok. 2 passed; 0 failed; 0 ignored"], false), (2, 1));
        assert_eq!(run(&["test result: ok. 2 passed; 0 failed; 0 ignored"], true), (2, 0));
    }
}
