// Schedule: sums in slices, of queries that are too few to keep a device busy. Needs sign_sum.
// The sides follow in sign_sum_sides, when all slices are there.

// Two numbers of limbs a query, as words; 0 before and after.
@group(0) @binding(6) var<storage, read_write> sums: array<atomic<u32>>;

fn slices_of(queries: u32) -> u32 {
    return clamp(params.group_count / max(queries, 1u), 1u, params.most_slices);
}

// Adds to a word and gives the carry: words that overflow carry one each, in whatever order they are added.
fn add_word(at: u32, word: u32, carry: u32) -> u32 {
    let x = word + carry;
    let before = atomicAdd(&sums[at], x);
    return u32(x < carry) + u32(before + x < before);
}

fn finish(item: u32, at: u32, slices: u32, sum: vec2<limb>) {
    if slices == 1u {
        write_side(at, above_half(sum));
        return;
    }
    if item == 0u { counters[SLICES] = slices; }
    let low = limb_words(sum.x);
    let high = limb_words(sum.y);
    let first = item / slices * 2u * REAL_WORDS;
    var carry = add_word(first, low.x, 0u);
    if REAL_WORDS == 2u { carry = add_word(first + 1u, low.y, carry); }
    carry = add_word(first + REAL_WORDS, high.x, carry);
    if REAL_WORDS == 2u { carry = add_word(first + 3u, high.y, carry); }
}
