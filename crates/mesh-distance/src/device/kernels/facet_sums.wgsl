// Schedule: which triangles count in the sums at edges and vertices. Needs move_params.

@group(0) @binding(1) var<storage, read> triangles: array<u32>;
// The first triangle of the same three vertices.
@group(0) @binding(2) var<storage, read> firsts: array<u32>;
@group(0) @binding(3) var<storage, read> facet_normals: array<vec4<real>>;
// First and end of each vertex's corners in vertex_corners, where they ascend.
@group(0) @binding(4) var<storage, read> vertex_ranges: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read> vertex_corners: array<u32>;
@group(0) @binding(6) var<storage, read_write> normal_vectors: array<vec4<real>>;

fn counts(facet: u32) -> bool {
    let n = facet_normals[facet];
    return firsts[facet] == facet && (n.x != real(0.0) || n.y != real(0.0) || n.z != real(0.0));
}
