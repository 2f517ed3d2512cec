// One DGF1 block: twin of dgf_block.rs. A schedule puts the block's 32 words at `rows[base ..]` and its un-interleaved
// control words at `rows[base + 32 ..]`; shifts and fields of a damaged block stay inside its row.

const MAX_VERTEX_PALETTE_BITS = 768u;

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

// 32 bits from bit `shift` (0 to 31) of two words on.
fn field_of(lo: u32, hi: u32, shift: u32) -> u32 {
    return (lo >> shift) | ((hi << 1u) << (31u - shift));
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

// Offsets of a vertex on the three axes; x and y always lie in the first 32 bits, z too unless `wide`.
fn grid_offsets(base: u32, h: Header, vertex: u32, wide: bool) -> vec3<u32> {
    // [3]
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
    // [4]
    return (bitcast<vec3<f32>>(offsets | vec3<u32>(0x4b000000u)) + bias) * step;
}

// Geometry id << 1 | opaque of a triangle, or 0xffffffff for a palette entry that does not exist.
fn payload(base: u32, h: Header, triangle: u32) -> u32 {
    // [5]
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
    // [6]
    return (rows[base + 4u] & 0x1fffffffu) + triangle;
}

// The user word, 0 without.
fn user_word(base: u32) -> u32 {
    // [7]
    return select(0u, rows[base + 5u], (rows[base + 4u] & 0x20000000u) != 0u);
}
