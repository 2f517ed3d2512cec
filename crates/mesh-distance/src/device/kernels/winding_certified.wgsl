// Schedule: the angle of all triangles at a point from expansions and nearby triangles, with a bound of its error.
// Decides no bit: an answer is given only where it is the exact sum's (docs/numerics.md, section 7). Twin in purpose: signs/certified.rs.
// The angles are f32 in either precision; what is f64 are the differences that they are made of, and the exact terms.
// Needs sign_params, atan_tail, solid_angle, winding_expansion and a lanes module.
// Constants: EXACT_TERMS (whether the exact sum is to be met; else the true angle).

const HALF_SPHERE = 6.2831855;
const SPHERE_ANGLE = 12.566371;
const SLACK = 1.0625;
const HOPELESS = 13.0;

struct Angle {
    value: f32,
    error: f32,
}

fn add_angle(sum: Angle, value: f32, error: f32) -> Angle {
    let s = sum.value + value;
    return Angle(s, sum.error + fma(abs(s), 0x1p-23f, error)); // bound only
}

fn dot3(u: vec3<f32>, v: vec3<f32>) -> f32 {
    return fma(u.z, v.z, fma(u.y, v.y, u.x * v.x)); // bound only
}

// An expansion and its error, for a child that is not taken nothing.
fn far_angle(sum: Angle, at: u32, p: vec3<real>, taken: bool) -> Angle {
    let c = moments[at];
    let n = moments[at + 1u];
    let t = moments[at + 2u];
    let s = moments[at + 3u];
    let d = vec3<f32>(vec3<real>(c.xyz) - p);
    // A child that is taken is at least 3 * 2^-30 away.
    let i1 = inverseSqrt(max(dot3(d, d), 1e-18)); // bound only
    let i2 = i1 * i1;
    let md = vec3<f32>(dot3(t.xyz, d), dot3(vec3<f32>(t.y, t.w, s.x), d), dot3(vec3<f32>(t.z, s.x, s.y), d));
    let inner = (dot3(n.xyz, d) + ((t.x + t.w) + s.y)) - 3.0 * dot3(d, md) * i2;
    let error = fma(s.z * params.growth, i2, n.w) * i2; // bound only
    return add_angle(sum, select(0.0, inner * (i1 * i2), taken), select(0.0, error, taken));
}

// A triangle's angle and the error that its strict form may make as well.
fn near_angle(sum: Angle, r: TriangleRecord, p: vec3<real>) -> Angle {
    let a = vec3<f32>(r.a - p);
    let b = vec3<f32>(r.b - p);
    let c = vec3<f32>(r.c - p);
    let ab = vec3<f32>(r.b - r.a);
    let ac = vec3<f32>(r.c - r.a);
    let n = vec3<f32>(ab.y * ac.z - ab.z * ac.y, ab.z * ac.x - ab.x * ac.z, ab.x * ac.y - ab.y * ac.x);
    let y = dot3(a, n);
    let la = sqrt(dot3(a, a)); // bound only
    let lb = sqrt(dot3(b, b)); // bound only
    let lc = sqrt(dot3(c, c)); // bound only
    let volume = la * lb * lc;
    let x = fma(dot3(b, c), la, fma(dot3(a, c), lb, fma(dot3(a, b), lc, volume))); // bound only
    let size2 = fma(x, x, y * y); // bound only
    let i = inverseSqrt(max(size2, 1e-36)); // bound only
    let part = fma(la, max(dot3(ab, ab), dot3(ac, ac)), volume) * i * 0x1p-17f; // bound only
    // Below 1e-36 terms may have been lost to underflow.
    if part > 0.125 || size2 < 1e-36 || (x < 0.0 && abs(y) * i <= 2.0 * part) {
        // The exact sum's own term: nothing to differ. The middle of a block needs the true angle, which nobody knows here.
        if EXACT_TERMS { return add_angle(sum, SPHERE_ANGLE * f32(solid_angle(r, p)), 0x1p-19f); }
        return add_angle(sum, 0.0, HOPELESS);
    }
    let small = min(abs(x), abs(y)); // bound only
    let large = max(max(abs(x), abs(y)), 1e-36); // bound only
    let t = small / large; // bound only
    var angle = fma(t, atan_tail(t * t), t); // bound only
    angle = select(angle, 1.5707964 - angle, abs(y) > abs(x));
    angle = select(angle, 3.1415927 - angle, x < 0.0);
    angle = select(angle, -angle, y < 0.0);
    return add_angle(sum, 2.0 * angle, fma(part, 2.5, 0x1p-19f)); // bound only
}

// All lanes of a packet open what one of them wants to open: the others become more exact by it.
// LANES lanes share a query: lane `part` of them takes every LANES-th child, and their sums are added at the end.
fn certified_angle(p: vec3<real>, asks: bool, part: u32) -> Angle {
    var sum = Angle(0.0, select(0.0, params.quantum, part == 0u));
    var base = 0u;
    // Nobody asks: no walk.
    var pending = min(vote(u32(asks)), 1u);
    var depth = 0u;
    loop {
        if pending == 0u {
            if depth == 0u { break; }
            depth -= 1u;
            let entry = pop(depth);
            base = entry.x;
            pending = entry.y;
        }
        let node = base + firstTrailingBit(pending);
        pending &= pending - 1u;
        // [1] what is too near for an expansion; unused children are points of no size
        var mine = 0u;
        for (var k = 0u; k < 8u; k += LANES) {
            let child = k + part;
            let m = moments[(node * 8u + child) * 4u];
            let d = vec3<f32>(vec3<real>(m.xyz) - p);
            if asks && m.w > params.reach2 * dot3(d, d) { mine |= 1u << child; }
        }
        let open = vote(mine);
        let header = nodes[node * NODE_VEC4 + 16u];
        let inner_count = header.z & 0xffu;
        let children = header.z >> 8u;
        // [2] the rest
        for (var k = 0u; k < 8u; k += LANES) {
            let child = k + part;
            sum = far_angle(sum, (node * 8u + child) * 4u, p, child < children && ((open >> child) & 1u) == 0u);
        }
        // [3] near children: nodes later, triangles now
        let inner = open & ((1u << inner_count) - 1u);
        if inner != 0u {
            if pending != 0u {
                push(depth, vec2<u32>(base, pending));
                depth += 1u;
            }
            base = header.x;
            pending = inner;
        }
        // Bit m LANES of own for every m: the children of this lane.
        let own = (0xffu / ((1u << LANES) - 1u)) << part;
        var leaves = (open & own) >> inner_count;
        loop {
            if leaves == 0u { break; }
            sum = near_angle(sum, records[header.y + firstTrailingBit(leaves)], p);
            leaves &= leaves - 1u;
        }
    }
    return Angle(of_query(sum.value), of_query(sum.error));
}

// Above 0 inside, below 0 outside, by how much the angle is beyond half the sphere for certain; 0 where that is not known.
fn margin_of(angle: Angle, p: vec3<real>) -> f32 {
    let beyond = angle.value - HALF_SPHERE;
    let margin = abs(beyond) - (angle.error * SLACK + 1e-4);
    if margin > 0.0 && !is_far_away(p) {
        return select(-margin, margin, beyond > 0.0);
    }
    return 0.0;
}
