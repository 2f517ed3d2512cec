//! From a recording to the device and back: encode, submit once, wait once, map.

use std::sync::Arc;
use std::time::Instant;

use bytemuck::Pod;

use crate::arguments::Arguments;
use crate::pool::Role;
use crate::recording::{Argument, Command, Dispatch, Download, Recording, Timestamps};
use crate::{Context, Error};

/// A recording that has run. Dropping it gives its buffers back to the context.
pub struct Completed {
    context: Context,
    token: Arc<()>,
    readback: Option<wgpu::Buffer>,
    timings: Vec<(String, f64)>,
    wall_seconds: f64,
}

impl Completed {
    /// The values of a download of this recording.
    ///
    /// # Errors
    /// [`Error::WrongContext`] for a download of another recording, and mapping errors.
    pub fn take<T: Pod>(&mut self, download: Download<T>) -> Result<Vec<T>, Error> {
        if !Arc::ptr_eq(&self.token, &download.token) {
            return Err(Error::WrongContext { what: "a download of another recording".into() });
        }
        let mut values = vec![T::zeroed(); download.len];
        if let (Some(buffer), false) = (&self.readback, values.is_empty()) {
            let bytes = download.bytes.start..download.bytes.end.next_multiple_of(4);
            let view = buffer
                .get_mapped_range(bytes)
                .map_err(|e| Error::Validation { what: "read-back".into(), message: e.to_string() })?;
            let target: &mut [u8] = bytemuck::cast_slice_mut(&mut values);
            let length = target.len();
            target.copy_from_slice(&view[..length]);
        }
        Ok(values)
    }

    /// Device seconds: one entry of the recording's label for [`Timestamps::Whole`], one a dispatch for
    /// [`Timestamps::EachDispatch`]; empty where the device has no clock or none was asked for.
    pub fn timings(&self) -> &[(String, f64)] {
        &self.timings
    }

    /// Host seconds from the first call of the encoder to the end of the wait.
    pub fn wall_seconds(&self) -> f64 {
        self.wall_seconds
    }
}

impl Drop for Completed {
    fn drop(&mut self) {
        if let Some(buffer) = self.readback.take() {
            buffer.unmap();
            self.context.pool().give(Role::Readback, buffer);
        }
    }
}

/// The device's clock around the passes of one recording.
struct Clock {
    set: wgpu::QuerySet,
    resolve: wgpu::Buffer,
    names: Vec<String>,
    each: bool,
    /// Where the stamps lie in the read-back buffer.
    at: u64,
}

impl Clock {
    fn new(recording: &Recording, dispatches: &[&Dispatch], at: u64) -> Result<Option<Self>, Error> {
        let context = &recording.context;
        let each = recording.timestamps == Timestamps::EachDispatch;
        if recording.timestamps == Timestamps::None || dispatches.is_empty() || !context.adapter().features.timestamps {
            return Ok(None);
        }
        let names: Vec<_> = match each {
            true => dispatches.iter().map(|d| d.kernel.name().to_owned()).collect(),
            false => vec![recording.label.clone()],
        };
        let (needed, allowed) = (2 * names.len() as u64, u64::from(wgpu::QUERY_SET_MAX_QUERIES));
        if needed > allowed {
            let what = format!("recording {}", recording.label);
            return Err(Error::Limit { what, needed, allowed, unit: "timestamps" });
        }
        let set = context.scoped(&recording.label, 0, || {
            context.device().create_query_set(&wgpu::QuerySetDescriptor {
                label: Some(&recording.label),
                ty: wgpu::QueryType::Timestamp,
                count: needed as u32,
            })
        })?;
        let resolve = context.pool().take(context, Role::Timestamps, needed * 8)?;
        Ok(Some(Clock { set, resolve, names, each, at }))
    }

    /// Stamps of the pass that begins at dispatch `first` and ends at dispatch `last` of `count`.
    fn writes(&self, first: usize, last: usize, count: usize) -> wgpu::ComputePassTimestampWrites<'_> {
        let (begin, end) = match self.each {
            true => (Some(2 * first as u32), Some(2 * first as u32 + 1)),
            false => ((first == 0).then_some(0), (last + 1 == count).then_some(1)),
        };
        wgpu::ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: begin,
            end_of_pass_write_index: end,
        }
    }

    fn bytes(&self) -> u64 {
        self.names.len() as u64 * 16
    }

    fn seconds(self, context: &Context, readback: &wgpu::Buffer) -> Result<Vec<(String, f64)>, Error> {
        let view = readback
            .get_mapped_range(self.at..self.at + self.bytes())
            .map_err(|e| Error::Validation { what: "timestamps".into(), message: e.to_string() })?;
        let stamps: Vec<u64> = bytemuck::pod_collect_to_vec(&view);
        drop(view);
        let period = f64::from(context.queue().get_timestamp_period()) * 1e-9;
        context.pool().give(Role::Timestamps, self.resolve);
        let pairs = self.names.into_iter().zip(stamps.chunks_exact(2));
        Ok(pairs.map(|(name, t)| (name, t[1].wrapping_sub(t[0]) as f64 * period)).collect())
    }
}

