// One DGF1 block: twin of dgf_block.rs. A schedule puts the block's 32 words at `rows[base ..]` and its un-interleaved
// control words at `rows[base + 32 ..]`; shifts and fields of a damaged block stay inside its row.

const MAX_ENTRIES = 128u;
const MAX_VERTEX_PALETTE_BITS = 768u;
const MAX_INDEX_BITS = 192u;

var<workgroup> rows: array<u32, BLOCKS * 36u>;

struct Header {
    vertices: u32,
    triangles: u32,
    index_bits: u32,
    exponent: u32,
    anchor: vec3<i32>,
    widths: vec3<u32>,
    geometry: u32,
    palette: bool,
    vertex_start: u32,
    palette_start: u32,
    index_start: u32,
}

struct Topology {
    // BACKTRACKs at illegal places.
    illegal: u32,
    entries: u32,
    restart: vec2<u32>,
    backtrack: vec2<u32>,
    first_changes: vec2<u32>,
    second_changes: vec2<u32>,
    keep: vec2<u32>,
    // Bits behind the last entry are of no meaning.
    first_use: vec4<u32>,
}

// The n bits (0 to 31) from bit `at` of the block on.
fn field(base: u32, at: u32, n: u32) -> u32 {
    let word = base + ((at >> 5u) & 31u);
    return field_of(rows[word], rows[word + 1u], at & 31u) & ((1u << n) - 1u);
}

fn index_width(count: u32) -> u32 {
    return 32u - countLeadingZeros(count - 1u);
}

fn round_up_8(bits: u32) -> u32 {
    return (bits + 7u) & 0xfffffff8u;
}

fn read_header(base: u32) -> Header {
    // [1] fields, sections from the front
    let w0 = rows[base];
    let w1 = rows[base + 1u];
    let w2 = rows[base + 2u];
    let w3 = rows[base + 3u];
    var h: Header;
    h.vertices = ((w0 >> 10u) & 63u) + 1u;
    h.triangles = ((w0 >> 16u) & 63u) + 1u;
    h.index_bits = ((w0 >> 8u) & 3u) + 3u;
    h.exponent = w1 & 255u;
    h.anchor = vec3<i32>(i32(w1) >> 8u, i32(w2) >> 8u, i32(w3) >> 8u);
    h.widths = vec3<u32>((w2 & 15u) + 1u, ((w2 >> 4u) & 15u) + 1u, (w3 & 15u) + 1u);
    h.geometry = w0 >> 22u;
    h.palette = (w3 & 128u) != 0u;
    h.vertex_start = 160u + ((rows[base + 4u] >> 24u) & 32u);
    h.palette_start = h.vertex_start + round_up_8(h.vertices * (h.widths.x + h.widths.y + h.widths.z));
    h.index_start = h.palette_start;
    if h.palette { h.index_start += palette_bits(h.geometry, h.triangles); }
    return h;
}

// In reverse order, so that the first check that fails gives the status.
fn check_header(base: u32, h: Header) -> u32 {
    // [2]
    let width = h.widths.x + h.widths.y + h.widths.z;
    var status = select(0u, STATUS_SECTIONS, h.index_start - h.vertex_start > MAX_VERTEX_PALETTE_BITS);
    status = select(status, STATUS_PARAMETER, h.palette && (h.geometry & 31u) > 25u);
    status = select(status, STATUS_COUNT, h.vertices < 3u);
    status = select(status, STATUS_UNSUPPORTED, (rows[base + 3u] & 0x70u) != 0u);
    status = select(status, STATUS_WIDTHS, (width & 3u) != 0u);
    status = select(status, STATUS_RESERVED, (rows[base + 4u] >> 30u) != 0u);
    status = select(status, STATUS_EXPONENT, h.exponent - 1u >= 232u);
    return select(status, STATUS_MAGIC, (rows[base] & 255u) != 6u);
}

// A prefix that is too long gives a section that is.
fn palette_bits(geometry: u32, triangles: u32) -> u32 {
    let count = (geometry >> 5u) + 1u;
    let prefix = geometry & 31u;
    let bits = round_up_8(prefix + triangles * index_width(count) + count * (25u - prefix));
    return select(bits, 0x10000u, prefix > 25u);
}

// Even bits to the low half, odd bits to the high half, each in order.
fn unshuffle(x: u32) -> u32 {
    var y = x;
    var t = (y ^ (y >> 1u)) & 0x22222222u;
    y = y ^ t ^ (t << 1u);
    t = (y ^ (y >> 2u)) & 0x0c0c0c0cu;
    y = y ^ t ^ (t << 2u);
    t = (y ^ (y >> 4u)) & 0x00f000f0u;
    y = y ^ t ^ (t << 4u);
    t = (y ^ (y >> 8u)) & 0x0000ff00u;
    return y ^ t ^ (t << 8u);
}

