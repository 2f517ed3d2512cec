//! Sweeps in parts: the findings of each in a file, and all of them added up in one report.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use affine_arith::{Sweep, swept_functions};
use gpu_runtime::Context;
use serde_json::{Value, json};

use super::functions::{Found, Head, label};
use crate::error::Error;
use crate::report;

/// A part of all words, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    number: u32,
    of: u32,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) && of <= 4096 => Ok(Self { number, of }),
            _ => Err(format!("`{text}` is no part K/N with 1 <= K <= N <= 4096")),
        }
    }
}

impl Part {
    /// All words in one.
    pub(super) const WHOLE: Self = Self { number: 1, of: 1 };

    /// Its share of `count` numbers.
    pub(super) fn range(self, count: u64) -> std::ops::Range<u64> {
        let end = |k: u32| count * u64::from(k) / u64::from(self.of);
        end(self.number - 1)..end(self.number)
    }

    fn file(self, folder: &Path) -> PathBuf {
        folder.join(format!("functions-{}-of-{}.json", self.number, self.of))
    }
}

/// What parts have in common.
fn common(context: &Context, stride: u32) -> Value {
    let adapter = context.adapter();
    json!({ "device": adapter.name, "driver": adapter.driver, "commit": report::commit(), "form": context.numerics().form.to_string(), "stride": stride })
}

/// Writes the findings of a part.
///
/// # Errors
/// [`Error::File`].
pub(super) fn write(
    folder: &Path,
    part: Part,
    context: &Context,
    stride: u32,
    head: &Head,
    rows: &[Found],
) -> Result<PathBuf, Error> {
    let row = |found: &Found| {
        let Sweep { compared, missed, first_missed, widest, widest_word, tightest } = found.sweep;
        json!({
            "function": label(found.function), "different": found.different, "first_different": found.first_different, "seconds": found.seconds,
            "compared": compared, "missed": missed, "first_missed": first_missed, "widest": widest, "widest_word": widest_word, "tightest": tightest,
        })
    };
    let rows: Vec<Value> = rows.iter().map(row).collect();
    let whole = json!({ "number": part.number, "of": part.of, "common": common(context, stride), "head": head.text, "rows": rows });
    let path = part.file(folder);
    report::write_whole(&path, format!("{whole:#}\n"))?;
    Ok(path)
}

/// Reads the parts in a folder and adds them up: the head of the report, the name of the device, and the rows.
///
/// # Errors
/// [`Error::File`]; [`Error::Part`] where there are none, one is missing, is no part, or is of another device, commit or stride.
pub(super) fn add(folder: &Path) -> Result<(Head, String, Vec<Found>), Error> {
    let first = fs::read_dir(folder).map_err(|source| file(folder, source))?;
    let is_part = |name: &str| name.starts_with("functions-") && name.ends_with(".json");
    let mut names: Vec<PathBuf> = first.filter_map(Result::ok).map(|entry| entry.path()).collect();
    names.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_part));
    names.sort_unstable();
    let Some(first) = names.first() else { return Err(fault(folder, "no functions-K-of-N.json in it")) };
    let start = read(first)?;
    let of = start["of"].as_u64().and_then(|of| u32::try_from(of).ok()).filter(|of| (1..=4096).contains(of));
    let of = of.ok_or_else(|| fault(first, "no part of a sweep"))?;
    let mut rows: Vec<Found> = Vec::new();
    for number in 1..=of {
        let path = Part { number, of }.file(folder);
        let part = read(&path)?;
        if part["common"] != start["common"] {
            return Err(fault(&path, &format!("{}, not {}", part["common"], start["common"])));
        }
        let found = part["rows"].as_array().map(|rows| rows.iter().map(|row| found_of(row, &path)).collect());
        let found: Vec<Found> = found.unwrap_or_else(|| Ok(Vec::new()))?;
        if number > 1 && found.len() != rows.len() {
            return Err(fault(&path, &format!("{} functions, not {}", found.len(), rows.len())));
        }
        if number == 1 {
            rows = found;
        } else {
            rows.iter_mut().zip(&found).for_each(|(all, more)| all.join(more));
        }
    }
    if names.len() != of as usize {
        return Err(fault(folder, &format!("{} parts, not {of}", names.len())));
    }
    let device = start["common"]["device"].as_str().unwrap_or_default().to_owned();
    Ok((Head { text: start["head"].as_str().unwrap_or_default().to_owned() }, device, rows))
}

