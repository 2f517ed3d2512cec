//! The kernels of the decoders and their parameter block.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Constant, Context, Kernel, KernelEntry, WgslModule};
use gpu_shaders::folded_grid::FOLDED_GRID;

use super::mesh::VertexOutput;
use crate::error::Error;
use crate::file::{File, Payload};
use crate::kernels::dgf_block::DGF_BLOCK;
use crate::status::Status;

macro_rules! schedule {
    ($name:ident, $file:literal) => {
        const $name: WgslModule = WgslModule { name: $file, source: include_str!(concat!("kernels/", $file, ".wgsl")) };
    };
}
schedule!(DECODE_JOB, "decode_job");
schedule!(DECODE_DGF, "decode_dgf");

/// `Params` of decode_job.wgsl, word for word.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(super) struct Params {
    pub(super) zero: u32,
    pub(super) jobs: u32,
    pub(super) groups_x: u32,
    /// MD1: the mode.
    pub(super) mode: u32,
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
}

/// The decoder of a file with its parameters.
#[derive(Debug)]
pub(super) struct Program {
    decoder: Decoder,
    pub(super) params: Params,
}

impl Program {
    pub(super) fn new(file: &File) -> Result<Program, Error> {
        let params = Params::default();
        let decoder = match file.payload() {
            Payload::Dgf(_) => Decoder::Dgf,
            _ => {
                let what = "decoded on the CPU only".to_owned();
                return Err(Error::Unsupported { format: file.format(), what });
            }
        };
        Ok(Program { decoder, params })
    }

    /// Whether the kernel reads a table.
    pub(super) fn has_table(&self) -> bool {
        self.decoder != Decoder::Dgf
    }

    /// The kernel, and the units that a workgroup of it decodes.
    pub(super) fn kernel(&self, context: &Context, output: VertexOutput) -> Result<(Kernel, u32), Error> {
        let entry = entry(self.decoder, output);
        Ok((context.kernel(&entry.source())?, units_a_group(self.decoder)))
    }
}

fn units_a_group(decoder: Decoder) -> u32 {
    match decoder {
        Decoder::Dgf => DGF_BLOCKS,
    }
}

/// Blocks of a workgroup of 64 lanes.
const DGF_BLOCKS: u32 = 4;

fn entry(decoder: Decoder, output: VertexOutput) -> KernelEntry {
    let grid = ("GRID", Constant::Bool(output == VertexOutput::Grid));
    let mut constants = status_constants();
    constants.push(grid);
    match decoder {
        Decoder::Dgf => {
            constants.push(("BLOCKS", Constant::U32(DGF_BLOCKS)));
            let modules = vec![FOLDED_GRID, DECODE_JOB, DGF_BLOCK, DECODE_DGF];
            KernelEntry { name: "decode_dgf", constants, modules, trusted: true }
        }
    }
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
    let decoders = [Decoder::Dgf];
    decoders.into_iter().flat_map(|decoder| outputs.map(|output| entry(decoder, output))).collect()
}
