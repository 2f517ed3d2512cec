//! `encode`: a mesh into a compressed meshlet format, decoded again before it is written.

use std::path::{Path, PathBuf};

use input_text::number;
use mesh_decode::meshopt::{MeshoptEncoded, encode_clusters, encode_meshlets};
use mesh_decode::{
    DgfAttributes, DgfOptions, GridStep, Md1Mode, Md1Options, MeshletLimits, Outputs, StrideOptions, encode_dgf_with,
    encode_md1, encode_stride, open,
};
use mesh_distance::Mesh;
use serde_json::json;

use super::{damage_failure, failed, read_bytes};
use crate::cli::{EncodeArgs, PositionMode, Target};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::output::OutputFile;
use crate::verbs::{counted, grouped, object, read_mesh};

/// Bytes that a triangle takes while it is encoded: adjacency, order, meshlets, strips and both forms of the mesh.
const TRIANGLE_BYTES: u64 = 400;

/// An encoded mesh with what is promised of it.
struct Encoded {
    bytes: Vec<u8>,
    /// The vertex of the mesh behind each vertex of the file.
    vertex_sources: Vec<u32>,
    /// Grid step in the mesh's unit; 0 for a file without positions.
    step: f64,
    /// Triangles that the format cannot hold.
    left_out: u32,
}

/// Encodes the mesh, checks the file by decoding it, and writes it.
pub(crate) fn run(args: &EncodeArgs, console: Console) -> Result<(), Failure> {
    check_options(args)?;
    let output = OutputFile::check(&args.out)?;
    let mut phases = Phases::default();
    let mesh = phases.time("read", || read_mesh(&args.mesh, console))?;
    let count = mesh.triangles.len() as u64;
    crate::memory::require(&args.mesh.display().to_string(), count.checked_mul(TRIANGLE_BYTES))?;
    let positions = narrow(&args.mesh, &mesh)?;
    if args.format != Target::MeshoptMeshlets {
        crate::single::note(&args.out, args.format.name(), &mesh, console);
    }
    let attributes = Attributes::read(args, mesh.triangles.len())?;
    let (encoded, checked) = console.wait("encoding", || {
        let encoded = phases.time("encode", || encode(args, &positions, &mesh.triangles, &attributes));
        let encoded = encoded.map_err(|e| failed(&args.mesh, &e))?;
        let checked = phases.time("check", || Checked::new(args, &mesh, &encoded))?;
        phases.time("write", || output.write(|out| out.write_all(&encoded.bytes)))?;
        Ok::<_, Failure>((encoded, checked))
    })?;
    checked.answer(args, count, &encoded, phases, console)
}

/// Options that the format does not have.
fn check_options(args: &EncodeArgs) -> Result<(), Failure> {
    let only_md1 = [("--mode", args.mode.is_some()), ("--sources", args.sources), ("--no-boxes", args.no_boxes)];
    match only_md1.into_iter().find(|(_, given)| *given && args.format != Target::Md1) {
        Some((name, _)) => return Err(Failure::Usage(format!("{name}: only --format md1 has it"))),
        None if args.format != Target::Dgf && only_dgf(args).is_some() => {
            let name = only_dgf(args).unwrap_or_default();
            return Err(Failure::Usage(format!("{name}: only --format dgf has it")));
        }
        None if args.format == Target::Dgf && args.meshlet.is_some() => {
            return Err(Failure::Usage("--meshlet: a DGF block has at most 64 vertices and 64 triangles".to_owned()));
        }
        None => {}
    }
    if args.format == Target::MeshoptMeshlets && args.step.is_some() {
        return Err(Failure::Usage("--step: a meshlet set holds no positions".to_owned()));
    }
    if args.format == Target::Stride && args.step.is_none() && !(3..=15).contains(&args.bits) {
        return Err(Failure::Usage(format!("--bits {}: stride has grids of 3 to 15 bits", args.bits)));
    }
    Ok(())
}

/// An option given that only DGF has.
fn only_dgf(args: &EncodeArgs) -> Option<&'static str> {
    let given = [
        ("--geometry-ids", args.geometry_ids.is_some()),
        ("--opaque", args.opaque.is_some()),
        ("--user-word", args.user_word.is_some()),
    ];
    given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
}

/// Values of each triangle of the mesh, from files; empty where none is named.
#[derive(Default)]
struct Attributes {
    geometry_ids: Vec<u32>,
    opaque: Vec<u8>,
}

