//! Which voxels a triangle touches: separating axes as windows of integers.
//!
//! Corners are in units of 2^-16 of a voxel, from 0 to below 2^39, and voxels are counted from the same point. A voxel's cube, grown by one unit, and the triangle are apart along an axis `a` of integers when `a . v` is outside of a window:
//! with `m` and `M` the least and the largest `a . corner` and `r = 32769 (|a_x| + |a_y| + |a_z|)`, the window is `ceil((m - r) / 2^16)` to `floor((M + r) / 2^16)`. Thirteen axes decide (S. Gottschalk, 1996): windows `3 e + k` are of edge `e` and axis
//! `k` of the cube, 9 to 11 of the axes of the cube (window `9 + k` of axis `k + 1`), 12 of the triangle's plane. Numbers have 128 bits in four words, lowest first, two's complement: products of a plane's window stay below 2^119, the other windows' below 2^63 once they count voxels.

/// An integer of 128 bits.
pub type Wide = [u32; 4];

/// Windows of a triangle.
pub const WINDOWS: usize = 13;

/// The positions along an axis that a triangle's voxels have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The axis.
    pub axis: [Wide; 3],
    /// The least position.
    pub low: Wide,
    /// The largest position, less the least.
    pub width: Wide,
    /// How far a leaf's voxels lie ahead of its first one, at most.
    pub ahead: Wide,
    /// How far they lie behind it.
    pub back: Wide,
}

/// The product of two words.
pub fn word_product(a: u32, b: u32) -> [u32; 2] {
    // [1] four products of half words
    let low = (a & 0xffff) * (b & 0xffff);
    let left = (a >> 16) * (b & 0xffff);
    let right = (a & 0xffff) * (b >> 16);
    let high = (a >> 16) * (b >> 16);
    // [2] their sum, with the carry out of the lower word
    let middle = (low >> 16) + (left & 0xffff) + (right & 0xffff);
    [(low & 0xffff) | (middle << 16), high + (left >> 16) + (right >> 16) + (middle >> 16)]
}

/// `a + b`, modulo 2^128.
pub fn wide_add(a: Wide, b: Wide) -> Wide {
    let mut sum = [0; 4];
    let mut carry = 0;
    for k in 0..4 {
        // [3] a word and its carry; at most one of the two sums passes 2^32
        let part = a[k].wrapping_add(b[k]);
        let whole = part.wrapping_add(carry);
        carry = u32::from(part < a[k] || whole < part);
        sum[k] = whole;
    }
    sum
}

/// `-a`.
pub fn wide_negate(a: Wide) -> Wide {
    wide_add([!a[0], !a[1], !a[2], !a[3]], [1, 0, 0, 0])
}

/// `|a|`.
pub fn wide_magnitude(a: Wide) -> Wide {
    if a[3] >> 31 == 1 {
        return wide_negate(a);
    }
    a
}

/// `a b` for a word `b`, modulo 2^128.
pub fn wide_times_word(a: Wide, b: u32) -> Wide {
    let mut product = [0; 4];
    let mut carry = 0_u32;
    for k in 0..4 {
        // [4] a word of the product; the higher word of a product leaves room for a carry
        let part = word_product(a[k], b);
        let word = part[0].wrapping_add(carry);
        carry = part[1] + u32::from(word < carry);
        product[k] = word;
    }
    product
}

/// `a b` for `|b|` below 2^64, modulo 2^128.
pub fn wide_times(a: Wide, b: Wide) -> Wide {
    // [5] by the magnitude of b, two words
    let size = wide_magnitude(b);
    let high = wide_times_word(a, size[1]);
    let product = wide_add(wide_times_word(a, size[0]), [0, high[0], high[1], high[2]]);
    if b[3] >> 31 == 1 {
        return wide_negate(product);
    }
    product
}

/// A number of one word.
pub fn wide_of(a: i32) -> Wide {
    let sign = (a >> 31) as u32;
    [a as u32, sign, sign, sign]
}

/// Whole voxels of a number of units.
pub fn wide_voxels(a: Wide) -> Wide {
    // [6] floor(a / 2^16)
    let sign = 0_u32.wrapping_sub(a[3] >> 31);
    let x = (a[0] >> 16) | (a[1] << 16);
    let y = (a[1] >> 16) | (a[2] << 16);
    let z = (a[2] >> 16) | (a[3] << 16);
    [x, y, z, (a[3] >> 16) | (sign << 16)]
}

/// Whether `a <= b`, both without sign.
pub fn wide_at_most(a: Wide, b: Wide) -> bool {
    // [7] without signs, from the highest word that differs
    let mut result = a[0] <= b[0];
    for k in 1..4 {
        result = a[k] < b[k] || (a[k] == b[k] && result);
    }
    result
}

