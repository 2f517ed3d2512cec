//! The device's clock. It falls when the device is idle, which makes short kernels several times slower: every row is
//! measured after a warm-up by arithmetic, and the arithmetic rate tells whether the clock was up.

use std::time::{Duration, Instant};

use gpu_runtime::{Context, DeviceVec, Error, Kernel, KernelSource, Timestamps, WgslModule};

const SPIN: WgslModule = WgslModule { name: "spin", source: include_str!("spin.wgsl") };
const SOURCE: KernelSource<'static> = KernelSource { name: "spin", constants: &[], modules: &[SPIN], trusted: true };

/// Invocations of one warm-up dispatch on hardware; software devices get a thousandth.
const GROUPS: u32 = 4096;
const STEPS: u32 = 4096;
/// An idle card took more than half a second of arithmetic to raise its clock.
const RISE: Duration = Duration::from_secs(2);
/// Longest warm-up: a clock that is not up by then is reported as it is.
const LONGEST: Duration = Duration::from_secs(8);

/// Keeps a device busy and measures how fast it is.
#[derive(Debug)]
pub struct Clock {
    context: Context,
    kernel: Kernel,
    out: DeviceVec<u32>,
    groups: u32,
    best: f64,
}

impl Clock {
    /// Compiles the arithmetic kernel and, on hardware, computes until the clock has surely risen: what it calls up is the best it has seen.
    ///
    /// # Errors
    /// Device errors.
    pub fn new(context: &Context) -> Result<Clock, Error> {
        let groups = if context.adapter().is_hardware() { GROUPS } else { GROUPS / 1024 };
        let out = context.zeroed("spin", groups as usize * 64)?;
        let kernel = context.kernel(&SOURCE)?;
        let mut clock = Clock { context: context.clone(), kernel, out, groups, best: f64::INFINITY };
        clock.warm_up(if context.adapter().is_hardware() { RISE } else { Duration::ZERO })?;
        Ok(clock)
    }

    /// Computes for at least `time`, and on until the clock is up or eight seconds have passed, once on a software device; gives the rate of the last
    /// dispatch relative to the best seen: near 1 when the clock is up, `None` where the device tells no time.
    ///
    /// # Errors
    /// Device errors.
    pub fn warm_up(&mut self, time: Duration) -> Result<Option<f64>, Error> {
        let started = Instant::now();
        let mut seconds;
        // A software device's clock is the host's: one dispatch tells its rate.
        let hardware = self.context.adapter().is_hardware();
        loop {
            let mut recording = self.context.record("spin").with_timestamps(Timestamps::Whole);
            let params = [STEPS, 0, 0, 0];
            recording.dispatch(&self.kernel, &[("out", self.out.bind())], &params, [self.groups, 1, 1])?;
            seconds = recording.submit()?.timings().first().map(|(_, s)| *s).filter(|s| *s > 0.0);
            self.best = seconds.map_or(self.best, |s| s.min(self.best));
            let (elapsed, up) = (started.elapsed(), seconds.is_none_or(|s| s <= self.best * 1.03));
            if !hardware || (elapsed >= time && up) || elapsed >= LONGEST {
                break;
            }
        }
        Ok(seconds.map(|s| self.best / s))
    }

    /// Steps of multiply, add, shift and exclusive or of u32 a second, of the fastest dispatch seen; 0 where the device tells no time.
    pub fn steps_a_second(&self) -> f64 {
        f64::from(self.groups) * 64.0 * f64::from(STEPS) / self.best
    }
}
