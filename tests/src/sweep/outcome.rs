//! What came out of one check.

use std::fmt;
use std::time::Instant;

use gpu_runtime::Form;

/// One check on one device in one form.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// What was compared.
    pub(crate) name: String,
    /// The strict form.
    pub(crate) form: Form,
    /// Results compared.
    pub(crate) compared: u64,
    /// Results with another word than the CPU's.
    pub(crate) different: u64,
    /// The first of those.
    pub(crate) first: Option<String>,
    /// Anything to be said besides.
    pub(crate) note: String,
    started: Instant,
    seconds: f64,
}

impl Outcome {
    /// A check that begins now.
    pub(crate) fn start(name: &str, form: Form) -> Self {
        let (started, seconds) = (Instant::now(), 0.0);
        Self { name: name.into(), form, compared: 0, different: 0, first: None, note: String::new(), started, seconds }
    }

    /// Ends its time.
    pub(crate) fn stop(&mut self) {
        self.seconds = self.started.elapsed().as_secs_f64();
    }

    /// Compares two lists word by word; `describe` tells the inputs of an index.
    pub(crate) fn compare<T: PartialEq + fmt::Debug>(
        &mut self,
        expected: &[T],
        got: &[T],
        describe: impl Fn(usize) -> String,
    ) {
        self.compared += expected.len().max(got.len()) as u64;
        self.different += (expected.len().max(got.len()) - expected.len().min(got.len())) as u64;
        for (index, (e, g)) in expected.iter().zip(got).enumerate().filter(|(_, (e, g))| e != g) {
            self.different += 1;
            self.first.get_or_insert_with(|| format!("{}: expected {e:x?}, got {g:x?}", describe(index)));
        }
        if expected.len() != got.len() {
            let lengths = format!("{} results expected, {} got", expected.len(), got.len());
            self.first.get_or_insert(lengths);
        }
    }

    /// Whether something was compared and nothing differed.
    pub(crate) fn passed(&self) -> bool {
        self.compared > 0 && self.different == 0
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.passed() { "ok" } else { "DIFFERS" };
        write!(
            f,
            "{word:>8}  {} ({}): {} compared, {} different",
            self.name, self.form, self.compared, self.different
        )?;
        write!(f, ", {:.1} s", self.seconds)?;
        if !self.note.is_empty() {
            write!(f, "; {}", self.note)?;
        }
        if let Some(first) = &self.first {
            write!(f, "; first: {first}")?;
        }
        Ok(())
    }
}

/// What came out, in one sentence.
pub(crate) fn verdict(outcomes: &[Outcome]) -> String {
    let compared: u64 = outcomes.iter().map(|outcome| outcome.compared).sum();
    let checks = outcomes.len();
    let failed: Vec<&str> = outcomes.iter().filter(|o| !o.passed()).map(|o| o.name.as_str()).collect();
    match failed.is_empty() {
        true => format!("{checks} checks, {compared} results: every word is the CPU's"),
        false => format!("{} of {checks} checks differ from the CPU: {}", failed.len(), failed.join("; ")),
    }
}

/// The outcomes as a table of Markdown.
pub(crate) fn table(outcomes: &[Outcome]) -> String {
    let mut text = String::from("| check | form | compared | different | s | |\n|---|---|---:|---:|---:|---|\n");
    for outcome in outcomes {
        let remark = match &outcome.first {
            Some(first) => format!("first: {first}"),
            None => outcome.note.clone(),
        };
        let Outcome { name, form, compared, different, seconds, .. } = outcome;
        text += &format!("| {name} | {form} | {compared} | {different} | {seconds:.1} | {remark} |\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Form, Outcome, table, verdict};

    #[test]
    fn a_different_word_and_a_missing_result_are_seen() {
        let mut outcome = Outcome::start("scan", Form::Guarded);
        assert!(!outcome.passed(), "nothing was compared");
        outcome.compare(&[1_u32, 2, 3], &[1, 2, 3], |_| String::new());
        assert!(outcome.passed());
        outcome.compare(&[1_u32, 2, 3], &[1, 7], |index| format!("index {index}"));
        assert_eq!((outcome.compared, outcome.different), (6, 2));
        assert_eq!(outcome.first.as_deref(), Some("index 1: expected 2, got 7"));
        assert_eq!(verdict(&[outcome.clone()]), "1 of 1 checks differ from the CPU: scan");
        assert!(table(&[outcome]).contains("| scan | guarded | 6 | 2 |"));
    }
}
