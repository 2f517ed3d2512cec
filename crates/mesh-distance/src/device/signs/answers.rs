//! The signs of chosen outputs: unsigned distances of the triangles that won, then the passes of the sign over them.

use gpu_runtime::{Binding, DeviceVec, Kernel, Recording};

use super::params::SignParams;
use super::program::{Task, kernel};
use super::{Piece, Place, SignQuery, dispatch};
use crate::device::program::Source;
use crate::device::surface::DeviceSurface;
use crate::double::Precision;
use crate::{Error, Sign};

/// Kernels and buffers for one number of queries.
#[derive(Debug)]
pub(in crate::device) struct AnswerSigns {
    kernel: Kernel,
    distances: DeviceVec<u32>,
    query: SignQuery,
    total: u32,
    limit_step: u32,
}

impl AnswerSigns {
    /// For grids of these counts, or `[n, 1, 1]` for n points; `limits` largest distances: none, one for
    /// all queries or one each. `None` for signs that the answer makes itself.
    pub(in crate::device) fn new<R: Precision>(
        surface: &DeviceSurface<R>,
        sign: Sign,
        source: Source,
        counts: [u32; 3],
        limits: usize,
    ) -> Result<Option<AnswerSigns>, Error> {
        let Some(query) = SignQuery::new(surface, sign, source, counts)? else { return Ok(None) };
        let context = surface.context();
        let total = query.total;
        let distances = context.zeroed("unsigned distances", total as usize * R::WORDS)?;
        let kernel = kernel::<R>(context, Task::Distances { source, limited: limits > 0 })?;
        Ok(Some(AnswerSigns { kernel, distances, query, total, limit_step: u32::from(limits > 1) }))
    }

    /// Adds the passes, and gives the distances with their signs; those of misses are 0.
    pub(in crate::device) fn record<'a, R: Precision>(
        &'a self,
        surface: &'a DeviceSurface<R>,
        recording: &mut Recording,
        slots: Binding<'a>,
        limits: Binding<'a>,
        place: Place<'a, R>,
    ) -> Result<Binding<'a>, Error> {
        let params = SignParams {
            exponent: surface.frame.exponent,
            counts: [self.total, 1, 1],
            total: self.total,
            stride: self.limit_step,
            group_count: self.total.div_ceil(64),
            ..SignParams::default()
        }
        .at(place.grid);
        let bindings = [
            ("points", place.points.clone()),
            ("records", surface.records()),
            ("slots", slots),
            ("limits", limits),
            ("results", self.distances.bind()),
        ];
        self.query.clear(recording)?;
        dispatch(surface, recording, &self.kernel, params, &bindings)?;
        let piece = Piece {
            place,
            results: self.distances.bind(),
            stride: R::WORDS as u32,
            upper: R::WORDS as u32 - 1,
            squared: false,
        };
        self.query.record(surface, recording, &piece)?;
        Ok(self.distances.bind())
    }
}
