//! `view`: a picture of a mesh, a volume or voxel grids.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde_json::{Value, json};

use super::{counted, file_name, object, read_any_mesh};
use crate::cli::ViewArgs;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{extension, wrong_extension};
use crate::output::OutputFile;
use crate::picture::Canvas;
use crate::picture::mesh::MeshFigure;
use crate::picture::slice::SliceFigure;
use crate::picture::voxels::faces;
use crate::table::Array;
use crate::volume::{Volume, npy, vti_read};

/// Draws the file's picture.
pub(crate) fn run(args: &ViewArgs, console: Console) -> Result<(), Failure> {
    let png = OutputFile::picture(&args.png)?;
    let mut phases = Phases::default();
    let (fields, summary) = console.wait("drawing", || {
        let (canvas, fields, summary) = match extension(&args.file).as_str() {
            "npy" | "vti" => view_volume(args, &mut phases)?,
            "nvdb" => view_grids(&args.file, &mut phases)?,
            _ => view_mesh(&args.file, &mut phases, console)?,
        };
        phases.time("write", || png.write(|out| canvas.write_png(out)))?;
        Ok::<_, Failure>((fields, summary))
    })?;
    console.answer(object("view", Engine::Cpu.describe(), phases, fields), &summary)
}

fn view_mesh(path: &Path, phases: &mut Phases, console: Console) -> Result<(Canvas, Value, String), Failure> {
    let mesh = read_any_mesh(path, &Engine::Cpu, phases, console).map_err(|failure| not_known(path, failure))?;
    let count = mesh.triangles.len() as u64;
    let size = mesh.bounds().map_or([0.0; 3], |b| [0, 1, 2].map(|a| b.hi[a] - b.lo[a]));
    let subtitle = format!(
        "{}, box {} \u{d7} {} \u{d7} {} mesh units",
        counted(count, "triangle", "triangles"),
        crate::picture::short(size[0]),
        crate::picture::short(size[1]),
        crate::picture::short(size[2])
    );
    let title = file_name(path);
    let figure = MeshFigure {
        vertices: &mesh.positions,
        triangles: &mesh.triangles,
        title: &title,
        subtitle: &subtitle,
        unit: "mesh unit",
        parts: &[],
        names: &[],
        quads: false,
    };
    let canvas = phases.time("draw", || figure.draw())?;
    let summary = format!("{}: {}", path.display(), counted(count, "triangle", "triangles"));
    Ok((canvas, json!({"kind": "mesh", "triangles": count}), summary))
}

/// What cannot be read as a compressed mesh, and has no ending that is known.
fn not_known(path: &Path, failure: Failure) -> Failure {
    // A compressed file may have any ending.
    let compressed = || std::fs::read(path).is_ok_and(|bytes| mesh_decode::Format::detect(&bytes).is_some());
    match failure {
        Failure::Input(text) if !super::is_mesh(path) && path.is_file() && !compressed() => {
            let known = ".stl, .obj, .ply, .glb, .gltf, .npy, .vti, .nvdb, compressed meshes";
            Failure::Input(format!("{text}; {}", wrong_extension(path, known)))
        }
        failure => failure,
    }
}

fn view_grids(path: &Path, phases: &mut Phases) -> Result<(Canvas, Value, String), Failure> {
    let file = phases.time("read", || super::topology::read(path, &Default::default()))?;
    let (batch, names) = (file.batch, named(&file.names));
    if batch.voxels() == 0 {
        return Err(Failure::file(
            path,
            format!("nothing to draw ({}, 0 voxels)", counted(batch.items() as u64, "grid", "grids")),
        ));
    }
    let quads = phases.time("faces", || faces(&batch)).map_err(|e| Failure::of_topology(path, e))?;
    let mut text = format!(
        "{} in {}",
        counted(batch.voxels(), "voxel", "voxels"),
        counted(batch.leaves() as u64, "leaf", "leaves")
    );
    if batch.items() == 1 {
        let (low, high) = batch.bounds(0).map_err(|e| Failure::of_topology(path, e))?.unwrap_or_default();
        text.push_str(&format!(", box {low:?} to {high:?}"));
    } else {
        text.push_str(&format!(", {} grids, a colour each, seen through one another", batch.items()));
    }
    if quads.factor > 1 {
        text.push_str(&format!("; drawn in blocks of {}\u{b3} voxels", quads.factor));
    }
    let title = file_name(path);
    let figure = MeshFigure {
        vertices: &quads.vertices,
        triangles: &quads.triangles,
        title: &title,
        subtitle: &text,
        unit: "world unit",
        parts: &quads.grids,
        names: &names,
        quads: true,
    };
    let canvas = phases.time("draw", || figure.draw())?;
    let fields = json!({"kind": "grids", "grids": batch.items(), "voxels": batch.voxels(), "block": quads.factor});
    Ok((canvas, fields, format!("{}: {text}", path.display())))
}

/// Names of grids for the legend: those without one by their position.
fn named(names: &[String]) -> Vec<String> {
    let name = |(i, name): (usize, &String)| if name.is_empty() { format!("grid {i}") } else { format!("{i}: {name}") };
    names.iter().enumerate().map(name).collect()
}

fn view_volume(args: &ViewArgs, phases: &mut Phases) -> Result<(Canvas, Value, String), Failure> {
    let path = &args.file;
    let (volume, name) = phases.time("read", || read_volume(path))?;
    let [nx, ny, nz] = volume.cells;
    let in_space = extension(path) == "vti";
    let title = format!("{}, {nx} \u{d7} {ny} \u{d7} {nz} cells", file_name(path));
    let figure = SliceFigure {
        volume: &volume,
        axis: args.slice.axis,
        fraction: args.slice.fraction,
        title: &title,
        subtitle: "",
        quantity: &name,
        unit: if in_space { "mesh units" } else { "cells" },
    };
    let canvas = phases.time("draw", || figure.draw())?;
    let summary = format!("{}: {nx} x {ny} x {nz} cells", path.display());
    Ok((canvas, json!({"kind": "volume", "cells": [nx, ny, nz]}), summary))
}

/// Reads a .npy or .vti volume of at least one cell, and what its values are called.
fn read_volume(path: &Path) -> Result<(Volume, String), Failure> {
    if extension(path) == "npy" {
        let volume = npy::volume(&Array::read(path)?).map_err(|what| Failure::file(path, what))?;
        return Ok((volume, "value".to_owned()));
    }
    crate::output::input(path)?;
    let file = File::open(path).map_err(|e| Failure::io(path, "read", &e))?;
    let bytes = file.metadata().map_err(|e| Failure::io(path, "read", &e))?.len();
    crate::memory::require(&path.display().to_string(), bytes.checked_mul(2))?;
    vti_read::read(BufReader::new(file)).map_err(|what| Failure::file(path, what))
}