impl Attributes {
    fn read(args: &EncodeArgs, triangles: usize) -> Result<Self, Failure> {
        let read = |path: &Option<PathBuf>, size: usize| match path {
            None => Ok(Vec::new()),
            Some(path) => match read_bytes(path)? {
                bytes if bytes.len() == size * triangles => Ok(bytes),
                bytes => {
                    let allowed = format!("{}: {size} for each of {triangles} triangles", size * triangles);
                    Err(Failure::file(path, format!("{} bytes (allowed: {allowed})", bytes.len())))
                }
            },
        };
        let ids = read(&args.geometry_ids, 4)?;
        let geometry_ids: Vec<u32> = ids.as_chunks::<4>().0.iter().map(|id| u32::from_le_bytes(*id)).collect();
        let opaque = read(&args.opaque, 1)?;
        let refuse = |path: &Option<PathBuf>, index: usize, what: String| {
            let path = path.as_deref().unwrap_or(&args.mesh);
            Err(Failure::Input(format!("{}:{index}: {what}", path.display())))
        };
        if let Some(index) = geometry_ids.iter().position(|id| *id >= 1 << 24) {
            let what = format!("geometry id {} (allowed: 0 to 16777215)", geometry_ids[index]);
            return refuse(&args.geometry_ids, index, what);
        }
        if let Some(index) = opaque.iter().position(|flag| *flag > 1) {
            return refuse(&args.opaque, index, format!("opacity {} (allowed: 0, 1)", opaque[index]));
        }
        Ok(Self { geometry_ids, opaque })
    }
}

/// Positions as f32, which is what every format stores.
fn narrow(path: &Path, mesh: &Mesh) -> Result<Vec<[f32; 3]>, Failure> {
    let (narrow, _) = crate::single::positions(mesh);
    match narrow.iter().position(|p| p.iter().any(|x| !x.is_finite())) {
        Some(index) => {
            let what = format!("coordinate beyond f32 ({:?}, allowed: up to {:e})", mesh.positions[index], f32::MAX);
            Err(Failure::Input(format!("{}:{index}: {what}", path.display())))
        }
        None => Ok(narrow),
    }
}

fn encode(
    args: &EncodeArgs,
    positions: &[[f32; 3]],
    triangles: &[[u32; 3]],
    attributes: &Attributes,
) -> Result<Encoded, mesh_decode::Error> {
    let step = args.step.map_or(GridStep::Bits(args.bits), GridStep::Length);
    let limits = |vertices, triangles| args.meshlet.map_or(MeshletLimits { vertices, triangles }, |size| size.0);
    let of_meshopt = |MeshoptEncoded { bytes, vertex_sources, step, degenerate, .. }| Encoded {
        bytes,
        vertex_sources,
        step,
        left_out: degenerate,
    };
    match args.format {
        Target::Md1 => {
            let mode = match args.mode {
                Some(PositionMode::Offsets) => Md1Mode::Offsets,
                Some(PositionMode::Fixed) => Md1Mode::Fixed,
                None | Some(PositionMode::Predicted) => Md1Mode::Predicted,
            };
            let (sources, boxes) = (args.sources, !args.no_boxes);
            let options = Md1Options { step, mode, boxes, sources, limits: limits(256, 256) };
            let file = encode_md1(positions, triangles, &options)?;
            Ok(Encoded { bytes: file.bytes, vertex_sources: file.vertex_sources, step: file.step, left_out: 0 })
        }
        Target::Dgf => {
            let options = DgfOptions { step, user_word: args.user_word, ..DgfOptions::default() };
            let of_triangles = DgfAttributes { geometry_ids: &attributes.geometry_ids, opaque: &attributes.opaque };
            let file = encode_dgf_with(positions, triangles, &options, &of_triangles)?;
            let (vertex_sources, left_out) = (file.vertex_sources, file.degenerate);
            Ok(Encoded { bytes: file.bytes, vertex_sources, step: file.step, left_out })
        }
        Target::Meshopt => encode_clusters(positions, triangles, step, limits(64, 96)).map(of_meshopt),
        Target::MeshoptMeshlets => encode_meshlets(positions, triangles, limits(64, 96)).map(of_meshopt),
        Target::Stride => {
            let longest = longest_side(positions, triangles);
            let bits = args.step.map_or(args.bits, |step| (longest / step).log2().ceil().clamp(3.0, 64.0) as u32);
            let file = encode_stride(positions, triangles, &StrideOptions { bits, limits: limits(256, 256) })?;
            let step = longest / f64::from(bits).exp2();
            Ok(Encoded { bytes: file.bytes, vertex_sources: file.vertex_sources, step, left_out: 0 })
        }
    }
}

