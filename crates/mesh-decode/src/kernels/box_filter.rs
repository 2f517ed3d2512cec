//! Which units and triangles meet a closed box, exactly, with sums of up to 64 bits in two words: what a device computes.
//!
//! The host's own [`crate::triangle_meets_box`] does the same in 64-bit integers; a test holds the two to the same answers.

use gpu_shaders::WgslModule;

/// WGSL text of this module.
pub const BOX_FILTER: WgslModule = WgslModule { name: "box_filter", source: include_str!("box_filter.wgsl") };

/// Box units of a grid step.
const FRACTION: i32 = 128;

/// A signed number of 64 bits in two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide {
    /// The lower word.
    pub low: u32,
    /// The upper word.
    pub high: u32,
}

/// The product of two words.
pub fn multiply_words(a: u32, b: u32) -> Wide {
    // [1]
    let low = (a & 0xffff) * (b & 0xffff);
    let middle = (a >> 16) * (b & 0xffff) + (low >> 16);
    let other = (a & 0xffff) * (b >> 16) + (middle & 0xffff);
    Wide { low: (other << 16) | (low & 0xffff), high: (a >> 16) * (b >> 16) + (middle >> 16) + (other >> 16) }
}

/// a + b modulo 2^64.
pub fn add(a: Wide, b: Wide) -> Wide {
    // [2]
    let low = a.low.wrapping_add(b.low);
    Wide { low, high: a.high.wrapping_add(b.high).wrapping_add(u32::from(low < a.low)) }
}

/// -a modulo 2^64.
pub fn negate(a: Wide) -> Wide {
    add(Wide { low: !a.low, high: !a.high }, Wide { low: 1, high: 0 })
}

/// A word with its sign.
pub fn widen(a: i32) -> Wide {
    Wide { low: a as u32, high: (a >> 31) as u32 }
}

/// a * factor modulo 2^64.
pub fn scale(a: Wide, factor: i32) -> Wide {
    // [3]
    let word = factor as u32;
    let product = multiply_words(a.low, word);
    let sign = if factor < 0 { a.low } else { 0 };
    Wide { low: product.low, high: product.high.wrapping_add(a.high.wrapping_mul(word)).wrapping_sub(sign) }
}

/// Whether a < 0.
pub fn is_negative(a: Wide) -> bool {
    (a.high >> 31) != 0
}

/// The sum of products with the box's corner at which it is least; low and high exchanged: greatest.
pub fn least_over(x: Wide, y: Wide, z: Wide, low: [i32; 3], high: [i32; 3]) -> Wide {
    // [4]
    let on_x = scale(x, if is_negative(x) { high[0] } else { low[0] });
    let on_y = scale(y, if is_negative(y) { high[1] } else { low[1] });
    let on_z = scale(z, if is_negative(z) { high[2] } else { low[2] });
    add(add(on_x, on_y), on_z)
}

/// n . point.
pub fn dot_points(n: [i32; 3], point: [i32; 3]) -> Wide {
    add(add(scale(widen(n[0]), point[0]), scale(widen(n[1]), point[1])), scale(widen(n[2]), point[2]))
}

/// Whether the projections on n overlap: of the box, and of the triangle 0, a, b in grid steps.
pub fn meets_on(n: [i32; 3], a: [i32; 3], b: [i32; 3], low: [i32; 3], high: [i32; 3]) -> bool {
    // [5]
    let minus_a = negate(scale(dot_points(n, a), FRACTION));
    let minus_b = negate(scale(dot_points(n, b), FRACTION));
    let least = least_over(widen(n[0]), widen(n[1]), widen(n[2]), low, high);
    let greatest = least_over(widen(n[0]), widen(n[1]), widen(n[2]), high, low);
    // Beyond all three: the box's least is greater, or its greatest less.
    let above = is_negative(negate(least))
        && is_negative(negate(add(least, minus_a)))
        && is_negative(negate(add(least, minus_b)));
    let below = is_negative(greatest) && is_negative(add(greatest, minus_a)) && is_negative(add(greatest, minus_b));
    !above && !below
}

/// a x b on one axis, from its two components: ax by - ay bx.
pub fn cross_of(ax: i32, ay: i32, bx: i32, by: i32) -> Wide {
    add(scale(widen(ax), by), negate(scale(widen(ay), bx)))
}

