//! The peers' figures, kept as data.

use serde::Deserialize;

/// What peers reach on one grid, in million queries a second.
#[derive(Debug, Clone, Deserialize)]
pub struct DistanceAnchor {
    /// Name of the mesh.
    pub mesh: String,
    /// Cells along each axis.
    pub n: u32,
    /// Warp, without a sign.
    pub warp_unsigned: f64,
    /// Warp, sign by normals.
    pub warp_sign_normal: f64,
    /// Warp, sign by winding numbers; not measured everywhere.
    pub warp_sign_winding: Option<f64>,
    /// cuBQL, without a sign.
    pub cubql_unsigned: f64,
}

/// What a peer reaches decoding the terrain, in billion triangles a second.
#[derive(Debug, Clone, Deserialize)]
pub struct DecodeAnchor {
    /// Format.
    pub format: String,
    /// How many times over the terrain.
    pub copies: usize,
    /// The rate.
    pub rate: f64,
}

/// What an operation on sparse grids takes, in milliseconds.
#[derive(Debug, Clone, Deserialize)]
pub struct TopologyAnchor {
    /// Input.
    pub input: String,
    /// Operation.
    pub operation: String,
    /// What the project asks for.
    pub goal: Option<f64>,
    /// NanoVDB's CUDA tools, wall time of one call with its allocations.
    pub nanovdb: Option<f64>,
}

/// What a peer takes for an octree, in milliseconds.
#[derive(Debug, Clone, Deserialize)]
pub struct OctreeAnchor {
    /// Name of the scene.
    pub scene: String,
    /// Last level.
    pub level: u32,
    /// vusvna, rigorous.
    pub vusvna: Option<f64>,
    /// vusvna, rounding ignored.
    pub vusvna_ignoring: Option<f64>,
    /// What the project asks for.
    pub goal: Option<f64>,
}

/// What the project asks for on one grid, with the pseudo-normal sign, in million queries a second.
#[derive(Debug, Clone, Deserialize)]
pub struct DistanceGoal {
    /// Name of the mesh.
    pub mesh: String,
    /// Cells along each axis.
    pub n: u32,
    /// The rate.
    pub rate: f64,
}

/// All figures.
#[derive(Debug, Clone, Deserialize)]
pub struct Anchors {
    /// Where and how they were measured.
    pub about: String,
    /// Distances on grids.
    pub distance: Vec<DistanceAnchor>,
    /// Octrees.
    pub octree: Vec<OctreeAnchor>,
    /// Where and how the decoders were measured.
    pub decode_about: String,
    /// Decoding.
    pub decode: Vec<DecodeAnchor>,
    /// The project's goals for distances on grids.
    pub distance_goals: Vec<DistanceGoal>,
    /// The same in f64.
    pub double_goals: Vec<DistanceGoal>,
    /// The project's goals for decoding.
    pub decode_goals: Vec<DecodeAnchor>,
    /// Operations on sparse grids.
    pub topology: Vec<TopologyAnchor>,
}

impl Anchors {
    /// The figures of `anchors.json`.
    ///
    /// # Errors
    /// When the file does not hold what this type asks for.
    pub fn load() -> Result<Anchors, serde_json::Error> {
        serde_json::from_str(include_str!("../anchors.json"))
    }

    /// The figures of a scene's octree down to a level.
    pub fn octree(&self, scene: &str, level: u32) -> Option<&OctreeAnchor> {
        self.octree.iter().find(|a| a.scene == scene && a.level == level)
    }

    /// The figures of a mesh at a size.
    pub fn distance(&self, mesh: &str, n: u32) -> Option<&DistanceAnchor> {
        self.distance.iter().find(|a| a.mesh == mesh && a.n == n)
    }

    /// The goal of a mesh at a size.
    pub fn distance_goal(&self, mesh: &str, n: u32) -> Option<f64> {
        self.distance_goals.iter().find(|goal| goal.mesh == mesh && goal.n == n).map(|goal| goal.rate)
    }

    /// The goal of a mesh at a size in f64.
    pub fn double_goal(&self, mesh: &str, n: u32) -> Option<f64> {
        self.double_goals.iter().find(|goal| goal.mesh == mesh && goal.n == n).map(|goal| goal.rate)
    }

    /// The goal of a format.
    pub fn decode_goal(&self, format: &str, copies: usize) -> Option<f64> {
        let found = self.decode_goals.iter().find(|goal| format.starts_with(&goal.format) && goal.copies == copies);
        found.map(|goal| goal.rate)
    }

    /// The rate of the peer that decodes this format.
    pub fn decode(&self, format: &str, copies: usize) -> Option<f64> {
        let found = self.decode.iter().find(|a| format.starts_with(&a.format) && a.copies == copies);
        found.map(|anchor| anchor.rate)
    }

    /// The figures of an operation on an input.
    pub fn topology(&self, input: &str, operation: &str) -> Option<&TopologyAnchor> {
        self.topology.iter().find(|a| a.input == input && a.operation == operation)
    }
}

#[cfg(test)]
mod tests {
    use super::Anchors;

    #[test]
    fn the_file_holds_every_mesh() {
        let anchors = Anchors::load().expect("anchors.json");
        for mesh in ["bunny-fcpw", "dragon-fine", "knot-1m"] {
            for n in [32, 128, 256] {
                let a = anchors.distance(mesh, n).unwrap_or_else(|| panic!("{mesh} {n}"));
                assert!(a.warp_unsigned >= a.warp_sign_normal && a.warp_sign_normal > 0.0);
            }
        }
        assert!(anchors.decode("DGF, 12 bit", 8).is_some_and(|rate| rate > 0.0));
    }
}
