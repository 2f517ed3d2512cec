//! The kernels of the decoders and their parameter block.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Constant, KernelEntry, WgslModule};
use gpu_shaders::folded_grid::FOLDED_GRID;
use gpu_shaders::strict_float::STRICT_FLOAT;

use super::mesh::VertexOutput;
use super::{attributes, box_filter, filters, streams};
use crate::file::{File, Payload};
use crate::kernels::cluster::CLUSTER;
use crate::kernels::dgf_block::DGF_BLOCK;
use crate::kernels::dgf_topology::DGF_TOPOLOGY;
use crate::kernels::md1_fixed::MD1_FIXED;
use crate::kernels::md1_meshlet::MD1_MESHLET;
use crate::kernels::md1_positions::{MD1_POSITIONS, Predictor};
use crate::kernels::meshlet_codec::MESHLET_CODEC;
use crate::kernels::predictor::PREDICTOR;
use crate::kernels::stride_position::{Frame, STRIDE_POSITION, is_normal};
use crate::md1::{Md1File, Md1Mode};
use crate::status::Status;
use crate::stride::StrideFile;

macro_rules! schedule {
    ($visibility:vis $name:ident, $file:literal) => {
        $visibility const $name: WgslModule = WgslModule { name: $file, source: include_str!(concat!("kernels/", $file, ".wgsl")) };
    };
}
schedule!(pub(super) DECODE_JOB, "decode_job");
schedule!(DECODE_DGF, "decode_dgf");
schedule!(pub(super) ATTRIBUTES_DGF, "attributes_dgf");
schedule!(MD1_BLOCK, "md1_block");
schedule!(MD1_PLANES, "md1_planes");
schedule!(MD1_RESIDUALS, "md1_residuals");
schedule!(MD1_ROWS, "md1_rows");
schedule!(MD1_COUNTS, "md1_counts");
schedule!(CHAIN_STATE, "chain_state");
schedule!(PREDICTOR_CHAINS, "predictor_chains");
schedule!(DEQUANTIZE, "dequantize");
schedule!(BITS_AHEAD, "bits_ahead");
schedule!(RESIDUALS_STRIDE, "residuals_stride");
schedule!(DECODE_MD1, "decode_md1");
schedule!(CHAIN_MD1, "chain_md1");
schedule!(DEQUANTIZE_MD1, "dequantize_md1");
schedule!(STRIDE_STATE, "stride_state");
schedule!(STRIDE_ROWS, "stride_rows");
schedule!(STRIDE_COUNTS, "stride_counts");
schedule!(STRIDE_FAULTS, "stride_faults");
schedule!(STRIDE_WALK, "stride_walk");
schedule!(DECODE_STRIDE, "decode_stride");
schedule!(EXPAND_STRIDE, "expand_stride");
schedule!(CHAIN_STRIDE, "chain_stride");
schedule!(DEQUANTIZE_STRIDE, "dequantize_stride");
schedule!(MESHLET_STATE, "meshlet_state");
schedule!(DECODE_MESHLETS, "decode_meshlets");
schedule!(DECODE_CLUSTERS, "decode_clusters");

/// `Params` of decode_job.wgsl, word for word.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(super) struct Params {
    pub(super) zero: u32,
    pub(super) jobs: u32,
    pub(super) groups_x: u32,
    /// Whether job k decodes unit k.
    pub(super) in_order: u32,
    pub(super) bits: [u32; 3],
    /// MD1: the exponent, biased.
    pub(super) exponent: u32,
    /// MD1: the origin.
    pub(super) origin: [i32; 3],
    /// Residuals are cut at this magnitude.
    pub(super) largest_residual: i32,
    /// Predictor by axis: three weights and a shift.
    pub(super) predictor: [[i32; 4]; 3],
    pub(super) low: [f32; 3],
    pub(super) scale: f32,
    pub(super) step: [f32; 3],
    /// Places of a row of scratch words.
    pub(super) capacity: u32,
    pub(super) centre: [f32; 3],
    pub(super) pad3: u32,
}

/// Which decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decoder {
    Dgf,
    Md1(Md1Mode),
    Stride,
    Meshlets,
    Clusters,
}

