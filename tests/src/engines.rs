//! One question to the CPU and to every adapter in each strict form: for tests whose right answers are known.

use std::ops::ControlFlow;

use gpu_runtime::Context;
use mesh_distance::{Answers, Closest, DeviceSurface, Error, Grid, Mesh, Question, Sign, Surface, WindingOptions};

use crate::adapters::on_every_adapter;

/// Every sign, none included.
pub const SIGNS: [Sign; 5] = [Sign::None, Sign::PseudoNormal, Sign::Winding, Sign::Rays, Sign::SolidAngle];

/// What answers about a mesh.
pub enum Engine<'a> {
    /// The reference.
    Cpu(&'a Surface),
    /// A device.
    Device(&'a DeviceSurface),
}

/// Asks the CPU, then every adapter in each strict form.
///
/// # Panics
/// Where the mesh makes no surface or a device does not take it.
pub fn on_every_engine(mesh: &Mesh, check: impl Fn(&Engine<'_>)) {
    let surface = Surface::build(mesh).unwrap_or_else(|e| panic!("{e}"));
    check(&Engine::Cpu(&surface));
    on_every_adapter(|context: &Context| {
        let device = DeviceSurface::upload(context, &surface).unwrap_or_else(|e| panic!("{e}"));
        check(&Engine::Device(&device));
    });
}

impl Engine<'_> {
    /// Who answers, for messages.
    pub fn name(&self) -> String {
        match self {
            Engine::Cpu(_) => "cpu".to_owned(),
            Engine::Device(device) => device.context().adapter().name.clone(),
        }
    }

    /// Distances of points.
    ///
    /// # Errors
    /// As [`Surface::distance_cpu`].
    pub fn try_distance(&self, points: &[[f64; 3]], sign: Sign) -> Result<Vec<f32>, Error> {
        match self {
            Engine::Cpu(surface) => surface.distance_cpu(points, sign, false),
            Engine::Device(device) => device.distance(points, sign, false),
        }
    }

    /// Distances of points that are good.
    ///
    /// # Panics
    /// On an error.
    pub fn distance(&self, points: &[[f64; 3]], sign: Sign) -> Vec<f32> {
        self.try_distance(points, sign).unwrap_or_else(|e| panic!("{}: {e}", self.name()))
    }

    /// Closest points of points that are good.
    ///
    /// # Panics
    /// On an error.
    pub fn closest(&self, points: &[[f64; 3]], sign: Sign) -> Vec<Closest> {
        let answer = match self {
            Engine::Cpu(surface) => surface.closest_cpu(points, sign),
            Engine::Device(device) => device.closest(points, sign),
        };
        answer.unwrap_or_else(|e| panic!("{}: {e}", self.name()))
    }

    /// Distances of the cells of a grid.
    ///
    /// # Errors
    /// As [`Surface::grid_distance_cpu`].
    pub fn try_grid(&self, grid: &Grid, sign: Sign) -> Result<Vec<f32>, Error> {
        let go_on = |_: usize, _: usize| ControlFlow::Continue(());
        match self {
            Engine::Cpu(surface) => surface.grid_distance_cpu(grid, sign, false, &go_on),
            Engine::Device(device) => device.grid_distance(grid, sign, false, &go_on),
        }
    }

    /// Distances of the cells of a good grid.
    ///
    /// # Panics
    /// On an error.
    pub fn grid(&self, grid: &Grid, sign: Sign) -> Vec<f32> {
        self.try_grid(grid, sign).unwrap_or_else(|e| panic!("{}: {e}", self.name()))
    }

    /// Chosen outputs.
    ///
    /// # Errors
    /// As [`Surface::query_cpu`].
    pub fn query(&self, points: &[[f64; 3]], question: &Question<'_>) -> Result<Answers, Error> {
        match self {
            Engine::Cpu(surface) => surface.query_cpu(points, question),
            Engine::Device(device) => device.query(points, question),
        }
    }

    /// Winding numbers, by the exact sum.
    ///
    /// # Panics
    /// On an error.
    pub fn winding(&self, points: &[[f64; 3]]) -> Vec<f64> {
        let answer = match self {
            Engine::Cpu(surface) => surface.winding_cpu(points, WindingOptions::EXACT),
            Engine::Device(device) => device.winding(points, WindingOptions::EXACT),
        };
        answer.unwrap_or_else(|e| panic!("{}: {e}", self.name()))
    }
}

/// The middle of each cell, x fastest.
pub fn centres(grid: &Grid) -> Vec<[f64; 3]> {
    let [nx, ny, nz] = grid.counts;
    let cells = (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k])));
    cells.map(|cell| grid.centre(cell)).collect()
}

/// Repeatable numbers in [-1, 1).
pub struct Random(u64);

impl Random {
    /// Numbers of this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Three of them.
    pub fn vector(&mut self) -> [f64; 3] {
        [self.unit(), self.unit(), self.unit()]
    }
}
