// Schedule: the pairs of every word at their place: the row in the tree, and the place of the voxel in the list (word, bit).

@group(0) @binding(8) var<storage, read> places: array<u32>;
@group(0) @binding(9) var<storage, read_write> pairs: array<vec4<u32>>;

fn use_pair(word: u32, bit: u32, count: u32, row: vec2<u32>) {
    pairs[params.base + places[word] + count] = vec4<u32>(row, word, bit);
}

fn use_count(word: u32, count: u32) {
}
