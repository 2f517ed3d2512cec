// Schedule: one ray an invocation walks the boxes of the tree.
// Needs strict_float, folded_grid, triangle_record, triangle_distance, ray_triangle. Constants: MODE.

struct Params {
    count: u32,
    groups_x: u32,
    zero: u32,
    pad: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// A node is 13 vec4: eight words each of lo.x, lo.y, lo.z, hi.x, hi.y, hi.z, then (child_base, slot_base, inner | children << 8, 0).
@group(0) @binding(1) var<storage, read> boxes: array<u32>;
@group(0) @binding(2) var<storage, read> records: array<TriangleRecord>;
// Eight words a ray: origin, direction, exponent, limit.
@group(0) @binding(3) var<storage, read> rays: array<u32>;
// Where the hits of a ray begin (MODE_ALL).
@group(0) @binding(4) var<storage, read> offsets: array<u32>;
// A word a ray, or eight words a hit: t, triangle, u, v, point, front.
@group(0) @binding(5) var<storage, read_write> results: array<u32>;

const BOX_WORDS = 52u;
const MODE_ANY = 0u;
const MODE_COUNT = 1u;
const MODE_FIRST = 2u;
const MODE_ALL = 3u;
const NO_FACET = 0xffffffffu;
// At most seven children a level are left behind, and a tree has at most 16 levels.
const STACK = 113u;

fn box_word(node: u32, row: u32, child: u32) -> f32 {
    return bitcast<f32>(boxes[node * BOX_WORDS + row * 8u + child]);
}

// Whether the meeting (depth, facet) comes before the hit that lies at `at` with its depth in word 4.
fn before(depth: f32, facet: u32, at: u32) -> bool {
    let other = bitcast<f32>(results[at + 4u]);
    return depth < other || (depth == other && facet < results[at + 1u]);
}

// Puts a hit among the first `count` hits of the ray, in order; its depth and slot stand where the point will.
fn insert_hit(first: u32, count: u32, t: f32, meeting: RayMeeting, facet: u32, slot: u32) {
    var at = first + 8u * count;
    loop {
        if at == first || !before(meeting.depth, facet, at - 8u) { break; }
        for (var k = 0u; k < 8u; k += 1u) { results[at + k] = results[at - 8u + k]; }
        at -= 8u;
    }
    results[at] = bitcast<u32>(t);
    results[at + 1u] = facet;
    results[at + 2u] = bitcast<u32>(meeting.uv.x);
    results[at + 3u] = bitcast<u32>(meeting.uv.y);
    results[at + 4u] = bitcast<u32>(meeting.depth);
    results[at + 5u] = slot;
    results[at + 7u] = select(0u, 1u, meeting.front);
}

// Replaces depth and slot by the point.
fn finish_hit(at: u32) {
    let r = records[results[at + 5u]];
    let q = ray_point(r.a, r.b, r.c, vec2<f32>(bitcast<f32>(results[at + 2u]), bitcast<f32>(results[at + 3u])));
    results[at + 4u] = bitcast<u32>(q.x);
    results[at + 5u] = bitcast<u32>(q.y);
    results[at + 6u] = bitcast<u32>(q.z);
}

@compute @workgroup_size(64)
fn ray_walk(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let i = folded_index(workgroup, local, 64u, params.groups_x);
    if i >= params.count { return; }
    let o = 8u * i;
    let origin = vec3<f32>(bitcast<f32>(rays[o]), bitcast<f32>(rays[o + 1u]), bitcast<f32>(rays[o + 2u]));
    let direction = vec3<f32>(bitcast<f32>(rays[o + 3u]), bitcast<f32>(rays[o + 4u]), bitcast<f32>(rays[o + 5u]));
    let exponent = bitcast<i32>(rays[o + 6u]);
    let limit = bitcast<f32>(rays[o + 7u]);
    let ray = ray_setup(origin, direction);
    var first = 0u;
    if MODE == MODE_ALL { first = 8u * offsets[i]; }
    if MODE == MODE_FIRST { first = o; }
    var reach = bitcast<f32>(0x7f7fffffu);
    var count = 0u;
    var stack: array<vec2<u32>, STACK>;
    stack[0] = vec2<u32>(0u, 0u);
    var height = 1u;
    loop {
        if height == 0u || (MODE == MODE_ANY && count != 0u) { break; }
        height -= 1u;
        let entry = stack[height];
        // [1] what was left behind may have become too far
        if bitcast<f32>(entry.y) > reach { continue; }
        let node = entry.x;
        let header = node * BOX_WORDS + 48u;
        let inner = boxes[header + 2u] & 0xffu;
        let children = boxes[header + 2u] >> 8u;
        var nearest = vec2<u32>(0u, 0x7f800000u);
        let base = height;
        for (var k = 0u; k < children; k += 1u) {
            let lo = vec3<f32>(box_word(node, 0u, k), box_word(node, 1u, k), box_word(node, 2u, k));
            let hi = vec3<f32>(box_word(node, 3u, k), box_word(node, 4u, k), box_word(node, 5u, k));
            if !ray_meets_box(ray, lo, hi, reach) { continue; }
            if k < inner {
                // [2] depths from 0 on: their bits are in order
                let near = max(bitcast<i32>(sheared_low(ray, lo, hi).z), 0);
                stack[height] = vec2<u32>(boxes[header] + k, u32(near));
                if u32(near) < nearest.y { nearest = vec2<u32>(height, u32(near)); }
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
        if count == 0u { results[first + 1u] = NO_FACET; } else { finish_hit(first); }
    }
    if MODE == MODE_ALL {
        for (var k = 0u; k < count; k += 1u) { finish_hit(first + 8u * k); }
    }
}
