//! Whole calls of every crate on small random inputs, each by a device or by the CPU: what the soak test repeats, and what is tried on devices that are full or lost.

use std::ops::ControlFlow;

use affine_arith::gallery::Scene;
use affine_arith::{
    CellQuery, Expr, MarchOptions, Method, Model, Plan, Ray, RayQuery, Rounding, SubdivideOptions, march_cpu,
    subdivide_cpu,
};
use gpu_runtime::{Context, Timestamps};
use mesh_decode::{DeviceFile, Outputs, VertexOutput, open};
use mesh_distance::{DeviceSurface, Grid, MaxDistance, Mesh, Question, Sign, Surface, make, ray};
use sparse_topology::device::DeviceGrid;

use crate::encoders::ENCODERS;
use crate::engines::Random;
use crate::error::Error;
use crate::sweep::queries::{answer_words, hit_words};
use crate::sweep::topology;
use crate::voxels;

/// A call whose input follows from a seed; its result as words, by a device or, without one, by the CPU.
pub struct Operation {
    /// What it is, for messages.
    pub name: &'static str,
    /// Makes the input, asks, and returns every word of the answer.
    pub ask: fn(Option<&Context>, u64) -> Result<Vec<u32>, Error>,
}

/// One of every crate's kinds of calls.
pub const OPERATIONS: [Operation; 8] = [
    Operation { name: "distances of a grid", ask: grid },
    Operation { name: "chosen outputs at points", ask: outputs },
    Operation { name: "first triangles of rays", ask: rays },
    Operation { name: "band", ask: band },
    Operation { name: "octree", ask: octree },
    Operation { name: "rays through an expression", ask: march },
    Operation { name: "decoding", ask: decoding },
    Operation { name: "topology", ask: voxel_topology },
];

/// The item of a list that a seed chooses; what else follows from the seed does not follow from the choice.
fn choose<T>(list: &[T], seed: u64, salt: u64) -> &T {
    let mut state = seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    voxels::random(&mut state);
    &list[(voxels::random(&mut state) % list.len() as u64) as usize]
}

fn go_on(_: usize, _: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// The halves of words.
fn halves(words: impl IntoIterator<Item = u64>) -> Vec<u32> {
    words.into_iter().flat_map(|word| [word as u32, (word >> 32) as u32]).collect()
}

fn mesh(seed: u64) -> Mesh {
    let make = choose(&[make::knot, make::torus, make::sphere, make::cube], seed, 1);
    make(*choose(&[60, 500, 2000], seed, 2))
}

const SIGNS: [Sign; 4] = [Sign::None, Sign::PseudoNormal, Sign::Winding, Sign::Rays];

fn points(seed: u64, count: usize) -> Vec<[f64; 3]> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.vector().map(|x| 2.0 * x)).collect()
}

fn grid(context: Option<&Context>, seed: u64) -> Result<Vec<u32>, Error> {
    let surface = Surface::build(&mesh(seed))?;
    let grid = Grid { lo: [-1.5; 3], cell: [0.2; 3], counts: [15, 14, 13] };
    let sign = *choose(&SIGNS, seed, 3);
    Ok(bits(&match context {
        None => surface.grid_distance_cpu(&grid, sign, false, &go_on)?,
        Some(context) => DeviceSurface::upload(context, &surface)?.grid_distance(&grid, sign, false, &go_on)?,
    }))
}

fn outputs(context: Option<&Context>, seed: u64) -> Result<Vec<u32>, Error> {
    let surface = Surface::build(&mesh(seed))?;
    let max_distance = *choose(&[MaxDistance::Unlimited, MaxDistance::All(0.3)], seed, 4);
    let question =
        Question { outputs: mesh_distance::Outputs::ALL, sign: *choose(&SIGNS, seed, 3), max_distance, motion: None };
    let points = points(seed, *choose(&[1, 64, 700], seed, 5));
    let answers = match context {
        None => surface.query_cpu(&points, &question)?,
        Some(context) => DeviceSurface::upload(context, &surface)?.query(&points, &question)?,
    };
    Ok(halves(answer_words(&answers).concat()))
}

fn rays(context: Option<&Context>, seed: u64) -> Result<Vec<u32>, Error> {
    let surface = Surface::build(&mesh(seed))?;
    let ends = points(seed, 600);
    let rays: Vec<ray::Ray> = ends.chunks_exact(2).map(|pair| ray::Ray::new(pair[0], pair[1])).collect();
    let hits = match context {
        None => surface.ray_first_cpu(&rays)?,
        Some(context) => DeviceSurface::upload(context, &surface)?.ray_first(&rays)?,
    };
    Ok(halves(hits.iter().flat_map(|hit| hit.as_ref().map_or([u64::MAX; 8], hit_words))))
}

fn band(context: Option<&Context>, seed: u64) -> Result<Vec<u32>, Error> {
    let surface = Surface::build(&mesh(seed))?;
    let grid = Grid { lo: [-1.5; 3], cell: [0.1; 3], counts: [30, 31, 29] };
    let sign = *choose(&SIGNS, seed, 3);
    let band = match context {
        None => surface.band_cpu(&grid, 0.15, sign, &go_on)?,
        Some(context) => DeviceSurface::upload(context, &surface)?.band(&grid, 0.15, sign, &go_on)?,
    };
    let cells = band.cells.iter().copied();
    Ok(cells.chain(bits(&band.distance)).collect())
}