/// The longest side of the box round the vertices that triangles use.
fn longest_side(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> f64 {
    let corners = || triangles.iter().flatten().map(|v| positions[*v as usize]);
    let side = |k: usize| {
        let ends = corners().fold((f32::MAX, f32::MIN), |(low, high), p| (low.min(p[k]), high.max(p[k])));
        f64::from(ends.1) - f64::from(ends.0)
    };
    (0..3).map(side).fold(0.0, f64::max)
}

/// What decoding the file again showed.
struct Checked {
    units: u32,
    vertices: u32,
    triangles: u32,
    /// Largest distance of a coordinate from the mesh's.
    error: f64,
    /// What was promised: half a step, and the rounding of the mesh and of the decoded positions to f32.
    bound: f64,
}

impl Checked {
    fn new(args: &EncodeArgs, mesh: &Mesh, encoded: &Encoded) -> Result<Self, Failure> {
        let file = open(&encoded.bytes).map_err(|e| failed(&args.out, &e))?;
        let decoded = file.decode_cpu(Outputs::MESH);
        damage_failure(&args.out, &decoded)?;
        let sources = encoded.vertex_sources.iter().map(|v| mesh.positions[*v as usize]);
        let mut error = 0.0_f64;
        let mut largest = 0.0_f64;
        for (position, source) in decoded.positions.iter().zip(sources) {
            for (x, from) in position.iter().zip(source) {
                error = error.max((f64::from(*x) - from).abs());
                largest = largest.max(from.abs());
            }
        }
        // Power-of-two grids are exact in f32; STRIDE's positions take a few roundings, and lose what is below 2^-125.
        let (roundings, lost) =
            if args.format == Target::Stride { (4.0, 2.0 * f64::from(f32::MIN_POSITIVE)) } else { (0.5, 0.0) };
        let bound = 0.5 * encoded.step + roundings * f64::from(f32::EPSILON) * largest + lost;
        if error > bound {
            return Err(Failure::file(&args.out, format!("not written: the error is {error:e} (allowed: {bound:e})")));
        }
        let (units, vertices, triangles) = (file.unit_count(), file.vertex_count(), file.triangle_count());
        Ok(Self { units, vertices, triangles, error, bound })
    }

    fn answer(
        &self,
        args: &EncodeArgs,
        source_triangles: u64,
        encoded: &Encoded,
        phases: Phases,
        console: Console,
    ) -> Result<(), Failure> {
        let bytes = encoded.bytes.len() as u64;
        let bits = 8.0 * bytes as f64 / source_triangles.max(1) as f64;
        let mut summary = format!(
            "{}: {} bytes, {}, {}, {bits:.2} bits a triangle",
            args.out.display(),
            grouped(bytes),
            counted(u64::from(self.units), "unit", "units"),
            counted(u64::from(self.triangles), "triangle", "triangles"),
        );
        if encoded.step > 0.0 {
            summary += &format!(
                "\n  grid step {}, largest error {} (bound {})",
                number(encoded.step),
                number(self.error),
                number(self.bound)
            );
        }
        if encoded.left_out > 0 {
            let count = grouped(u64::from(encoded.left_out));
            console.note(&format!(
                "{count} triangles that use a vertex twice were left out: the format has no form for them"
            ));
        }
        let fields = json!({
            "format": Target::name(args.format),
            "bytes": bytes,
            "units": self.units,
            "vertices": self.vertices,
            "triangles": self.triangles,
            "left_out": encoded.left_out,
            "bits_per_triangle": bits,
            "step": encoded.step,
            "max_error": self.error,
            "bound": self.bound,
            "out": args.out.display().to_string(),
        });
        console.answer(object("encode", Engine::Cpu.describe(), phases, fields), &summary)
    }
}

impl Target {
    /// The word on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Md1 => "md1",
            Self::Dgf => "dgf",
            Self::Meshopt => "meshopt",
            Self::MeshoptMeshlets => "meshopt-meshlets",
            Self::Stride => "stride",
        }
    }
}
