//! The files that boxes are asked of: a terrain in each format, or a file of the user's.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use conformance::error::Error;
use mesh_decode::meshopt::encode_clusters;
use mesh_decode::{
    DgfOptions, File, GridStep, Md1Mode, Md1Options, MeshletLimits, Outputs, StrideOptions, UnitBvh, encode_dgf,
    encode_md1, encode_stride, open,
};
use mesh_distance::make;

use super::boxes::{QueryBox, boxes};
use super::corpus;

pub(super) const STEP: GridStep = GridStep::Bits(12);

/// The terrain as the encoders take it.
pub(super) struct Terrain {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Terrain {
    pub(super) fn new(triangles: usize) -> Self {
        let mesh = make::terrain(triangles);
        let positions = mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect();
        Self { positions, triangles: mesh.triangles }
    }

    fn encode(&self, format: &str) -> Result<Vec<u8>, mesh_decode::Error> {
        let (positions, triangles) = (&self.positions, &self.triangles);
        let limits = MeshletLimits { vertices: 64, triangles: 96 };
        let md1 = |mode| Md1Options { step: STEP, mode, ..Md1Options::default() };
        match format {
            "dgf" => Ok(encode_dgf(positions, triangles, &DgfOptions { step: STEP, ..DgfOptions::default() })?.bytes),
            "md1" => Ok(encode_md1(positions, triangles, &md1(Md1Mode::Predicted))?.bytes),
            "md1-fixed" => Ok(encode_md1(positions, triangles, &md1(Md1Mode::Fixed))?.bytes),
            "md1-offsets" => Ok(encode_md1(positions, triangles, &md1(Md1Mode::Offsets))?.bytes),
            "clusters" => Ok(encode_clusters(positions, triangles, STEP, limits)?.bytes),
            _ => Ok(encode_stride(positions, triangles, &StrideOptions::default())?.bytes),
        }
    }
}

/// A file with its tree.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) file: File,
    pub(super) bvh: UnitBvh,
    /// What building the tree took; nothing for one that was read.
    pub(super) tree: Duration,
}

impl Source {
    fn new(name: &str, bytes: &[u8], sidecar: Option<&Path>) -> Result<Self, Error> {
        let failed = |error: mesh_decode::Error| Error::Corpus(format!("{name}: {error}"));
        let file = open(bytes).map_err(failed)?;
        let start = Instant::now();
        let bvh = match sidecar {
            Some(path) => UnitBvh::from_bytes(&read(path)?, bytes).map_err(failed)?,
            None => UnitBvh::build(&file, bytes).map_err(failed)?,
        };
        let tree = if sidecar.is_some() { Duration::ZERO } else { start.elapsed() };
        Ok(Self { name: name.to_owned(), file, bvh, tree })
    }

    /// The terrain in a format.
    pub(super) fn of(terrain: &Terrain, format: &str) -> Result<Self, Error> {
        Self::new(format, &terrain.encode(format).map_err(corpus)?, None)
    }

    /// A file of the user's, with the sidecar that is bound to it or a tree of its own.
    pub(super) fn read(path: &Path, sidecar: Option<&PathBuf>) -> Result<Self, Error> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self::new(&name, &read(path)?, sidecar.map(PathBuf::as_path))
    }

    /// The boxes of its own decode.
    pub(super) fn boxes(&self) -> Result<Vec<QueryBox>, Error> {
        let decoded = self.file.decode_cpu(Outputs::MESH);
        decoded.check().map_err(corpus)?;
        if decoded.triangles.is_empty() {
            return Err(Error::Corpus(format!("{}: 0 triangles (allowed: 1 or more)", self.name)));
        }
        Ok(boxes(&decoded.positions, &decoded.triangles))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })
}
