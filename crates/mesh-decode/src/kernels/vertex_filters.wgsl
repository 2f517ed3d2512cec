// meshoptimizer's vertex filters: twin of vertex_filters.rs. Needs strict_float.

// Nearest integer, halves away from zero; |x| below 2^30.
fn round_away(x: f32) -> i32 {
    return select(i32(x - 0.5), i32(x + 0.5), x >= 0.0);
}

fn octahedral(x: i32, y: i32, one: i32, largest: f32) -> vec3<i32> {
    var u = f32(x);
    var v = f32(y);
    let z = (f32(one) - abs(u)) - abs(v);
    let fold = select(0.0, z, z < 0.0);
    u = u + select(-fold, fold, u >= 0.0);
    v = v + select(-fold, fold, v >= 0.0);
    let length = sqrt_rn((u * u + v * v) + z * z);
    if length == 0.0 { return vec3<i32>(0); }
    let scale = div_rn(largest, length);
    return vec3<i32>(round_away(u * scale), round_away(v * scale), round_away(z * scale));
}

fn quaternion(x: i32, y: i32, z: i32, scale_and_place: i32) -> vec4<i32> {
    let place = bitcast<u32>(scale_and_place) & 3u;
    let s = f32(scale_and_place | 3);
    let u = f32(x);
    let v = f32(y);
    let w = f32(z);
    let square = (((s * s) * 2.0 - u * u) - v * v) - w * w;
    let root = sqrt_rn(select(0.0, square, square >= 0.0));
    let scale = div_rn(23169.768, s);
    var out = vec4<i32>(0);
    out[(place + 1u) & 3u] = round_away(u * scale);
    out[(place + 2u) & 3u] = round_away(v * scale);
    out[(place + 3u) & 3u] = round_away(w * scale);
    out[place] = round_away(root * scale);
    return out;
}

fn exponential(word: u32) -> f32 {
    let mantissa = bitcast<i32>(word << 8u) >> 8u;
    let exponent = bitcast<i32>(word) >> 24u;
    return scale_pow2(f32(mantissa), exponent);
}

fn colour(luma: i32, chroma_o: i32, chroma_g: i32, alpha: u32, largest: f32) -> vec4<u32> {
    var filled = alpha;
    filled |= filled >> 1u;
    filled |= filled >> 2u;
    filled |= filled >> 4u;
    filled |= filled >> 8u;
    if filled == 0u { return vec4<u32>(0u); }
    let opacity = ((alpha << 1u) & filled) | (alpha & 1u);
    let components = vec4<i32>(luma + chroma_o - chroma_g, luma + chroma_g, luma - chroma_o - chroma_g, bitcast<i32>(opacity));
    let scaled = vec4<f32>(components) * div_rn(largest, f32(filled)) + vec4<f32>(0.5);
    let inside = vec4<u32>(select(select(scaled, vec4<f32>(largest), scaled >= vec4<f32>(largest)), vec4<f32>(0.0), scaled <= vec4<f32>(0.0)));
    return inside;
}
