// Schedule: how many children come before each tile of level `level`, and how many there are in all. One workgroup. Header: GROUP.

alias GroupValue = u32;

struct Params {
    zero: u32,
    level: u32,
    last: u32,
    capacity: u32,
    head: u32,
    alive: u32,
    tiles: u32,
    pad: u32,
    table: vec3<u32>,
    pad_b: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> bases: array<vec4<u32>>;

var<workgroup> broadcast_word: u32;

fn quad_sum(words: vec4<u32>) -> u32 {
    return (words.x + words.y) + (words.z + words.w);
}

fn quad_exclusive(words: vec4<u32>) -> vec4<u32> {
    return vec4<u32>(0u, words.x, words.x + words.y, words.x + words.y + words.z);
}

@compute @workgroup_size(GROUP)
fn octree_scan(@builtin(local_invocation_index) local: u32) {
    // [1] The tiles of the level.
    if local == 0u {
        let count = counts[params.level];
        broadcast_word = select(count, 0u, count > params.capacity);
    }
    let n = workgroupUniformLoad(&broadcast_word);
    let cells = select(1024u, 256u, params.level < 9u);
    let tiles = (n + cells - 1u) / cells;
    let half = (params.level & 1u) * params.tiles / 4u;
    // [2] Sixteen sums an invocation; they are zero afterwards.
    var carry = 0u;
    for (var first = 0u; first < tiles; first += 16u * GROUP) {
        let word = first + 16u * local;
        let quad = word / 4u;
        var a = vec4<u32>(0u);
        var b = vec4<u32>(0u);
        var c = vec4<u32>(0u);
        var d = vec4<u32>(0u);
        if word < tiles {
            a = sums[half + quad];
            b = sums[half + quad + 1u];
            c = sums[half + quad + 2u];
            d = sums[half + quad + 3u];
            sums[half + quad] = vec4<u32>(0u);
            sums[half + quad + 1u] = vec4<u32>(0u);
            sums[half + quad + 2u] = vec4<u32>(0u);
            sums[half + quad + 3u] = vec4<u32>(0u);
        }
        let to_b = quad_sum(a);
        let to_c = to_b + quad_sum(b);
        let to_d = to_c + quad_sum(c);
        let scan = group_exclusive(to_d + quad_sum(d), local);
        let before = carry + scan.exclusive;
        if word < tiles {
            bases[quad] = vec4<u32>(before) + quad_exclusive(a);
            bases[quad + 1u] = vec4<u32>(before + to_b) + quad_exclusive(b);
            bases[quad + 2u] = vec4<u32>(before + to_c) + quad_exclusive(c);
            bases[quad + 3u] = vec4<u32>(before + to_d) + quad_exclusive(d);
        }
        carry += scan.total;
    }
    // [3] The number of children: expansion does not begin when it exceeds the capacity.
    if local == 0u {
        counts[params.level + 1u] = carry;
    }
}
