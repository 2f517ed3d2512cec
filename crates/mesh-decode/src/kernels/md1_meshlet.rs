//! One MD1 meshlet: planes of connectivity decoded without a serial walk, then residuals. `docs/formats/md1.md` is normative.
//!
//! Bits count from the least significant of word 0. Every section begins where the one before it ends; the head has the lengths of the unary planes, all
//! other lengths follow from counts.

use gpu_shaders::WgslModule;

use crate::kernels::bits;
use crate::status::{Fault, Status};

/// WGSL text of this module.
pub const MD1_MESHLET: WgslModule = WgslModule { name: "md1_meshlet", source: include_str!("md1_meshlet.wgsl") };

/// Vertices and triangles of the largest meshlet.
pub const MAX_COUNT: u32 = 256;
/// Index entries of the largest meshlet: every triangle a restart.
pub const MAX_ENTRIES: u32 = 768;
/// Room for the entries of a meshlet: a power of two.
pub const ENTRY_ROOM: usize = 1024;
/// Bits of the head without the anchor.
pub const HEAD_BITS: u32 = 96;
/// Largest parameter of a Rice code.
pub const MAX_RICE: u32 = 15;
/// Largest width of a fixed-width residual: zigzag of a 16-bit code minus a + b - c.
pub const MAX_WIDTH: u32 = 18;

/// The table entry of a meshlet; places are words in the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// First word.
    pub start: u32,
    /// First word behind the meshlet.
    pub end: u32,
    /// Vertices, 1 to 256.
    pub vertices: u32,
    /// Triangles, 1 to 256.
    pub triangles: u32,
    /// Restart triangles, 1 to 256.
    pub restarts: u32,
}

/// How the residuals of one axis are coded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AxisCoding {
    /// Width of the differences of vertices without a context.
    pub delta_width: u32,
    /// Whether residuals have a fixed width; otherwise they are Rice codes.
    pub fixed: bool,
    /// The width, or the Rice parameter.
    pub parameter: u32,
    /// Bits of the unary plane (Rice).
    pub unary: u32,
}

/// The head of a meshlet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Bits of the unary plane of the distances.
    pub distance_unary: u32,
    /// Rice parameter of the distances.
    pub distance_rice: u32,
    /// Residual coding of x, y, z.
    pub axes: [AxisCoding; 3],
    /// Codes of the first vertex, or the smallest codes.
    pub anchor: [u32; 3],
    /// First bit behind the head.
    pub end: u32,
}

/// Connectivity as masks.
#[derive(Clone, Debug)]
pub struct Topology {
    /// A bit a triangle: begins a strip.
    pub restart: [u32; 8],
    /// A bit a triangle: hangs on the edge p0 p2 of the one before (0: on p2 p1).
    pub edge: [u32; 8],
    /// A bit an index entry: the first use of a vertex.
    pub first_use: [u32; 32],
    /// Index entries: triangles + 2 * restarts.
    pub entries: u32,
    /// Vertices first used by a restart triangle: they have no context.
    pub roots: u32,
    /// First bit behind the three planes.
    pub end: u32,
}

/// The meshlet's words.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    words: &'a [u32],
    bits: u32,
}

impl<'a> Block<'a> {
    pub(super) fn new(words: &'a [u32], entry: &Entry) -> Self {
        // One word more, so that a field may be read with the word after it.
        let end = (entry.end as usize + 1).min(words.len());
        let words = words.get(entry.start as usize..end).unwrap_or(&[]);
        Self { words, bits: 32 * (entry.end - entry.start) }
    }

    /// The `n` bits (0 to 32) from bit `at` on; zeros past the end of the body.
    #[inline]
    pub(super) fn field(&self, at: u32, n: u32) -> u32 {
        bits::field(self.words, at, n)
    }

    /// The `n` bits (0 to 64) from bit `at` on.
    #[inline]
    pub(super) fn field_64(&self, at: u32, n: u32) -> u64 {
        u64::from(self.field(at, n.min(32))) | u64::from(self.field(at + 32, n.saturating_sub(32))) << 32
    }

