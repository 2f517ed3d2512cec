// Which voxels a triangle touches, in exact integers of four words: see triangle_window.rs.

struct Window {
    axis: array<vec4<u32>, 3>,
    low: vec4<u32>,
    width: vec4<u32>,
    ahead: vec4<u32>,
    back: vec4<u32>,
}

fn word_product(a: u32, b: u32) -> vec2<u32> {
    // [1] four products of half words
    let low = (a & 0xffffu) * (b & 0xffffu);
    let left = (a >> 16u) * (b & 0xffffu);
    let right = (a & 0xffffu) * (b >> 16u);
    let high = (a >> 16u) * (b >> 16u);
    // [2] their sum, with the carry out of the lower word
    let middle = (low >> 16u) + (left & 0xffffu) + (right & 0xffffu);
    return vec2<u32>((low & 0xffffu) | (middle << 16u), high + (left >> 16u) + (right >> 16u) + (middle >> 16u));
}

fn wide_add(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    var sum = vec4<u32>(0u);
    var carry = 0u;
    for (var k = 0u; k < 4u; k++) {
        // [3] a word and its carry; at most one of the two sums passes 2^32
        let part = a[k] + b[k];
        let whole = part + carry;
        carry = select(0u, 1u, part < a[k] || whole < part);
        sum[k] = whole;
    }
    return sum;
}

fn wide_negate(a: vec4<u32>) -> vec4<u32> {
    return wide_add(vec4<u32>(~a.x, ~a.y, ~a.z, ~a.w), vec4<u32>(1u, 0u, 0u, 0u));
}

fn wide_magnitude(a: vec4<u32>) -> vec4<u32> {
    if ((a.w >> 31u) == 1u) {
        return wide_negate(a);
    }
    return a;
}

fn wide_times_word(a: vec4<u32>, b: u32) -> vec4<u32> {
    var product = vec4<u32>(0u);
    var carry = 0u;
    for (var k = 0u; k < 4u; k++) {
        // [4] a word of the product; the higher word of a product leaves room for a carry
        let part = word_product(a[k], b);
        let word = part.x + carry;
        carry = part.y + select(0u, 1u, word < carry);
        product[k] = word;
    }
    return product;
}

fn wide_times(a: vec4<u32>, b: vec4<u32>) -> vec4<u32> {
    // [5] by the magnitude of b, two words
    let size = wide_magnitude(b);
    let high = wide_times_word(a, size.y);
    let product = wide_add(wide_times_word(a, size.x), vec4<u32>(0u, high.x, high.y, high.z));
    if ((b.w >> 31u) == 1u) {
        return wide_negate(product);
    }
    return product;
}

fn wide_of(a: i32) -> vec4<u32> {
    let sign = bitcast<u32>(a >> 31u);
    return vec4<u32>(bitcast<u32>(a), sign, sign, sign);
}

fn wide_voxels(a: vec4<u32>) -> vec4<u32> {
    // [6] floor(a / 2^16)
    let sign = 0u - (a.w >> 31u);
    let x = (a.x >> 16u) | (a.y << 16u);
    let y = (a.y >> 16u) | (a.z << 16u);
    let z = (a.z >> 16u) | (a.w << 16u);
    return vec4<u32>(x, y, z, (a.w >> 16u) | (sign << 16u));
}

fn wide_at_most(a: vec4<u32>, b: vec4<u32>) -> bool {
    // [7] without signs, from the highest word that differs
    var result = a.x <= b.x;
    for (var k = 1u; k < 4u; k++) {
        result = a[k] < b[k] || (a[k] == b[k] && result);
    }
    return result;
}

fn unit_or_edge(corners: array<vec4<u32>, 9>, from_corner: u32, unit: u32) -> array<vec4<u32>, 3> {
    var out = array<vec4<u32>, 3>();
    for (var k = 0u; k < 3u; k++) {
        // [8] a unit vector, or the edge from a corner to the next
        if (unit < 3u) {
            out[k] = vec4<u32>(select(0u, 1u, k == unit), 0u, 0u, 0u);
        } else {
            out[k] = wide_add(corners[3u * ((from_corner + 1u) % 3u) + k], wide_negate(corners[3u * from_corner + k]));
        }
    }
    return out;
}

