//! Twin of `stress.wgsl`, for the tests of the strict forms.

use gpu_shaders::WgslModule;

/// Inputs that the workgroup of the kernel takes.
pub(super) const WORKGROUP: usize = 64;

pub(super) const STRESS: WgslModule = WgslModule { name: "stress", source: include_str!("stress.wgsl") };

const FOLDED: f32 = 3.0 * 0.125 - 0.25;

type Vec3 = [f32; 3];

fn axpy(a: f32, x: Vec3, y: Vec3) -> Vec3 {
    std::array::from_fn(|i| a * x[i] + y[i])
}

fn sum_of_products(a: Vec3, b: Vec3) -> f32 {
    let p: Vec3 = std::array::from_fn(|i| a[i] * b[i]);
    (p[0] + p[1]) + p[2]
}

fn bump(v: &mut Vec3, d: f32) {
    *v = v.map(|x| x + d);
    v[1] *= d;
    *v = v.map(|x| -x);
}

fn horner(x: f32) -> f32 {
    let seed = 2.0;
    let mut r = seed * FOLDED;
    for i in 0..5 {
        r = r * x + i as f32;
    }
    r
}

fn nested(x: f32, factor: f32) -> f32 {
    let mut r = x;
    let mut step = factor * 2.0;
    let mut k = 0;
    loop {
        match k & 3 {
            0 => r = horner(r * 0.25) - r,
            1 | 2 => r -= r * x + step,
            _ => {
                let mut v = [r, x, -r];
                bump(&mut v, r * x - step);
                r = v[0] + v[1] * v[2];
            }
        }
        if r * r > 64.0 {
            r = r * 0.015625 + 1.0;
        } else {
            r += step;
        }
        k += 1;
        step *= 0.5;
        if k as f32 * 0.25 > 1.6 + 0.01 * x {
            return r;
        }
    }
}

/// The weight and what the kernel leaves in its private variable.
fn weigh(v: [f32; 4]) -> (f32, f32) {
    let direction = axpy(v[0], [v[1], v[2], v[3]], [v[2], v[3], v[0]]);
    let weights: [f32; 4] = std::array::from_fn(|k| {
        let weight = v[k] * direction[k % 3] - v[(k + 1) & 3];
        weight + direction[0] * direction[1]
    });
    let mut accumulated = sum_of_products(direction, [direction[1], direction[2], direction[0]]);
    accumulated += weights[0] * weights[1];
    (weights[2] - weights[3] * (v[0] + FOLDED), accumulated)
}

/// The words of all invocations.
pub(super) fn stress(inputs: &[[f32; 4]], factor: f32) -> Vec<[u32; 4]> {
    let groups = inputs.len().div_ceil(WORKGROUP);
    // Invocations past the end take the last input.
    let at = |i: usize| inputs[i.min(inputs.len() - 1)];
    let shared: Vec<f32> = (0..groups * WORKGROUP).map(|i| weigh(at(i)).1 * at(i)[0] + at(i)[1]).collect();
    let of = |(i, v @ [x, y, z, w]): (usize, [f32; 4])| {
        let (weighed, accumulated) = weigh(v);
        let other = shared[i / WORKGROUP * WORKGROUP + (i + 1) % WORKGROUP];
        let chosen = if x * x < y * y { z * w } else { x * y } - x * z;
        [other * z - accumulated * w, nested(x, factor), weighed, chosen].map(f32::to_bits)
    };
    inputs.iter().copied().enumerate().map(of).collect()
}
