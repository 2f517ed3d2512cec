// Schedule: the words of a list's leaves when blocks of FX * FY * FZ leaves are joined to one; at most ROUND of them.
// Constants: FX, FY, FZ are the factors. All are read without a test: a leaf that is not there is the zero leaf.

const BLOCK: u32 = FX * FY * FZ;
// Leaves at a time: a multiple of 16.
const BATCH: u32 = min(256u, ROOM / BLOCK / 16u * 16u);

fn step_of() -> vec3<u32> {
    return vec3<u32>(FX, FY, FZ);
}

fn fill_batch(base: u32, end: u32, local: u32) {
    for (var i = local; i < BATCH * BLOCK; i += 256u) {
        let leaf = base + i / BLOCK;
        if (leaf < end) {
            let c = i % BLOCK;
            let at = vec3<u32>(c / (FY * FZ), (c / FZ) % FY, c % FZ);
            related[i] = related_leaf(related_of(list_keys[leaf]), at);
        }
    }
}

// Word `lane` of the image in leaf `base + slot`.
fn gather_word(base: u32, end: u32, slot: u32, lane: u32) -> u32 {
    if (base + slot >= end) {
        return 0u;
    }
    let half = lane & 1u;
    let x = lane >> 1u;
    var word = 0u;
    for (var cz = 0u; cz < FZ; cz++) {
        var rows = 0u;
        for (var i = 0u; i < FY; i++) {
            // A word of four fine rows at a time.
            let v = FY * half + i;
            var joined = 0u;
            for (var j = 0u; j < FX; j++) {
                let fine = FX * x + j;
                let index = related[slot * BLOCK + ((fine >> 3u) * FY + (v >> 1u)) * FZ + cz];
                let pair = tree_masks[8u * index + (fine & 7u)] ^ vec2<u32>(FLIP);
                joined |= select(pair.x, pair.y, (v & 1u) != 0u);
            }
            for (var k = 0u; k < 4u; k++) {
                rows |= ((joined >> (8u * k)) & 255u) << (8u * ((4u * v + k) / FY - 4u * half));
            }
        }
        for (var z = 0u; z < 8u; z++) {
            word |= ((rows >> z) & 0x01010101u) << ((8u * cz + z) / FZ);
        }
    }
    return word;
}
