//! Random operations for as long as is asked: every word equal to the CPU's, no memory that grows, none that is not given back.
//!
//! What must not grow are the allocations of this program, wgpu's included (the program counts them, see `main.rs`), and the buffers on the device. The memory of the
//! process is printed beside them: it holds the driver's too, and Mesa's lavapipe 22.3 keeps some of it for every dispatch whose parameters differ from the last.

use std::time::{Duration, Instant};

use gpu_runtime::{AdapterSelector, Context, ContextOptions};
use peak_alloc::PeakAlloc;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

use crate::error::Error;
use crate::operations::{OPERATIONS, Operation};
use crate::voxels;

/// Options of a soak.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Adapter: auto, gpu, an index, or a part of its name.
    #[arg(long, default_value = "gpu")]
    pub device: AdapterSelector,
    /// How long.
    #[arg(long, default_value_t = 60.0)]
    pub minutes: f64,
    /// Seed of the operations.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only operations whose names contain this.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub only: String,
    /// How far the allocations of the program may grow after the first fifth of the time, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    pub ceiling: u64,
}

/// Runs random operations; differences, growth and buffers that stay are errors.
///
/// # Errors
/// [`Error::Differs`] with the number of operations whose words differ or whose buffers stay, [`Error::Grew`], and errors of the device.
pub fn run(options: &Options) -> Result<(), Error> {
    let context = Context::new(&ContextOptions { selector: options.device.clone(), ..Default::default() })?;
    println!("on {}, form {}", context.adapter(), context.numerics().form);
    let length = Duration::from_secs_f64((options.minutes * 60.0).clamp(0.0, 1e9));
    let start = Instant::now();
    let mut soak = Soak { start, said: start, warm: None, most: 0, words: 0, failed: 0, operations: 0, peak: 0 };
    let mut state = options.seed;
    let operations: Vec<&Operation> = OPERATIONS.iter().filter(|o| o.name.contains(&options.only)).collect();
    if operations.is_empty() {
        let names = OPERATIONS.map(|operation| operation.name).join(", ");
        return Err(Error::NoCheck { text: options.only.clone(), names });
    }
    while start.elapsed() < length {
        soak.step(&context, &operations, &mut state)?;
        soak.look(length);
    }
    let warm = soak.warm.unwrap_or(soak.most);
    println!(
        "{} operations, {} words, {} failed; allocations {} KiB after the first fifth, {} KiB at most after it; buffers held at most {} KiB; the process with its driver {} MiB",
        soak.operations,
        soak.words,
        soak.failed,
        warm >> 10,
        soak.most >> 10,
        soak.peak >> 10,
        process() >> 20,
    );
    if soak.failed > 0 {
        return Err(Error::Differs { failed: soak.failed, checks: soak.operations });
    }
    let (grown, allowed) = (soak.most.saturating_sub(warm) >> 20, options.ceiling);
    if grown > allowed { Err(Error::Grew { grown, allowed }) } else { Ok(()) }
}

struct Soak {
    start: Instant,
    said: Instant,
    /// Bytes allocated when it had seen everything, and the most since, between operations.
    warm: Option<u64>,
    most: u64,
    words: usize,
    failed: usize,
    operations: usize,
    /// The most bytes of buffers at once.
    peak: u64,
}

impl Soak {
    fn step(&mut self, context: &Context, operations: &[&Operation], state: &mut u64) -> Result<(), Error> {
        let operation = operations[voxels::random(state) as usize % operations.len()];
        let seed = voxels::random(state);
        let held = context.held_bytes();
        let found = (operation.ask)(Some(context), seed)?;
        let expected = (operation.ask)(None, seed)?;
        // Kernels and small tables stay; they are the same ones the next time.
        let stayed = context.held_bytes().saturating_sub(held);
        self.peak = self.peak.max(context.take_peak_bytes());
        if found != expected || (stayed > 0 && self.warm.is_some()) {
            self.failed += 1;
            println!(
                "FAILED: {}, seed {seed}: equal words: {}, {stayed} bytes stay on the device",
                operation.name,
                found == expected
            );
        }
        self.operations += 1;
        self.words += found.len();
        Ok(())
    }

    fn look(&mut self, length: Duration) {
        let elapsed = self.start.elapsed();
        if self.said.elapsed() < Duration::from_secs(5).min(length / 20) {
            return;
        }
        self.said = Instant::now();
        let allocated = PeakAlloc.current_usage() as u64;
        if elapsed >= length / 5 {
            self.warm.get_or_insert(allocated);
            self.most = self.most.max(allocated);
        }
        let (seconds, operations) = (elapsed.as_secs_f64(), self.operations);
        eprintln!(
            "{seconds:.0} s, {operations} operations, {} KiB, the process {} MiB",
            allocated >> 10,
            process() >> 20
        );
    }
}

/// Bytes of this process in memory.
fn process() -> u64 {
    let mut system = System::new();
    let pid = Pid::from_u32(std::process::id());
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[pid]),
        true,
        ProcessRefreshKind::nothing().with_memory(),
    );
    system.process(pid).map_or(0, sysinfo::Process::memory)
}