    /// Fails unless the bits before `end` belong to the meshlet.
    pub(super) fn need(&self, at: u32, end: u32) -> Result<(), Fault> {
        if end > self.bits { Err(Fault::new(Status::Truncated, at, end, self.bits)) } else { Ok(()) }
    }
}

/// Reads the head.
///
/// # Errors
/// `Truncated`, `Parameter`.
pub fn read_head(words: &[u32], entry: &Entry, bits: [u32; 3]) -> Result<Head, Fault> {
    // [1]
    let block = Block::new(words, entry);
    let end = HEAD_BITS + bits[0] + bits[1] + bits[2];
    block.need(0, end)?;
    let mut head =
        Head { distance_unary: block.field(0, 14), distance_rice: block.field(14, 4), end, ..Head::default() };
    let mut anchor_at = HEAD_BITS;
    for (axis, width) in bits.into_iter().enumerate() {
        let at = 18 + 26 * axis as u32;
        let coding = AxisCoding {
            delta_width: block.field(at, 5),
            fixed: block.field(at + 5, 1) == 1,
            parameter: block.field(at + 6, 5),
            unary: block.field(at + 11, 14),
        };
        if coding.delta_width > MAX_WIDTH {
            return Err(Fault::new(Status::Parameter, at, coding.delta_width, MAX_WIDTH));
        }
        let largest = if coding.fixed { MAX_WIDTH } else { MAX_RICE };
        if coding.parameter > largest {
            return Err(Fault::new(Status::Parameter, at + 6, coding.parameter, largest));
        }
        if block.field(at + 25, 1) != 0 {
            return Err(Fault::new(Status::Reserved, at + 25, 1, 0));
        }
        head.axes[axis] = coding;
        head.anchor[axis] = block.field(anchor_at, width);
        anchor_at += width;
    }
    Ok(head)
}

/// Whether restarts are listed (8 bits each but the first); otherwise they are a plane.
pub fn restarts_are_listed(triangles: u32, restarts: u32) -> bool {
    8 * (restarts - 1) < triangles
}

/// Bit `at` of a mask of a power of two of words, modulo its length.
#[inline]
pub(super) fn bit<const N: usize>(mask: &[u32; N], at: u32) -> u32 {
    (mask[(at >> 5) as usize & (N - 1)] >> (at & 31)) & 1
}

/// Copies `n` bits from bit `at` on into a mask.
fn read_plane(block: &Block<'_>, at: u32, n: u32, mask: &mut [u32]) {
    for (word, bits) in mask.iter_mut().enumerate() {
        let done = 32 * word as u32;
        *bits = block.field(at + done, n.max(done).min(done + 32) - done);
    }
}

fn ones(mask: &[u32]) -> u32 {
    mask.iter().map(|word| word.count_ones()).sum()
}

