// Schedule: the bits of an MD1 meshlet, least significant first. Needs decode_job.

@group(0) @binding(2) var<storage, read> body: array<u32>;
// First word, first word behind, (V - 1) | (T - 1) << 8 | (R - 1) << 16, 0.
@group(0) @binding(3) var<storage, read> table: array<vec4<u32>>;

// The words of a meshlet from `first` on; a few words behind the last meshlet's exist too.
struct Block { first: u32, bits: u32 }

struct Entry { vertices: u32, triangles: u32, restarts: u32 }

fn unit_block(row: vec4<u32>) -> Block {
    return Block(row.x, 32u * (row.y - row.x));
}

fn unit_entry(row: vec4<u32>) -> Entry {
    return Entry((row.z & 255u) + 1u, ((row.z >> 8u) & 255u) + 1u, ((row.z >> 16u) & 255u) + 1u);
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
