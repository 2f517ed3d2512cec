//! What a decode gives, and the raw arrays it is written as.

use crate::error::Error;
use crate::format::Format;
use crate::status::Fault;
use crate::units::UnitRange;

/// Which arrays a decode fills. An array that is not wanted, or that the format does not have, stays empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// f32 positions.
    pub positions: bool,
    /// Integer grid positions or codes.
    pub grid: bool,
    /// Triangles.
    pub triangles: bool,
    /// Everything else: vertex references, geometry ids, opacity, primitive ids, user words.
    pub attributes: bool,
}

impl Outputs {
    /// Every array.
    pub const ALL: Self = Self { positions: true, grid: true, triangles: true, attributes: true };
    /// Positions and triangles: a mesh.
    pub const MESH: Self = Self { positions: true, grid: false, triangles: true, attributes: false };
}

/// The arrays of a decode: the selected units one after the other.
///
/// `triangles` index the vertices of this decode (the unit's vertex offset plus the local index). A unit that could not be
/// decoded has its ranges filled with zeros, its word in `statuses` and an entry in `faults`.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// Format of the file.
    pub format: Format,
    /// A range a unit.
    pub units: Vec<UnitRange>,
    /// A status word a unit: 0, or a [`crate::Status`].
    pub statuses: Vec<u32>,
    /// The faults behind the status words that are not 0, as (unit, fault), in the order of the units.
    pub faults: Vec<(u32, Fault)>,
    /// x, y, z a vertex.
    pub positions: Vec<[f32; 3]>,
    /// x, y, z a vertex in grid steps: DGF and clusters anchor + offset, STRIDE the codes.
    pub grid: Vec<[i32; 3]>,
    /// Three vertices a triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Meshlet sets: the vertex of the mesh behind each vertex.
    pub vertex_references: Vec<u32>,
    /// DGF: geometry id of each triangle.
    pub geometry_ids: Vec<u32>,
    /// DGF: 1 for each opaque triangle.
    pub opaque: Vec<u8>,
    /// DGF: primitive id of each triangle.
    pub primitive_ids: Vec<u32>,
    /// DGF: user word of each unit, 0 where a block has none.
    pub user_words: Vec<u32>,
}

/// No units and no arrays, of the project's own format: to be decoded into.
impl Default for Decoded {
    fn default() -> Self {
        Self {
            format: Format::Md1,
            units: Vec::new(),
            statuses: Vec::new(),
            faults: Vec::new(),
            positions: Vec::new(),
            grid: Vec::new(),
            triangles: Vec::new(),
            vertex_references: Vec::new(),
            geometry_ids: Vec::new(),
            opaque: Vec::new(),
            primitive_ids: Vec::new(),
            user_words: Vec::new(),
        }
    }
}

impl Decoded {
    /// Fails with the first unit that could not be decoded.
    ///
    /// # Errors
    /// [`Error::Unit`].
    pub fn check(&self) -> Result<(), Error> {
        match self.faults.first() {
            Some(&(unit, fault)) => Err(Error::Unit { unit, fault }),
            None => Ok(()),
        }
    }

    /// Triangles as local indices a | b << 8 | c << 16, the form of meshlet sets.
    pub fn local_triangles(&self) -> Vec<u32> {
        let mut out = Vec::with_capacity(self.triangles.len());
        for range in self.units.iter().filter(|_| !self.triangles.is_empty()) {
            let first = range.triangle_offset as usize;
            for triangle in &self.triangles[first..first + range.triangle_count as usize] {
                let [a, b, c] = triangle.map(|vertex| vertex.saturating_sub(range.vertex_offset) & 0xff);
                out.push(a | b << 8 | c << 16);
            }
        }
        out
    }

    /// The arrays as (ending, little-endian bytes), empty ones left out, under the names of `--dump`: `.tris.u32`, `.verts.f32`,
    /// `.verts.i32`, `.codes.u16`, `.verts.u32`, `.geomid.u32`, `.opaque.u8`, `.primid.u32`, `.userdata.u32`, `.status.u32`.
    pub fn arrays(&self) -> Vec<(&'static str, Vec<u8>)> {
        let meshlets = self.format == Format::MeshoptMeshlets;
        let triangles = if meshlets {
            words(self.local_triangles().into_iter())
        } else {
            words(self.triangles.iter().flatten().copied())
        };
        let positions = words(self.positions.iter().flatten().map(|x| x.to_bits()));
        let grid = match self.format {
            Format::StrideBlob | Format::StrideContainer => {
                let codes = self.grid.iter().flatten().flat_map(|code| (*code as u16).to_le_bytes());
                (".codes.u16", codes.collect())
            }
            _ => (".verts.i32", words(self.grid.iter().flatten().map(|x| *x as u32))),
        };
        // Without a unit nothing else says which arrays there are.
        let kept: &[&str] = match (self.units.is_empty(), meshlets) {
            (false, _) => &[],
            (true, true) => &[".tris.u32", ".verts.u32", ".status.u32"],
            (true, false) => &[".tris.u32", ".verts.f32", grid.0, ".status.u32"],
        };
        let arrays = [
            (".tris.u32", triangles),
            (".verts.f32", positions),
            grid,
            (".verts.u32", words(self.vertex_references.iter().copied())),
            (".geomid.u32", words(self.geometry_ids.iter().copied())),
            (".opaque.u8", self.opaque.clone()),
            (".primid.u32", words(self.primitive_ids.iter().copied())),
            (".userdata.u32", words(self.user_words.iter().copied())),
            (".status.u32", words(self.statuses.iter().copied())),
        ];
        arrays.into_iter().filter(|(name, bytes)| !bytes.is_empty() || kept.contains(name)).collect()
    }

    /// `units.bin`: the records of [`UnitRange::words`].
    pub fn unit_records(&self) -> Vec<u8> {
        words(self.units.iter().flat_map(UnitRange::words))
    }
}

fn words(values: impl Iterator<Item = u32>) -> Vec<u8> {
    values.flat_map(u32::to_le_bytes).collect()
}
