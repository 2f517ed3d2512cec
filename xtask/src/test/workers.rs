//! The device tests of all adapters, several binaries at once.
//!
//! A software adapter compiles kernels on one thread and computes on all, so one process leaves cores idle while it compiles.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::runner;
use super::tally::Tally;
use crate::artifacts::Binary;
use crate::devices::Target;

/// Each process holds a driver's compiler and its kernels, up to gigabytes.
const MOST: usize = 4;

/// As many processes as this machine has cores, up to `MOST`.
pub(super) fn default_jobs() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(MOST)
}

/// Runs every binary on every adapter, `jobs` processes at once: the counts of each adapter, in their order.
///
/// The output of a binary is printed in one piece when it ends; with one job, as it comes.
pub(super) fn run_on_devices(
    binaries: &[&Binary],
    targets: &[Target],
    filter: Option<&str>,
    jobs: usize,
) -> Vec<Tally> {
    let counts = Mutex::new(vec![Tally::default(); targets.len()]);
    // Software adapters are last in the list and slowest: they begin, so that no long program is left for the end.
    let work: Vec<(usize, &Binary)> =
        (0..targets.len()).rev().flat_map(|target| binaries.iter().map(move |binary| (target, *binary))).collect();
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some((index, binary)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let target = &targets[*index];
            let mut text = String::new();
            let mut print = |line: &str| match jobs {
                1 => println!("{line}"),
                _ => text.extend([line, "\n"]),
            };
            let name = Some(target.adapter.name.as_str());
            let tally = runner::run_binary(binary, filter, name, |command| target.restrict(command), &mut print);
            print!("{text}");
            let mut counts = counts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            counts[*index] = counts[*index].plus(tally);
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, work.len().max(1)) {
            scope.spawn(worker);
        }
    });
    counts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}
