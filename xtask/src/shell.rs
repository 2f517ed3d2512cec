//! Running other programs.

use std::process::{Command, Stdio};

use crate::error::{Error, Result};

/// The command line as a person would type it.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Prints and runs a command, and fails when it does.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    println!("$ {line}");
    let status = command.status().map_err(|source| Error::Start { command: line.clone(), source })?;
    if status.success() { Ok(()) } else { Err(Error::Command { command: line, status: status.to_string() }) }
}

/// Runs a command and returns what it printed; its messages go to ours.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|source| Error::Start { command: line.clone(), source })?;
    if !output.status.success() {
        return Err(Error::Command { command: line, status: output.status.to_string() });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program of this name can be started (it is asked for its version).
pub(crate) fn exists(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The cargo that started us, or the one on the path.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::workspace::root());
    command
}
