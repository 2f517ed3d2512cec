//! Typed buffers that live on the device: uploaded once, freed when dropped.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;

use crate::{Context, Error};

/// `len` values of `T` in the memory of one device. Dropping it frees the memory.
///
/// Handles are `Send` and `Sync`. A buffer may be larger than one binding: bind it in ranges
/// ([`DeviceVec::bind_range`]).
#[derive(Debug)]
pub struct DeviceVec<T> {
    context: Context,
    label: String,
    buffer: wgpu::Buffer,
    len: usize,
    values: PhantomData<fn() -> T>,
}

/// A range of a device buffer, as one argument of a dispatch.
#[derive(Debug, Clone)]
pub struct Binding<'a> {
    pub(crate) context: &'a Context,
    pub(crate) label: &'a str,
    pub(crate) place: Place<'a>,
    pub(crate) bytes: Range<u64>,
}

/// Where the bytes of a binding lie.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'a> {
    Buffer(&'a wgpu::Buffer),
    /// In the data of the recording with this token.
    Recording(&'a Arc<()>),
}

pub(crate) fn byte_len<T>(len: usize, what: &str) -> Result<u64, Error> {
    let too_many =
        || Error::Limit { what: what.to_owned(), needed: len as u64, allowed: u64::MAX / 16, unit: "values" };
    (len as u64).checked_mul(size_of::<T>() as u64).filter(|b| *b <= u64::MAX / 16).ok_or_else(too_many)
}

impl<T> Drop for DeviceVec<T> {
    fn drop(&mut self) {
        self.context.arguments().forget(&self.buffer);
        self.context.memory().give(self.buffer.size());
    }
}

impl<T: Pod> DeviceVec<T> {
    pub(crate) fn new(context: &Context, label: &str, len: usize, data: Option<&[T]>) -> Result<Self, Error> {
        let bytes = byte_len::<T>(len, label)?;
        // Kernels may read four words at a time, and nothing may be bound empty.
        let size = bytes.next_multiple_of(16).max(16);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let data = data.map(bytemuck::cast_slice).filter(|d: &&[u8]| !d.is_empty());
        if !context.memory().take(size) {
            return Err(Error::OutOfMemory { what: label.to_owned(), needed: size });
        }
        let buffer = context.create_buffer(label, size, usage, data).inspect_err(|_| context.memory().give(size))?;
        Ok(DeviceVec { context: context.clone(), label: label.to_owned(), buffer, len, values: PhantomData })
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The name it was made with.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The context whose device holds it.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Bytes of its values.
    pub fn byte_len(&self) -> u64 {
        (self.len * size_of::<T>()) as u64
    }

    /// The whole buffer as an argument of a dispatch.
    pub fn bind(&self) -> Binding<'_> {
        let bytes = 0..self.buffer.size();
        Binding { context: &self.context, label: &self.label, place: Place::Buffer(&self.buffer), bytes }
    }

    pub(crate) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// The values `range` as an argument of a dispatch; the kernel sees the first of them at index 0.
    ///
    /// # Errors
    /// [`Error::Limit`] when the range passes the end; [`Error::Binding`] when its first byte is not a multiple of
    /// the device's alignment (`AdapterLimits::binding_alignment_bytes`).
    pub fn bind_range(&self, range: Range<usize>) -> Result<Binding<'_>, Error> {
        if range.start > range.end || range.end > self.len {
            let (needed, allowed) = (range.end.max(range.start) as u64, self.len as u64);
            return Err(Error::Limit { what: format!("range of {}", self.label), needed, allowed, unit: "values" });
        }
        let size = size_of::<T>() as u64;
        let (start, end) = (range.start as u64 * size, range.end as u64 * size);
        let align = u64::from(self.context.adapter().limits.binding_alignment_bytes);
        if start % align != 0 {
            let what = format!("range of {} starts at byte {start}, no multiple of {align}", self.label);
            return Err(Error::Binding { kernel: "bind_range".into(), what });
        }
        // Nothing may be bound empty: an empty range stands on the first words, which the kernel does not look at.
        let bytes = if range.is_empty() { 0..16 } else { start..end.next_multiple_of(16) };
        Ok(Binding { context: &self.context, label: &self.label, place: Place::Buffer(&self.buffer), bytes })
    }

    /// Overwrites the values from `first` on.
    ///
    /// # Errors
    /// [`Error::Limit`] when `data` passes the end, [`Error::Binding`] when its bytes are not whole words, and device
    /// errors.
    pub fn write(&self, first: usize, data: &[T]) -> Result<(), Error> {
        let end = first.saturating_add(data.len());
        if end > self.len {
            let what = format!("write to {}", self.label);
            return Err(Error::Limit { what, needed: end as u64, allowed: self.len as u64, unit: "values" });
        }
        let (offset, bytes) = ((first * size_of::<T>()) as u64, bytemuck::cast_slice::<T, u8>(data));
        if offset % 4 != 0 || bytes.len() % 4 != 0 {
            let what = format!("write to {} at byte {offset} of {} bytes: whole words only", self.label, bytes.len());
            return Err(Error::Binding { kernel: "write".into(), what });
        }
        self.context
            .scoped(&self.label, bytes.len() as u64, || self.context.queue().write_buffer(&self.buffer, offset, bytes))
    }

    /// Reads all values back: one copy, one wait.
    ///
    /// # Errors
    /// Device errors.
    pub fn download(&self) -> Result<Vec<T>, Error> {
        let mut recording = self.context.record(&self.label);
        let values = recording.download(self);
        recording.submit()?.take(values)
    }
}
