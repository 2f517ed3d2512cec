//! Figures of all crates in one shape: what one call takes, on the device and on the CPU, beside peers and goals.

use serde::{Deserialize, Serialize};

use crate::anchors::Anchors;
use crate::roofline::Roofline;
use crate::{affine, decode, distance, queries, signs, topology};

/// What one call takes. Times in milliseconds; a missing one was not measured or does not exist.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Figure {
    /// The crate.
    pub package: String,
    /// Input: mesh, scene, file or grid.
    pub input: String,
    /// What is computed.
    pub what: String,
    /// Queries, cells, triangles or voxels of one call.
    pub work: f64,
    /// What `work` counts.
    pub unit: String,
    /// By the device's clock, input resident, result left on the device.
    pub device: Option<f64>,
    /// The call by the host's clock, nothing but counts read back.
    pub call: Option<f64>,
    /// The call with all results read back.
    pub read_back: Option<f64>,
    /// Upload of the input, once.
    pub upload: Option<f64>,
    /// CPU reference on one thread, for as much work.
    pub cpu_one: Option<f64>,
    /// CPU reference on all threads, for as much work.
    pub cpu_all: Option<f64>,
    /// A peer's name and its time for the same work on an H200.
    pub peer: Option<(String, f64)>,
    /// What the project asks for, on an H200.
    pub goal: Option<f64>,
    /// Least bytes that one call reads and writes.
    pub bytes: Option<u64>,
    /// Operations of arithmetic of one call: those of its kernels where they run without loops, else of the CPU reference's walk.
    #[serde(default)]
    pub operations: Option<f64>,
    /// Whether `device` counts against goal and peer, or `call`.
    pub by_call: bool,
    /// Arithmetic rate before the row, relative to the best seen.
    pub clock: Option<f64>,
}

impl Figure {
    /// The time that counts: the device's clock where it is meant and there, else the call's.
    pub fn counted(&self) -> Option<f64> {
        if self.by_call { self.call } else { self.device.or(self.call) }
    }

    /// How many times faster than the peer.
    pub fn to_peer(&self) -> Option<f64> {
        Some(self.peer.as_ref()?.1 / self.counted()?)
    }

    /// Goal over time: 1 and more is met.
    pub fn to_goal(&self) -> Option<f64> {
        Some(self.goal? / self.counted()?)
    }

    /// Milliseconds that the device's rates of memory and of arithmetic allow, where bytes and operations are known.
    pub fn floors(&self, roofline: &Roofline) -> [Option<f64>; 2] {
        let at = |amount: Option<f64>, rate: f64| amount.filter(|_| rate > 0.0).map(|amount| amount / rate * 1e3);
        [at(self.bytes.map(|bytes| bytes as f64), roofline.bytes), at(self.operations, roofline.operations)]
    }

    /// Which of the two floors is higher and bounds the call, and the part of the counted time that it is.
    pub fn bound(&self, roofline: &Roofline) -> Option<(&'static str, f64)> {
        let [memory, arithmetic] = self.floors(roofline);
        let (memory, arithmetic, counted) = (memory?, arithmetic?, self.counted()?);
        let (name, floor) = if memory >= arithmetic { ("memory", memory) } else { ("arithmetic", arithmetic) };
        Some((name, floor / counted))
    }

    /// Work a second.
    pub fn rate(&self) -> Option<f64> {
        Some(self.work / self.counted()? * 1e3)
    }
}

/// Milliseconds for so much work at a rate in millions a second.
fn at_rate(work: f64, millions: f64) -> f64 {
    work / millions / 1e3
}

/// Distances on grids without a sign and with the pseudo-normal's.
pub fn of_distance(results: &distance::Results, anchors: &Anchors) -> Vec<Figure> {
    let figure = |row: &distance::DeviceRow| {
        let work = f64::from(row.n).powi(3);
        // The CPU is measured at one size; its time a query falls slowly with the size.
        let cpu = |all: bool| {
            let mut rows = results.cpu.iter().filter(|cpu| cpu.mesh == row.mesh);
            let found = if all { rows.next_back() } else { rows.find(|cpu| cpu.threads == 1) };
            found.map(|cpu| if row.signed { cpu.signed } else { cpu.unsigned } * work / 1e6)
        };
        let warp = anchors.distance(&row.mesh, row.n);
        let warp = warp.map(|a| if row.signed { a.warp_sign_normal } else { a.warp_unsigned });
        let sign = if row.signed { ", pseudo-normal" } else { "" };
        // Peers and goals are those of f32; the goal of f64 is one rate on one grid.
        let single = row.precision == "f32";
        let goal = match single {
            true => anchors.distance_goal(&row.mesh, row.n),
            false => anchors.double_goal(&row.mesh, row.n),
        };
        let build = results.builds.iter().find(|build| build.mesh == row.mesh);
        Figure {
            package: "mesh-distance".into(),
            input: row.mesh.clone(),
            what: format!("distance{sign}, {}, {}^3", row.precision, row.n),
            work,
            unit: "queries".into(),
            device: Some(row.milliseconds),
            call: Some(row.call_milliseconds),
            read_back: Some(row.read_back_milliseconds),
            upload: build.map(|build| build.upload_seconds * 1e3),
            cpu_one: cpu(false).filter(|_| single),
            cpu_all: cpu(true).filter(|_| single),
            peer: warp.filter(|_| single).map(|rate| ("Warp".into(), at_rate(work, rate))),
            goal: goal.filter(|_| row.signed).map(|rate| at_rate(work, rate)),
            bytes: Some(if single { 4 } else { 8 } * u64::from(row.n).pow(3)),
            operations: row.operations,
            clock: row.clock,
            ..Figure::default()
        }
    };
    results.device.iter().map(figure).collect()
}