fn axis_of(corners: array<vec4<u32>, 9>, index: u32) -> array<vec4<u32>, 3> {
    // [9] the factors of the cross product
    let row = index / 3u;
    let k = index % 3u;
    let left = unit_or_edge(corners, select(row, 0u, row > 2u), select(3u, (k + 2u) % 3u, row == 3u));
    let right = unit_or_edge(corners, 1u, select(k, 3u, row == 4u));
    var axis = array<vec4<u32>, 3>();
    for (var term = 0u; term < 6u; term++) {
        // [10] left[i] right[j] - left[j] right[i]
        let to = term >> 1u;
        let i = (to + 1u + (term & 1u)) % 3u;
        let j = (to + 2u - (term & 1u)) % 3u;
        var product = wide_times(left[i], right[j]);
        if ((term & 1u) == 1u) {
            product = wide_negate(product);
        }
        axis[to] = wide_add(axis[to], product);
    }
    return axis;
}

fn window_of(corners: array<vec4<u32>, 9>, index: u32) -> Window {
    let axis = axis_of(corners, index);
    var least = vec4<u32>(0u);
    var most = vec4<u32>(0u);
    for (var corner = 0u; corner < 3u; corner++) {
        // [11] the triangle along the axis
        var at = vec4<u32>(0u);
        for (var k = 0u; k < 3u; k++) {
            at = wide_add(at, wide_times(axis[k], corners[3u * corner + k]));
        }
        let below = wide_add(at, wide_negate(least)).w >> 31u;
        let above = wide_add(most, wide_negate(at)).w >> 31u;
        if (corner == 0u || below == 1u) {
            least = at;
        }
        if (corner == 0u || above == 1u) {
            most = at;
        }
    }
    var ahead = vec4<u32>(0u);
    var back = vec4<u32>(0u);
    for (var k = 0u; k < 3u; k++) {
        // [12] the sums of the coefficients above and below zero
        if ((axis[k].w >> 31u) == 1u) {
            back = wide_add(back, wide_negate(axis[k]));
        } else {
            ahead = wide_add(ahead, axis[k]);
        }
    }
    // [13] half a voxel and a unit on both sides, then whole voxels
    let reach = wide_times_word(wide_add(ahead, back), 32769u);
    let low = wide_voxels(wide_add(wide_add(least, wide_negate(reach)), vec4<u32>(65535u, 0u, 0u, 0u)));
    let high = wide_voxels(wide_add(most, reach));
    let width = wide_add(high, wide_negate(low));
    return Window(axis, low, width, wide_times_word(ahead, 7u), wide_times_word(back, 7u));
}

fn window_start(window: Window, position: vec3<i32>) -> vec4<u32> {
    var at = wide_negate(window.low);
    for (var k = 0u; k < 3u; k++) {
        // [14] how far a voxel lies behind the window's low end
        at = wide_add(at, wide_times(window.axis[k], wide_of(position[k])));
    }
    return at;
}

fn window_meets_leaf(window: Window, start: vec4<u32>) -> bool {
    // [15] some position of the leaf's voxels is at least the low and at most the high end
    let reach = wide_add(window.ahead, window.back);
    return wide_at_most(wide_add(start, window.ahead), wide_add(window.width, reach));
}

fn window_holds_cell(window: Window, start: vec4<u32>, across: u32, first: u32, second: u32) -> bool {
    // [16] two words are enough: nothing here reaches 2^63
    let i = select(0u, 1u, across == 0u);
    let j = select(2u, 1u, across == 2u);
    let p = word_product(window.axis[i].x, first);
    let q = word_product(window.axis[j].x, second);
    let part = p.x + q.x;
    let low = part + start.x;
    let carry = select(0u, 1u, part < p.x) + select(0u, 1u, low < part);
    let high = p.y + window.axis[i].y * first + q.y + window.axis[j].y * second + start.y + carry;
    return high < window.width.y || (high == window.width.y && low <= window.width.x);
}

fn window_column(window: Window, start: vec4<u32>, x: u32, y: u32) -> u32 {
    var at = wide_add(start, wide_add(wide_times_word(window.axis[0], x), wide_times_word(window.axis[1], y)));
    var column = 0u;
    for (var z = 0u; z < 8u; z++) {
        // [17] a bit a voxel of the column
        column |= select(0u, 1u, wide_at_most(at, window.width)) << z;
        at = wide_add(at, window.axis[2]);
    }
    return column;
}
