//! What the robust signs need beside the distance's buffers: made from the surface on the device when first asked for.

use std::sync::OnceLock;

use gpu_runtime::{Binding, DeviceVec};

use crate::Error;
use crate::device::surface::DeviceSurface;
use crate::double::Precision;
use crate::kernels::winding_expansion::Moments;
use crate::signs::{Criterion, Field, bounding, moments};
use crate::tree::{NODE_WORDS, Node};

/// The buffers, each made when first asked for.
#[derive(Debug, Default)]
pub(in crate::device) struct SignData<R> {
    /// For bounds, by radius; of f32 surfaces for numbers, too.
    bounds: OnceLock<DeviceVec<[f32; 16]>>,
    /// For numbers of f64 surfaces.
    radius: OnceLock<DeviceVec<[R; 16]>>,
    diagonal: OnceLock<DeviceVec<[R; 16]>>,
    field: OnceLock<Field>,
}

/// The value of `cell`, made by `make` when it has none. Two threads may both make it; the first one's stays.
fn get_or_try<T>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, Error>) -> Result<&T, Error> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}

impl<R: Precision> DeviceSurface<R> {
    /// Moments in f32, which decide no bit.
    pub(super) fn bounds_of_angles(&self) -> Result<Binding<'_>, Error> {
        let made = get_or_try(&self.signs.bounds, || {
            let rows: Vec<_> = self.host_moments(Criterion::Radius)?.iter().map(|m| bounding(m).rows()).collect();
            Ok(self.context().upload("moments", &rows)?)
        })?;
        Ok(made.bind())
    }

    /// Moments for the numbers themselves.
    pub(super) fn moments(&self, criterion: Criterion) -> Result<Binding<'_>, Error> {
        let cell = match criterion {
            Criterion::Radius if R::WORDS == 1 => return self.bounds_of_angles(),
            Criterion::Radius => &self.signs.radius,
            Criterion::Diagonal => &self.signs.diagonal,
        };
        let made = get_or_try(cell, || {
            let rows: Vec<_> = self.host_moments(criterion)?.iter().map(Moments::rows).collect();
            Ok(self.context().upload("moments", &rows)?)
        })?;
        Ok(made.bind())
    }

    pub(super) fn field(&self) -> Result<&Field, Error> {
        get_or_try(&self.signs.field, || Ok(Field::new::<R>(&self.record_buffer().download()?)))
    }

    /// Moments of the records and nodes as they are on the device.
    fn host_moments(&self, criterion: Criterion) -> Result<Vec<Moments<R>>, Error> {
        let words = self.node_buffer().download()?;
        let nodes: Vec<Node> = words.chunks_exact(NODE_WORDS).map(Node::from_words).collect();
        Ok(moments::<R>(&self.record_buffer().download()?, &nodes, criterion))
    }
}
