// Twins: render/camera.rs
// The ray through every pixel.

@group(0) @binding(1) var<storage, read_write> rays: array<Ray>;

const SLOPE: f32 = 0.36;

fn camera_ray(column: u32, row: u32) -> Ray {
    // [1] The place in the picture, -1 to 1 upward and as far sideways as the picture is wide.
    let tall = f32(params.height);
    let x = ratio(2.0 * (f32(column) + params.shift_x) - f32(params.width), tall);
    let y = ratio(tall - 2.0 * (f32(row) + params.shift_y), tall);
    // [2] The direction.
    let sideways = along(params.forward, part(SLOPE, x), params.right);
    let direction = unit(along(sideways, part(SLOPE, y), params.up));
    return cut(params.eye, direction);
}

@compute @workgroup_size(64)
fn camera_rays(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = (group.y * params.groups_x + group.x) * 64u + local;
    if i < params.width * params.height {
        rays[i] = camera_ray(i - i / params.width * params.width, i / params.width);
    }
}
