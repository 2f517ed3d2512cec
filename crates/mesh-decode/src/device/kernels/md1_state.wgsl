// Schedule: one MD1 meshlet a workgroup: its words, and what the lanes share of it. Needs decode_job.

@group(0) @binding(2) var<storage, read> body: array<u32>;
@group(0) @binding(3) var<storage, read_write> vertices: array<Vertex>;
@group(0) @binding(4) var<storage, read_write> triangles: array<Triangle>;
@group(0) @binding(5) var<storage, read_write> statuses: array<u32>;
// First word, first word behind, (V - 1) | (T - 1) << 8 | (R - 1) << 16, 0.
@group(0) @binding(6) var<storage, read> table: array<vec4<u32>>;

// Restart and edge words of each job, eight each, for the chain.
@group(0) @binding(7) var<storage, read_write> strips: array<u32>;

// The words of a meshlet; two words behind it exist too.
struct Block { first: u32, last: u32, bits: u32 }

struct Entry { vertices: u32, triangles: u32, restarts: u32 }

var<workgroup> restart_words: array<atomic<u32>, 8>;
var<workgroup> edge_words: array<u32, 8>;
// Of the words before each word: restarts, the last triangles at which corners 0 and 1 changed.
var<workgroup> words_before: array<vec3<u32>, 8>;
// 768 index entries at most.
var<workgroup> first_words: array<u32, 24>;
// First uses before each word.
var<workgroup> first_before: array<u32, 24>;
// A bit a vertex: first used by a restart.
var<workgroup> root_words: array<atomic<u32>, 8>;
// The vertex of each index entry, a byte each.
var<workgroup> ids: array<u32, 192>;
// Places of ones in unary planes by rank, a half word each: of the distances, then of the residuals of three axes, 256 each.
var<workgroup> one_places: array<atomic<u32>, 384>;
// Ones of a unary plane, by lane.
var<workgroup> lane_ones: array<u32, 3u * LANES>;
// Stage << 8 | status word of the earliest stage that failed.
var<workgroup> fault: atomic<u32>;

const NO_FAULT = 0xffffffffu;

fn fail_if(failed: bool, stage: u32, status: u32) {
    if failed { atomicMin(&fault, (stage << 8u) | status); }
}

// 32 bits from bit `at` of the meshlet on.
fn window(block: Block, at: u32) -> u32 {
    let word = block.first + (at >> 5u);
    let lo = body[min(word, block.last)];
    let hi = body[min(word + 1u, block.last)];
    return (lo >> (at & 31u)) | ((hi << 1u) << (31u - (at & 31u)));
}

// The n bits (0 to 31) from bit `at` on.
fn field(block: Block, at: u32, n: u32) -> u32 {
    return window(block, at) & ((1u << n) - 1u);
}

// The bits of word `k` of a plane of n bits.
fn plane_word(block: Block, at: u32, n: u32, k: u32) -> u32 {
    let left = max(n, 32u * k) - 32u * k;
    let mask = select((1u << (left & 31u)) - 1u, 0xffffffffu, left >= 32u);
    return window(block, at + 32u * k) & mask;
}

fn restart_word(k: u32) -> u32 {
    return atomicLoad(&restart_words[k]);
}

fn restart_bit(triangle: u32) -> u32 {
    return (restart_word(triangle >> 5u) >> (triangle & 31u)) & 1u;
}

fn place_of_one(rank: u32) -> u32 {
    return (atomicLoad(&one_places[rank >> 1u]) >> (16u * (rank & 1u))) & 0xffffu;
}

fn entry_id(entry: u32) -> u32 {
    return (ids[entry >> 2u] >> (8u * (entry & 3u))) & 255u;
}

// First uses before an entry.
fn first_rank(entry: u32) -> u32 {
    let word = entry >> 5u;
    return first_before[word] + countOneBits(first_words[word] & ((1u << (entry & 31u)) - 1u));
}

fn first_bit(entry: u32) -> u32 {
    return (first_words[entry >> 5u] >> (entry & 31u)) & 1u;
}

// Vertices before this one that a restart uses first.
fn roots_before(vertex: u32) -> u32 {
    var sum = 0u;
    for (var k = 0u; k < (vertex >> 5u); k++) { sum += countOneBits(atomicLoad(&root_words[k])); }
    return sum + countOneBits(atomicLoad(&root_words[vertex >> 5u]) & ((1u << (vertex & 31u)) - 1u));
}

fn root_bit(vertex: u32) -> bool {
    return ((atomicLoad(&root_words[vertex >> 5u]) >> (vertex & 31u)) & 1u) != 0u;
}
