//! Folders of test vectors, run by the CPU references or on an adapter in each strict form: one row a crate.

mod mesh_decode;
mod sparse_topology;

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use gpu_runtime::{AdapterSelector, Context, ContextOptions};

use crate::adapters::open_strict;
use crate::error::Error;

/// Options of a run.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// The crate whose layout the folder has.
    #[arg(value_name = "CRATE", value_parser = clap::builder::PossibleValuesParser::new(CORPORA.map(|c| c.name)))]
    pub name: String,
    /// The folder.
    pub dir: PathBuf,
    /// What computes: cpu (the references), auto, gpu, an index, or a part of an adapter's name.
    #[arg(long, default_value = "cpu")]
    pub device: Device,
}

/// What computes.
#[derive(Debug, Clone, PartialEq)]
pub enum Device {
    /// The CPU references.
    Cpu,
    /// An adapter, in each strict form that it has.
    Adapter(AdapterSelector),
}

impl FromStr for Device {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        match text.trim() {
            "cpu" => Ok(Self::Cpu),
            other => Ok(Self::Adapter(other.parse()?)),
        }
    }
}

/// The kind of corpus of a crate.
struct Corpus {
    /// The crate.
    name: &'static str,
    /// Runs a folder; `None` is the CPU.
    run: fn(&Path, Option<&Context>) -> Result<Tally, Error>,
}

/// One row a crate.
const CORPORA: [Corpus; 2] = [
    Corpus { name: "mesh-decode", run: mesh_decode::run },
    Corpus { name: "sparse-topology", run: sparse_topology::run },
];

/// What a run of a folder found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Numbers of things compared, each with its name: `(1302, "cases")`.
    pub compared: Vec<(usize, &'static str)>,
    /// Every case that differs.
    pub differences: Vec<Difference>,
}

/// A case that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The case's name in the folder.
    pub case: String,
    /// What differs, with both values.
    pub what: String,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (count, name) in &self.compared {
            write!(f, "{count} {name}, ")?;
        }
        write!(f, "{} differ", self.differences.len())
    }
}

/// Runs every case of a folder and prints each that differs.
///
/// # Errors
/// [`Error::Differs`] when a case differs; errors of the device; the crate's own when the folder is not laid out as it must be.
pub fn run(options: &Options) -> Result<(), Error> {
    let unknown = || Error::Corpus(format!("no corpus of the crate {:?}", options.name));
    let corpus = CORPORA.iter().find(|corpus| corpus.name == options.name).ok_or_else(unknown)?;
    let (mut checks, mut failed) = (0, 0);
    let mut one = |context: Option<&Context>, place: &str| -> Result<(), Error> {
        let tally = (corpus.run)(&options.dir, context)?;
        for Difference { case, what } in &tally.differences {
            println!("{case}: {what}");
        }
        println!("{place}: {tally}");
        checks += tally.compared.iter().map(|(count, _)| count).sum::<usize>();
        failed += tally.differences.len();
        Ok(())
    };
    match &options.device {
        Device::Cpu => one(None, "cpu")?,
        Device::Adapter(selector) => {
            for context in open_strict(selector, &ContextOptions::default())? {
                one(Some(&context), &format!("{}, {}", context.adapter().name, context.numerics().form))?;
            }
        }
    }
    if checks == 0 {
        return Err(Error::Corpus(format!("{}: nothing to compare (0 cases)", options.dir.display())));
    }
    if failed == 0 { Ok(()) } else { Err(Error::Differs { failed, checks }) }
}
