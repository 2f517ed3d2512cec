//! Recordings: dispatches and copies that are submitted as one and waited for once.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;

use crate::device_vec::{Binding, DeviceVec, Place};
use crate::submit::{self, Completed, Flushed};
use crate::{Context, Error, Kernel};

/// When the device's clock is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Timestamps {
    /// Never.
    #[default]
    None,
    /// Around all dispatches.
    Whole,
    /// Around each dispatch, which keeps dispatches apart that could otherwise overlap.
    EachDispatch,
}

/// A list of dispatches and copies. Building it does not touch the device; [`Recording::submit`] runs it.
pub struct Recording {
    pub(crate) context: Context,
    pub(crate) label: String,
    pub(crate) commands: Vec<Command>,
    pub(crate) params: Vec<u8>,
    pub(crate) readback_bytes: u64,
    pub(crate) timestamps: Timestamps,
    pub(crate) keep_arguments: bool,
    /// Tells the downloads of this recording from those of others.
    pub(crate) token: Arc<()>,
    /// Tells the data that go with the next submission from those of others.
    pub(crate) data_token: Arc<()>,
    /// What submissions before the last one use.
    pub(crate) flushed: Flushed,
    /// The first mistake of a call that cannot return one.
    pub(crate) mistake: Option<Error>,
}

pub(crate) enum Command {
    Dispatch(Dispatch),
    Copy { from: wgpu::Buffer, from_bytes: Range<u64>, to: wgpu::Buffer, to_offset: u64 },
    Clear { buffer: wgpu::Buffer, bytes: Range<u64> },
    Readback { buffer: wgpu::Buffer, from: u64, bytes: u64, at: u64 },
}

/// Bytes of a buffer; without one, of the recording's own data.
pub(crate) type Argument = (Option<wgpu::Buffer>, Range<u64>);

pub(crate) struct Dispatch {
    pub(crate) kernel: Kernel,
    /// In the order of the kernel's storage slots.
    pub(crate) buffers: Vec<Argument>,
    pub(crate) params_at: u64,
    pub(crate) groups: [u32; 3],
}

/// Values on their way back; [`Completed::take`] turns it into them.
#[derive(Debug)]
#[must_use]
pub struct Download<T> {
    pub(crate) bytes: Range<u64>,
    pub(crate) len: usize,
    pub(crate) token: Arc<()>,
    values: PhantomData<fn() -> T>,
}

/// Uniform ranges start at multiples of this on every device.
pub(crate) const PARAMS_ALIGN: usize = 256;

impl Recording {
    pub(crate) fn new(context: Context, label: &str) -> Self {
        Recording {
            context,
            label: label.to_owned(),
            commands: Vec::new(),
            params: Vec::new(),
            readback_bytes: 0,
            timestamps: Timestamps::None,
            keep_arguments: false,
            token: Arc::new(()),
            data_token: Arc::new(()),
            flushed: Flushed::default(),
            mistake: None,
        }
    }

    /// Asks for the device's clock; [`Completed::timings`] gives the seconds. Does nothing on devices without one.
    #[must_use]
    pub fn with_timestamps(mut self, timestamps: Timestamps) -> Self {
        self.timestamps = timestamps;
        self
    }

    /// Keeps the arguments of its dispatches for later recordings that bind the same bytes to the same kernels, which then
    /// cost less of the host's time: for callers that use the same buffers over and over. Those of a buffer are forgotten
    /// when its handle goes.
    #[must_use]
    pub fn keep_arguments(mut self) -> Self {
        self.keep_arguments = true;
        self
    }