/// An edge x an axis.
pub fn edge_axis(edge: [i32; 3], axis: u32) -> [i32; 3] {
    // [6]
    match axis {
        0 => [0, -edge[2], edge[1]],
        1 => [edge[2], 0, -edge[0]],
        _ => [-edge[1], edge[0], 0],
    }
}

/// Boxes of grid points in steps; the closed box in 1/128 of a step. A unit without points has the largest before the smallest.
pub fn unit_meets_box(smallest: [i32; 3], largest: [i32; 3], low: [i32; 3], high: [i32; 3]) -> bool {
    // [7]
    let axis = |k: usize| {
        smallest[k] <= largest[k]
            && smallest[k].wrapping_mul(FRACTION) <= high[k]
            && low[k] <= largest[k].wrapping_mul(FRACTION)
    };
    axis(0) && axis(1) && axis(2)
}

/// Grid points below 2^24, sides below 2^18; the closed box in 1/128 of a step. Touching counts.
pub fn triangle_meets_box(p: [i32; 3], q: [i32; 3], r: [i32; 3], low: [i32; 3], high: [i32; 3]) -> bool {
    // [8]
    let smallest = [0, 1, 2].map(|k| p[k].min(q[k]).min(r[k]) * FRACTION);
    let largest = [0, 1, 2].map(|k| p[k].max(q[k]).max(r[k]) * FRACTION);
    if (0..3).any(|k| low[k] > high[k] || largest[k] < low[k] || high[k] < smallest[k]) {
        return false;
    }
    if (0..3).all(|k| low[k] <= smallest[k] && largest[k] <= high[k]) {
        return true;
    }
    let near = [0, 1, 2].map(|k| low[k].max(smallest[k]) - p[k] * FRACTION);
    let far = [0, 1, 2].map(|k| high[k].min(largest[k]) - p[k] * FRACTION);
    let e = [0, 1, 2].map(|k| q[k] - p[k]);
    let f = [0, 1, 2].map(|k| r[k] - p[k]);
    // [9] the face normal: the triangle's points give 0
    let x = cross_of(e[1], e[2], f[1], f[2]);
    let y = cross_of(e[2], e[0], f[2], f[0]);
    let z = cross_of(e[0], e[1], f[0], f[1]);
    let mut meets =
        !is_negative(negate(least_over(x, y, z, near, far))) && !is_negative(least_over(x, y, z, far, near));
    // [10] an edge and a side of the box
    let edges = [e, f, [0, 1, 2].map(|k| f[k] - e[k])];
    for k in 0..9 {
        meets = meets && meets_on(edge_axis(edges[k as usize / 3], k % 3), e, f, near, far);
    }
    meets
}

#[cfg(test)]
mod tests {
    use super::{Wide, scale, triangle_meets_box};
    use crate::GridBox;

    #[test]
    fn products_are_those_of_64_bits() {
        let mut state = 5_u64;
        for _ in 0..10_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (a, factor) = (state as i64 >> (state >> 58), (state >> 17) as i32);
            let found = scale(Wide { low: a as u32, high: (a >> 32) as u32 }, factor);
            let expected = a.wrapping_mul(i64::from(factor));
            assert_eq!(found, Wide { low: expected as u32, high: (expected >> 32) as u32 }, "{a} * {factor}");
        }
    }

    #[test]
    fn the_answer_is_that_of_64_bit_integers() {
        let mut state = 13_u64;
        let mut next = |range: i32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % (2 * range as u64 + 1)) as i32 - range
        };
        let mut seen = [0; 2];
        for round in 0..60_000 {
            let size = [2, 5, 40, 65_535][round % 4];
            let [p, q, r] = [0, 1, 2].map(|_| [0, 1, 2].map(|_| next(size)));
            let unit = if round % 3 == 0 { 1 } else { 128 };
            let low = [0, 1, 2].map(|_| next(size * 100 / unit) * unit);
            let high = low.map(|x| x + (next(size * 128 / unit) * unit).abs());
            let expected = crate::triangle_meets_box([p, q, r], &GridBox { low, high });
            assert_eq!(triangle_meets_box(p, q, r, low, high), expected, "{p:?} {q:?} {r:?} {low:?} {high:?}");
            seen[usize::from(expected)] += 1;
        }
        assert!(seen.iter().all(|count| *count > 5_000), "{seen:?}");
    }
}
