// Schedule: sets bits that mostly are set already.

@group(0) @binding(4) var<storage, read_write> marks: array<atomic<u32>>;

fn mark_bit(word: u32, bit: u32) {
    if ((atomicLoad(&marks[word]) & bit) == 0u) {
        atomicOr(&marks[word], bit);
    }
}
