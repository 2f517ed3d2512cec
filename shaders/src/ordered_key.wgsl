// u32 image of f32 that keeps the order (that of f32::total_cmp): twin of ordered_key.rs.

// -0 has the key 0x7fffffff, +0 the key 0x80000000.
fn ordered_key(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    if (bits >> 31u) == 1u {
        return ~bits;
    }
    return bits | 0x80000000u;
}

fn ordered_value(key: u32) -> f32 {
    if (key >> 31u) == 1u {
        return bitcast<f32>(key & 0x7fffffffu);
    }
    return bitcast<f32>(~key);
}
