//! New positions for a surface on a device.

use gpu_runtime::{Context, DeviceVec, Recording, Timestamps};
use gpu_shaders::ordered_key::ordered_value;
use rayon::prelude::*;

use super::params::MoveParams;
use super::program::{Step, dispatch};
use super::{FOUND_WORDS, Moving};
use crate::device::surface::DeviceSurface;
use crate::double::Precision;
use crate::mesh::{axis_name, check_finite};
use crate::{Bounds, Error, Frame, Surface};

impl<R: Precision> DeviceSurface<R> {
    /// [`DeviceSurface::upload`], with what moving the vertices on the device needs beside it: about 50 bytes more a triangle.
    ///
    /// # Errors
    /// As [`DeviceSurface::upload`]; [`Error::TooLarge`] for more than 2^15 triangles at one vertex.
    pub fn upload_movable(context: &Context, surface: &Surface<R>) -> Result<DeviceSurface<R>, Error> {
        let mut uploaded = DeviceSurface::upload(context, surface)?;
        let moving = Moving::of(context, surface)?;
        uploaded.moving = Some(Box::new(moving));
        Ok(uploaded)
    }

    /// Moves the vertices on the device: `positions` are those of the mesh it was built of, in the same order, at new places.
    ///
    /// The answers are afterwards those of a surface built of the moved mesh, bit for bit (vertices that were equal at the build stay one,
    /// at the place of the first of them), but for winding numbers by expansions, which depend on the tree. The tree keeps its shape.
    /// From then on the surface is one of its own: moves of the [`Surface`] that was uploaded do not outdate it, and
    /// [`DeviceSurface::update`] takes those of that surface again. When it fails, nothing has changed.
    ///
    /// Cost: working coordinates on the host and their upload, 12 bytes a vertex (f64: 24); then one submission, nothing read back.
    ///
    /// # Errors
    /// [`Error::Question`] for a surface that was not uploaded by [`DeviceSurface::upload_movable`] and for another number of positions;
    /// [`Error::NotFinite`], [`Error::Scale`], [`Error::Device`].
    pub fn update_positions(&mut self, positions: &[[f64; 3]]) -> Result<(), Error> {
        let moving = self.moving(positions.len())?;
        for (index, position) in positions.iter().enumerate() {
            check_finite("vertex", index, position)?;
        }
        let used = moving.used()?;
        let mut places = used.iter().map(|&vertex| positions[vertex as usize]);
        let first = places.next().ok_or(Error::EmptyMesh)?;
        let bounds = places.fold(Bounds { lo: first, hi: first }, |b, p| Bounds {
            lo: std::array::from_fn(|k| b.lo[k].min(p[k])),
            hi: std::array::from_fn(|k| b.hi[k].max(p[k])),
        });
        let frame = Frame::new(&bounds)?;
        let working = moving.working_of(&frame, positions);
        let mut recording = self.context().record("refit");
        moving.record_refit(self, &mut recording)?;
        moving.working.write(0, &working)?;
        recording.submit()?;
        self.moved(frame, bounds);
        Ok(())
    }

    /// The box of the vertices that triangles use, of a surface that was built or moved on the device; others do not know it.
    pub fn bounds(&self) -> Option<Bounds> {
        self.moving.as_ref().and_then(|moving| moving.bounds)
    }

    /// What moving needs, for so many positions.
    pub(super) fn moving(&self, positions: usize) -> Result<&Moving<R>, Error> {
        let Some(moving) = &self.moving else {
            let problem =
                "it was uploaded without what moving needs; DeviceSurface::upload_movable takes that along".into();
            return Err(Error::Question { what: "surface", index: None, problem });
        };
        if positions != moving.vertices {
            let problem = format!("{positions} positions, needed are {}", moving.vertices);
            return Err(Error::Question { what: "moved mesh", index: None, problem });
        }
        Ok(moving)
    }

    /// The buffers hold new positions.
    pub(super) fn moved(&mut self, frame: Frame, bounds: Bounds) {
        if let Some(moving) = &mut self.moving {
            moving.bounds = Some(bounds);
        }
        self.frame = frame;
        self.signs = Default::default();
        self.version.detach();
    }
}

impl<R: Precision> DeviceSurface<R> {
    /// [`DeviceSurface::update_positions`] with positions that are on the device already, as another crate or a kernel left them: x, y, z
    /// of each vertex. The answers are those of a mesh with these numbers in f64.
    ///
    /// Two submissions: the first finds the box of the vertices that triangles use, of which 32 bytes come back for the frame and
    /// the checks; the second makes everything anew. Gives the device's seconds of the second where asked for, as [`crate::GridQuery::run`].
    ///
    /// # Errors
    /// As [`DeviceSurface::update_positions`].
    pub fn update_positions_on(
        &mut self,
        positions: &DeviceVec<[f32; 3]>,
        timestamps: Timestamps,
    ) -> Result<Vec<(String, f64)>, Error> {
        let moving = self.moving(positions.len())?;
        let bounds = Corners::Classes { positions, moving }.bounds(&moving.found)?;
        let frame = Frame::new(&bounds)?;
        let mut recording = self.context().record("refit").with_timestamps(timestamps);
        moving.record_frame(&mut recording, &frame, positions)?;
        moving.record_refit(self, &mut recording)?;
        let timings = recording.submit()?.timings().to_vec();
        self.moved(frame, bounds);
        Ok(timings)
    }
}