// The lowest n bits of two words, n from 0 to 64.
fn low_mask(n: u32) -> vec2<u32> {
    let low = select((1u << (n & 31u)) - 1u, 0xffffffffu, n >= 32u);
    let high = select((1u << (n & 31u)) - 1u, 0xffffffffu, n >= 64u);
    return vec2<u32>(low, select(0u, high, n >= 32u));
}

fn shift_up(x: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(x.x << 1u, (x.y << 1u) | (x.x >> 31u));
}

fn read_masks(base: u32, triangles: u32) -> Topology {
    var t: Topology;
    let live = low_mask(triangles);
    // [3] control codes: two planes in triangle order, shifted up by one because triangle 0 has no code
    let h0 = rows[base + 32u];
    let h1 = rows[base + 33u];
    let h2 = rows[base + 34u];
    let h3 = rows[base + 35u];
    let high = shift_up(vec2<u32>((h0 & 0xffffu) | (h1 << 16u), (h2 & 0xffffu) | (h3 << 16u)));
    let low = shift_up(vec2<u32>((h0 >> 16u) | (h1 & 0xffff0000u), (h2 >> 16u) | (h3 & 0xffff0000u)));
    t.restart = ~(high | low) & live;
    t.backtrack = high & low & live;
    let edge1 = low & ~high;
    let edge2 = high & ~low;
    let illegal = t.backtrack & shift_up(t.restart | t.backtrack);
    t.illegal = illegal.x | illegal.y;
    // [4] a BACKTRACK takes the other edge than the triangle before it, which then is on nobody else's path
    t.first_changes = edge1 | (t.backtrack & shift_up(edge2)) | t.restart;
    t.second_changes = edge2 | (t.backtrack & shift_up(edge1)) | t.restart;
    t.keep = ~vec2<u32>((t.backtrack.x >> 1u) | (t.backtrack.y << 31u), t.backtrack.y >> 1u);
    t.entries = triangles + 2u * (countOneBits(t.restart.x) + countOneBits(t.restart.y));
    return t;
}

// 32 bits from bit `shift` (0 to 31) of two words on.
fn field_of(lo: u32, hi: u32, shift: u32) -> u32 {
    return (lo >> shift) | ((hi << 1u) << (31u - shift));
}

fn read_first_uses(base: u32, triangles: u32, entries: u32) -> vec4<u32> {
    // [5]
    let start = 2u * triangles + 27u;
    let q = start >> 5u;
    let shift = start & 31u;
    // The word before the block holds none but the first three bits, which are set.
    let a0 = reverseBits(rows[base + ((32u - q) & 31u)]);
    let a1 = reverseBits(rows[base + 31u - q]);
    let a2 = reverseBits(rows[base + 30u - q]);
    var words = vec4<u32>(field_of(a0, a1, shift) | 7u, field_of(a1, a2, shift), 0u, 0u);
    if entries > 64u {
        let a3 = reverseBits(rows[base + 29u - q]);
        let a4 = reverseBits(rows[base + 28u - q]);
        words.z = field_of(a2, a3, shift);
        words.w = field_of(a3, a4, shift);
    }
    return words;
}

fn count_first_uses(t: Topology) -> u32 {
    let lower = low_mask(min(t.entries, 64u));
    var used = countOneBits(t.first_use.x & lower.x) + countOneBits(t.first_use.y & lower.y);
    if t.entries > 64u {
        let upper = low_mask(min(t.entries, MAX_ENTRIES) - 64u);
        used += countOneBits(t.first_use.z & upper.x) + countOneBits(t.first_use.w & upper.y);
    }
    return used;
}

fn check_topology(h: Header, t: Topology, used: u32) -> u32 {
    // [6]
    let index_bits = (t.entries - used) * h.index_bits;
    let back = 1024u - 2u * (h.triangles - 1u) - (t.entries - 3u);
    var status = select(0u, STATUS_SECTIONS, index_bits > MAX_INDEX_BITS || h.index_start + index_bits > back);
    status = select(status, STATUS_COUNT, t.entries > MAX_ENTRIES || used != h.vertices);
    return select(status, STATUS_CONTROL, t.illegal != 0u);
}

