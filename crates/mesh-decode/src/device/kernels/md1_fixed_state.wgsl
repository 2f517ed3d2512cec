// Schedule: MD1 meshlets of mode 2, UNITS a workgroup, 32 lanes each: their words, and what the lanes share. Needs decode_job.

@group(0) @binding(2) var<storage, read> body: array<u32>;
// Three words a vertex and a triangle.
@group(0) @binding(3) var<storage, read_write> vertices: array<u32>;
@group(0) @binding(4) var<storage, read_write> triangles: array<Triangle>;
@group(0) @binding(5) var<storage, read_write> statuses: array<u32>;
// First word, first word behind, (V - 1) | (T - 1) << 8 | (R - 1) << 16, 0.
@group(0) @binding(6) var<storage, read> table: array<vec4<u32>>;

const LANES = 32u;
// 784 index entries at most, with those that a damaged meshlet may count too many.
const ID_WORDS = 200u;
const FIRST_WORDS = 32u;

// The words of a meshlet from `first` on.
struct Block { first: u32, bits: u32 }

struct Entry { vertices: u32, triangles: u32, restarts: u32 }

// Residuals of three axes a vertex, which the chain turns into codes; before that the triangles, a byte a corner.
var<workgroup> codes: array<i32, UNITS * 768u>;
// The vertex of each index entry, a byte each.
var<workgroup> ids: array<atomic<u32>, UNITS * ID_WORDS>;
// Of each vertex three times the numbers of the vertices that it is predicted from, ten bits each.
var<workgroup> contexts: array<u32, UNITS * 256u>;
var<workgroup> restart_words: array<atomic<u32>, UNITS * 8u>;
var<workgroup> edge_words: array<u32, UNITS * 8u>;
// A bit a vertex: first used by a restart.
var<workgroup> root_words: array<atomic<u32>, UNITS * 8u>;
var<workgroup> first_words: array<u32, UNITS * FIRST_WORDS>;
// Stage << 8 | status word of the earliest stage that failed.
var<workgroup> faults: array<atomic<u32>, UNITS>;

const NO_FAULT = 0xffffffffu;

fn fail_if(slot: u32, failed: bool, stage: u32, status: u32) {
    if failed { atomicMin(&faults[slot], (stage << 8u) | status); }
}

// 32 bits from bit `at` of the meshlet on; the caller has compared `at` with the meshlet's length.
fn window(block: Block, at: u32) -> u32 {
    let word = block.first + (at >> 5u);
    return (body[word] >> (at & 31u)) | ((body[word + 1u] << 1u) << (31u - (at & 31u)));
}

// The n bits (0 to 31) from bit `at` on.
fn field(block: Block, at: u32, n: u32) -> u32 {
    return window(block, at) & ((1u << n) - 1u);
}

// The bits of word `k` of a plane of n bits; nothing is read past the plane.
fn plane_word(block: Block, at: u32, n: u32, k: u32) -> u32 {
    if 32u * k >= n { return 0u; }
    let left = n - 32u * k;
    let mask = select((1u << (left & 31u)) - 1u, 0xffffffffu, left >= 32u);
    return window(block, at + 32u * k) & mask;
}

fn restart_word(slot: u32, k: u32) -> u32 {
    return atomicLoad(&restart_words[8u * slot + k]);
}

fn entry_id(slot: u32, entry: u32) -> u32 {
    return (atomicLoad(&ids[ID_WORDS * slot + (entry >> 2u)]) >> (8u * (entry & 3u))) & 255u;
}

fn bits_below(bits: u32, place: u32) -> u32 {
    return countOneBits(bits & ((1u << place) - 1u));
}
