//! The manifest of a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::Error;

/// `manifest.json`.
#[derive(Debug, Deserialize)]
pub(super) struct Manifest {
    pub(super) format: u32,
    pub(super) blob: String,
    pub(super) inputs: BTreeMap<String, Vec<Item>>,
    pub(super) cases: Vec<Case>,
}

/// The voxels of one item of a batch.
#[derive(Debug, Deserialize)]
pub(super) struct Item {
    pub(super) count: u64,
    pub(super) sha256: String,
    #[serde(rename = "nodes_leaf_lower_upper")]
    pub(super) nodes: [usize; 3],
    pub(super) min: Option<[i32; 3]>,
    pub(super) max: Option<[i32; 3]>,
    pub(super) offset: Option<u64>,
    pub(super) generator: Option<Generator>,
}

/// How an input that is not stored is made.
#[derive(Debug, Deserialize)]
pub(super) struct Generator {
    pub(super) r#gen: String,
    pub(super) args: Vec<Value>,
}

/// One operation and its result.
#[derive(Debug, Deserialize)]
pub(super) struct Case {
    #[serde(default)]
    pub(super) id: String,
    pub(super) op: String,
    pub(super) input: String,
    #[serde(default)]
    pub(super) params: Params,
    pub(super) expect: Expect,
    #[serde(default)]
    pub(super) item: usize,
    #[serde(default)]
    pub(super) queries: Vec<[i32; 3]>,
}

/// The parameters of all operations.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Params {
    pub(super) factor: Option<[u32; 3]>,
    pub(super) kernel: Option<[u32; 3]>,
    pub(super) stride: Option<[u32; 3]>,
    pub(super) neighbours: Option<u32>,
    pub(super) iterations: Option<u32>,
    pub(super) min: Option<Corner>,
    pub(super) max: Option<Corner>,
    pub(super) shift: Option<[i32; 3]>,
    pub(super) mask_seed: Option<u64>,
}

/// A corner of a box: one number for all axes, or three.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub(super) enum Corner {
    All(i32),
    Each([i32; 3]),
}

impl Corner {
    pub(super) fn axes(self) -> [i32; 3] {
        match self {
            Self::All(v) => [v; 3],
            Self::Each(v) => v,
        }
    }
}

/// What a case must give.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Expect {
    Text(String),
    Rows(Vec<i64>),
    Items(Vec<Item>),
}

/// An open folder.
pub(super) struct Folder {
    path: PathBuf,
    pub(super) manifest: Manifest,
    data: Vec<u8>,
}

impl Folder {
    pub(super) fn open(dir: &Path) -> Result<Self, Error> {
        let path = dir.join("manifest.json");
        let manifest: Manifest = read_json(&path)?;
        if manifest.format != 1 {
            return Err(Error::Corpus { path, what: format!("the format is {}, must be 1", manifest.format) });
        }
        let data = read(&dir.join(&manifest.blob))?;
        Ok(Self { path, manifest, data })
    }

    /// An error about the manifest.
    pub(super) fn fault(&self, what: String) -> Error {
        Error::Corpus { path: self.path.clone(), what }
    }

    /// The stored coordinates of an item.
    pub(super) fn coordinates(&self, offset: u64, count: u64) -> Result<Vec<[i32; 3]>, Error> {
        let end = count.checked_mul(12).and_then(|size| size.checked_add(offset));
        let bytes = end
            .filter(|&end| end <= self.data.len() as u64)
            .map(|end| &self.data[offset as usize..end as usize])
            .ok_or_else(|| {
                self.fault(format!("{count} voxels at {offset}, {} has {} bytes", self.manifest.blob, self.data.len()))
            })?;
        let word = |b: &[u8]| i32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        Ok(bytes.chunks_exact(12).map(|c| [word(&c[0..4]), word(&c[4..8]), word(&c[8..12])]).collect())
    }
}

pub(super) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::Io { path: path.into(), source })
}

pub(super) fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Error> {
    serde_json::from_slice(&read(path)?).map_err(|error| Error::Corpus { path: path.into(), what: error.to_string() })
}
