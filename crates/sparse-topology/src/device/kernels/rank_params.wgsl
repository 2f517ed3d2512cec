// Schedule: from marks to child masks with ranks, and keys.
// Constants: GROUP is 256.

struct Params {
    zero: u32,
    tiles: u32,
    lower_capacity: u32,
    leaf_capacity: u32,
    // Word of `marks` where the marks of the lower nodes begin, and where sums of groups begin.
    lower_at: u32,
    sums_at: u32,
    groups: u32,
    // Whether the sums of the groups are at hand (1: of the tiles, 2: of the lower nodes); else a group adds all words before its own.
    summed: u32,
}
@group(0) @binding(0) var<uniform> params: Params;

alias GroupValue = u32;

fn set_bits(words: vec4<u32>) -> u32 {
    let n = countOneBits(words);
    return n.x + n.y + n.z + n.w;
}
