// Codes of positions along space-filling curves: see curve_code.rs.

const CURVE_BITS: u32 = 21u;

fn interleave(x: vec3<u32>) -> vec2<u32> {
    var code = vec2<u32>(0u);
    // [1] the bits of the axes, the first axis the most significant of three
    for (var bit = 0u; bit < CURVE_BITS; bit++) {
        for (var axis = 0u; axis < 3u; axis++) {
            let to = 3u * bit + 2u - axis;
            let one = (x[axis] >> bit) & 1u;
            if (to < 32u) {
                code.x |= one << to;
            } else {
                code.y |= one << (to - 32u);
            }
        }
    }
    return code;
}

fn hilbert_transpose(position: vec3<u32>) -> vec3<u32> {
    var x = position;
    // [2] inverse undo of the excess work
    for (var i = 1u; i < CURVE_BITS; i++) {
        let bit = 1u << (CURVE_BITS - i);
        let low = bit - 1u;
        if ((x[0] & bit) != 0u) {
            x[0] ^= low;
        }
        for (var axis = 1u; axis < 3u; axis++) {
            if ((x[axis] & bit) != 0u) {
                x[0] ^= low;
            } else {
                let t = (x[0] ^ x[axis]) & low;
                x[0] ^= t;
                x[axis] ^= t;
            }
        }
    }
    // [3] Gray encode
    x[1] ^= x[0];
    x[2] ^= x[1];
    var t = 0u;
    for (var i = 1u; i < CURVE_BITS; i++) {
        let bit = 1u << (CURVE_BITS - i);
        if ((x[2] & bit) != 0u) {
            t ^= bit - 1u;
        }
    }
    return x ^ vec3<u32>(t);
}
