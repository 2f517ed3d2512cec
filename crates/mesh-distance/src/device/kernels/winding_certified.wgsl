// Schedule: the angle of all triangles at a point from expansions and nearby triangles, with a bound of its error.
// Decides no bit: an answer is given only where it is the exact sum's (docs/numerics.md, section 7). Twin in purpose: signs/certified.rs.
// The angles are f32 in either precision; what is f64 are the differences that they are made of, and the exact terms.
// Needs sign_params, atan_tail, solid_angle, winding_expansion; of_query of a lanes module.

const HALF_SPHERE = 6.2831855;
const SPHERE_ANGLE = 12.566371;
const SLACK = 1.0625;

struct Angle {
    value: f32,
    // Of the exact sum.
    error: f32,
    // By how much more the true angle may differ.
    loose: f32,
}

// On which side of 1/2, and by how much the angle is beyond half the sphere: above 0 inside, below 0 outside, 0 where that is not known.
struct Certain {
    // Of the exact sum.
    margin: f32,
    // Of the true angle.
    field: f32,
}

fn add_angle(sum: Angle, value: f32, error: f32, loose: f32) -> Angle {
    let s = sum.value + value;
    return Angle(s, sum.error + fma(abs(s), 0x1p-23f, error), sum.loose + loose); // bound only
}

fn dot3(u: vec3<f32>, v: vec3<f32>) -> f32 {
    return fma(u.z, v.z, fma(u.y, v.y, u.x * v.x)); // bound only
}

// An expansion and its error, for a child that is not taken nothing.
fn far_angle(sum: Angle, at: u32, p: vec3<real>, taken: bool, growth: f32) -> Angle {
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
    let error = fma(s.z * growth, i2, n.w) * i2; // bound only
    return add_angle(sum, select(0.0, inner * (i1 * i2), taken), select(0.0, error, taken), 0.0);
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
        // The exact sum's own term: nothing to differ. The true angle is anything.
        return add_angle(sum, SPHERE_ANGLE * f32(solid_angle(r, p)), 0x1p-19f, 13.0);
    }
    let small = min(abs(x), abs(y)); // bound only
    let large = max(max(abs(x), abs(y)), 1e-36); // bound only
    let t = small / large; // bound only
    var angle = fma(t, atan_tail(t * t), t); // bound only
    angle = select(angle, 1.5707964 - angle, abs(y) > abs(x));
    angle = select(angle, 3.1415927 - angle, x < 0.0);
    angle = select(angle, -angle, y < 0.0);
    return add_angle(sum, 2.0 * angle, fma(part, 2.5, 0x1p-19f), 0.0); // bound only
}

// The sum over the lanes of a query, at most 32, whose additions are five more.
fn whole_angle(sum: Angle) -> Angle {
    let error = fma(abs(sum.value), 0x1p-21f, sum.error); // bound only
    return Angle(of_query(sum.value), of_query(error), of_query(sum.loose));
}

fn beyond_half(value: f32, error: f32) -> f32 {
    let beyond = value - HALF_SPHERE;
    let margin = abs(beyond) - (error * SLACK + 1e-4);
    return select(0.0, select(-margin, margin, beyond > 0.0), margin > 0.0);
}

fn certain(angle: Angle) -> Certain {
    return Certain(beyond_half(angle.value, angle.error), beyond_half(angle.value, angle.error + angle.loose));
}
