// Schedule: sums of whole queries. Needs sign_sum. Constants: VALUES (write the number instead of the sign).

fn slices_of(queries: u32) -> u32 {
    return 1u;
}

fn finish(item: u32, at: u32, slices: u32, sum: vec2<limb>) {
    if !VALUES {
        write_side(at, above_half(sum));
        return;
    }
    let low = limb_words(sum.x);
    let high = limb_words(sum.y);
    let first = 2u * REAL_WORDS * at;
    results[first] = low.x;
    results[first + REAL_WORDS] = high.x;
    if REAL_WORDS == 2u {
        results[first + 1u] = low.y;
        results[first + 3u] = high.y;
    }
}
