// Twins: render/camera.rs
// Points of rays: words of render/camera.rs. Needs strict_float.

// Products below it count as 0, so that no sum is subnormal: 2^-90.
const SMALL_PART: f32 = 8.077936e-28;

fn part(a: f32, b: f32) -> f32 {
    return snap(a * b, SMALL_PART);
}

fn along(a: vec3<f32>, t: f32, b: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(a.x + part(t, b.x), a.y + part(t, b.y), a.z + part(t, b.z));
}

struct Ray {
    origin: vec3<f32>,
    near: f32,
    direction: vec3<f32>,
    far: f32,
}
