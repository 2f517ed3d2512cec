//! What a person sees: notes and progress on stderr, the answer on stdout.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value};

use crate::failure::Failure;

/// How loud the program is and in which form it answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Console {
    /// stdout carries one JSON object instead of the summary.
    pub(crate) json: bool,
    /// No notes and no progress.
    pub(crate) quiet: bool,
}

impl Console {
    /// One line for a person on stderr; silent with `-q`.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            eprintln!("note: {text}");
        }
    }

    /// A spinner for a phase of unknown length, drawn only on a terminal.
    fn spinner(self, what: &str) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(None, self.target());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        bar
    }

    /// A bar over `total` steps, drawn only on a terminal.
    pub(crate) fn bar(self, what: &str, total: u64) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(total), self.target());
        if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:40}] {percent}% {eta}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(what.to_owned());
        bar
    }

    /// A spinner while `work` runs.
    pub(crate) fn wait<T>(self, what: &str, work: impl FnOnce() -> T) -> T {
        let spinner = self.spinner(what);
        let made = work();
        spinner.finish_and_clear();
        made
    }

    /// A bar while `work` runs, which gets the progress to hand on. An interrupt ends the program by itself; progress never stops the work.
    pub(crate) fn watch<T>(self, what: &str, work: impl FnOnce(&mesh_distance::Progress<'_>) -> T) -> T {
        let bar = self.bar(what, 0);
        let made = work(&|done, known| {
            bar.set_length(known as u64);
            bar.set_position(done as u64);
            ControlFlow::Continue(())
        });
        bar.finish_and_clear();
        made
    }

    fn target(self) -> ProgressDrawTarget {
        if self.quiet || !std::io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        }
    }

    /// The end of a run: its files come into their places, then the answer is printed, the JSON object with `--json`, else the summary.
    /// A reader that has gone away is no failure.
    pub(crate) fn answer(self, object: Map<String, Value>, summary: &str) -> Result<(), Failure> {
        crate::output::place_all()?;
        let text = if self.json { Value::Object(object).to_string() } else { summary.trim_end().to_owned() };
        match writeln!(std::io::stdout().lock(), "{text}") {
            Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(Failure::Input(format!("stdout: cannot write ({e})")))
            }
            _ => Ok(()),
        }
    }
}

/// Wall time of the phases of a verb, in the order they began: the `seconds` object.
#[derive(Debug, Default)]
pub(crate) struct Phases(Map<String, Value>);

impl Phases {
    /// Runs `work` and books its wall time under `name`; a name used twice adds up.
    pub(crate) fn time<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add(name, start.elapsed().as_secs_f64());
        result
    }

    /// Adds `seconds` to the phase `name`.
    pub(crate) fn add(&mut self, name: &str, seconds: f64) {
        let before = self.get(name);
        self.0.insert(name.to_owned(), Value::from(before + seconds));
    }

    /// Seconds booked under `name` so far, 0 when there are none.
    pub(crate) fn get(&self, name: &str) -> f64 {
        self.0.get(name).and_then(Value::as_f64).unwrap_or(0.0)
    }

    /// The object `{phase: seconds}`.
    pub(crate) fn into_json(self) -> Value {
        Value::Object(self.0)
    }
}