/// The unit vector of an axis below 3, else an edge.
pub fn unit_or_edge(corners: [Wide; 9], from_corner: usize, unit: usize) -> [Wide; 3] {
    let mut out = [[0; 4]; 3];
    for k in 0..3 {
        // [8] a unit vector, or the edge from a corner to the next
        if unit < 3 {
            out[k] = [u32::from(k == unit), 0, 0, 0];
        } else {
            out[k] = wide_add(corners[3 * ((from_corner + 1) % 3) + k], wide_negate(corners[3 * from_corner + k]));
        }
    }
    out
}

/// The axis of a window.
pub fn axis_of(corners: [Wide; 9], index: usize) -> [Wide; 3] {
    // [9] the factors of the cross product
    let row = index / 3;
    let k = index % 3;
    let left = unit_or_edge(corners, if row > 2 { 0 } else { row }, if row == 3 { (k + 2) % 3 } else { 3 });
    let right = unit_or_edge(corners, 1, if row == 4 { 3 } else { k });
    let mut axis = [[0; 4]; 3];
    for term in 0..6 {
        // [10] left[i] right[j] - left[j] right[i]
        let to = term >> 1;
        let i = (to + 1 + (term & 1)) % 3;
        let j = (to + 2 - (term & 1)) % 3;
        let mut product = wide_times(left[i], right[j]);
        if term & 1 == 1 {
            product = wide_negate(product);
        }
        axis[to] = wide_add(axis[to], product);
    }
    axis
}

/// A window of the triangle with these coordinates, corner by corner.
pub fn window_of(corners: [Wide; 9], index: usize) -> Window {
    let axis = axis_of(corners, index);
    let mut least = [0; 4];
    let mut most = [0; 4];
    for corner in 0..3 {
        // [11] the triangle along the axis
        let mut at = [0; 4];
        for k in 0..3 {
            at = wide_add(at, wide_times(axis[k], corners[3 * corner + k]));
        }
        let below = wide_add(at, wide_negate(least))[3] >> 31;
        let above = wide_add(most, wide_negate(at))[3] >> 31;
        if corner == 0 || below == 1 {
            least = at;
        }
        if corner == 0 || above == 1 {
            most = at;
        }
    }
    let mut ahead = [0; 4];
    let mut back = [0; 4];
    for k in 0..3 {
        // [12] the sums of the coefficients above and below zero
        if axis[k][3] >> 31 == 1 {
            back = wide_add(back, wide_negate(axis[k]));
        } else {
            ahead = wide_add(ahead, axis[k]);
        }
    }
    // [13] half a voxel and a unit on both sides, then whole voxels
    let reach = wide_times_word(wide_add(ahead, back), 32_769);
    let low = wide_voxels(wide_add(wide_add(least, wide_negate(reach)), [65_535, 0, 0, 0]));
    let high = wide_voxels(wide_add(most, reach));
    let width = wide_add(high, wide_negate(low));
    Window { axis, low, width, ahead: wide_times_word(ahead, 7), back: wide_times_word(back, 7) }
}

/// How far the voxel at `position` lies behind the window's low end.
pub fn window_start(window: Window, position: [i32; 3]) -> Wide {
    let mut at = wide_negate(window.low);
    for k in 0..3 {
        // [14] how far a voxel lies behind the window's low end
        at = wide_add(at, wide_times(window.axis[k], wide_of(position[k])));
    }
    at
}

/// Whether the window and a leaf whose first voxel is at `start` meet.
pub fn window_meets_leaf(window: Window, start: Wide) -> bool {
    // [15] some position of the leaf's voxels is at least the low and at most the high end
    let reach = wide_add(window.ahead, window.back);
    wide_at_most(wide_add(start, window.ahead), wide_add(window.width, reach))
}

/// Whether a window of an axis without a part along `across` holds the voxels of a leaf at a place of its other two axes.
pub fn window_holds_cell(window: Window, start: Wide, across: usize, first: u32, second: u32) -> bool {
    // [16] two words are enough: nothing here reaches 2^63
    let i = if across == 0 { 1 } else { 0 };
    let j = if across == 2 { 1 } else { 2 };
    let p = word_product(window.axis[i][0], first);
    let q = word_product(window.axis[j][0], second);
    let part = p[0].wrapping_add(q[0]);
    let low = part.wrapping_add(start[0]);
    let carry = u32::from(part < p[0]) + u32::from(low < part);
    let terms = [window.axis[i][1].wrapping_mul(first), q[1], window.axis[j][1].wrapping_mul(second), start[1], carry];
    let high = terms.into_iter().fold(p[1], u32::wrapping_add);
    high < window.width[1] || (high == window.width[1] && low <= window.width[0])
}

/// The voxels of a leaf's column along z that the window holds.
pub fn window_column(window: Window, start: Wide, x: u32, y: u32) -> u32 {
    let mut at = wide_add(start, wide_add(wide_times_word(window.axis[0], x), wide_times_word(window.axis[1], y)));
    let mut column = 0;
    for z in 0..8 {
        // [17] a bit a voxel of the column
        column |= u32::from(wide_at_most(at, window.width)) << z;
        at = wide_add(at, window.axis[2]);
    }
    column
}