/// Parameters of submissions that are not waited for yet; given back when the recording goes. Later uses come behind them in the queue.
#[derive(Default)]
pub(crate) struct Flushed(Vec<(Context, wgpu::Buffer)>);

impl Drop for Flushed {
    fn drop(&mut self) {
        for (context, buffer) in self.0.drain(..) {
            context.pool().give(Role::Params, buffer);
        }
    }
}

fn dispatches(recording: &Recording) -> Vec<&Dispatch> {
    let commands = recording.commands.iter();
    let dispatches = commands.filter_map(|command| match command {
        Command::Dispatch(dispatch) => Some(dispatch),
        _ => None,
    });
    dispatches.collect()
}

/// A buffer for the parameters and data of the recording.
fn params(recording: &Recording) -> Result<Option<wgpu::Buffer>, Error> {
    let (context, bytes) = (&recording.context, recording.params.len() as u64);
    (bytes > 0).then(|| context.pool().take(context, Role::Params, bytes)).transpose()
}

pub(crate) fn flush(recording: &mut Recording) -> Result<(), Error> {
    let back = recording.commands.iter().any(|command| matches!(command, Command::Readback { .. }));
    if back || recording.timestamps != Timestamps::None || recording.mistake.is_some() || recording.commands.is_empty()
    {
        return Ok(());
    }
    let context = recording.context.clone();
    context.fault()?;
    let params = params(recording)?;
    context.scoped(&recording.label, 0, || {
        if let Some(buffer) = &params {
            context.queue().write_buffer(buffer, 0, &recording.params);
        }
        let commands = encode(recording, &dispatches(recording), params.as_ref(), None, None);
        context.queue().submit([commands]);
    })?;
    recording.flushed.0.extend(params.map(|buffer| (context, buffer)));
    recording.commands.clear();
    recording.params.clear();
    recording.data_token = Arc::new(());
    Ok(())
}

pub(crate) fn run(mut recording: Recording) -> Result<Completed, Error> {
    if let Some(mistake) = recording.mistake.take() {
        return Err(mistake);
    }
    let context = recording.context.clone();
    context.fault()?;
    let started = Instant::now();
    let dispatches = dispatches(&recording);
    let stamps_at = recording.readback_bytes;
    let clock = Clock::new(&recording, &dispatches, stamps_at)?;
    let readback_bytes = stamps_at + clock.as_ref().map_or(0, Clock::bytes);
    let readback = match readback_bytes {
        0 => None,
        bytes => Some(context.pool().take(&context, Role::Readback, bytes)?),
    };
    let params = params(&recording)?;
    let index = context.scoped(&recording.label, readback_bytes, || {
        if let Some(buffer) = &params {
            context.queue().write_buffer(buffer, 0, &recording.params);
        }
        let commands = encode(&recording, &dispatches, params.as_ref(), readback.as_ref(), clock.as_ref());
        let index = context.queue().submit([commands]);
        if let Some(buffer) = &readback {
            // A failure of the map shows as an error of the wait or of `get_mapped_range`.
            buffer.map_async(wgpu::MapMode::Read, 0..readback_bytes.next_multiple_of(8), |_| {});
        }
        index
    })?;
    wait(&context, &recording.label, index)?;
    if let Some(buffer) = params {
        context.pool().give(Role::Params, buffer);
    }
    let timings = match (clock, &readback) {
        (Some(clock), Some(buffer)) => clock.seconds(&context, buffer)?,
        _ => Vec::new(),
    };
    let wall_seconds = started.elapsed().as_secs_f64();
    Ok(Completed { token: recording.token.clone(), context, readback, timings, wall_seconds })
}

fn wait(context: &Context, label: &str, index: wgpu::SubmissionIndex) -> Result<(), Error> {
    let timeout = context.timeout();
    let poll = wgpu::PollType::Wait { submission_index: Some(index), timeout: Some(timeout) };
    let polled = context.scoped(label, 0, || match looked(context) {
        Some(done) => done,
        None => context.device().poll(poll),
    })?;
    context.fault()?;
    match polled {
        Ok(_) => Ok(()),
        Err(wgpu::PollError::Timeout) => Err(Error::Timeout { what: label.to_owned(), seconds: timeout.as_secs_f64() }),
        Err(e) => Err(Error::Validation { what: label.to_owned(), message: e.to_string() }),
    }
}

