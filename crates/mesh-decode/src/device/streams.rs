//! meshoptimizer's vertex, index and sequence streams on a device.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use gpu_runtime::{Context, DeviceVec, KernelEntry, WgslModule};
use gpu_shaders::folded_grid::{self, FOLDED_GRID};

use crate::bytes::words_le;
use crate::error::Error;
use crate::meshopt::{
    check_indices_stream, check_sequence_stream, check_vertices_stream, decode_indices, decode_sequence,
    decode_vertices,
};

macro_rules! schedule {
    ($name:ident, $file:literal) => {
        const $name: WgslModule = WgslModule { name: $file, source: include_str!(concat!("kernels/", $file, ".wgsl")) };
    };
}
schedule!(STREAM_BYTES, "stream_bytes");
schedule!(DECODE_VERTICES, "decode_vertices");
schedule!(DECODE_INDICES, "decode_indices");
schedule!(DECODE_SEQUENCE, "decode_sequence");

/// Streams of a workgroup: streams differ in length, and those of one workgroup would wait for each other.
const STREAMS: u32 = 1;

/// A stream with the counts that it does not carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream<'a> {
    /// As for [`decode_vertices`].
    Vertices {
        /// The stream.
        bytes: &'a [u8],
        /// Vertices.
        count: usize,
        /// Bytes of a vertex.
        stride: usize,
    },
    /// As for [`decode_indices`].
    Indices {
        /// The stream.
        bytes: &'a [u8],
        /// Indices, three a triangle.
        count: usize,
        /// Every index must be below this.
        vertices: Option<u32>,
    },
    /// As for [`decode_sequence`].
    Sequence {
        /// The stream.
        bytes: &'a [u8],
        /// Indices.
        count: usize,
        /// Every index must be below this.
        vertices: Option<u32>,
    },
}

impl Stream<'_> {
    /// Which kernel: 0 vertices, 1 indices, 2 sequences.
    fn kind(&self) -> usize {
        match self {
            Stream::Vertices { .. } => 0,
            Stream::Indices { .. } => 1,
            Stream::Sequence { .. } => 2,
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Stream::Vertices { bytes, .. } | Stream::Indices { bytes, .. } | Stream::Sequence { bytes, .. } => bytes,
        }
    }

    /// Words that come out.
    fn words(&self) -> usize {
        match self {
            Stream::Vertices { count, stride, .. } => count * stride / 4,
            Stream::Indices { count, .. } | Stream::Sequence { count, .. } => *count,
        }
    }

    /// What can be said without reading the codes: head, stride, lengths.
    fn check(&self) -> Result<(), Error> {
        match *self {
            Stream::Vertices { bytes, count, stride } => check_vertices_stream(bytes, count, stride),
            Stream::Indices { bytes, count, .. } => check_indices_stream(bytes, count),
            Stream::Sequence { bytes, count, .. } => check_sequence_stream(bytes, count),
        }
    }

    /// The row of the kernel's table, but for the places.
    fn row(&self, first: u32, output: u32) -> [u32; 8] {
        let version = u32::from(self.bytes().first().copied().unwrap_or(0) & 15);
        let length = self.bytes().len() as u32;
        let limit = |vertices: Option<u32>| [vertices.unwrap_or(0), u32::from(vertices.is_some())];
        let (count, [value, limited]) = match *self {
            Stream::Vertices { count, stride, .. } => (count, [stride as u32, 0]),
            Stream::Indices { count, vertices, .. } | Stream::Sequence { count, vertices, .. } => {
                (count, limit(vertices))
            }
        };
        [first, length, count as u32, output, value, version, limited, 0]
    }

    /// The CPU reference, for its error.
    fn decode_cpu(&self) -> Result<(), Error> {
        match *self {
            Stream::Vertices { bytes, count, stride } => decode_vertices(bytes, count, stride).map(|_| ()),
            Stream::Indices { bytes, count, vertices } => decode_indices(bytes, count, vertices).map(|_| ()),
            Stream::Sequence { bytes, count, vertices } => decode_sequence(bytes, count, vertices).map(|_| ()),
        }
    }
}

