// Schedule: the side of 1/2 for listed queries; what cannot be told is listed for the exact sum.
// Needs sign_side, winding_certified and a walk.

// Working coordinates, three numbers a point; grids have none and read nothing here.
@group(0) @binding(1) var<storage, read> points: array<real>;
@group(0) @binding(2) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> records: array<TriangleRecord>;
@group(0) @binding(4) var<storage, read> moments: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> results: array<u32>;
@group(0) @binding(6) var<storage, read> list_in: array<u32>;
@group(0) @binding(7) var<storage, read_write> list_out: array<u32>;
@group(0) @binding(8) var<storage, read_write> counters: array<atomic<u32>>;

fn finish(at: u32, found: Certain) {
    write_side(at, found.margin > 0.0);
    if found.margin == 0.0 { list_out[atomicAdd(&counters[params.list + 1u], 1u)] = at; }
}
