//! Values that travel with a recording.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;

use crate::Context;
use crate::device_vec::{Binding, Place};
use crate::recording::{PARAMS_ALIGN, Recording};

/// Values that travel with a recording ([`Recording::data`]).
#[derive(Debug, Clone)]
pub struct Data {
    context: Context,
    bytes: Range<u64>,
    token: Arc<()>,
}

impl Data {
    /// The values as an argument of a dispatch of the same recording.
    pub fn bind(&self) -> Binding<'_> {
        let place = Place::Recording(&self.token);
        Binding { context: &self.context, label: "data", place, bytes: self.bytes.clone() }
    }
}

impl Recording {
    /// Values that travel with the recording, as a read-only argument of its dispatches: for tables that a call makes anew.
    /// No buffer is made for them. They last until [`Recording::flush`].
    pub fn data<T: Pod>(&mut self, values: &[T]) -> Data {
        let start = self.params.len();
        self.params.extend_from_slice(bytemuck::cast_slice(values));
        // Nothing may be bound empty.
        let end = self.params.len().next_multiple_of(16).max(start + 16);
        self.params.resize(end.next_multiple_of(PARAMS_ALIGN), 0);
        Data { context: self.context.clone(), bytes: start as u64..end as u64, token: self.data_token.clone() }
    }
}
