//! What the steps gave, as a table.

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It passed; what was looked at.
    Good(String),
    /// It did not.
    Failed(String),
    /// This machine lacks what it needs.
    NotRun(String),
}

/// A step that has ended.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) outcome: Outcome,
    pub(super) seconds: f64,
}

impl Row {
    pub(super) fn failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }
}

/// The rows, and a last line that counts them.
pub(super) fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        let (word, what) = match &row.outcome {
            Outcome::Good(what) => ("ok", what),
            Outcome::Failed(what) => ("FAILED", what),
            Outcome::NotRun(why) => ("not run", why),
        };
        let what = what.lines().next().unwrap_or_default();
        text += &format!("{:<width$}  {word:<7}  {:>5.0} s  {what}\n", row.name, row.seconds);
    }
    let count = |test: fn(&Outcome) -> bool| rows.iter().filter(|row| test(&row.outcome)).count();
    let good = count(|outcome| matches!(outcome, Outcome::Good(_)));
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let not_run = count(|outcome| matches!(outcome, Outcome::NotRun(_)));
    text + &format!("{good} passed, {failed} failed, {not_run} not run\n")
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Row, table};

    #[test]
    fn the_table_has_a_line_a_step_and_counts_them() {
        let row = |name: &str, outcome| Row { name: name.to_owned(), outcome, seconds: 1.4 };
        let rows = [
            row("a", Outcome::Good("9 crates".into())),
            row("bcd", Outcome::Failed("x\nmore".into())),
            row("e", Outcome::NotRun("no tool".into())),
        ];
        let expected = "a    ok           1 s  9 crates\nbcd  FAILED       1 s  x\ne    not run      1 s  no tool\n\
                        1 passed, 1 failed, 1 not run\n";
        assert_eq!(table(&rows), expected);
        assert!(rows[1].failed() && !rows[2].failed());
    }
}
