//! Random triangles with points in awkward places, for the tests of bounds.

/// A deterministic source of samples.
pub(crate) struct Samples(u64);

impl Samples {
    pub(crate) fn new(seed: u64) -> Samples {
        Samples(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Uniform in [-1, 1), a multiple of 2^-24.
    fn unit(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 39) as f32 / (1 << 24) as f32 - 1.0
    }

    fn power(&mut self, from: f32, to: f32) -> f32 {
        10f32.powf(from + (to - from) * (0.5 + 0.5 * self.unit()))
    }

    /// Calls `check` with one to three triangles (ordinary, flat, slivers, tiny) and points round them: anywhere, over a corner,
    /// over the middle of an edge, beyond a face of the box; the last argument is a direction for more.
    pub(crate) fn each(mut self, count: usize, mut check: impl FnMut(&[[[f32; 3]; 3]], &[[f32; 3]], [f32; 3])) {
        for sample in 0..count {
            let scale = self.power(-3.0, -0.3);
            let offset = [self.unit(), self.unit(), self.unit()];
            let shape: [f32; 3] = match sample % 5 {
                0 => [1.0; 3],
                1 => [1.0, 1.0, 0.0],
                2 => [1.0, 1e-4, 1e-4],
                3 => [1.0, 1e-6, 1.0],
                _ => [1e-3; 3],
            };
            let mut corner = || std::array::from_fn(|k| snapped(offset[k] + scale * shape[k] * self.unit()));
            let triangles: Vec<[[f32; 3]; 3]> = (0..1 + sample % 3).map(|_| [(); 3].map(|()| corner())).collect();
            let points: Vec<[f32; 3]> = (0..8).map(|k| self.point(k, offset, &triangles)).collect();
            let direction = [self.unit(), self.unit(), self.unit()];
            check(&triangles, &points, direction);
        }
    }

    fn point(&mut self, kind: usize, offset: [f32; 3], triangles: &[[[f32; 3]; 3]]) -> [f32; 3] {
        let away = self.power(-4.0, 1.0);
        let [a, b, c] = triangles[0];
        let axis = kind / 4 + kind % 2;
        let mut p: [f32; 3] = match kind % 4 {
            0 => std::array::from_fn(|k| offset[k] + away * self.unit()),
            1 => a,
            2 => std::array::from_fn(|k| 0.5 * (b[k] + c[k])),
            _ => std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0),
        };
        p[axis] += away * self.unit();
        if kind % 4 == 2 {
            p[axis] = triangles.iter().flatten().fold(p[axis], |m, v| m.max(v[axis])) + away * self.unit().abs();
        }
        p.map(snapped)
    }
}

/// As working coordinates are.
fn snapped(x: f32) -> f32 {
    gpu_shaders::strict_float::snap(x, <f32 as crate::kernels::real::Real>::TINY)
}
