// Schedule: the side of 1/2 for listed queries; what cannot be told is listed for the next pass.
// Needs winding_certified, a points module and a lanes module.

// Working coordinates, three words a point; grids have none and read nothing here.
@group(0) @binding(1) var<storage, read> points: array<f32>;
@group(0) @binding(2) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> records: array<TriangleRecord>;
@group(0) @binding(4) var<storage, read> moments: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> results: array<u32>;
@group(0) @binding(6) var<storage, read> list_in: array<u32>;
@group(0) @binding(7) var<storage, read_write> list_out: array<u32>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

// An entry with this bit is too near to a triangle for any expansion to help: it goes to the exact sum.
const HOPELESS_ENTRY = 0x80000000u;
const QUERIES = 64u / LANES;

fn work(group: u32, lane: u32) {
    let total = atomicLoad(&counters[params.list]);
    let index = group * QUERIES + lane / LANES;
    // Lanes without a query of their own go along with a neighbour's.
    let entry = list_in[min(index, total - 1u)];
    let at = entry & ~HOPELESS_ENTRY;
    let p = query_point(at);
    let bits = results[at * params.stride];
    let open = index < total && (bits & 0x7fffffffu) != 0u && !is_far_away(p);
    let asks = open && entry == at;
    let angle = certified_angle(p, asks, lane % LANES);
    if lane % LANES != 0u || !open { return; }
    var margin = 0.0;
    if asks { margin = margin_of(angle, p); }
    if margin > 0.0 { results[at * params.stride] = bits | NEGATIVE; }
    if margin == 0.0 {
        let hopeless = !asks || angle.error >= HOPELESS;
        list_out[atomicAdd(&counters[params.list + 1u], 1u)] = at | select(0u, HOPELESS_ENTRY, hopeless);
    }
}

fn groups_of_work() -> u32 {
    return (atomicLoad(&counters[params.list]) + QUERIES - 1u) / QUERIES;
}