impl<R: Precision> Moving<R> {
    /// The vertices that triangles use.
    fn used(&self) -> Result<&[u32], Error> {
        if let Some(used) = self.used.get() {
            return Ok(used);
        }
        let ranges = self.vertex_ranges.download()?;
        let used = (0..).zip(ranges).filter(|(_, [first, end])| first < end).map(|(vertex, _)| vertex).collect();
        Ok(self.used.get_or_init(|| used))
    }

    /// Working coordinates of the classes.
    fn working_of(&self, frame: &Frame, positions: &[[f64; 3]]) -> Vec<[R; 3]> {
        match &self.kept_on_host {
            Some(kept) => kept.par_iter().map(|&vertex| frame.vertex(&positions[vertex as usize])).collect(),
            None => positions.par_iter().map(|position| frame.vertex(position)).collect(),
        }
    }

    /// Adds the working coordinates of positions on the device.
    pub(super) fn record_frame(
        &self,
        recording: &mut Recording,
        frame: &Frame,
        positions: &DeviceVec<[f32; 3]>,
    ) -> Result<(), Error> {
        let bindings = [("positions", positions.bind()), ("kept", self.kept.bind()), ("working", self.working.bind())];
        let params = MoveParams::of(self.kept.len()).within(frame);
        dispatch::<R>(positions.context(), recording, Step::Frame, params, &bindings)
    }
}

/// The corners of triangles on a device.
pub(super) enum Corners<'a, R: Precision> {
    /// Triangles name vertices, perhaps some that do not exist.
    Vertices { positions: &'a DeviceVec<[f32; 3]>, triangles: &'a DeviceVec<[u32; 3]> },
    /// Triangles name classes, for each of which a vertex stands.
    Classes { positions: &'a DeviceVec<[f32; 3]>, moving: &'a Moving<R> },
}

impl<R: Precision> Corners<'_, R> {
    /// The box of the vertices that triangles use; `found` is scratch.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for the first coordinate of any vertex that is not finite, [`Error::VertexIndex`] for the first index out of range.
    pub(super) fn bounds(&self, found: &DeviceVec<u32>) -> Result<Bounds, Error> {
        let (positions, triangles, kept, count, mapped) = match self {
            Corners::Vertices { positions, triangles } => {
                (positions, triangles.bind(), triangles.bind(), triangles.len(), false)
            }
            Corners::Classes { positions, moving } => {
                (positions, moving.triangles.bind(), moving.kept.bind(), moving.firsts.len(), true)
            }
        };
        let (context, vertices) = (positions.context(), positions.len());
        let params = MoveParams {
            vertices: vertices as u32,
            triangles: count as u32,
            ..MoveParams::of(vertices.max(3 * count))
        };
        let bindings =
            [("positions", positions.bind()), ("triangles", triangles), ("kept", kept), ("found", found.bind())];
        let mut recording = context.record("mesh_bounds");
        recording.clear(found)?;
        dispatch::<R>(context, &mut recording, Step::Bounds { mapped }, params, &bindings)?;
        let read = recording.download_range(found, 0..FOUND_WORDS);
        let words = recording.submit()?.take(read)?;
        self.check(words[6], words[7])?;
        let value = |key: u32| f64::from(ordered_value(key));
        Ok(Bounds { lo: [0, 1, 2].map(|k| value(!words[k])), hi: [3, 4, 5].map(|k| value(words[k])) })
    }

    /// Fails for the complements of a bad coordinate and of a bad corner; 0 is none.
    fn check(&self, number: u32, corner: u32) -> Result<(), Error> {
        let (Corners::Vertices { positions, .. } | Corners::Classes { positions, .. }) = self;
        if number != 0 {
            let (index, axis) = (!number as usize / 3, !number as usize % 3);
            let value = f64::from(one(positions, index)?[axis]);
            return Err(Error::NotFinite { what: "vertex", index, axis: axis_name(axis), value });
        }
        if let (Corners::Vertices { triangles, .. }, true) = (self, corner != 0) {
            let (triangle, k) = (!corner as usize / 3, !corner as usize % 3);
            let index = one(triangles, triangle)?[k];
            return Err(Error::VertexIndex { triangle, index, vertices: positions.len() });
        }
        Ok(())
    }
}

/// One value of a buffer.
fn one<T: bytemuck::Pod>(buffer: &DeviceVec<T>, index: usize) -> Result<T, Error> {
    let mut recording = buffer.context().record("one value");
    let read = recording.download_range(buffer, index..index + 1);
    Ok(recording.submit()?.take(read)?[0])
}
