// Twins: march.rs render/light.rs
// Twin of march.rs: the first window of every ray in which the expression may vanish. The module of the expression gives
// expression(x, y, z), ray_value of a coordinate as an affine form with one symbol, ray_form and ray_may_vanish of the value. The method of slopes
// is a twin of render/light.rs: what the hits that are there slope by, so that normals need no kernel with an expression of its own.

struct Params {
    zero: u32,
    count: u32,
    groups_x: u32,
    steps: u32,
    first: f32,
    least: f32,
    method: u32,
    half: f32,
}

struct Hit {
    t: f32,
    steps: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rays: array<Ray>;
@group(0) @binding(2) var<storage, read> constants: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> tape: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> hits: array<Hit>;
@group(0) @binding(5) var<storage, read_write> slopes: array<vec4<f32>>;

const WINDOW: u32 = 1u;
const SLOPES: u32 = 2u;

// Where the form of a window vanishes.
fn zeros_of(value: Affine, window: Affine) -> Interval {
    var symbol = Interval(-1.0, 1.0);
    if value.x[0] != 0.0 {
        let rest = interval_sub(interval_outward(-value.err, value.err), Interval(value.b, value.b));
        symbol = interval_intersect(symbol, interval_div(rest, Interval(value.x[0], value.x[0])));
    }
    let along = interval_add(interval_times(symbol, window.x[0]), Interval(window.b, window.b));
    return interval_add(along, Interval(-window.err, window.err));
}

// The hit of a ray, or the gradient at it.
fn march(i: u32, lane: u32) {
    let ray = rays[i];
    let sloped = params.method == SLOPES;
    var t = ray.near;
    if sloped {
        t = hits[i].t;
    }
    let met = along(ray.origin, t, ray.direction);
    let most = select(params.steps, 3u, sloped);
    var gradient = vec3<f32>(0.0);
    var stride = params.first;
    var steps = 0u;
    var found = false;
    // [1] Windows [t, end]; of slopes, round the point along each axis.
    while t < ray.far && steps < most && !found {
        let axis = steps;
        steps += 1u;
        let end = t + stride;
        let low = select(t, met[axis % 3u] - params.half, sloped);
        let high = select(end, met[axis % 3u] + params.half, sloped);
        let window = affine_variable(0u, interval_outward(low, high));
        // [2] The points of the window.
        var points: array<Affine, 3>;
        for (var k = 0u; k < 3u; k++) {
            let fixed = affine_from_interval(interval_point(select(ray.origin[k], met[k], sloped)));
            let moved = affine_add(affine_scaled(window, ray.direction[k]), fixed);
            points[k] = affine_select(moved, affine_select(fixed, window, k == axis), sloped);
        }
        let value = expression(lane, ray_value(points[0]), ray_value(points[1]), ray_value(points[2]));
        if sloped {
            let slope = vec3<f32>(ray_form(value).x[0]);
            gradient = select(gradient, slope, vec3<u32>(0u, 1u, 2u) == vec3<u32>(axis));
        } else {
            // [3] The part that may hold a zero.
            var zeros = Interval(t, end);
            var width = stride;
            if params.method == WINDOW {
                zeros = interval_intersect(zeros, zeros_of(ray_form(value), window));
                width = zeros.hi - zeros.lo;
            }
            if !ray_may_vanish(value) || interval_is_empty(zeros) {
                // [4] Without a zero the window is passed.
                t = end;
                stride = stride + stride;
            } else {
                // [5] Else it is made shorter, until one that short was looked at itself: a form over a long window may leave a
                // sliver at its end that holds no zero.
                t = zeros.lo;
                found = stride <= params.least;
                let half = stride * 0.5;
                let shorter = select(half, width, width < half);
                // Not shorter than what counts as a zero: a sliver of no length would pass nothing.
                let at_least = select(params.least, half, half < params.least);
                stride = select(shorter, at_least, shorter < at_least);
            }
        }
    }
    if sloped {
        slopes[i] = vec4<f32>(gradient, 0.0);
    } else {
        // Past the end: a number that no ray reaches stands for infinity.
        hits[i] = Hit(select(HUGE, t, t < ray.far), steps);
    }
}

@compute @workgroup_size(64)
fn march_rays(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = (group.y * params.groups_x + group.x) * 64u + local;
    if i < params.count {
        march(i, local);
    }
}
