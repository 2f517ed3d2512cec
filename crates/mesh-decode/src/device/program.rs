//! The kernels of the decoders and their parameter block.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Constant, Context, Kernel, KernelEntry, WgslModule};
use gpu_shaders::folded_grid::FOLDED_GRID;
use gpu_shaders::strict_float::STRICT_FLOAT;

use super::mesh::VertexOutput;
use crate::error::Error;
use crate::file::{File, Payload};
use crate::kernels::cluster::CLUSTER;
use crate::kernels::dgf_block::DGF_BLOCK;
use crate::kernels::md1_meshlet::MD1_MESHLET;
use crate::kernels::md1_positions::{MD1_POSITIONS, Predictor};
use crate::kernels::meshlet_codec::MESHLET_CODEC;
use crate::kernels::predictor::PREDICTOR;
use crate::kernels::stride_position::{Frame, STRIDE_POSITION};
use crate::md1::{Md1File, Md1Mode};
use crate::status::Status;
use crate::stride::StrideFile;

macro_rules! schedule {
    ($name:ident, $file:literal) => {
        const $name: WgslModule = WgslModule { name: $file, source: include_str!(concat!("kernels/", $file, ".wgsl")) };
    };
}
schedule!(DECODE_JOB, "decode_job");
schedule!(DECODE_DGF, "decode_dgf");
schedule!(MD1_STATE, "md1_state");
schedule!(DECODE_MD1, "decode_md1");
schedule!(CHAIN_MD1, "chain_md1");
schedule!(STRIDE_STATE, "stride_state");
schedule!(STRIDE_WALK, "stride_walk");
schedule!(DECODE_STRIDE, "decode_stride");
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
    pub(super) pad0: u32,
    pub(super) bits: [u32; 3],
    /// MD1: the exponent, biased.
    pub(super) exponent: u32,
    /// MD1: the origin.
    pub(super) origin: [i32; 3],
    pub(super) pad: u32,
    /// Predictor by axis: three weights and a shift.
    pub(super) predictor: [[i32; 4]; 3],
    pub(super) low: [f32; 3],
    pub(super) scale: f32,
    pub(super) step: [f32; 3],
    pub(super) pad2: u32,
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

const DECODERS: [Decoder; 6] = [
    Decoder::Dgf,
    Decoder::Md1(Md1Mode::Predicted),
    Decoder::Md1(Md1Mode::Offsets),
    Decoder::Stride,
    Decoder::Meshlets,
    Decoder::Clusters,
];

/// The decoder of a file with its parameters.
#[derive(Debug)]
pub(super) struct Program {
    decoder: Decoder,
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
        Program { decoder, params }
    }

    /// Whether the kernel reads a table.
    pub(super) fn has_table(&self) -> bool {
        self.decoder != Decoder::Dgf
    }

    /// Whether a second dispatch runs the predictor chain.
    pub(super) fn has_chain(&self) -> bool {
        self.decoder == Decoder::Md1(Md1Mode::Predicted)
    }

    /// Words that the two dispatches share for each job; `None` where the kernel does not ask for them.
    pub(super) fn strip_words(&self) -> Option<usize> {
        match self.decoder {
            Decoder::Md1(Md1Mode::Predicted) => Some(16),
            Decoder::Md1(Md1Mode::Offsets) => Some(0),
            _ => None,
        }
    }

    /// The kernel of the chain, and the units of a workgroup of it.
    pub(super) fn chain(&self, context: &Context, output: VertexOutput) -> Result<(Kernel, u32), Error> {
        Ok((context.kernel(&chain_entry(output).source())?, CHAIN_UNITS))
    }

    /// The kernel, and the units that a workgroup of it decodes.
    pub(super) fn kernel(&self, context: &Context, output: VertexOutput) -> Result<(Kernel, u32), Error> {
        let entry = entry(self.decoder, output);
        Ok((context.kernel(&entry.source())?, units_a_group(self.decoder)))
    }
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

fn units_a_group(decoder: Decoder) -> u32 {
    match decoder {
        Decoder::Dgf => DGF_BLOCKS,
        _ => 1,
    }
}

/// Blocks of a workgroup of 64 lanes.
const DGF_BLOCKS: u32 = 4;
/// Lanes of an MD1 meshlet.
const MD1_LANES: u32 = 32;
/// Meshlets of a workgroup of `chain_md1`.
const CHAIN_UNITS: u32 = 32;

fn entry(decoder: Decoder, output: VertexOutput) -> KernelEntry {
    let mut constants = status_constants();
    let (name, modules) = match decoder {
        Decoder::Dgf => {
            constants.push(("BLOCKS", Constant::U32(DGF_BLOCKS)));
            ("decode_dgf", vec![DGF_BLOCK, DECODE_DGF])
        }
        Decoder::Md1(mode) => {
            constants.push(("LANES", Constant::U32(MD1_LANES)));
            constants.push(("PREDICTED", Constant::Bool(mode == Md1Mode::Predicted)));
            ("decode_md1", vec![MD1_STATE, MD1_MESHLET, PREDICTOR, MD1_POSITIONS, DECODE_MD1])
        }
        Decoder::Stride => {
            let modules = vec![STRICT_FLOAT, STRIDE_STATE, STRIDE_WALK, PREDICTOR, STRIDE_POSITION, DECODE_STRIDE];
            ("decode_stride", modules)
        }
        Decoder::Meshlets => ("decode_meshlets", vec![MESHLET_CODEC, MESHLET_STATE, DECODE_MESHLETS]),
        Decoder::Clusters => ("decode_clusters", vec![MESHLET_CODEC, MESHLET_STATE, CLUSTER, DECODE_CLUSTERS]),
    };
    if decoder != Decoder::Meshlets {
        constants.push(("GRID", Constant::Bool(output == VertexOutput::Grid)));
    }
    let modules = [vec![FOLDED_GRID, DECODE_JOB], modules].concat();
    KernelEntry { name, constants, modules, trusted: true }
}

fn chain_entry(output: VertexOutput) -> KernelEntry {
    let mut constants = status_constants();
    constants.push(("GRID", Constant::Bool(output == VertexOutput::Grid)));
    let modules = vec![FOLDED_GRID, DECODE_JOB, PREDICTOR, CHAIN_MD1];
    KernelEntry { name: "chain_md1", constants, modules, trusted: true }
}

/// The status words under the names that the modules use.
fn status_constants() -> Vec<(&'static str, Constant)> {
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
    let decoders = DECODERS.into_iter().flat_map(|decoder| outputs.map(|output| entry(decoder, output)));
    decoders.chain(outputs.map(chain_entry)).collect()
}
