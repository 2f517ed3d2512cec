//! Dated reports: what ran on which device, with which driver, from which sources, and what came out.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use gpu_runtime::{AdapterInfo, Context};

use crate::error::Error;

/// The commit of the sources: of the environment variable ISOBIT_COMMIT when the program runs, else when it was built.
pub fn commit() -> String {
    let at_run = env::var("ISOBIT_COMMIT").ok().filter(|commit| !commit.is_empty());
    at_run.or_else(|| option_env!("ISOBIT_COMMIT").map(str::to_owned)).unwrap_or_else(|| "unknown".into())
}

/// Today in UTC, `YYYY-MM-DD`.
pub fn today() -> String {
    time::OffsetDateTime::now_utc().date().to_string()
}

/// An adapter's name as a part of a file name: lower case letters and digits with single dashes between.
pub fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

/// The head of a report: title, then a table of device, driver, commit, day and host.
pub fn head(title: &str, context: &Context) -> String {
    let info: &AdapterInfo = context.adapter();
    let features = &info.features;
    let has = |yes: bool| if yes { "yes" } else { "no" };
    let subgroups = match context.subgroups() {
        Some(sizes) => format!("{} to {} lanes, mapping verified", sizes.min_size, sizes.max_size),
        None => "not used".into(),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let rows = [
        ("device", format!("{} ({}, {})", info.name, info.device_type, info.backend)),
        ("driver", info.driver.clone()),
        ("commit", commit()),
        ("day", today()),
        ("host", format!("{} {}, {threads} threads", env::consts::OS, env::consts::ARCH)),
        ("largest binding", format!("{} MiB", info.limits.max_binding_bytes >> 20)),
        ("subgroups", subgroups),
        ("timestamps, passthrough", format!("{}, {}", has(features.timestamps), has(features.passthrough))),
        ("f64, int64", format!("{}, {}", has(features.f64), has(features.int64))),
        ("self-test of f64", context.doubles().map_or_else(|error| error.to_string(), |outcome| outcome.to_string())),
    ];
    let mut text = format!("# {title}: {}\n\n| | |\n|---|---|\n", info.name);
    for (name, value) in rows {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    text
}

/// Writes `DIR/<day>-<adapter><suffix>.md` by way of a temporary name.
///
/// # Errors
/// [`Error::File`] naming the file.
pub fn write(folder: &Path, adapter: &str, suffix: &str, text: &str) -> Result<PathBuf, Error> {
    let path = folder.join(format!("{}-{}{suffix}.md", today(), slug(adapter)));
    write_whole(&path, text)?;
    Ok(path)
}

/// Writes a file, and its folder where that is missing, by way of a temporary name beside it.
///
/// # Errors
/// [`Error::File`] naming the file.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    let file = |path: &Path, source| Error::File { path: path.into(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|source| file(folder, source))?;
    }
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".tmp");
    let unfinished = PathBuf::from(unfinished);
    fs::write(&unfinished, content).map_err(|source| file(&unfinished, source))?;
    fs::rename(&unfinished, path).map_err(|source| file(path, source))
}

#[cfg(test)]
mod tests {
    use super::{slug, today, write};

    #[test]
    fn names_become_parts_of_file_names() {
        assert_eq!(slug("llvmpipe (LLVM 15.0.6, 256 bits)"), "llvmpipe-llvm-15-0-6-256-bits");
        assert_eq!(slug("NVIDIA H200"), "nvidia-h200");
    }

    #[test]
    fn a_report_is_named_by_day_and_adapter() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = write(folder.path(), "NVIDIA H200", "-bench", "text\n").expect("a new file");
        let name = path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        assert_eq!(name, Some(format!("{}-nvidia-h200-bench.md", today())));
        assert_eq!(std::fs::read_to_string(path).ok().as_deref(), Some("text\n"));
        assert_eq!(std::fs::read_dir(folder.path()).map(Iterator::count).ok(), Some(1));
    }
}
