//! Running test binaries, each in a process that is ended when it takes too long.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::tally::Tally;
use crate::artifacts::Binary;
use crate::shell;

/// A test binary that runs longer than this is ended and counts as failed: a driver may hang for ever.
const TIME_LIMIT: Duration = Duration::from_secs(20 * 60);

/// Runs one binary; on an adapter when `adapter` names one, and then one test at a time. Lines go to `print` as they come.
pub(crate) fn run_binary(
    binary: &Binary,
    filter: Option<&str>,
    adapter: Option<&str>,
    prepare: impl FnOnce(&mut Command),
    print: &mut dyn FnMut(&str),
) -> Tally {
    let on = adapter.map(|name| format!(" on {name}")).unwrap_or_default();
    print(&format!("\n== {} {}{on}", binary.package, binary.target));
    let mut command = Command::new(&binary.path);
    command.current_dir(&binary.folder).env("CARGO_MANIFEST_DIR", &binary.folder).args(filter);
    // A snapshot that differs fails; nothing is written into the sources (`cargo xtask shaders --accept` does that).
    command.env("INSTA_UPDATE", "no");
    if adapter.is_some() {
        command.arg("--test-threads=1");
    }
    prepare(&mut command);
    run(&mut command, TIME_LIMIT, print)
}

/// Prints lines as they come.
pub(crate) fn live(line: &str) {
    println!("{line}");
}

/// Runs the examples in the documentation.
pub(crate) fn run_doc_tests(filter: Option<&str>, prepare: impl FnOnce(&mut Command)) -> Tally {
    println!("\n== documentation");
    let mut command = shell::cargo();
    command.args(["test", "--workspace", "--doc", "--quiet", "--no-fail-fast"]);
    if let Some(text) = filter {
        command.args(["--", text]);
    }
    prepare(&mut command);
    run(&mut command, TIME_LIMIT, &mut live)
}

/// Runs a command, repeats its output and counts its tests.
fn run(command: &mut Command, limit: Duration, print: &mut dyn FnMut(&str)) -> Tally {
    let mut child = match command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => {
            print(&format!("FAILED: cannot start `{}`: {error}", shell::line(command)));
            return Tally { failed: 1, ..Tally::default() };
        }
    };
    let lines = child.stdout.take().map(lines_of);
    let deadline = Instant::now() + limit;
    let mut timed_out = false;
    let repeated = std::iter::from_fn(|| match next_line(lines.as_ref()?, deadline) {
        Ok(line) => {
            print(&line);
            Some(line)
        }
        Err(RecvTimeoutError::Timeout) => {
            timed_out = true;
            None
        }
        Err(RecvTimeoutError::Disconnected) => None,
    });
    let lines: Vec<String> = repeated.collect();
    Tally::of_run(lines.into_iter(), || !timed_out & ended_well(&mut child, timed_out, limit, print))
}

/// Waits for the process, or ends it when its time is over; true when it succeeded.
fn ended_well(child: &mut Child, timed_out: bool, limit: Duration, print: &mut dyn FnMut(&str)) -> bool {
    if timed_out {
        print(&format!("FAILED: ended after {} s", limit.as_secs()));
        // It may have ended by itself in between; either way it is gone after the wait.
        let _ = child.kill();
    }
    match child.wait() {
        Ok(status) if !status.success() => {
            print(&format!("ended with {status}"));
            false
        }
        Ok(_) => true,
        Err(error) => {
            print(&format!("FAILED: cannot wait for it: {error}"));
            false
        }
    }
}

fn next_line(lines: &Receiver<String>, deadline: Instant) -> Result<String, RecvTimeoutError> {
    lines.recv_timeout(deadline.saturating_duration_since(Instant::now()))
}

/// Reads lines on a thread of its own, so that waiting for one can be given up.
fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut bytes = Vec::new();
        while stream.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            let line = String::from_utf8_lossy(&bytes).trim_end().to_string();
            if sender.send(line).is_err() {
                break;
            }
            bytes.clear();
        }
    });
    receiver
}

#[cfg(all(test, unix))]
mod tests {
    use super::{Tally, run};
    use std::process::Command;
    use std::time::{Duration, Instant};

    fn shell(script: &str, limit: Duration) -> Tally {
        run(Command::new("sh").args(["-c", script]), limit, &mut |_| {})
    }

    #[test]
    fn a_binary_that_crashes_fails_once() {
        let limit = Duration::from_secs(60);
        assert_eq!(shell("echo running 3 tests; kill -SEGV $$", limit).failed, 1);
        let passed = shell("echo 'test result: ok. 3 passed; 0 failed; 0 ignored'", limit);
        assert_eq!(passed, Tally { passed: 3, failed: 0, ignored: 0 });
    }

    #[test]
    fn a_binary_that_hangs_is_ended() {
        let start = Instant::now();
        assert_eq!(shell("exec sleep 600", Duration::from_millis(100)).failed, 1);
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}
