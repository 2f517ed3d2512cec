// Schedule: the cells of a subdivision, level by level. A cell is two words: x | y << 16, z | mask << 16; bit q of the mask keeps child q.
// Cells of even levels lie in `even`, those of odd levels in `odd`. counts[l] is the number of cells of level l; above the capacity
// none of them exists. Tiles of neighbouring cells have the sum of their children's numbers in `sums`, for even and for odd levels apart.
// Header: GROUP. The module of the expression gives keeps(x, y, z, row).

alias GroupValue = u32;

struct Params {
    zero: u32,
    level: u32,
    last: u32,
    capacity: u32,
    // Levels below it are expanded by one workgroup.
    head: u32,
    // Whether there is a cell to begin with.
    alive: u32,
    // Words of `sums` for the even levels.
    tiles: u32,
    pad: u32,
    // Where the table of each axis begins, in quads.
    table: vec3<u32>,
    pad_b: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> table: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> even: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> odd: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> counts: array<u32>;
@group(0) @binding(5) var<storage, read_write> sums: array<atomic<u32>>;

var<workgroup> broadcast_word: u32;

// The word of invocation 0 for all.
fn broadcast(word: u32, local: u32) -> u32 {
    if local == 0u {
        broadcast_word = word;
    }
    return workgroupUniformLoad(&broadcast_word);
}

fn cell_count(level: u32) -> u32 {
    let count = counts[level];
    return select(count, 0u, count > params.capacity);
}

fn load_cell(level: u32, i: u32) -> vec2<u32> {
    if (level & 1u) == 0u {
        return even[i];
    }
    return odd[i];
}

fn store_cell(level: u32, i: u32, cell: vec2<u32>) {
    if (level & 1u) == 0u {
        even[i] = cell;
    } else {
        odd[i] = cell;
    }
}

fn tile_cells(level: u32) -> u32 {
    return select(1024u, 256u, level < 9u);
}

// The children to keep of a cell of `level`.
fn mask_of(cell: vec2<u32>, level: u32) -> u32 {
    return keeps(cell.x & 0xffffu, cell.x >> 16u, cell.y & 0xffffu, 1u << level);
}

// Child q of a cell whose indices were doubled.
fn child(doubled: vec2<u32>, q: u32) -> vec2<u32> {
    return vec2<u32>(doubled.x | (q & 1u) | ((q & 2u) << 15u), doubled.y | (q >> 2u));
}

fn doubled(cell: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(cell.x << 1u, (cell.y & 0xffffu) << 1u);
}