/// `Params` of stream_bytes.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct Params {
    zero: u32,
    streams: u32,
    groups_x: u32,
    pad: u32,
}

fn entry(kind: usize) -> KernelEntry {
    let (name, module) = match kind {
        0 => ("decode_vertices", DECODE_VERTICES),
        1 => ("decode_indices", DECODE_INDICES),
        _ => ("decode_sequence", DECODE_SEQUENCE),
    };
    KernelEntry { name, constants: Vec::new(), modules: vec![FOLDED_GRID, STREAM_BYTES, module], trusted: true }
}

/// The kernels of the streams.
pub(super) fn entries() -> Vec<KernelEntry> {
    (0..3).map(entry).collect()
}

/// Decoded streams on a device.
#[derive(Debug)]
pub struct DeviceStreams {
    /// The words of all streams, one after the other: vertices as little-endian words, indices a word each.
    pub words: DeviceVec<u32>,
    /// The words of each stream.
    pub ranges: Vec<Range<usize>>,
}

/// Decodes streams of any kinds: one upload, one submission with a dispatch a kind, and one small read-back of the verdicts.
///
/// The words of [`decode_vertices`], [`decode_indices`], [`decode_sequence`]. Each code of these formats depends on those before it, so a stream is decoded by one
/// invocation: worth it for hundreds of streams, or to save the way to the host; a single stream is decoded faster on the CPU.
///
/// # Errors
/// The CPU reference's error of the first stream that is refused; [`Error::TooLarge`]; [`Error::Device`].
pub fn decode_streams(context: &Context, streams: &[Stream<'_>]) -> Result<DeviceStreams, Error> {
    let mut ranges = Vec::with_capacity(streams.len());
    let (mut bytes, mut words) = (Vec::new(), 0_usize);
    let mut tables: [Vec<[u32; 8]>; 3] = Default::default();
    for stream in streams {
        stream.check()?;
        tables[stream.kind()].push(stream.row(bytes.len() as u32, words as u32));
        bytes.extend_from_slice(stream.bytes());
        ranges.push(words..words + stream.words());
        words += stream.words();
        let largest = bytes.len().max(words) as u64;
        if largest > u64::from(u32::MAX) {
            let what = "bytes or words of streams";
            return Err(Error::TooLarge { what, needed: largest, allowed: u64::from(u32::MAX) });
        }
    }
    let body = context.upload("streams", &words_le(&bytes, 1))?;
    let output = context.zeroed("decoded streams", words)?;
    let mut recording = context.record("decode_streams");
    let mut verdicts = Vec::new();
    for (kind, table) in tables.iter().enumerate().filter(|(_, table)| !table.is_empty()) {
        let kernel = context.kernel(&entry(kind).source())?;
        let count = table.len() as u32;
        let (rows, statuses) =
            (context.upload("stream table", table)?, context.zeroed::<u32>("verdicts", table.len())?);
        let groups = folded_grid::plan(count.div_ceil(STREAMS), context.adapter().limits.max_workgroups_per_dimension);
        let params = Params { zero: 0, streams: count, groups_x: groups[0], pad: 0 };
        let bindings =
            [("body", body.bind()), ("table", rows.bind()), ("output", output.bind()), ("statuses", statuses.bind())];
        recording.dispatch(&kernel, &bindings, &params, groups)?;
        verdicts.push((kind, recording.download(&statuses)));
    }
    let mut completed = recording.submit()?;
    for (kind, download) in verdicts {
        let statuses = completed.take(download)?;
        let of_kind = streams.iter().filter(|stream| stream.kind() == kind);
        if let Some((stream, _)) = of_kind.zip(statuses).find(|(_, status)| *status != 0) {
            stream.decode_cpu()?;
            let message = "the device refuses a stream that the CPU reference decodes".to_owned();
            return Err(gpu_runtime::Error::Validation { what: "decode_streams".to_owned(), message }.into());
        }
    }
    Ok(DeviceStreams { words: output, ranges })
}
