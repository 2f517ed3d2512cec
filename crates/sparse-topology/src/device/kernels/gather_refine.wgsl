// Schedule: the words of a list's leaves when every voxel becomes a block of FX * FY * FZ: a leaf has one related leaf.
// Constants: FX, FY, FZ are the factors.

// Leaves at a time.
const BATCH: u32 = 256u;

// Position of a leaf's relative on the axes, three bytes: how many leaves of its block come before it.
var<workgroup> places: array<vec3<u32>, BATCH>;

fn step_of() -> vec3<u32> {
    return vec3<u32>(FX, FY, FZ);
}

fn fill_batch(base: u32, end: u32, local: u32) {
    let leaf = base + local;
    if (leaf < end) {
        let r = related_of(list_keys[leaf]);
        related[local] = related_leaf(r, vec3<u32>(0u));
        places[local] = vec3<u32>(r.x.entry, r.y.entry, r.z.entry);
    }
}

// Word `lane` of the image in leaf `base + slot`.
fn gather_word(base: u32, end: u32, slot: u32, lane: u32) -> u32 {
    if (base + slot >= end) {
        return 0u;
    }
    let index = related[slot];
    let fine = 8u * places[slot] + vec3<u32>(lane >> 1u, 4u * (lane & 1u), 0u);
    let slice = tree_masks[8u * index + fine.x / FX];
    // The coarse row of every fine row.
    var rows = 0u;
    for (var k = 0u; k < 4u; k++) {
        let y = (fine.y + k) / FY;
        rows |= ((select(slice.x, slice.y, y >= 4u) >> (8u * (y & 3u))) & 255u) << (8u * k);
    }
    var word = 0u;
    for (var z = 0u; z < 8u; z++) {
        word |= ((rows >> ((fine.z + z) / FZ)) & 0x01010101u) << z;
    }
    return word ^ FLIP;
}
