// Schedule: links from cell to cell, ever farther from the surface, along which the winding number changes by no more than a bound.
// Needs sign_params, grid_point and a kernel with `results`.
//
// A link is an f32 whose lowest 9 bits say where it leads: a neighbour in the box of 27 (HERE: a root, no link), or the cell that stands for its block
// (MIDDLE), and the binary logarithm of the step to it. The number is how much the true angle may change on the way, rounded up; that of a root its margin, rounded towards 0.

const LINK_CODE = 0x1ffu;
const NEIGHBOUR = 0x1fu;
const STEP = 5u;
const HERE = 14u;
const MIDDLE = 28u;
// A root whose own side is written.
const DECIDED = 32u;

fn cell_index(cell: vec3<u32>) -> u32 {
    return (cell.z * params.counts.y + cell.y) * params.counts.x + cell.x;
}

// The place of the neighbours 1 to 27, beside a cell at 0.
fn neighbour(code: u32) -> vec3<i32> {
    let i = code - 1u;
    return vec3<i32>(vec3<u32>(i % 3u, (i / 3u) % 3u, i / 9u)) - 1;
}

// The cell that stands for the block of 4 x 4 x 4 cells round a cell.
fn middle_of(cell: vec3<u32>) -> vec3<u32> {
    return (cell & vec3<u32>(~3u)) + 1u;
}

// Where the link of a cell leads.
fn linked_cell(cell: vec3<u32>, link: u32) -> vec3<u32> {
    let code = link & NEIGHBOUR;
    let step = vec3<u32>((link & LINK_CODE) >> STEP);
    return select(vec3<u32>(vec3<i32>(cell) + (neighbour(code) << step)), middle_of(cell), code == MIDDLE);
}

fn is_root(link: u32) -> bool {
    return (link & NEIGHBOUR) == HERE;
}

fn link_value(link: u32) -> f32 {
    return bitcast<f32>(link & ~LINK_CODE);
}

// x >= 0 rounded up to the bits that a link has.
fn raised(x: f32) -> u32 {
    return (bitcast<u32>(x) + LINK_CODE) & ~LINK_CODE;
}

// The distance that a cell has, or its square; rounding keeps the order.
fn raw_distance(at: u32) -> f32 {
    let upper = at * params.stride + params.upper;
    return f32(real_of_words(results[upper + 1u - REAL_WORDS], results[upper] & ~NEGATIVE));
}

// A lower bound of the distance from the surface, in working units, for a distance of a cell whose coordinates and those of the grid's corner add up
// to size at most.
fn least_distance(raw: f32, size: f32) -> f32 {
    if bitcast<u32>(raw) >= 0x7f800000u { return 0.0; }
    var d = raw;
    if params.squared != 0u { d = sqrt(d); } // bound only
    d *= bitcast<f32>(bitcast<u32>(127 - params.exponent) << 23u);
    return d * 0.99999 - 0x1p-18f * (2.0 + size);
}

// The link along a way to a point at least d from the surface; 0 where it is not to be gone.
fn link_along(way: vec3<f32>, d: f32, code: u32) -> u32 {
    let length = 1.00001 * sqrt(way.x * way.x + way.y * way.y + way.z * way.z); // bound only
    let gap = d - length;
    let change = 1.00001 * length * params.rim / (gap * gap); // bound only
    return select(0u, raised(change) | code, gap > 1e-6 && change < 6.0);
}

fn sum_of(v: vec3<real>) -> f32 {
    return f32(abs(v.x) + abs(v.y) + abs(v.z));
}