/// Looks until nothing is under way, for a while; `None` when something still is. Submissions of other threads count too.
fn looked(context: &Context) -> Option<Result<wgpu::PollStatus, wgpu::PollError>> {
    let started = Instant::now();
    while started.elapsed() < context.spin() {
        match context.device().poll(wgpu::PollType::Poll) {
            Ok(status) if !status.is_queue_empty() => std::hint::spin_loop(),
            done => return Some(done),
        }
    }
    None
}

/// Encodes all commands; neighbouring dispatches share a pass unless each is timed.
fn encode(
    recording: &Recording,
    dispatches: &[&Dispatch],
    params: Option<&wgpu::Buffer>,
    readback: Option<&wgpu::Buffer>,
    clock: Option<&Clock>,
) -> wgpu::CommandBuffer {
    let device = recording.context.device();
    let label = Some(recording.label.as_str());
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
    let each = clock.is_some_and(|c| c.each);
    let (mut i, mut done) = (0, 0);
    while let Some(command) = recording.commands.get(i) {
        match command {
            Command::Dispatch(_) => {
                let run = recording.commands[i..].iter().take_while(|c| matches!(c, Command::Dispatch(_))).count();
                let run = if each { 1 } else { run };
                let timestamp_writes = clock.map(|c| c.writes(done, done + run - 1, dispatches.len()));
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label, timestamp_writes });
                for dispatch in &dispatches[done..done + run] {
                    encode_dispatch(recording, &mut pass, dispatch, params);
                }
                done += run;
                i += run;
                continue;
            }
            Command::Copy { from, from_bytes, to, to_offset } => {
                encoder.copy_buffer_to_buffer(
                    from,
                    from_bytes.start,
                    to,
                    *to_offset,
                    from_bytes.end - from_bytes.start,
                );
            }
            Command::Clear { buffer, bytes } => {
                encoder.clear_buffer(buffer, bytes.start, Some(bytes.end - bytes.start));
            }
            Command::Readback { buffer, from, bytes, at } => {
                if let Some(readback) = readback {
                    encoder.copy_buffer_to_buffer(buffer, *from, readback, *at, *bytes);
                }
            }
        }
        i += 1;
    }
    if let (Some(clock), Some(readback)) = (clock, readback) {
        encoder.resolve_query_set(&clock.set, 0..2 * clock.names.len() as u32, &clock.resolve, 0);
        encoder.copy_buffer_to_buffer(&clock.resolve, 0, readback, clock.at, clock.bytes());
    }
    encoder.finish()
}

fn encode_dispatch(
    recording: &Recording,
    pass: &mut wgpu::ComputePass<'_>,
    dispatch: &Dispatch,
    params: Option<&wgpu::Buffer>,
) {
    let Some(params) = params else { return };
    let inner = &dispatch.kernel.inner;
    let group = if recording.keep_arguments {
        let own = (params.clone(), dispatch.params_at..dispatch.params_at + u64::from(inner.interface.params_bytes));
        let place = |(buffer, bytes): &Argument| (buffer.as_ref().unwrap_or(params).clone(), bytes.clone());
        let arguments = std::iter::once(own).chain(dispatch.buffers.iter().map(place)).collect();
        let context = &recording.context;
        let make = || bind_group(context.device(), dispatch, params);
        context.arguments().get(inner, Arguments::new(inner, arguments), make)
    } else {
        bind_group(recording.context.device(), dispatch, params)
    };
    pass.set_pipeline(&inner.pipeline);
    pass.set_bind_group(0, &group, &[]);
    let [x, y, z] = dispatch.groups;
    pass.dispatch_workgroups(x, y, z);
}

fn bind_group(device: &wgpu::Device, dispatch: &Dispatch, params: &wgpu::Buffer) -> wgpu::BindGroup {
    let inner = &dispatch.kernel.inner;
    let range = |buffer, start: u64, size: u64| {
        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer,
            offset: start,
            size: std::num::NonZeroU64::new(size),
        })
    };
    let mut entries = vec![wgpu::BindGroupEntry {
        binding: 0,
        resource: range(params, dispatch.params_at, inner.interface.params_bytes.into()),
    }];
    for (slot, (buffer, bytes)) in inner.interface.storage.iter().zip(&dispatch.buffers) {
        let resource = range(buffer.as_ref().unwrap_or(params), bytes.start, bytes.end - bytes.start);
        entries.push(wgpu::BindGroupEntry { binding: slot.binding, resource });
    }
    let descriptor = wgpu::BindGroupDescriptor { label: Some(&inner.name), layout: &inner.layout, entries: &entries };
    device.create_bind_group(&descriptor)
}