// `word`: the first-use bits of the entry's 32; `before`: first uses before them.
fn entry_vertex(base: u32, h: Header, word: u32, before: u32, entry: u32) -> u32 {
    // [7] the rank of a first use is its vertex; the others are stored
    let bit = 1u << (entry & 31u);
    let rank = before + countOneBits(word & (bit - 1u));
    let stored = field(base, h.index_start + (entry - rank) * h.index_bits, h.index_bits);
    let repeat = select(stored, 0xffffffffu, stored >= rank);
    return select(repeat, rank, (word & bit) != 0u);
}

// `upper`: triangles from 32 on.
fn corner_entries(t: Topology, triangle: u32, upper: bool) -> vec3<u32> {
    // [8]
    let bit = 1u << (triangle & 31u);
    let below = bit - 1u;
    let j0 = last_change(t.first_changes, t.keep, upper, bit, below);
    let j1 = last_change(t.second_changes, t.keep, upper, bit, below);
    if upper {
        let shift = 2u * (countOneBits(t.restart.x) + countOneBits(t.restart.y & (below | bit)));
        let hangs0 = select(t.backtrack.x | t.restart.x, t.backtrack.y | t.restart.y, j0 >= 32u) >> (j0 & 31u);
        let hangs1 = select(t.backtrack.x, t.backtrack.y, j1 >= 32u) >> (j1 & 31u);
        return vec3<u32>(j0 + shift - 1u - (hangs0 & 1u), j1 + shift - 1u - (hangs1 & 1u), triangle + shift);
    }
    let shift = 2u * countOneBits(t.restart.x & (below | bit));
    let hangs0 = (t.backtrack.x | t.restart.x) >> j0;
    let hangs1 = t.backtrack.x >> j1;
    return vec3<u32>(j0 + shift - 1u - (hangs0 & 1u), j1 + shift - 1u - (hangs1 & 1u), triangle + shift);
}

fn last_change(changes: vec2<u32>, keep: vec2<u32>, upper: bool, bit: u32, below: u32) -> u32 {
    if upper {
        let here = (changes.y & keep.y & below) | (changes.y & bit);
        let inside = here != 0u;
        return firstLeadingBit(select(changes.x & keep.x, here, inside)) + select(0u, 32u, inside);
    }
    return firstLeadingBit((changes.x & keep.x & below) | (changes.x & bit));
}

// Offsets of a vertex on the three axes; x and y always lie in the first 32 bits, z too unless `wide`.
fn grid_offsets(base: u32, h: Header, vertex: u32, wide: bool) -> vec3<u32> {
    // [9]
    let xy = h.widths.x + h.widths.y;
    let at = h.vertex_start + vertex * (xy + h.widths.z);
    let word = base + ((at >> 5u) & 31u);
    let next = rows[word + 1u];
    let bits = field_of(rows[word], next, at & 31u);
    var z = bits >> (xy & 31u);
    if wide {
        let more = field_of(next, rows[word + 2u], at & 31u);
        z = select(field_of(bits, more, xy & 31u), more, xy == 32u);
    }
    let mask = (vec3<u32>(1u) << h.widths) - vec3<u32>(1u);
    return vec3<u32>(bits, bits >> h.widths.x, z) & mask;
}

// (anchor + offset) * step without a conversion: 2^23 + offset as bits, anchor - 2^23 as `bias`. All three steps are exact.
fn position(offsets: vec3<u32>, bias: vec3<f32>, step: f32) -> vec3<f32> {
    // [10]
    return (bitcast<vec3<f32>>(offsets | vec3<u32>(0x4b000000u)) + bias) * step;
}

// Geometry id << 1 | opaque of a triangle, or 0xffffffff for a palette entry that does not exist.
fn payload(base: u32, h: Header, triangle: u32) -> u32 {
    // [11]
    if !h.palette { return h.geometry; }
    let count = (h.geometry >> 5u) + 1u;
    let prefix_bits = h.geometry & 31u;
    let payload_bits = 25u - prefix_bits;
    let width = index_width(count);
    let indices = h.palette_start + prefix_bits;
    let index = field(base, indices + triangle * width, width);
    if index >= count { return 0xffffffffu; }
    let prefix = field(base, h.palette_start, prefix_bits);
    let at = indices + h.triangles * width + index * payload_bits;
    return (prefix << payload_bits) | field(base, at, payload_bits);
}

// Primitive id of a triangle: the block's first, counted on.
fn primitive_id(base: u32, triangle: u32) -> u32 {
    // [12]
    return (rows[base + 4u] & 0x1fffffffu) + triangle;
}

// The user word, 0 without.
fn user_word(base: u32) -> u32 {
    // [13]
    return select(0u, rows[base + 5u], (rows[base + 4u] & 0x20000000u) != 0u);
}
