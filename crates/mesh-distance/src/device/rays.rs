//! Rays on a device: the words of the CPU references.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::DeviceVec;
use gpu_shaders::folded_grid;
use rayon::prelude::*;

use super::program::{RayMode, rays_entry};
use super::surface::DeviceSurface;
use crate::kernels::query_answer::NO_FACET;
use crate::ray::{Ray, RayHit, RayHits, WorkingRay};
use crate::{Error, Frame};

/// Rays of one submission.
const CHUNK: usize = 1 << 20;
/// Rays of one submission to a software device, to keep within time limits.
const SOFTWARE_CHUNK: usize = 1 << 16;
/// Words of a hit on the device.
const HIT_WORDS: usize = 8;

/// `Params` of ray_walk.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct Params {
    count: u32,
    groups_x: u32,
    zero: u32,
    pad: u32,
}

impl DeviceSurface {
    /// The first triangle that each ray meets: what [`crate::Surface::ray_first_cpu`] gives.
    ///
    /// # Errors
    /// As [`crate::Surface::ray_first_cpu`], and [`Error::Device`].
    pub fn ray_first(&self, rays: &[Ray]) -> Result<Vec<Option<RayHit>>, Error> {
        let words = self.walk_rays(rays, RayMode::First, HIT_WORDS)?;
        let hit = |words: &[u32]| (words[1] != NO_FACET).then(|| hit(&self.frame, words));
        Ok(words.par_chunks_exact(HIT_WORDS).map(hit).collect())
    }

    /// Whether each ray meets any triangle: what [`crate::Surface::ray_any_cpu`] gives.
    ///
    /// # Errors
    /// As [`DeviceSurface::ray_first`].
    pub fn ray_any(&self, rays: &[Ray]) -> Result<Vec<bool>, Error> {
        Ok(self.walk_rays(rays, RayMode::Any, 1)?.into_iter().map(|any| any != 0).collect())
    }

    /// How many triangles each ray meets: what [`crate::Surface::ray_count_cpu`] gives.
    ///
    /// # Errors
    /// As [`DeviceSurface::ray_first`].
    pub fn ray_count(&self, rays: &[Ray]) -> Result<Vec<u32>, Error> {
        self.walk_rays(rays, RayMode::Count, 1)
    }

    /// All triangles that each ray meets, in order: what [`crate::Surface::ray_all_cpu`] gives. Two walks: one counts, one writes.
    ///
    /// # Errors
    /// As [`DeviceSurface::ray_first`]; [`Error::Memory`] for 2^32 hits or more, [`Error::Device`] when the hits of 2^20 rays do not
    /// fit a binding.
    pub fn ray_all(&self, rays: &[Ray]) -> Result<RayHits, Error> {
        let counts = self.ray_count(rays)?;
        let mut all = RayHits { offsets: vec![0], hits: Vec::new() };
        let total: u64 = counts.iter().map(|&n| u64::from(n)).sum();
        if total > u64::from(u32::MAX) {
            let (needed, allowed) = (total * 32, u64::from(u32::MAX) * 32);
            return Err(Error::Memory { what: "the hits of the rays".into(), needed, allowed });
        }
        let mut end = 0;
        all.offsets.extend(counts.iter().map(|n| {
            end += n;
            end
        }));
        let working = self.working_rays(rays)?;
        for (chunk, first) in working.chunks(self.ray_chunk()).zip((0..).step_by(self.ray_chunk())) {
            let offsets = &all.offsets[first..=first + chunk.len()];
            let own: Vec<u32> = offsets.iter().map(|o| o - offsets[0]).collect();
            let hits = own.last().copied().unwrap_or(0) as usize;
            let words = self.walk_chunk(chunk, RayMode::All, hits * HIT_WORDS, &own)?;
            all.hits.par_extend(words.par_chunks_exact(HIT_WORDS).map(|words| hit(&self.frame, words)));
        }
        Ok(all)
    }

    fn ray_chunk(&self) -> usize {
        if self.context().adapter().is_hardware() { CHUNK } else { SOFTWARE_CHUNK }
    }

    fn working_rays(&self, rays: &[Ray]) -> Result<Vec<[u32; 8]>, Error> {
        let words = |(index, ray)| {
            let WorkingRay { origin: [x, y, z], direction: [u, v, w], exponent, limit } =
                WorkingRay::new(&self.frame, index, ray)?;
            let [x, y, z, u, v, w, limit] = [x, y, z, u, v, w, limit].map(f32::to_bits);
            Ok([x, y, z, u, v, w, exponent as u32, limit])
        };
        rays.par_iter().enumerate().map(words).collect()
    }

    fn walk_rays(&self, rays: &[Ray], mode: RayMode, width: usize) -> Result<Vec<u32>, Error> {
        let mut words = Vec::with_capacity(rays.len() * width);
        for chunk in self.working_rays(rays)?.chunks(self.ray_chunk()) {
            words.extend(self.walk_chunk(chunk, mode, chunk.len() * width, &[])?);
        }
        Ok(words)
    }

    fn walk_chunk(&self, rays: &[[u32; 8]], mode: RayMode, words: usize, offsets: &[u32]) -> Result<Vec<u32>, Error> {
        self.check_current()?;
        let context = self.context();
        let kernel = context.kernel(&rays_entry(mode).source())?;
        let rays_on = context.upload("rays", rays)?;
        let offsets = context.upload("ray offsets", offsets)?;
        let results: DeviceVec<u32> = context.zeroed("ray results", words)?;
        let count = rays.len() as u32;
        let groups = folded_grid::plan(count.div_ceil(64), context.adapter().limits.max_workgroups_per_dimension);
        let params = Params { count, groups_x: groups[0], zero: 0, pad: 0 };
        let bindings = [
            ("boxes", self.boxes.bind()),
            ("records", self.records()),
            ("rays", rays_on.bind()),
            ("offsets", offsets.bind()),
            ("results", results.bind()),
        ];
        let mut recording = context.record("rays");
        recording.dispatch(&kernel, &bindings, &params, groups)?;
        let read = recording.download(&results);
        Ok(recording.submit()?.take(read)?)
    }
}

/// A hit from its words.
fn hit(frame: &Frame, words: &[u32]) -> RayHit {
    let float = |k: usize| f32::from_bits(words[k]);
    RayHit {
        t: float(0),
        triangle: words[1],
        uv: [float(2), float(3)],
        point: frame.restore([float(4), float(5), float(6)]),
        front: words[7] != 0,
    }
}
