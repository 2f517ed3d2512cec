// Twins: render/camera.rs
// Vectors of pictures, and the ray through a pixel: words of render/camera.rs. Needs strict_float, ray_points and Params (render_params).

fn dot_of(a: vec3<f32>, b: vec3<f32>) -> f32 {
    return part(a.x, b.x) + part(a.y, b.y) + part(a.z, b.z);
}

fn ratio(a: f32, b: f32) -> f32 {
    return snap(div_rn(a, b), SMALL_PART);
}

fn unit(a: vec3<f32>) -> vec3<f32> {
    let length = sqrt_rn(dot_of(a, a));
    var result = vec3<f32>(0.0, 0.0, 1.0);
    if length != 0.0 {
        result = vec3<f32>(ratio(a.x, length), ratio(a.y, length), ratio(a.z, length));
    }
    return result;
}

fn cut_axis(range: vec2<f32>, origin: f32, direction: f32, low: f32, high: f32) -> vec2<f32> {
    var cut = range;
    if direction == 0.0 {
        if origin < low || origin > high {
            cut.y = -1.0;
        }
    } else {
        let a = ratio(low - origin, direction);
        let b = ratio(high - origin, direction);
        let near = select(b, a, a < b);
        let far = select(a, b, a < b);
        cut.x = select(cut.x, near, near > cut.x);
        cut.y = select(cut.y, far, far < cut.y);
    }
    return cut;
}

// The part of a ray inside the box.
fn cut(origin: vec3<f32>, direction: vec3<f32>) -> Ray {
    var range = vec2<f32>(0.0, 16.0 * params.size);
    range = cut_axis(range, origin.x, direction.x, params.low.x, params.high.x);
    range = cut_axis(range, origin.y, direction.y, params.low.y, params.high.y);
    range = cut_axis(range, origin.z, direction.z, params.low.z, params.high.z);
    return Ray(origin, range.x, direction, range.y);
}

