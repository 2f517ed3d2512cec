// Twins: render/light.rs render/mod.rs
// Normals where rays met the surface, from the slopes that march_rays gave, and the rays from there to the lamp.

struct Hit {
    t: f32,
    steps: u32,
}

@group(0) @binding(1) var<storage, read> rays: array<Ray>;
@group(0) @binding(2) var<storage, read> hits: array<Hit>;
@group(0) @binding(3) var<storage, read> slopes: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> normals: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> shadow_rays: array<Ray>;

// A vector times the power of two that brings its largest component to [1, 2); 0 stays.
fn near_one(a: vec3<f32>) -> vec3<f32> {
    var largest = abs(a.x);
    largest = select(largest, abs(a.y), abs(a.y) > largest);
    largest = select(largest, abs(a.z), abs(a.z) > largest);
    let k = 127 - i32(bitcast<u32>(largest) >> 23u);
    return vec3<f32>(scale_pow2(a.x, k), scale_pow2(a.y, k), scale_pow2(a.z, k));
}

@compute @workgroup_size(64)
fn surface_points(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = (group.y * params.groups_x + group.x) * 64u + local;
    if i < params.width * params.height {
        let ray = rays[i];
        let hit = hits[i];
        var normal = vec3<f32>(0.0, 0.0, 1.0);
        var shadow = Ray(ray.origin, 0.0, ray.direction, -1.0);
        let met = hit.t < ray.far;
        if met {
            let point = along(ray.origin, hit.t, ray.direction);
            let half = part(params.size, 0.0001220703125);
            // [1] The gradient, scaled to magnitudes near 1.
            normal = unit(near_one(slopes[i].xyz));
            // [2] Towards the viewer: the inside of a surface is lit like its outside.
            if dot_of(normal, ray.direction) > 0.0 {
                normal = -normal;
            }
            // [3] The way to the lamp.
            shadow = cut(along(point, 4.0 * half, normal), params.lamp);
        }
        normals[i] = vec4<f32>(normal, select(0.0, 1.0, met));
        if params.shadows == 1u {
            shadow_rays[i] = shadow;
        }
    }
}