const DECODERS: [Decoder; 7] = [
    Decoder::Dgf,
    Decoder::Md1(Md1Mode::Predicted),
    Decoder::Md1(Md1Mode::Offsets),
    Decoder::Md1(Md1Mode::Fixed),
    Decoder::Stride,
    Decoder::Meshlets,
    Decoder::Clusters,
];

/// The decoder of a file with its parameters.
#[derive(Debug)]
pub(super) struct Program {
    decoder: Decoder,
    proven: Proven,
    pub(super) params: Params,
}

impl Program {
    pub(super) fn new(file: &File) -> Program {
        let (decoder, params) = match file.payload() {
            Payload::Dgf(_) => (Decoder::Dgf, Params::default()),
            Payload::Md1(file) => (Decoder::Md1(file.header.mode), md1_params(file)),
            Payload::Stride(file) => (Decoder::Stride, stride_params(file)),
            Payload::Meshlets(_) => (Decoder::Meshlets, Params::default()),
            Payload::Clusters(_) => (Decoder::Clusters, Params::default()),
        };
        let largest = file.units().iter().map(|range| range.vertex_count).max().unwrap_or(0);
        // In steps, so that blocks of places are whole.
        let capacity = largest.clamp(32, 256).next_multiple_of(32);
        let normal = matches!(file.payload(), Payload::Stride(file) if is_normal(&file.header.frame()));
        let proven = Proven { narrow: is_narrow(&params), normal };
        let largest_residual = if proven.narrow { NARROW_RESIDUAL } else { i32::MAX };
        Program { decoder, proven, params: Params { capacity, largest_residual, ..params } }
    }

    /// What the dispatches of a decode share.
    pub(super) fn scratch_words(&self) -> ScratchWords {
        let capacity = self.params.capacity as usize;
        match self.decoder {
            Decoder::Md1(Md1Mode::Predicted | Md1Mode::Fixed) => {
                ScratchWords { strips: 0, contexts: capacity, residuals: 3 * capacity, codes: 2 * capacity }
            }
            Decoder::Stride => ScratchWords {
                strips: STRIP_WORDS,
                contexts: capacity + capacity / 4 + 4,
                residuals: 3 * capacity + 4,
                codes: 2 * capacity,
            },
            _ => ScratchWords::default(),
        }
    }

    /// The dispatches of a decode, in order.
    pub(super) fn steps(&self, output: VertexOutput) -> Vec<Step> {
        steps(self.decoder, output, self.proven)
    }
}

/// Words of a job in the buffers that the dispatches of a decode share.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ScratchWords {
    /// Index entries and planes of STRIDE's walk.
    pub(super) strips: usize,
    /// What vertices are predicted from.
    pub(super) contexts: usize,
    /// Residuals.
    pub(super) residuals: usize,
    /// Codes, in columns of [`COLUMNS`] jobs.
    pub(super) codes: usize,
}

/// What is known of all codes and positions of a file, so that its kernels need less.
#[derive(Clone, Copy, Debug)]
struct Proven {
    /// See [`is_narrow`].
    narrow: bool,
    /// See [`is_normal`].
    normal: bool,
}

/// Whether all codes have at most 13 bits and are predicted by a + b - c.
fn is_narrow(params: &Params) -> bool {
    params.bits.iter().all(|bits| *bits <= 13) && params.predictor == [[1, 1, -1, 0]; 3]
}

/// One dispatch: its kernel, the units of a workgroup, and the names of its buffers.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) entry: KernelEntry,
    pub(super) units_a_group: u32,
    pub(super) buffers: &'static [&'static str],
}

fn predictor_params(predictor: &Predictor) -> Params {
    let axis = |k: usize| {
        let [a, b, c] = predictor.weights[k];
        [a, b, c, predictor.shifts[k] as i32]
    };
    Params { bits: predictor.bits, predictor: [axis(0), axis(1), axis(2)], ..Params::default() }
}

fn md1_params(file: &Md1File) -> Params {
    let header = &file.header;
    let exponent = (header.exponent + 127) as u32;
    Params { exponent, origin: header.origin, ..predictor_params(&header.predictor) }
}

fn stride_params(file: &StrideFile) -> Params {
    let Frame { low, step, centre, scale } = file.header.frame();
    Params { low, step, centre, scale, ..predictor_params(&file.header.predictor) }
}

