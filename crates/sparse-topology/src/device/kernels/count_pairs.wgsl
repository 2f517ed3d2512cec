// Schedule: the number of pairs of every word.

@group(0) @binding(8) var<storage, read_write> counts: array<u32>;

fn use_pair(word: u32, bit: u32, count: u32, row: vec2<u32>) {
}

fn use_count(word: u32, count: u32) {
    counts[word] = count;
}
