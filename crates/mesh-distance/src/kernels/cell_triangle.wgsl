// Whether a triangle meets a cell: twin of cell_triangle.rs. Needs strict_float, triangle_record, triangle_distance.

const MARGIN = 0x1p-18f;
const NO_MARGIN = 0x1p-100f;
const THIN = 0x1p-20f;
const OUTSIDE_CELL = 0u;
const CUT_CELL = 1u;
const INSIDE_CELL = 2u;

// Lower corner of the cell index, which is the upper corner of its neighbour. index <= 2^23.
fn cell_corner(index: vec3<u32>, lo: vec3<f32>, h: vec3<f32>) -> vec3<f32> {
    let x = vec3<f32>(index) * h + lo;
    return vec3<f32>(snap(x.x, 0x1p-40f), snap(x.y, 0x1p-40f), snap(x.z, 0x1p-40f));
}

// Whether two closed boxes meet.
fn boxes_meet(lo: vec3<f32>, hi: vec3<f32>, other_lo: vec3<f32>, other_hi: vec3<f32>) -> bool {
    let x = lo.x <= other_hi.x && other_lo.x <= hi.x;
    let y = lo.y <= other_hi.y && other_lo.y <= hi.y;
    let z = lo.z <= other_hi.z && other_lo.z <= hi.z;
    return x && y && z;
}

// Whether the axis across the edge e separates, in the plane of two coordinates; the cell is [0, d].
fn edge_separates(e: vec2<f32>, p: vec2<f32>, c: vec2<f32>, d: vec2<f32>) -> bool {
    // [1] both corners and the cell on the axis (-ev, eu)
    let a = p.y * e.x - p.x * e.y;
    let b = c.y * e.x - c.x * e.y;
    let f = d.y * e.x;
    let g = -(d.x * e.y);
    let cell_lo = smaller(f, 0.0) + smaller(g, 0.0);
    let cell_hi = larger(f, 0.0) + larger(g, 0.0);
    // [2] apart by more than the rounding
    let lengthwise = abs(e.x) * ((abs(p.y) + abs(c.y)) + d.y);
    let crosswise = abs(e.y) * ((abs(p.x) + abs(c.x)) + d.x);
    let margin = snap((lengthwise + crosswise) * MARGIN, NO_MARGIN);
    return smaller(a, b) > cell_hi + margin || larger(a, b) + margin < cell_lo;
}

// Whether one of the three axes across an edge separates.
fn edge_axes_separate(e: vec3<f32>, p: vec3<f32>, c: vec3<f32>, d: vec3<f32>) -> bool {
    let yz = edge_separates(e.yz, p.yz, c.yz, d.yz);
    let zx = edge_separates(e.zx, p.zx, c.zx, d.zx);
    let xy = edge_separates(e.xy, p.xy, c.xy, d.xy);
    return yz || zx || xy;
}

// Whether the plane of the triangle passes beside the cell.
fn plane_separates(ab: vec3<f32>, ac: vec3<f32>, p: vec3<f32>, d: vec3<f32>) -> bool {
    // [1] the normal, largest component in [1, 2)
    let k = 127 - max(largest_exponent(ab), largest_exponent(ac));
    let n = cross_compensated(scale_vector(ab, k), scale_vector(ac, k));
    if larger(larger(abs(n.x), abs(n.y)), abs(n.z)) < THIN {
        return false;
    }
    let m = scale_vector(n, 127 - largest_exponent(n));
    // [2] the cell along it
    let x = m.x * d.x;
    let y = m.y * d.y;
    let z = m.z * d.z;
    let cell_lo = (smaller(x, 0.0) + smaller(y, 0.0)) + smaller(z, 0.0);
    let cell_hi = (larger(x, 0.0) + larger(y, 0.0)) + larger(z, 0.0);
    // [3] apart by more than the rounding
    let reach = (abs(p) + d) + (abs(ab) + abs(ac));
    let margin = snap(dt(abs(m), reach) * MARGIN, NO_MARGIN);
    let v = dt(m, p);
    return v > cell_hi + margin || v + margin < cell_lo;
}

// Whether the triangle a, b, c meets the closed cell [lo, hi].
fn cell_meets_triangle(lo: vec3<f32>, hi: vec3<f32>, a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> bool {
    // [1] the boxes
    let low = min(min(a, b), c); // zero free
    let high = max(max(a, b), c); // zero free
    if !boxes_meet(lo, hi, low, high) {
        return false;
    }
    // [2] from the cell's lower corner
    let d = sub(hi, lo);
    let pa = sub(a, lo);
    let pb = sub(b, lo);
    let pc = sub(c, lo);
    let ab = sub(b, a);
    let ac = sub(c, a);
    let bc = sub(c, b);
    // [3] the other ten axes
    if edge_axes_separate(ab, pa, pc, d) || edge_axes_separate(ac, pa, pb, d) || edge_axes_separate(bc, pb, pa, d) {
        return false;
    }
    return !plane_separates(ab, ac, pa, d);
}

// The mark of a cell from whether it is cut and the bits of its centre's distance.
fn cell_mark(cut: bool, distance: u32) -> u32 {
    if cut {
        return CUT_CELL;
    }
    return select(OUTSIDE_CELL, INSIDE_CELL, distance >= 0x80000000u);
}