/// Blocks of a workgroup of 64 lanes.
pub(super) const DGF_BLOCKS: u32 = 4;
/// Meshlets of a workgroup of a predictor chain: its columns.
pub(super) const COLUMNS: u32 = 32;
/// Where narrow residuals are cut: twice the largest code and more, so that what is cut leaves the range of codes, and the sum does not leave 16 bits.
const NARROW_RESIDUAL: i32 = 1 << 14;
/// `STRIP_WORDS` of stride_state.wgsl.
const STRIP_WORDS: usize = 280;
/// Meshlets of a workgroup of the dequantization, of residuals, and of the walk of STRIDE.
const DEQUANTIZE_UNITS: u32 = 4;
const RESIDUAL_UNITS: u32 = 10;
const WALK_UNITS: u32 = 32;

const UNIT: &[&str] = &["jobs", "body", "vertices", "triangles", "statuses"];
const TABLE: &[&str] = &["jobs", "body", "vertices", "triangles", "statuses", "table"];
const MD1: &[&str] = &["jobs", "body", "table", "statuses", "triangles", "contexts", "residuals", "vertices"];
const WALK: &[&str] = &["jobs", "body", "table", "strips"];
const EXPAND: &[&str] = &["jobs", "body", "table", "strips", "triangles", "contexts"];
const RESIDUALS: &[&str] = &["jobs", "body", "table", "strips", "residuals"];
const CHAIN: &[&str] = &["jobs", "table", "statuses", "codes", "contexts", "residuals"];
const DEQUANTIZE_BUFFERS: &[&str] = &["jobs", "table", "statuses", "codes", "triangles", "vertices", "contexts"];

const MD1_MODULES: [WgslModule; 9] =
    [MD1_BLOCK, MD1_MESHLET, MD1_FIXED, PREDICTOR, MD1_PLANES, MD1_ROWS, MD1_RESIDUALS, MD1_POSITIONS, DECODE_MD1];

