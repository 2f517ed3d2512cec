// Schedule: rays along the axes, packets of neighbouring queries. Parities do not depend on the order of triangles.
// Needs sign_params, sign_side, ray_triangle, ray_parity, a points module and a lanes module.

@group(0) @binding(1) var<storage, read> points: array<real>;
@group(0) @binding(2) var<storage, read> records: array<TriangleRecord>;
// 52 words a node, f32: lower corners by axis, then upper corners, of eight children; the node's header.
@group(0) @binding(3) var<storage, read> boxes: array<u32>;
@group(0) @binding(4) var<storage, read_write> results: array<u32>;

const BOX_WORDS = 52u;

fn box_word(at: u32) -> real {
    return real(bitcast<f32>(boxes[at]));
}

fn ray_meets_child(ray: RaySetup, node: u32, child: u32) -> bool {
    let at = node * BOX_WORDS + child;
    let lo = vec3<real>(box_word(at), box_word(at + 8u), box_word(at + 16u));
    let hi = vec3<real>(box_word(at + 24u), box_word(at + 32u), box_word(at + 40u));
    return ray_meets_box(ray, lo, hi, NOTHING);
}

fn meets_odd(ray: RaySetup, asks: bool) -> bool {
    var odd = false;
    var base = 0u;
    var pending = 1u;
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
        let header = vec3<u32>(boxes[node * BOX_WORDS + 48u], boxes[node * BOX_WORDS + 49u], boxes[node * BOX_WORDS + 50u]);
        let inner_count = header.z & 0xffu;
        // Boxes of unused children are empty.
        var mine = 0u;
        for (var k = 0u; k < 8u; k++) {
            if asks && ray_meets_child(ray, node, k) { mine |= 1u << k; }
        }
        let inner = vote(mine) & ((1u << inner_count) - 1u);
        if inner != 0u {
            if pending != 0u {
                push(depth, vec2<u32>(base, pending));
                depth += 1u;
            }
            base = header.x;
            pending = inner;
        }
        var leaves = mine >> inner_count;
        loop {
            if leaves == 0u { break; }
            let r = records[header.y + firstTrailingBit(leaves)];
            leaves &= leaves - 1u;
            if ray_triangle(ray, r.a, r.b, r.c).met { odd = !odd; }
        }
    }
    return odd;
}

fn work(group: u32, lane: u32) {
    let index = group * 64u + lane;
    let at = min(index, params.total - 1u);
    let p = query_point(at);
    let asks = index < params.total && results[at * params.stride + params.upper] != 0u;
    var odd = vec3<bool>(false, false, false);
    for (var k = 0u; k < 3u; k++) {
        let mine = meets_odd(ray_setup(p, parity_direction(k)), asks);
        odd = odd | (vec3<bool>(k == 0u, k == 1u, k == 2u) & vec3<bool>(mine));
    }
    if asks { write_side(at, majority(odd)); }
}

fn groups_of_work() -> u32 {
    return (params.total + 63u) / 64u;
}
