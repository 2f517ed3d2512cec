// Schedule: the side of 1/2 for listed queries; what cannot be told is listed for the next pass.
// Needs winding_certified, a points module and a lanes module.

// Working coordinates, three numbers a point; grids have none and read nothing here.
@group(0) @binding(1) var<storage, read> points: array<real>;
@group(0) @binding(2) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> records: array<TriangleRecord>;
@group(0) @binding(4) var<storage, read> moments: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> results: array<u32>;
@group(0) @binding(6) var<storage, read> list_in: array<u32>;
@group(0) @binding(7) var<storage, read_write> list_out: array<u32>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

const QUERIES = 64u / LANES;

fn work(group: u32, lane: u32) {
    let total = atomicLoad(&counters[params.list]);
    let index = group * QUERIES + lane / LANES;
    // Lanes without a query of their own go along with a neighbour's.
    let at = list_in[min(index, total - 1u)];
    let p = query_point(at);
    let upper = at * params.stride + params.upper;
    let bits = results[upper];
    let asks = index < total && (bits & 0x7fffffffu) != 0u && !is_far_away(p);
    let margin = margin_of(certified_angle(p, asks, lane % LANES), p);
    if lane % LANES != 0u || !asks { return; }
    if margin > 0.0 { results[upper] = bits | NEGATIVE; }
    if margin == 0.0 { list_out[atomicAdd(&counters[params.list + 1u], 1u)] = at; }
}

fn groups_of_work() -> u32 {
    return (atomicLoad(&counters[params.list]) + QUERIES - 1u) / QUERIES;
}
