// Whether a triangle meets a cell: twin of cell_triangle.rs. Needs strict_float and real_single, or strict_double and
// real_double; triangle_record, triangle_distance.

const OUTSIDE_CELL = 0u;
const CUT_CELL = 1u;
const INSIDE_CELL = 2u;

// Lower corner of the cell index, which is the upper corner of its neighbour. index <= 2^23.
fn cell_corner(index: vec3<u32>, lo: vec3<real>, h: vec3<real>) -> vec3<real> {
    let x = vec3<real>(index) * h + lo;
    return vec3<real>(snap(x.x, TINY), snap(x.y, TINY), snap(x.z, TINY));
}

// Whether two closed boxes meet.
fn boxes_meet(lo: vec3<real>, hi: vec3<real>, other_lo: vec3<real>, other_hi: vec3<real>) -> bool {
    let x = lo.x <= other_hi.x && other_lo.x <= hi.x;
    let y = lo.y <= other_hi.y && other_lo.y <= hi.y;
    let z = lo.z <= other_hi.z && other_lo.z <= hi.z;
    return x && y && z;
}

// Whether the axis across the edge e separates, in the plane of two coordinates; the cell is [0, d].
fn edge_separates(e: vec2<real>, p: vec2<real>, c: vec2<real>, d: vec2<real>) -> bool {
    // [1] both corners and the cell on the axis (-ev, eu)
    let a = p.y * e.x - p.x * e.y;
    let b = c.y * e.x - c.x * e.y;
    let f = d.y * e.x;
    let g = -(d.x * e.y);
    let zero = real(0.0);
    let cell_lo = smaller(f, zero) + smaller(g, zero);
    let cell_hi = larger(f, zero) + larger(g, zero);
    // [2] apart by more than the rounding
    let lengthwise = abs(e.x) * ((abs(p.y) + abs(c.y)) + d.y);
    let crosswise = abs(e.y) * ((abs(p.x) + abs(c.x)) + d.x);
    let margin = snap((lengthwise + crosswise) * MARGIN, NO_MARGIN);
    return smaller(a, b) > cell_hi + margin || larger(a, b) + margin < cell_lo;
}

// Whether one of the three axes across an edge separates.
fn edge_axes_separate(e: vec3<real>, p: vec3<real>, c: vec3<real>, d: vec3<real>) -> bool {
    let yz = edge_separates(e.yz, p.yz, c.yz, d.yz);
    let zx = edge_separates(e.zx, p.zx, c.zx, d.zx);
    let xy = edge_separates(e.xy, p.xy, c.xy, d.xy);
    return yz || zx || xy;
}

// Whether the plane of the triangle passes beside the cell.
fn plane_separates(ab: vec3<real>, ac: vec3<real>, p: vec3<real>, d: vec3<real>) -> bool {
    // [1] the normal, largest component in [1, 2)
    let k = EXPONENT_BIAS - max(largest_exponent(ab), largest_exponent(ac));
    let n = cross_compensated(scale_vector(ab, k), scale_vector(ac, k));
    if larger(larger(abs(n.x), abs(n.y)), abs(n.z)) < THIN {
        return false;
    }
    let m = scale_vector(n, EXPONENT_BIAS - largest_exponent(n));
    // [2] the cell along it
    let x = m.x * d.x;
    let y = m.y * d.y;
    let z = m.z * d.z;
    let zero = real(0.0);
    let cell_lo = (smaller(x, zero) + smaller(y, zero)) + smaller(z, zero);
    let cell_hi = (larger(x, zero) + larger(y, zero)) + larger(z, zero);
    // [3] apart by more than the rounding
    let reach = (abs(p) + d) + (abs(ab) + abs(ac));
    let margin = snap(dt(abs(m), reach) * MARGIN, NO_MARGIN);
    let v = dt(m, p);
    return v > cell_hi + margin || v + margin < cell_lo;
}

// Whether the triangle a, b, c meets the closed cell [lo, hi].
fn cell_meets_triangle(lo: vec3<real>, hi: vec3<real>, a: vec3<real>, b: vec3<real>, c: vec3<real>) -> bool {
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
