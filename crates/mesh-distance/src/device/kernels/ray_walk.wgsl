// Schedule: one ray an invocation walks the boxes of the tree.
// Needs strict_float and real_single, or strict_double and real_double; folded_grid, triangle_record, triangle_distance, ray_triangle. Constants: MODE.

struct Params {
    count: u32,
    groups_x: u32,
    zero: u32,
    pad: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// A node is 13 vec4: eight f32 each of lo.x, lo.y, lo.z, hi.x, hi.y, hi.z, then (child_base, slot_base, inner | children << 8, 0).
@group(0) @binding(1) var<storage, read> boxes: array<u32>;
@group(0) @binding(2) var<storage, read> records: array<TriangleRecord>;
// A ray: origin, direction, limit, the words of a number side by side; then the exponent.
@group(0) @binding(3) var<storage, read> rays: array<u32>;
// Where the hits of a ray begin (MODE_ALL).
@group(0) @binding(4) var<storage, read> offsets: array<u32>;
// A word a ray, or a hit: t, triangle, u, v, point, front, the words of a number side by side.
@group(0) @binding(5) var<storage, read_write> results: array<u32>;

const BOX_WORDS = 52u;
const MODE_ANY = 0u;
const MODE_COUNT = 1u;
const MODE_FIRST = 2u;
const MODE_ALL = 3u;
const NO_FACET = 0xffffffffu;
// At most seven children a level are left behind, and a tree has at most 16 levels.
const STACK = 113u;

const RAY_WORDS = 7u * REAL_WORDS + 1u;
const HIT_WORDS = 6u * REAL_WORDS + 2u;
// Words of a hit: its point, which holds depth and slot while the ray walks, and its side.
const POINT = 3u * REAL_WORDS + 1u;
const FRONT = 6u * REAL_WORDS + 1u;

fn box_word(node: u32, row: u32, child: u32) -> real {
    return real(bitcast<f32>(boxes[node * BOX_WORDS + row * 8u + child]));
}

fn ray_number(ray: u32, k: u32) -> real {
    let at = ray * RAY_WORDS + k * REAL_WORDS;
    return real_of_words(rays[at], rays[at + REAL_WORDS - 1u]);
}

fn put(at: u32, x: real) {
    results[at] = low_word(x);
    if REAL_WORDS == 2u { results[at + 1u] = high_word(x); }
}

fn number(at: u32) -> real {
    return real_of_words(results[at], results[at + REAL_WORDS - 1u]);
}

// Whether the meeting (depth, facet) comes before the hit that lies at `at`.
fn before(depth: real, facet: u32, at: u32) -> bool {
    let other = number(at + POINT);
    return depth < other || (depth == other && facet < results[at + REAL_WORDS]);
}

// Puts a hit among the first `count` hits of the ray, in order; its depth and slot stand where the point will.
fn insert_hit(first: u32, count: u32, t: real, meeting: RayMeeting, facet: u32, slot: u32) {
    var at = first + HIT_WORDS * count;
    loop {
        if at == first || !before(meeting.depth, facet, at - HIT_WORDS) { break; }
        for (var k = 0u; k < HIT_WORDS; k += 1u) { results[at + k] = results[at - HIT_WORDS + k]; }
        at -= HIT_WORDS;
    }
    put(at, t);
    results[at + REAL_WORDS] = facet;
    put(at + REAL_WORDS + 1u, meeting.uv.x);
    put(at + 2u * REAL_WORDS + 1u, meeting.uv.y);
    put(at + POINT, meeting.depth);
    results[at + POINT + REAL_WORDS] = slot;
    results[at + FRONT] = select(0u, 1u, meeting.front);
}

// Replaces depth and slot by the point.
fn finish_hit(at: u32) {
    let r = records[results[at + POINT + REAL_WORDS]];
    let q = ray_point(r.a, r.b, r.c, vec2<real>(number(at + REAL_WORDS + 1u), number(at + 2u * REAL_WORDS + 1u)));
    put(at + POINT, q.x);
    put(at + POINT + REAL_WORDS, q.y);
    put(at + POINT + 2u * REAL_WORDS, q.z);
}

@compute @workgroup_size(64)
fn ray_walk(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let i = folded_index(workgroup, local, 64u, params.groups_x);
    if i >= params.count { return; }
    let origin = vec3<real>(ray_number(i, 0u), ray_number(i, 1u), ray_number(i, 2u));
    let direction = vec3<real>(ray_number(i, 3u), ray_number(i, 4u), ray_number(i, 5u));
    let limit = ray_number(i, 6u);
    let exponent = bitcast<i32>(rays[i * RAY_WORDS + 7u * REAL_WORDS]);
    let ray = ray_setup(origin, direction);
    var first = 0u;
    if MODE == MODE_ALL { first = HIT_WORDS * offsets[i]; }
    if MODE == MODE_FIRST { first = HIT_WORDS * i; }
    var reach = NOTHING;
    var count = 0u;
    var stack: array<vec2<u32>, STACK>;
    stack[0] = vec2<u32>(0u, 0u);
    var height = 1u;
    loop {
        if height == 0u || (MODE == MODE_ANY && count != 0u) { break; }
        height -= 1u;
        let entry = stack[height];
        // [1] what was left behind may have become too far
        if real(bitcast<f32>(entry.y)) > reach { continue; }
        let node = entry.x;
        let header = node * BOX_WORDS + 48u;
        let inner = boxes[header + 2u] & 0xffu;
        let children = boxes[header + 2u] >> 8u;
        var nearest = vec2<u32>(0u, 0x7f800000u);
        let base = height;
        for (var k = 0u; k < children; k += 1u) {
            let lo = vec3<real>(box_word(node, 0u, k), box_word(node, 1u, k), box_word(node, 2u, k));
            let hi = vec3<real>(box_word(node, 3u, k), box_word(node, 4u, k), box_word(node, 5u, k));
            if !ray_meets_box(ray, lo, hi, reach) { continue; }
            if k < inner {
                // [2] depths from 0 on: their bits are in order
                let near = low_key(sheared_low(ray, lo, hi).z);
                stack[height] = vec2<u32>(boxes[header] + k, near);
                if near < nearest.y { nearest = vec2<u32>(height, near); }
                height += 1u;
                continue;
            }
            let slot = boxes[header + 1u] + k - inner;
            let r = records[slot];
            let meeting = ray_triangle(ray, r.a, r.b, r.c);
            if !meeting.met { continue; }
            let t = ray_parameter(ray, meeting.depth, exponent);
            if t > limit { continue; }
            if MODE == MODE_FIRST {
                if count == 0u || before(meeting.depth, r.facet, first) {
                    insert_hit(first, 0u, t, meeting, r.facet, slot);
                    reach = meeting.depth;
                }
            }
            if MODE == MODE_ALL { insert_hit(first, count, t, meeting, r.facet, slot); }
            count += 1u;
        }
        // [3] the nearest child next
        if height > base + 1u {
            let last = stack[height - 1u];
            stack[height - 1u] = stack[nearest.x];
            stack[nearest.x] = last;
        }
    }
    if MODE == MODE_ANY { results[i] = min(count, 1u); }
    if MODE == MODE_COUNT { results[i] = count; }
    if MODE == MODE_FIRST {
        if count == 0u { results[first + REAL_WORDS] = NO_FACET; } else { finish_hit(first); }
    }
    if MODE == MODE_ALL {
        for (var k = 0u; k < count; k += 1u) { finish_hit(first + HIT_WORDS * k); }
    }
}