/// Distances on grids with robust signs.
pub fn of_signs(rows: &[signs::SignRow], anchors: &Anchors) -> Vec<Figure> {
    let figure = |row: &signs::SignRow| {
        let work = f64::from(row.n).powi(3);
        let warp = anchors.distance(&row.mesh, row.n).and_then(|a| a.warp_sign_winding);
        Figure {
            package: "mesh-distance".into(),
            input: row.mesh.clone(),
            what: format!("distance, sign {}, {}^3", row.sign, row.n),
            work,
            unit: "queries".into(),
            device: Some(row.milliseconds),
            peer: warp.map(|rate| ("Warp sign_winding".into(), at_rate(work, rate))),
            // Five times Warp's rate.
            goal: warp.filter(|_| row.sign == "Winding").map(|rate| at_rate(work, 5.0 * rate)),
            bytes: Some(4 * u64::from(row.n).pow(3)),
            clock: row.clock,
            ..Figure::default()
        }
    };
    rows.iter().filter(|row| row.sign != "PseudoNormal").map(figure).collect()
}

/// Points, rays and cells.
pub fn of_queries(rows: &[queries::QueryRow]) -> Vec<Figure> {
    let figure = |row: &queries::QueryRow| Figure {
        package: "mesh-distance".into(),
        input: row.mesh.clone(),
        what: row.what.clone(),
        work: row.queries as f64,
        unit: "queries".into(),
        device: row.device_milliseconds,
        read_back: Some(row.call_milliseconds),
        call: row.device_milliseconds.is_none().then_some(row.call_milliseconds),
        clock: row.clock,
        ..Figure::default()
    };
    rows.iter().map(figure).collect()
}

/// Octrees round implicit surfaces.
pub fn of_octrees(rows: &[affine::Row], anchors: &Anchors) -> Vec<Figure> {
    let figure = |row: &affine::Row| {
        let anchor = anchors.octree(row.scene, row.level);
        Figure {
            package: "affine-arith".into(),
            input: row.scene.to_owned(),
            what: format!("octree, levels 1 to {}", row.level),
            work: row.cells as f64,
            unit: "cells".into(),
            device: Some(row.milliseconds),
            cpu_all: row.cpu.map(|(nanoseconds, _)| nanoseconds * row.cells as f64 / 1e6),
            peer: anchor.and_then(|anchor| anchor.vusvna).map(|milliseconds| ("vusvna".into(), milliseconds)),
            goal: anchor.and_then(|anchor| anchor.goal),
            // Cells of 8 bytes, written once and read once by the next level, which has about four times as many.
            bytes: Some((row.cells as u64 * 8 * 5) / 3),
            clock: row.clock,
            ..Figure::default()
        }
    };
    rows.iter().map(figure).collect()
}

/// Files of meshlets decoded.
pub fn of_decode(results: &decode::Results, anchors: &Anchors) -> Vec<Figure> {
    let figure = |row: &decode::Row| {
        let work = f64::from(row.triangles);
        let cpu = results.cpu.iter().find(|cpu| cpu.format == row.format);
        Figure {
            package: "mesh-decode".into(),
            input: format!("terrain, {} times", row.copies),
            what: format!("decode {}", row.format),
            work,
            unit: "triangles".into(),
            device: Some(row.microseconds / 1e3),
            cpu_one: cpu.map(|cpu| at_rate(work, cpu.rates[0])),
            cpu_all: cpu.map(|cpu| at_rate(work, cpu.rates[1])),
            peer: anchors.decode(&row.format, row.copies).map(|rate| ("CUDA kernel".into(), at_rate(work, rate * 1e3))),
            goal: anchors.decode_goal(&row.format, row.copies).map(|rate| at_rate(work, rate * 1e3)),
            bytes: Some(row.bytes_in + row.bytes_out),
            clock: row.clock,
            ..Figure::default()
        }
    };
    results.device.iter().map(figure).collect()
}

/// Operations on sparse grids.
pub fn of_topology(results: &topology::Results) -> Vec<Figure> {
    let figure = |row: &topology::Row| Figure {
        package: "sparse-topology".into(),
        input: row.input.clone(),
        what: row.operation.clone(),
        work: row.voxels as f64,
        unit: "voxels".into(),
        device: (!row.kernels.is_empty()).then(|| row.kernels.iter().map(|kernel| kernel.1).sum()),
        call: Some(row.milliseconds),
        by_call: true,
        peer: row.nanovdb.map(|milliseconds| ("NanoVDB CUDA".into(), milliseconds)),
        goal: row.goal,
        // A key of 8 bytes, a mask of 64 and a first row of 8 for each leaf of the result.
        bytes: Some(row.leaves as u64 * 80),
        clock: row.clock,
        ..Figure::default()
    };
    results.rows.iter().map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::Figure;
    use crate::roofline::Roofline;

    #[test]
    fn the_higher_floor_bounds() {
        let roofline = Roofline { bytes: 1e9, steps: 1.0, operations: 1e9 };
        let figure = |bytes, operations| Figure { bytes, operations, device: Some(4.0), ..Figure::default() };
        assert_eq!(figure(Some(1_000_000), Some(2e6)).floors(&roofline), [Some(1.0), Some(2.0)]);
        assert_eq!(figure(Some(1_000_000), Some(2e6)).bound(&roofline), Some(("arithmetic", 0.5)));
        assert_eq!(figure(Some(3_000_000), Some(2e6)).bound(&roofline), Some(("memory", 0.75)));
        assert_eq!(figure(Some(3_000_000), None).bound(&roofline), None, "half of it is no answer");
        let old = Roofline { operations: 0.0, ..roofline };
        assert_eq!(figure(None, Some(2e6)).floors(&old), [None, None]);
    }
}
