// Working coordinates in f64 of a vertex of f32 words: what f64 gives on the host. Twin of frame_vertex_double.rs. Needs strict_double and real_double.

// (p - centre) 2^-exponent, below TINY 0. p: bits of a finite f32, centre: words of a finite f64 that is 0 or at least 2^-150.
fn frame_coordinate(p: u32, centre: vec2<u32>, exponent: i32) -> f64 {
    // [1] p by its significand: devices may take subnormal f32 for 0
    let field = (p >> 23u) & 0xffu;
    let significand = (p & 0x7fffffu) | select(0x800000u, 0u, field == 0u);
    let size = scale_pow2(f64(significand), i32(max(field, 1u)) - 150);
    let x = select(size, -size, (p >> 31u) == 1u);
    // [2] the difference, a multiple of 2^-203: not subnormal
    let d = x - real_of_words(centre.x, centre.y);
    return snap(scale_pow2(d, -exponent), TINY);
}
