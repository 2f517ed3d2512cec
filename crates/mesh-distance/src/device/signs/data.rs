//! What the robust signs need beside the distance's buffers: made from the surface on the device when first asked for.

use std::sync::OnceLock;

use gpu_runtime::DeviceVec;

use crate::Error;
use crate::device::surface::DeviceSurface;
use crate::kernels::triangle_record::TriangleRecord;
use crate::kernels::winding_expansion::Moments;
use crate::signs::{Criterion, Field, moments};
use crate::tree::{NODE_WORDS, Node};

/// The buffers, each made when first asked for.
#[derive(Debug, Default)]
pub(in crate::device) struct SignData {
    radius: OnceLock<DeviceVec<Moments>>,
    diagonal: OnceLock<DeviceVec<Moments>>,
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

impl DeviceSurface {
    pub(super) fn moments(&self, criterion: Criterion) -> Result<&DeviceVec<Moments>, Error> {
        let cell = match criterion {
            Criterion::Radius => &self.signs.radius,
            Criterion::Diagonal => &self.signs.diagonal,
        };
        get_or_try(cell, || {
            let (records, nodes) = self.host_copy()?;
            Ok(self.context().upload("moments", &moments(&records, &nodes, criterion))?)
        })
    }

    pub(super) fn field(&self) -> Result<&Field, Error> {
        get_or_try(&self.signs.field, || Ok(Field::new(&self.record_buffer().download()?)))
    }

    /// Records and nodes as they are on the device.
    fn host_copy(&self) -> Result<(Vec<TriangleRecord>, Vec<Node>), Error> {
        let words = self.node_buffer().download()?;
        Ok((self.record_buffer().download()?, words.chunks_exact(NODE_WORDS).map(Node::from_words).collect()))
    }
}