fn steps(decoder: Decoder, output: VertexOutput, proven: Proven) -> Vec<Step> {
    let Proven { narrow, normal } = proven;
    let grid = ("GRID", Constant::Bool(output == VertexOutput::Grid));
    // How narrow residuals are laid out: where a lane has those of all axes, and where it has those of one.
    let packed = ("PACKED", Constant::Bool(narrow && decoder == Decoder::Md1(Md1Mode::Fixed)));
    let halves = ("HALVES", Constant::Bool(narrow && decoder == Decoder::Stride));
    let layout = [("NARROW", Constant::Bool(narrow)), packed, halves];
    let step = |name, units_a_group, buffers, constants: &[(&'static str, Constant)], modules: &[WgslModule]| {
        let constants = [status_constants(), constants.to_vec()].concat();
        let modules = [&[FOLDED_GRID, DECODE_JOB], modules].concat();
        Step { entry: KernelEntry { name, constants, modules, trusted: true }, units_a_group, buffers }
    };
    match decoder {
        Decoder::Dgf => {
            let constants = [grid, ("BLOCKS", Constant::U32(DGF_BLOCKS))];
            vec![step("decode_dgf", DGF_BLOCKS, UNIT, &constants, &[DGF_BLOCK, DGF_TOPOLOGY, DECODE_DGF])]
        }
        Decoder::Md1(mode) => {
            let predicted = mode != Md1Mode::Offsets;
            let constants = [
                grid,
                ("PREDICTED", Constant::Bool(predicted)),
                // A byte an index entry, or a word a restart: no more memory than is needed, so that more workgroups fit.
                ("DISTANCE_WORDS", Constant::U32(if predicted { 256 } else { 192 })),
                ("FIXED", Constant::Bool(mode == Md1Mode::Fixed)),
                packed,
            ];
            let mut steps = vec![step("decode_md1", 1, MD1, &constants, &MD1_MODULES)];
            if predicted {
                let modules = [CHAIN_STATE, MD1_COUNTS, MD1_ROWS, PREDICTOR, PREDICTOR_CHAINS, CHAIN_MD1];
                steps.push(step("chain_md1", COLUMNS, CHAIN, &layout, &modules));
                let modules = [CHAIN_STATE, MD1_COUNTS, MD1_POSITIONS, DEQUANTIZE, DEQUANTIZE_MD1];
                steps.push(step("dequantize_md1", DEQUANTIZE_UNITS, &DEQUANTIZE_BUFFERS[..6], &[grid], &modules));
            }
            steps
        }
        Decoder::Stride => {
            let residuals = [STRIDE_STATE, STRIDE_ROWS, BITS_AHEAD, PREDICTOR, RESIDUALS_STRIDE];
            let chain = [CHAIN_STATE, STRIDE_COUNTS, STRIDE_ROWS, PREDICTOR, PREDICTOR_CHAINS, CHAIN_STRIDE];
            let position = [grid, halves, ("NORMAL", Constant::Bool(normal))];
            let vertices =
                [STRICT_FLOAT, CHAIN_STATE, STRIDE_COUNTS, STRIDE_ROWS, STRIDE_POSITION, DEQUANTIZE, DEQUANTIZE_STRIDE];
            vec![
                step(
                    "decode_stride",
                    WALK_UNITS,
                    WALK,
                    &[],
                    &[STRIDE_STATE, STRIDE_FAULTS, STRIDE_WALK, DECODE_STRIDE],
                ),
                // They write nothing in common, so they run at the same time.
                step("residuals_stride", RESIDUAL_UNITS, RESIDUALS, &[halves], &residuals),
                step("expand_stride", 1, EXPAND, &[halves], &[STRIDE_STATE, STRIDE_ROWS, EXPAND_STRIDE]),
                step("chain_stride", COLUMNS, CHAIN, &layout, &chain),
                step("dequantize_stride", DEQUANTIZE_UNITS, DEQUANTIZE_BUFFERS, &position, &vertices),
            ]
        }
        Decoder::Meshlets => {
            vec![step("decode_meshlets", 1, TABLE, &[], &[MESHLET_CODEC, MESHLET_STATE, DECODE_MESHLETS])]
        }
        Decoder::Clusters => {
            vec![step("decode_clusters", 1, TABLE, &[grid], &[MESHLET_CODEC, MESHLET_STATE, CLUSTER, DECODE_CLUSTERS])]
        }
    }
}

/// The status words under the names that the modules use.
pub(super) fn status_constants() -> Vec<(&'static str, Constant)> {
    let all = [
        ("STATUS_MAGIC", Status::Magic),
        ("STATUS_RESERVED", Status::Reserved),
        ("STATUS_EXPONENT", Status::Exponent),
        ("STATUS_WIDTHS", Status::Widths),
        ("STATUS_UNSUPPORTED", Status::Unsupported),
        ("STATUS_SECTIONS", Status::Sections),
        ("STATUS_CONTROL", Status::Control),
        ("STATUS_COUNT", Status::Count),
        ("STATUS_INDEX", Status::Index),
        ("STATUS_TRUNCATED", Status::Truncated),
        ("STATUS_STREAM_END", Status::StreamEnd),
        ("STATUS_PARAMETER", Status::Parameter),
        ("STATUS_RANGE", Status::Range),
        ("STATUS_TOKEN", Status::Token),
    ];
    all.into_iter().map(|(name, status)| (name, Constant::U32(status as u32))).collect()
}

/// The kernels of this crate for linting and snapshots: every module and every kind of output once.
pub fn kernels() -> Vec<KernelEntry> {
    let outputs = [VertexOutput::Positions, VertexOutput::Grid];
    let known = Proven { narrow: true, normal: true };
    let units = DECODERS.into_iter().flat_map(|decoder| outputs.map(|output| steps(decoder, output, known))).flatten();
    let unknown = Proven { narrow: false, normal: false };
    let wide = [Decoder::Md1(Md1Mode::Predicted), Decoder::Stride].map(|d| steps(d, VertexOutput::Positions, unknown));
    let wide = wide.into_iter().flatten().filter(|step| step.buffers == CHAIN || step.buffers == DEQUANTIZE_BUFFERS);
    units
        .chain(wide)
        .map(|step| step.entry)
        .chain([attributes::entry()])
        .chain(streams::entries())
        .chain(filters::entries())
        .chain(box_filter::entries())
        .collect()
}