/// Reads the restart, edge and first-use planes from bit `at` on.
///
/// # Errors
/// `Truncated`, `Control` (restarts out of order, an edge bit at a restart), `Count`.
pub fn read_topology(words: &[u32], entry: &Entry, at: u32) -> Result<Topology, Fault> {
    let block = Block::new(words, entry);
    let (triangles, restarts) = (entry.triangles, entry.restarts);
    let entries = triangles + 2 * restarts;
    let listed = restarts_are_listed(triangles, restarts);
    let edge_at = at + if listed { 8 * (restarts - 1) } else { triangles };
    let first_at = edge_at + triangles;
    let end = first_at + entries;
    block.need(at, end)?;
    let mut topology = Topology { restart: [0; 8], edge: [0; 8], first_use: [0; 32], entries, roots: 0, end };
    if listed {
        topology.restart[0] = 1;
        let mut previous = 0;
        for k in 0..restarts - 1 {
            let triangle = block.field(at + 8 * k, 8);
            if triangle <= previous || triangle >= triangles {
                return Err(Fault::new(Status::Control, at + 8 * k, triangle, triangles));
            }
            topology.restart[(triangle >> 5) as usize] |= 1 << (triangle & 31);
            previous = triangle;
        }
    } else {
        read_plane(&block, at, triangles, &mut topology.restart);
        if topology.restart[0] & 1 == 0 {
            return Err(Fault::new(Status::Control, at, 0, 1));
        }
        if ones(&topology.restart) != restarts {
            return Err(Fault::new(Status::Count, at, ones(&topology.restart), restarts));
        }
    }
    read_plane(&block, edge_at, triangles, &mut topology.edge);
    for (word, (edge, restart)) in topology.edge.iter().zip(&topology.restart).enumerate() {
        if edge & restart != 0 {
            let triangle = 32 * word as u32 + (edge & restart).trailing_zeros();
            return Err(Fault::new(Status::Control, edge_at + triangle, 1, 1));
        }
    }
    read_plane(&block, first_at, entries, &mut topology.first_use);
    let vertices = ones(&topology.first_use);
    if vertices != entry.vertices {
        return Err(Fault::new(Status::Count, first_at, vertices, entry.vertices));
    }
    topology.roots = count_roots(&topology);
    Ok(topology)
}

/// First uses among the three entries of each restart triangle.
fn count_roots(topology: &Topology) -> u32 {
    let (mut roots, mut seen) = (0, 0);
    for (restarts, first) in topology.restart.into_iter().zip((0..).step_by(32)) {
        let mut left = restarts;
        while left != 0 {
            let entry = first + left.trailing_zeros() + 2 * seen;
            roots += (0..3).map(|k| bit(&topology.first_use, entry + k)).sum::<u32>();
            seen += 1;
            left &= left - 1;
        }
    }
    roots
}

/// A Rice code: `zeros`, the run of zeros before its one, and its `k` low bits.
pub fn rice_value(zeros: u32, k: u32, low: u32) -> u32 {
    // [2]
    (zeros << k) | low
}

/// Reads `count` Rice codes: a unary plane of `unary` bits at `at`, then `count` fields of `k` bits. Calls `out(rank, value)` and returns the first bit behind.
pub(super) fn read_rice(
    block: &Block<'_>,
    at: u32,
    unary: u32,
    k: u32,
    count: u32,
    mut out: impl FnMut(u32, u32),
) -> Result<u32, Fault> {
    let low_at = at + unary;
    let end = low_at + count * k;
    block.need(at, end)?;
    let (mut rank, mut previous) = (0, 0);
    for done in (0..unary).step_by(64) {
        let mut plane = block.field_64(at + done, (unary - done).min(64));
        while plane != 0 {
            let place = done + plane.trailing_zeros();
            if rank == count {
                return Err(Fault::new(Status::Count, at + place, rank + 1, count));
            }
            let low = block.field(low_at + rank * k, k);
            out(rank, rice_value(place - previous, k, low));
            plane &= plane - 1;
            previous = place + 1;
            rank += 1;
        }
    }
    if rank != count {
        return Err(Fault::new(Status::Count, at, rank, count));
    }
    Ok(end)
}

/// The vertex of an index entry: a first use is the next one, a repeat lies `distance` before the newest; `used`: first uses before the entry.
#[inline]
pub fn entry_vertex(first: u32, used: u32, distance: u32) -> u32 {
    // [3]
    used.wrapping_sub(distance.wrapping_add(1) & first.wrapping_sub(1))
}