/// No waves: software devices take minutes to compile their rays, which are compared elsewhere.
const SCENES: [&str; 4] = ["tanglecube", "sphere", "torus", "heart"];

fn scene(seed: u64) -> Result<(Plan, f64), Error> {
    let scene = Scene::named(choose::<&str>(&SCENES, seed, 6)).ok_or_else(|| Error::Corpus("no such scene".into()))?;
    let expr: Expr = scene.text.parse()?;
    Ok((Plan::new(&expr, &["x", "y", "z"])?, scene.half))
}

fn octree(context: Option<&Context>, seed: u64) -> Result<Vec<u32>, Error> {
    let (plan, half) = scene(seed)?;
    let bounds = [(-half, half); 3];
    let level = *choose(&[3, 4, 5], seed, 7);
    let options = SubdivideOptions { level, model: Model::Affine, rounding: Rounding::Rigorous, capacity: 1 << 20 };
    let cells = match context {
        None => subdivide_cpu(&plan, bounds, options)?.indices,
        Some(context) => {
            let query = CellQuery::new(context, &plan, bounds, options)?;
            let cells = query.run(Timestamps::None)?.counts.last().copied().unwrap_or(0);
            query.download(cells)?
        }
    };
    Ok(cells.concat().into_iter().map(u32::from).collect())
}

fn march(context: Option<&Context>, seed: u64) -> Result<Vec<u32>, Error> {
    let (plan, half) = scene(seed)?;
    let half = half as f32;
    let mut random = Random::new(seed);
    let rays: Vec<Ray> = (0..200)
        .map(|_| {
            let [u, v, w] = random.vector().map(|x| x as f32);
            let origin = [1.2 * half * u, 1.2 * half * v, -3.0 * half];
            Ray { origin, direction: [0.1 * v, 0.1 * w, 1.0], near: 0.0, far: 6.0 * half }
        })
        .collect();
    let method = *choose(&[Method::Sign, Method::Window], seed, 8);
    let (model, rounding) = (Model::Affine, Rounding::Rigorous);
    let options = MarchOptions { first: 0.25 * half, least: 1e-3 * half, steps: 200, method, model, rounding };
    let hits = match context {
        None => march_cpu(&plan, &rays, options)?,
        Some(context) => RayQuery::new(context, &plan, options)?.hits(&rays)?,
    };
    Ok(hits.iter().flat_map(|hit| [hit.t.to_bits(), hit.steps]).collect())
}

/// Two files of three are damaged somewhere behind the header; where that leaves no file at all, there is no word.
fn decoding(context: Option<&Context>, seed: u64) -> Result<Vec<u32>, Error> {
    let mesh = mesh(seed);
    let positions: Vec<[f32; 3]> = mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect();
    let (_, encode) = choose(&ENCODERS, seed, 9);
    let mut bytes = encode(&positions, &mesh.triangles)?;
    let mut state = seed;
    for _ in 0..seed % 3 {
        let at = voxels::random(&mut state) as usize % bytes.len();
        bytes[at] ^= 1 << (voxels::random(&mut state) % 8);
    }
    let Ok(file) = open(&bytes) else { return Ok(Vec::new()) };
    let (statuses, triangles, positions) = match context {
        None => {
            let decoded = file.decode_cpu(Outputs::ALL);
            (decoded.statuses, decoded.triangles, decoded.positions)
        }
        Some(context) => {
            let device = DeviceFile::upload(context, &file)?;
            let mesh = device.decode(&device.select_all()?, VertexOutput::Positions)?;
            (mesh.statuses.download()?, mesh.triangles.download()?, mesh.positions.download()?)
        }
    };
    Ok([statuses, triangles.concat(), bits(&positions.concat())].concat())
}

fn voxel_topology(context: Option<&Context>, seed: u64) -> Result<Vec<u32>, Error> {
    let side = *choose(&[9, 60, 4000], seed, 10);
    let cloud = |salt: u64, count: usize| voxels::cloud(seed ^ salt, count, -(side as i32) / 2, side);
    let (one, other) = (
        voxels::batch(&[cloud(1, 900), Vec::new(), cloud(2, 40)]),
        voxels::batch(&[cloud(3, 900), cloud(4, 5), cloud(5, 40)]),
    );
    let (_, on_device, on_cpu) = choose(&topology::OPERATIONS, seed, 11);
    let found = match context {
        None => on_cpu(&one, &other)?,
        Some(context) => {
            let device = voxels::device(context);
            let (source, second) = (DeviceGrid::upload(&device, &one)?, DeviceGrid::upload(&device, &other)?);
            let mut chain = device.chain();
            let step = on_device(&mut chain, &source, &second)?;
            let [found] = chain.finish([step])?;
            found.download()?
        }
    };
    let mut words = Vec::new();
    for item in 0..found.items() {
        words.push(item as u32);
        words.extend(found.coordinates(item)?.iter().flatten().map(|&x| x as u32));
    }
    Ok(words)
}
