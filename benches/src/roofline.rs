//! What the device can do at most: bytes of a copy and operations of arithmetic a second, measured.

use std::time::{Duration, Instant};

use conformance::error::Error;
use gpu_runtime::{Context, KernelSource, Timestamps, WgslModule};
use gpu_shaders::folded_grid;
use serde::{Deserialize, Serialize};

use crate::clock::Clock;
use crate::table::median;

/// Dispatches in a row in one submission.
const IN_A_ROW: usize = 10;
/// Bytes of the copy that stands for the rate of memory: beyond the caches of hardware.
const LARGE: u64 = 1 << 28;

/// Rates of a device.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Roofline {
    /// Bytes a second of a copy, each read and each written one counted.
    pub bytes: f64,
    /// Steps of multiply, add, shift and exclusive or of u32 a second.
    pub steps: f64,
    /// Fused multiplications and additions of f32 a second, each one operation: the rate at which a device takes operations. 0 in files from before it
    /// was measured.
    #[serde(default)]
    pub operations: f64,
}

/// Operations of an invocation of `fuse.wgsl` a round.
const A_ROUND: u32 = 32;

impl Roofline {
    /// Measures all, warm.
    ///
    /// # Errors
    /// Device errors.
    pub fn measure(context: &Context, clock: &mut Clock, repeats: usize) -> Result<Roofline, Error> {
        let size = if context.adapter().is_hardware() { LARGE } else { LARGE >> 4 };
        clock.warm_up(Duration::from_millis(100))?;
        let microseconds = copy_microseconds(context, size, repeats)?;
        clock.warm_up(Duration::from_millis(100))?;
        let operations = operations_a_second(context, repeats)?;
        Ok(Roofline { bytes: 2.0 * size as f64 / microseconds * 1e6, steps: clock.steps_a_second(), operations })
    }
}

/// The rate of fused multiplications and additions, the best of some dispatches.
fn operations_a_second(context: &Context, repeats: usize) -> Result<f64, Error> {
    const FUSE: WgslModule = WgslModule { name: "fuse", source: include_str!("fuse.wgsl") };
    let kernel = context.kernel(&KernelSource { name: "fuse", constants: &[], modules: &[FUSE], trusted: true })?;
    let (groups, rounds) = if context.adapter().is_hardware() { (4096, 1024) } else { (16, 256) };
    let out = context.zeroed::<[f32; 4]>("fuse", groups as usize * 64)?;
    let mut best = f64::INFINITY;
    for _ in 0..repeats.max(3) {
        let mut recording = context.record("fuse").with_timestamps(Timestamps::Whole);
        recording.dispatch(&kernel, &[("out", out.bind())], &[rounds, 0, 0, 0], [groups, 1, 1])?;
        let started = Instant::now();
        let completed = recording.submit()?;
        let wall = started.elapsed().as_secs_f64();
        let seconds = completed.timings().first().map_or(wall, |(_, seconds)| *seconds);
        best = if seconds > 0.0 { best.min(seconds) } else { best };
    }
    Ok(f64::from(groups) * 64.0 * f64::from(rounds) * f64::from(A_ROUND) / best)
}

/// Microseconds of a copy of so many bytes, each read and written once, in a row of ten.
///
/// # Errors
/// Device errors.
pub fn copy_microseconds(context: &Context, bytes: u64, repeats: usize) -> Result<f64, Error> {
    const COPY: WgslModule = WgslModule { name: "copy", source: include_str!("copy.wgsl") };
    let kernel = context.kernel(&KernelSource { name: "copy", constants: &[], modules: &[COPY], trusted: true })?;
    let quads = (bytes / 16).max(1) as u32;
    let from = context.zeroed::<[u32; 4]>("copy from", quads as usize)?;
    let to = context.zeroed::<[u32; 4]>("copy to", quads as usize)?;
    let groups = folded_grid::plan(quads.div_ceil(256), context.adapter().limits.max_workgroups_per_dimension);
    let mut times = Vec::new();
    for _ in 0..repeats {
        let mut recording = context.record("copy").with_timestamps(Timestamps::Whole);
        for _ in 0..IN_A_ROW {
            let bindings = [("from_words", from.bind()), ("to_words", to.bind())];
            recording.dispatch(&kernel, &bindings, &[quads, groups[0], 0, 0], groups)?;
        }
        let started = Instant::now();
        let completed = recording.submit()?;
        let wall = started.elapsed().as_secs_f64();
        times.push(completed.timings().first().map_or(wall, |(_, seconds)| *seconds) * 1e6 / IN_A_ROW as f64);
    }
    Ok(median(times))
}