/// The vertex of each index entry: first uses count up, a repeat is `distance` before the newest vertex. Returns the first bit behind. `distances` is scratch.
///
/// # Errors
/// `Truncated`, `Count`, `Index` for a distance beyond the vertices so far.
pub fn read_entries(
    words: &[u32],
    entry: &Entry,
    head: &Head,
    topology: &Topology,
    distances: &mut [u16; ENTRY_ROOM],
    vertices: &mut [u8; ENTRY_ROOM],
) -> Result<u32, Fault> {
    let block = Block::new(words, entry);
    let repeats = topology.entries - entry.vertices;
    // No vertex is 256 and more before the newest; such distances are found again where they are reported.
    let (unary, k) = (head.distance_unary, head.distance_rice);
    let end = read_rice(&block, topology.end, unary, k, repeats, |rank, distance| {
        distances[rank as usize & (ENTRY_ROOM - 1)] = distance.min(u32::from(u16::MAX)) as u16;
    })?;
    if place_entries(topology, distances, vertices) {
        return Ok(end);
    }
    let mut whole = vec![0; repeats as usize];
    read_rice(&block, topology.end, unary, k, repeats, |rank, distance| {
        whole[rank as usize] = distance;
    })?;
    Err(first_bad_distance(topology, |rank| whole.get(rank as usize).copied().unwrap_or(0)))
}

/// The vertex of each index entry from the distances of the repeats; whether each names a vertex. Without branches: what is bad is looked for once, behind the loop.
pub(super) fn place_entries(
    topology: &Topology,
    distances: &[u16; ENTRY_ROOM],
    vertices: &mut [u8; ENTRY_ROOM],
) -> bool {
    let (mut used, mut rank, mut all) = (0u32, 0, 0);
    let entries = &mut vertices[..topology.entries.min(MAX_ENTRIES) as usize];
    for (word, part) in topology.first_use.into_iter().zip(entries.chunks_mut(32)) {
        let mut firsts = word;
        for vertex in part {
            let first = firsts & 1;
            // Beyond the vertices so far it wraps, and its top bit is set
            let id = entry_vertex(first, used, u32::from(distances[rank as usize & (ENTRY_ROOM - 1)]));
            all |= id;
            *vertex = id as u8;
            used += first;
            rank += 1 - first;
            firsts >>= 1;
        }
    }
    all >> 31 == 0
}

/// The first distance that names no vertex.
pub(super) fn first_bad_distance(topology: &Topology, distance_at: impl Fn(u32) -> u32) -> Fault {
    let (mut used, mut rank) = (0, 0);
    for place in 0..topology.entries {
        let first = bit(&topology.first_use, place);
        let distance = distance_at(rank);
        if first == 0 && distance >= used {
            return Fault::new(Status::Index, topology.end, distance, used);
        }
        used += first;
        rank += 1 - first;
    }
    Fault::new(Status::Index, topology.end, 0, 0)
}

/// The last triangle at or before `triangle` whose bit is set: `bits` of its word, `before` the last one in the words before.
pub fn last_set(bits: u32, before: u32, triangle: u32) -> u32 {
    // [4]
    let here = bits & (0xffff_ffff >> (31 - (triangle & 31)));
    if here == 0 { before } else { (triangle & !31) + 31 - here.leading_zeros() }
}

/// Restart triangles up to and including `triangle`: `bits` of its word, `before` those in the words before.
pub fn restarts_up_to(bits: u32, before: u32, triangle: u32) -> u32 {
    before + (bits & (0xffff_ffff >> (31 - (triangle & 31)))).count_ones()
}

/// The entries of corners 0 and 1 of the triangle before this one, then this one's newest. `first`, `second`: the last triangles before this one at which corners 0
/// and 1 changed; `first_restarts`: whether the first of them is a restart; `restarts`: up to this one. Of no meaning but for the newest when this one is a restart.
pub fn corner_entries(triangle: u32, first: u32, second: u32, first_restarts: u32, restarts: u32) -> [u32; 3] {
    // [5]
    let shift = 2 * restarts;
    [first + shift - 1 - first_restarts, second + shift - 1, triangle + shift]
}

/// The entries of the corners, and of the vertex opposite to the edge that they share with the triangle before.
pub fn next_corners(before: [u32; 3], edge: bool, begins: bool) -> [u32; 4] {
    // [6]
    let [first, second, newest] = before;
    let a = if begins { newest - 2 } else { [newest - 1, first][usize::from(edge)] };
    let b = if edge || begins { newest - 1 } else { second };
    [a, b, newest, if edge { second } else { first }]
}
