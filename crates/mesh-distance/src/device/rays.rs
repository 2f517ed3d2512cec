//! Rays on a device: the words of the CPU references.

use bytemuck::{Pod, Zeroable};
use gpu_runtime::DeviceVec;
use gpu_shaders::folded_grid;
use rayon::prelude::*;

use super::program::{RayMode, rays_entry};
use super::surface::DeviceSurface;
use crate::double::Precision;
use crate::kernels::query_answer::NO_FACET;
use crate::kernels::real::Real;
use crate::ray::{Ray, RayHit, RayHits, WorkingRay};
use crate::{Error, Frame};

/// Rays of one submission.
const CHUNK: usize = 1 << 20;
/// Rays of one submission to a software device, to keep within time limits.
const SOFTWARE_CHUNK: usize = 1 << 16;
/// Words of a hit on the device.
fn hit_words<R: Real>() -> usize {
    6 * R::WORDS + 2
}

/// `Params` of ray_walk.wgsl.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct Params {
    count: u32,
    groups_x: u32,
    zero: u32,
    pad: u32,
}

impl<R: Precision> DeviceSurface<R> {
    /// The first triangle that each ray meets: what [`crate::Surface::ray_first_cpu`] gives.
    ///
    /// # Errors
    /// As [`crate::Surface::ray_first_cpu`], and [`Error::Device`].
    pub fn ray_first(&self, rays: &[Ray]) -> Result<Vec<Option<RayHit<R>>>, Error> {
        let words = self.walk_rays(rays, RayMode::First, hit_words::<R>())?;
        let hit = |words: &[u32]| (words[R::WORDS] != NO_FACET).then(|| hit(&self.frame, words));
        Ok(words.par_chunks_exact(hit_words::<R>()).with_min_len(1024).map(hit).collect())
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
    pub fn ray_all(&self, rays: &[Ray]) -> Result<RayHits<R>, Error> {
        let counts = self.ray_count(rays)?;
        let mut all = RayHits { offsets: vec![0], hits: Vec::new() };
        let total: u64 = counts.iter().map(|&n| u64::from(n)).sum();
        if total > u64::from(u32::MAX) {
            let bytes = 4 * hit_words::<R>() as u64;
            let (needed, allowed) = (total * bytes, u64::from(u32::MAX) * bytes);
            return Err(Error::Memory { what: "the hits of the rays".into(), needed, allowed });
        }
        let mut end = 0;
        all.offsets.extend(counts.iter().map(|n| {
            end += n;
            end
        }));
        for (chunk, first) in rays.chunks(self.ray_chunk()).zip((0..).step_by(self.ray_chunk())) {
            let offsets = &all.offsets[first..=first + chunk.len()];
            let own: Vec<u32> = offsets.iter().map(|o| o - offsets[0]).collect();
            let hits = own.last().copied().unwrap_or(0) as usize;
            let words = self.walk_chunk(first, chunk, RayMode::All, hits * hit_words::<R>(), &own)?;
            all.hits.par_extend(
                words.par_chunks_exact(hit_words::<R>()).with_min_len(1024).map(|words| hit(&self.frame, words)),
            );
        }
        Ok(all)
    }

    fn ray_chunk(&self) -> usize {
        if self.context().adapter().is_hardware() { CHUNK } else { SOFTWARE_CHUNK }
    }

    /// The words of the rays `first..` in the order of ray_walk.wgsl.
    fn working_rays(&self, first: usize, rays: &[Ray]) -> Result<Vec<u32>, Error> {
        let width = 7 * R::WORDS + 1;
        let mut words = vec![0; rays.len() * width];
        let each = rays.par_iter().zip(words.par_chunks_exact_mut(width)).enumerate().with_min_len(1024);
        each.try_for_each(|(k, (ray, words))| {
            let WorkingRay { origin: [x, y, z], direction: [u, v, w], exponent, limit } =
                WorkingRay::<R>::new(&self.frame, first + k, ray)?;
            for (number, words) in [x, y, z, u, v, w, limit].iter().zip(words.chunks_exact_mut(R::WORDS)) {
                words.copy_from_slice(&number.words()[..R::WORDS]);
            }
            words[width - 1] = exponent as u32;
            Ok::<(), Error>(())
        })?;
        Ok(words)
    }

    fn walk_rays(&self, rays: &[Ray], mode: RayMode, width: usize) -> Result<Vec<u32>, Error> {
        let mut words = Vec::with_capacity(rays.len() * width);
        for (chunk, first) in rays.chunks(self.ray_chunk()).zip((0..).step_by(self.ray_chunk())) {
            let own = self.walk_chunk(first, chunk, mode, chunk.len() * width, &[])?;
            if chunk.len() == rays.len() {
                return Ok(own);
            }
            words.extend_from_slice(&own);
        }
        Ok(words)
    }

    fn walk_chunk(
        &self,
        first: usize,
        rays: &[Ray],
        mode: RayMode,
        words: usize,
        offsets: &[u32],
    ) -> Result<Vec<u32>, Error> {
        self.check_current()?;
        let context = self.context();
        let kernel = context.kernel(&rays_entry::<R>(mode).source())?;
        let rays_on = context.upload("rays", &self.working_rays(first, rays)?)?;
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
fn hit<R: Real>(frame: &Frame, words: &[u32]) -> RayHit<R> {
    let number = |at: usize| R::of_words(words[at], words[at + R::WORDS - 1]);
    // Behind t and the triangle: u, v and the point.
    let behind = |k: usize| number((k + 1) * R::WORDS + 1);
    RayHit {
        t: number(0),
        triangle: words[R::WORDS],
        uv: [behind(0), behind(1)],
        point: frame.restore([behind(2), behind(3), behind(4)]),
        front: words[6 * R::WORDS + 1] != 0,
    }
}
