// Schedule: the words of a list's leaves under any relation.

// Leaves at a time.
const BATCH: u32 = 16u;
// Related leaves of one that are looked up at a time.
const ROUND: u32 = 64u;

fn step_of() -> vec3<u32> {
    return params.step;
}

fn fill_batch(base: u32, end: u32, local: u32) {}

// Position of a related leaf among `reach`, z fastest.
fn place(child: u32) -> vec3<u32> {
    let q = child / params.reach.z;
    return vec3<u32>(q / params.reach.y, q % params.reach.y, child % params.reach.z);
}

fn related_word(r: Related, at: vec3<u32>, index: u32, word: u32) -> u32 {
    let ex = r.x.entry + at.x * r.x.skip;
    let ey = r.y.entry + at.y * r.y.skip;
    let ez = r.z.entry + at.z * r.z.skip;
    var slices = map_byte(entry_word(0u, ex, 2u), entry_word(0u, ex, 3u), word >> 1u);
    var slice = vec2<u32>(0u);
    while (slices != 0u) {
        slice |= tree_masks[8u * index + firstTrailingBit(slices)] ^ vec2<u32>(FLIP);
        slices &= slices - 1u;
    }
    let rows = rows_image(slice, entry_word(1u, ey, 0u), entry_word(1u, ey, 1u), word & 1u);
    return columns_image(rows, entry_word(2u, ez, 0u), entry_word(2u, ez, 1u));
}

// Word `lane` of the image in leaf `base + slot`; every invocation of the group calls it.
fn gather_word(base: u32, end: u32, slot: u32, lane: u32) -> u32 {
    let live = base + slot < end;
    let r = related_of(list_keys[min(base + slot, end - 1u)]);
    let total = params.reach.x * params.reach.y * params.reach.z;
    var word = 0u;
    for (var round = 0u; round < total; round += ROUND) {
        let here = min(ROUND, total - round);
        workgroupBarrier();
        for (var c = lane; c < here; c += 16u) {
            related[slot * ROUND + c] = related_leaf(r, place(round + c));
        }
        workgroupBarrier();
        for (var c = 0u; live && c < here; c++) {
            let index = related[slot * ROUND + c];
            if (index != NONE && (FLIP != 0u || index != params.tree_leaf_capacity)) {
                word |= related_word(r, place(round + c), index, lane);
            }
        }
    }
    return word;
}
