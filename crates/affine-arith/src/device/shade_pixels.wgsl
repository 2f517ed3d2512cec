// Twins: render/light.rs
// The colour of every pixel, added to the samples before, and the mean as a word.

struct Hit {
    t: f32,
    steps: u32,
}

@group(0) @binding(1) var<storage, read> rays: array<Ray>;
@group(0) @binding(2) var<storage, read> hits: array<Hit>;
@group(0) @binding(3) var<storage, read> normals: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> shadow_rays: array<Ray>;
@group(0) @binding(5) var<storage, read> shadow_hits: array<Hit>;
@group(0) @binding(6) var<storage, read_write> light: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> pixels: array<u32>;

fn positive(x: f32) -> f32 {
    return select(0.0, x, x > 0.0);
}

fn colour(direction: vec3<f32>, steps: u32, normal: vec3<f32>, met: bool, hidden: bool) -> vec3<f32> {
    var result = vec3<f32>(0.93, 0.94, 0.96);
    if params.shading == 2u {
        let ratio_of_steps = div_rn(f32(steps), 120.0);
        let x = select(ratio_of_steps, 1.0, ratio_of_steps > 1.0);
        result = vec3<f32>(sqrt_rn(x), x * x, 0.35 * (1.0 - x));
    } else if met && params.shading == 1u {
        result = vec3<f32>(0.5 + part(0.5, normal.x), 0.5 + part(0.5, normal.y), 0.5 + part(0.5, normal.z));
    } else if met {
        // [1] Diffuse light, and a shine to the 40th power.
        let half = unit(along(params.lamp, -1.0, direction));
        var diffuse = positive(dot_of(normal, params.lamp));
        var shine = positive(dot_of(normal, half));
        let square = part(shine, shine);
        let fourth = part(square, square);
        let eighth = part(fourth, fourth);
        let sixteenth = part(eighth, eighth);
        let power = part(sixteenth, sixteenth);
        shine = part(power, eighth);
        if hidden {
            diffuse = 0.0;
            shine = 0.0;
        }
        // [2] The sum.
        let bright = 0.25 + part(0.75, diffuse);
        let white = part(0.3, shine);
        result = vec3<f32>(part(0.36, bright) + white, part(0.56, bright) + white, part(0.82, bright) + white);
    }
    return result;
}

fn byte_of(sum: f32) -> u32 {
    let mean = ratio(sum, f32(params.total));
    let most = select(mean, 1.0, mean > 1.0);
    return u32(part(most, 255.0) + 0.5);
}

fn packed(light_of: vec3<f32>) -> u32 {
    return byte_of(light_of.x) | (byte_of(light_of.y) << 8u) | (byte_of(light_of.z) << 16u) | 0xff000000u;
}

@compute @workgroup_size(64)
fn shade_pixels(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = (group.y * params.groups_x + group.x) * 64u + local;
    if i < params.width * params.height {
        let met = normals[i].w == 1.0;
        let hidden = params.shadows == 1u && shadow_hits[i].t < shadow_rays[i].far;
        let found = colour(rays[i].direction, hits[i].steps, normals[i].xyz, met, hidden);
        var sum = found;
        if params.first == 0u {
            let before = light[i];
            sum = vec3<f32>(before.x + found.x, before.y + found.y, before.z + found.z);
        }
        light[i] = vec4<f32>(sum, 0.0);
        pixels[i] = packed(sum);
    }
}