    /// Adds a dispatch of `groups` workgroups.
    ///
    /// `bindings` names each storage buffer of the kernel once, in any order; `params` is the kernel's parameter
    /// block, its `zero` word 0. A dispatch of zero groups is left out.
    ///
    /// # Errors
    /// [`Error::Binding`] for a name that is missing, unknown or given twice and a parameter block of another size; [`Error::Limit`] for too many groups or a range above the binding limit;
    /// [`Error::WrongContext`].
    pub fn dispatch(
        &mut self,
        kernel: &Kernel,
        bindings: &[(&str, Binding<'_>)],
        params: &impl Pod,
        groups: [u32; 3],
    ) -> Result<(), Error> {
        if kernel.inner.context_id != self.context.id() {
            return Err(Error::WrongContext { what: format!("kernel {}", kernel.name()) });
        }
        let buffers = self.arguments(kernel, bindings)?;
        let params = bytemuck::bytes_of(params);
        let wanted = kernel.inner.interface.params_bytes as usize;
        if params.len() != wanted {
            return Err(fault(kernel, format!("params has {} bytes, the kernel declares {wanted}", params.len())));
        }
        let allowed = self.context.adapter().limits.max_workgroups_per_dimension;
        if let Some(&needed) = groups.iter().find(|g| **g > allowed) {
            let what = format!("kernel {}: groups {groups:?}", kernel.name());
            return Err(Error::Limit { what, needed: needed.into(), allowed: allowed.into(), unit: "groups" });
        }
        if groups.contains(&0) {
            return Ok(());
        }
        let params_at = self.params.len() as u64;
        self.params.extend_from_slice(params);
        self.params.resize(self.params.len().next_multiple_of(PARAMS_ALIGN), 0);
        self.commands.push(Command::Dispatch(Dispatch { kernel: kernel.clone(), buffers, params_at, groups }));
        Ok(())
    }

    /// The buffers in the kernel's order.
    fn arguments(&self, kernel: &Kernel, bindings: &[(&str, Binding<'_>)]) -> Result<Vec<Argument>, Error> {
        let slots = &kernel.inner.interface.storage;
        let names = || slots.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(", ");
        if let Some((name, _)) = bindings.iter().find(|(n, _)| !slots.iter().any(|s| s.name == *n)) {
            return Err(fault(kernel, format!("has no buffer {name}; it has {}", names())));
        }
        let allowed = self.context.adapter().limits.max_binding_bytes;
        let mut buffers = Vec::with_capacity(slots.len());
        for slot in slots {
            let mut given = bindings.iter().filter(|(n, _)| *n == slot.name);
            let (Some((_, binding)), None) = (given.next(), given.next()) else {
                return Err(fault(kernel, format!("needs buffer {} once; it has {}", slot.name, names())));
            };
            self.own(binding.context, binding.label)?;
            let buffer = match binding.place {
                Place::Buffer(buffer) => Some(buffer.clone()),
                Place::Recording(token) if !Arc::ptr_eq(token, &self.data_token) => {
                    return Err(Error::WrongContext { what: format!("{} of another submission", binding.label) });
                }
                Place::Recording(_) if slot.writes => {
                    return Err(fault(kernel, format!("writes {}, but a recording's data are read only", slot.name)));
                }
                Place::Recording(_) => None,
            };
            let needed = binding.bytes.end - binding.bytes.start;
            if needed > allowed {
                let what = format!("kernel {}: buffer {} ({})", kernel.name(), slot.name, binding.label);
                return Err(Error::Limit { what, needed, allowed, unit: "bytes a binding" });
            }
            buffers.push((buffer, binding.bytes.clone()));
        }
        Ok(buffers)
    }

    fn own(&self, context: &Context, label: &str) -> Result<(), Error> {
        if context.id() == self.context.id() {
            return Ok(());
        }
        Err(Error::WrongContext { what: format!("buffer {label}") })
    }

    /// Copies the values `range` of `from` to `to`, from its value `first` on.
    ///
    /// # Errors
    /// [`Error::Limit`] when either end passes, [`Error::Binding`] when the bytes are not whole words,
    /// [`Error::WrongContext`].
    pub fn copy<T: Pod>(
        &mut self,
        from: &DeviceVec<T>,
        range: Range<usize>,
        to: &DeviceVec<T>,
        first: usize,
    ) -> Result<(), Error> {
        self.own(from.context(), from.label())?;
        self.own(to.context(), to.label())?;
        let count = range.end.saturating_sub(range.start);
        for (what, needed, allowed) in
            [(from.label(), range.end, from.len()), (to.label(), first.saturating_add(count), to.len())]
        {
            if needed > allowed {
                let (what, needed, allowed) = (format!("copy, {what}"), needed as u64, allowed as u64);
                return Err(Error::Limit { what, needed, allowed, unit: "values" });
            }
        }
        let size = size_of::<T>() as u64;
        let (from_bytes, to_offset) = (range.start as u64 * size..range.end as u64 * size, first as u64 * size);
        if [from_bytes.start, to_offset, count as u64 * size].iter().any(|b| b % 4 != 0) {
            let what = format!("copy of bytes {from_bytes:?} to {to_offset}: whole words only");
            return Err(Error::Binding { kernel: self.label.clone(), what });
        }
        if count > 0 {
            let (from, to) = (from.buffer().clone(), to.buffer().clone());
            self.commands.push(Command::Copy { from, from_bytes, to, to_offset });
        }
        Ok(())
    }

    /// Sets every word of `buffer` to zero.
    ///
    /// # Errors
    /// [`Error::WrongContext`].
    pub fn clear<T: Pod>(&mut self, buffer: &DeviceVec<T>) -> Result<(), Error> {
        self.own(buffer.context(), buffer.label())?;
        let bytes = 0..buffer.buffer().size();
        self.commands.push(Command::Clear { buffer: buffer.buffer().clone(), bytes });
        Ok(())
    }

    /// Sets the values `range` of `buffer` to zero.
    ///
    /// # Errors
    /// [`Error::Limit`] when the range passes the end, [`Error::Binding`] when its bytes are not whole words,
    /// [`Error::WrongContext`].
    pub fn clear_range<T: Pod>(&mut self, buffer: &DeviceVec<T>, range: Range<usize>) -> Result<(), Error> {
        self.own(buffer.context(), buffer.label())?;
        if range.end > buffer.len() {
            let what = format!("clear, {}", buffer.label());
            let (needed, allowed) = (range.end as u64, buffer.len() as u64);
            return Err(Error::Limit { what, needed, allowed, unit: "values" });
        }
        let size = size_of::<T>() as u64;
        let bytes = range.start as u64 * size..range.end as u64 * size;
        if bytes.start % 4 != 0 || bytes.end % 4 != 0 {
            let what = format!("clear of bytes {bytes:?}: whole words only");
            return Err(Error::Binding { kernel: self.label.clone(), what });
        }
        if bytes.start < bytes.end {
            self.commands.push(Command::Clear { buffer: buffer.buffer().clone(), bytes });
        }
        Ok(())
    }

    /// Reads all values of `buffer` back as they are at this point of the recording.
    ///
    /// A buffer of another context is [`Error::WrongContext`] at [`Recording::submit`].
    pub fn download<T: Pod>(&mut self, buffer: &DeviceVec<T>) -> Download<T> {
        self.download_range(buffer, 0..buffer.len())
    }

    /// Reads the values `range` of `buffer` back as they are at this point of the recording.
    ///
    /// At [`Recording::submit`] a buffer of another context is [`Error::WrongContext`], a range that passes the end
    /// [`Error::Limit`], and one that does not begin at a word [`Error::Binding`].
    pub fn download_range<T: Pod>(&mut self, buffer: &DeviceVec<T>, range: Range<usize>) -> Download<T> {
        let size = size_of::<T>();
        let (from, bytes) = ((range.start * size) as u64, (range.len() * size) as u64);
        let mut checked = self.own(buffer.context(), buffer.label());
        if range.end > buffer.len() {
            let (what, needed) = (format!("download, {}", buffer.label()), range.end as u64);
            checked = checked.and(Err(Error::Limit { what, needed, allowed: buffer.len() as u64, unit: "values" }));
        }
        if from % 4 != 0 {
            let what = format!("download from byte {from}: whole words only");
            checked = checked.and(Err(Error::Binding { kernel: self.label.clone(), what }));
        }
        let start = self.readback_bytes;
        // Map ranges start at multiples of 8, and copies are made of whole words.
        self.readback_bytes = (start + bytes).next_multiple_of(16);
        let copied = bytes.next_multiple_of(4);
        if copied > 0 && checked.is_ok() {
            let command = Command::Readback { buffer: buffer.buffer().clone(), from, bytes: copied, at: start };
            self.commands.push(command);
        }
        self.mistake = self.mistake.take().or(checked.err());
        Download { bytes: start..start + bytes, len: range.len(), token: self.token.clone(), values: PhantomData }
    }

    /// Hands over what is recorded so far, so that the device works on it while the host records the rest: for long chains.
    ///
    /// Nothing is waited for; the wait and the downloads are those of [`Recording::submit`]. The data of [`Recording::data`] go with it: later
    /// dispatches need data of their own. Does nothing when downloads or timestamps were asked for already. Costs the host another submission.
    ///
    /// # Errors
    /// As [`Recording::submit`], but for [`Error::Timeout`].
    pub fn flush(&mut self) -> Result<(), Error> {
        submit::flush(self)
    }

    /// Runs the recording: one submission, or what is left of it after [`Recording::flush`], and one wait.
    ///
    /// # Errors
    /// [`Error::Timeout`] when the context's time is up, [`Error::DeviceLost`], [`Error::OutOfMemory`] and
    /// [`Error::Validation`].
    pub fn submit(self) -> Result<Completed, Error> {
        submit::run(self)
    }
}

fn fault(kernel: &Kernel, what: String) -> Error {
    Error::Binding { kernel: kernel.name().to_owned(), what }
}