fn read(path: &Path) -> Result<Value, Error> {
    let text = fs::read_to_string(path).map_err(|source| file(path, source))?;
    serde_json::from_str(&text).map_err(|error| fault(path, &error.to_string()))
}

fn file(path: &Path, source: std::io::Error) -> Error {
    Error::File { path: path.to_path_buf(), source }
}

fn fault(path: &Path, what: &str) -> Error {
    Error::Part { path: path.to_path_buf(), what: what.to_owned() }
}

fn found_of(row: &Value, path: &Path) -> Result<Found, Error> {
    let number = |key: &str| row[key].as_u64().ok_or_else(|| fault(path, &format!("no number `{key}` in {row}")));
    let word = |key: &str| number(key).map(|word| word as u32);
    let maybe = |key: &str| row[key].as_u64().map(|word| word as u32);
    let name = row["function"].as_str().unwrap_or_default();
    let function = swept_functions().into_iter().find(|function| label(*function) == name);
    let sweep = Sweep {
        compared: number("compared")?,
        missed: number("missed")?,
        first_missed: maybe("first_missed"),
        widest: word("widest")?,
        widest_word: word("widest_word")?,
        tightest: number("tightest")?,
    };
    Ok(Found {
        function: function.ok_or_else(|| fault(path, &format!("no function `{name}`")))?,
        different: number("different")?,
        first_different: maybe("first_different"),
        sweep,
        seconds: row["seconds"].as_f64().unwrap_or(0.0),
    })
}

#[cfg(test)]
mod tests {
    use super::{Found, Part, add, found_of};
    use affine_arith::Sweep;

    #[test]
    fn parts_make_a_whole() {
        let count = 17_112_064;
        let part = |number| Part { number, of: 7 }.range(count);
        assert_eq!((part(1).start, part(7).end), (0, count));
        assert!((1..7).all(|k| part(k).end == part(k + 1).start));
        for text in ["0/3", "4/3", "3", "1/0", "1/9999", "-1/3", "a/b"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
        assert_eq!("3/8".parse(), Ok(Part { number: 3, of: 8 }));
    }

    #[test]
    fn parts_of_a_folder_are_added_and_missing_ones_named() {
        let folder = std::env::temp_dir().join(format!("isobit-parts-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let write = |number: u32, commit: &str, different: u64| {
            let row = serde_json::json!({
                "function": "sin", "different": different, "first_different": if different > 0 { Some(40 + number) } else { None }, "seconds": 1.5,
                "compared": 10, "missed": 0, "first_missed": null, "widest": number, "widest_word": 7 * number, "tightest": 9,
            });
            let text = serde_json::json!({ "number": number, "of": 2, "head": "# head\n", "rows": [row],
                "common": { "device": "a device", "commit": commit } });
            std::fs::write(folder.join(format!("functions-{number}-of-2.json")), text.to_string()).expect("a file");
        };
        write(1, "a", 0);
        let missing = add(&folder).err().expect("a part is missing").to_string();
        assert!(missing.contains("functions-2-of-2.json"), "{missing}");
        write(2, "b", 1);
        let other = add(&folder).err().expect("another commit").to_string();
        assert!(other.contains("\"b\""), "{other}");
        write(2, "a", 1);
        let (head, device, rows) = add(&folder).expect("both parts");
        assert_eq!((head.text.as_str(), device.as_str(), rows.len()), ("# head\n", "a device", 1));
        let Found { different, first_different, sweep, seconds, .. } = &rows[0];
        assert_eq!((*different, *first_different, *seconds), (1, Some(42), 3.0));
        let expected = Sweep { compared: 20, missed: 0, first_missed: None, widest: 2, widest_word: 14, tightest: 18 };
        assert_eq!(*sweep, expected);
        std::fs::remove_dir_all(&folder).expect("removed");
        let bad = serde_json::json!({ "function": "no such", "different": 0, "compared": 0 });
        assert!(found_of(&bad, &folder).is_err());
    }
}
