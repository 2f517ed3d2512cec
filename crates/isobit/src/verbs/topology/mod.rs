//! `topology`: grids of voxels from lists, meshes and arrays, and every operation on them.

pub(crate) mod args;
mod build;
mod derive;
pub(super) mod describe;
#[cfg(feature = "gpu")]
mod on_device;
mod points;

use std::path::Path;

use serde_json::{Value, json};
use sparse_topology::nvdb::{self, ReadOptions, WriteOptions};
use sparse_topology::{GridBatch, Pair, Selection};

use self::args::{Codec, InfoArgs, ListOutArgs, Operation, OutArgs, TopologyArgs};
use super::object;
use crate::cli::Common;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::{extension, refuse_extension};
use crate::output::OutputFile;
use crate::table::{Array, write_header};

/// A result with what is to be written of it.
struct Made {
    batch: GridBatch,
    names: Vec<String>,
    codec: nvdb::Codec,
    pairs: Option<Vec<Pair>>,
    /// Rows of features, and for every voxel of the result the row it takes.
    features: Option<(Array, Vec<Option<u64>>)>,
}

/// Where results go, checked before any work.
#[derive(Default)]
struct Places {
    grids: Option<OutputFile>,
    pairs: Option<OutputFile>,
    features: Option<OutputFile>,
}

/// Runs an operation.
pub(crate) fn run(args: &TopologyArgs, common: &Common, console: Console) -> Result<(), Failure> {
    let mut phases = Phases::default();
    let reading = args.reading();
    match &args.operation {
        Operation::Info(args) => info(args, &reading, console, phases),
        Operation::List(args) => list(args, &reading, console, phases),
        operation => {
            let places = places(operation)?;
            let name = name(operation);
            let engine = Engine::open(common, console)?;
            let (made, fields) = console.wait(name, || {
                let made = make(operation, &reading, &engine, &mut phases, console)?;
                let fields = phases.time("describe", || describe::fields(&made.batch, &made.names));
                let fields = fields.map_err(|e| Failure::of_topology(Path::new(name), e))?;
                write(&made, &places, console, &mut phases)?;
                Ok::<_, Failure>((made, fields))
            })?;
            let out = (out(operation).out.as_deref(), pairs_place(operation));
            answer((name, &engine), fields, &made, out, console, phases)
        }
    }
}

fn make(
    operation: &Operation,
    reading: &ReadOptions,
    engine: &Engine,
    phases: &mut Phases,
    console: Console,
) -> Result<Made, Failure> {
    let (batch, names) = match operation {
        Operation::FromCoordinates(args) => build::coordinates(args, engine, phases)?,
        Operation::FromPoints(args) => points::points(args, engine, phases, console)?,
        Operation::FromMesh(args) => build::mesh(args, engine, phases, console)?,
        Operation::FromDense(args) => build::dense(args, engine, phases)?,
        other => return derive::run(other, reading, engine, phases, console),
    };
    let codec = out(operation).codec.map_or(nvdb::Codec::None, nvdb::Codec::from);
    Ok(Made { batch, names, codec, pairs: None, features: None })
}

/// The word of an operation on the command line.
fn name(operation: &Operation) -> &'static str {
    match operation {
        Operation::Info(_) => "info",
        Operation::FromCoordinates(_) => "from-coordinates",
        Operation::FromPoints(_) => "from-points",
        Operation::FromMesh(_) => "from-mesh",
        Operation::FromDense(_) => "from-dense",
        Operation::Coarsen(_) => "coarsen",
        Operation::Subsample(_) => "subsample",
        Operation::Refine(_) => "refine",
        Operation::Conv(_) => "conv",
        Operation::ConvTranspose(_) => "conv-transpose",
        Operation::Dilate(_) => "dilate",
        Operation::Erode(_) => "erode",
        Operation::Pad(_) => "pad",
        Operation::Dual(_) => "dual",
        Operation::Merge(_) => "merge",
        Operation::Intersect(_) => "intersect",
        Operation::Difference(_) => "difference",
        Operation::Prune(_) => "prune",
        Operation::Clip(_) => "clip",
        Operation::Select(_) => "select",
        Operation::List(_) => "list",
    }
}

/// What an operation writes; nothing for the two that only look.
fn out(operation: &Operation) -> &OutArgs {
    const NOTHING: &OutArgs = &OutArgs { out: None, codec: None };
    match operation {
        Operation::Info(_) | Operation::List(_) => NOTHING,
        Operation::FromCoordinates(a) | Operation::FromMesh(a) => &a.out,
        Operation::FromPoints(a) => &a.list.out,
        Operation::FromDense(a) => &a.out,
        Operation::Coarsen(a) => &a.out,
        Operation::Subsample(a) | Operation::Refine(a) => &a.out.grids,
        Operation::Conv(a) | Operation::ConvTranspose(a) => &a.out,
        Operation::Dilate(a) | Operation::Erode(a) => &a.out.grids,
        Operation::Pad(a) | Operation::Clip(a) => &a.out.grids,
        Operation::Dual(a) => &a.out,
        Operation::Merge(a) | Operation::Intersect(a) | Operation::Difference(a) => &a.out.grids,
        Operation::Prune(a) => &a.out.grids,
        Operation::Select(a) => &a.out.grids,
    }
}

fn pairs_place(operation: &Operation) -> Option<&Path> {
    match operation {
        Operation::Coarsen(args) => args.pairs.as_deref(),
        Operation::Conv(args) | Operation::ConvTranspose(args) => args.pairs.as_deref(),
        _ => None,
    }
}

/// Checks every place that will be written to.
fn places(operation: &Operation) -> Result<Places, Failure> {
    let check = |path: &Path, allowed: &str| match extension(path).as_str() {
        found if found == allowed => OutputFile::check(path),
        _ => Err(refuse_extension(path, &format!(".{allowed}"))),
    };
    let grids = out(operation).out.as_deref();
    let beside = grids.map(|path| path.with_extension("npy"));
    let features = beside.filter(|_| derive::carried(operation).is_some());
    if let (Some(features), Some(from)) = (&features, derive::carried(operation))
        && std::fs::canonicalize(features).is_ok_and(|to| std::fs::canonicalize(from).is_ok_and(|from| from == to))
    {
        let what = "the rows of the result would replace it (choose another --out)";
        return Err(Failure::Usage(format!("{}: {what}", from.display())));
    }
    Ok(Places {
        grids: grids.map(|path| check(path, "nvdb")).transpose()?,
        pairs: pairs_place(operation).map(|path| check(path, "npy")).transpose()?,
        features: features.map(|path| check(&path, "npy")).transpose()?,
    })
}

/// Writes the grids, the pairs and the rows of features.
fn write(made: &Made, places: &Places, console: Console, phases: &mut Phases) -> Result<(), Failure> {
    if let Some(file) = &places.grids {
        let names: Vec<&str> = made.names.iter().map(String::as_str).collect();
        let options = WriteOptions { codec: made.codec, ..WriteOptions::default() };
        if made.batch.items() == 0 {
            console.note("no grids are left: the file is empty");
        }
        phases.time("write", || {
            let bytes = nvdb::write(&made.batch, &names, &options);
            let bytes = bytes.map_err(|e| Failure::of_topology(Path::new("output"), e))?;
            file.write(|out| out.write_all(&bytes))
        })?;
    }
    if let (Some(file), Some(pairs)) = (&places.pairs, &made.pairs) {
        phases.time("write", || {
            file.write(|out| {
                write_header("'<i8'", &[pairs.len() as u64, 3], out)?;
                for pair in pairs {
                    for value in [pair.tap, pair.in_row, pair.out_row] {
                        out.write_all(&value.to_le_bytes())?;
                    }
                }
                Ok(())
            })
        })?;
    }
    if let (Some(file), Some((array, rows))) = (&places.features, &made.features) {
        phases.time("write", || file.write(|out| array.write_rows(rows, out)))?;
    }
    Ok(())
}

fn answer(
    (name, engine): (&str, &Engine),
    fields: Value,
    made: &Made,
    (out, pairs_place): (Option<&Path>, Option<&Path>),
    console: Console,
    phases: Phases,
) -> Result<(), Failure> {
    let mut summary = format!("{name}: {}", describe::summary(&fields));
    summary.push_str(&format!("\n  on {}", engine.label()));
    let mut all = json!({"operation": name});
    merge(&mut all, fields);
    if let (Some(pairs), Some(place)) = (&made.pairs, pairs_place) {
        all["pairs"] = json!(pairs.len());
        summary.push_str(&format!("\n  {} pairs in {}", super::grouped(pairs.len() as u64), place.display()));
    }
    if let Some(path) = out {
        all["out"] = json!(path.display().to_string());
        summary.push_str(&format!("\n  wrote {}", path.display()));
        if made.features.is_some() {
            let beside = path.with_extension("npy").display().to_string();
            summary.push_str(&format!("\n  wrote {beside}"));
            all["features"] = json!(beside);
        }
    }
    console.answer(object("topology", engine.describe(), phases, all), &summary)
}

fn merge(into: &mut Value, fields: Value) {
    if let (Value::Object(into), Value::Object(fields)) = (into, fields) {
        into.extend(fields);
    }
}

fn info(args: &InfoArgs, reading: &ReadOptions, console: Console, mut phases: Phases) -> Result<(), Failure> {
    let file = phases.time("read", || read(&args.file, reading))?;
    let fields = phases.time("describe", || describe_file(&args.file, &file))?;
    let summary = format!("{}: {}", args.file.display(), describe::summary(&fields));
    let mut all = json!({"operation": "info"});
    merge(&mut all, fields);
    console.answer(object("topology", Engine::Cpu.describe(), phases, all), &summary)
}

/// Packing and checksum of every grid of a file, and what [`describe::fields`] says of the grids.
pub(super) fn describe_file(path: &Path, file: &nvdb::File) -> Result<Value, Failure> {
    let fields = describe::fields(&file.batch, &file.names).map_err(|e| Failure::of_topology(path, e))?;
    let packing = |codec: &nvdb::Codec| match codec {
        nvdb::Codec::None => "none",
        nvdb::Codec::Zip => "zip",
        nvdb::Codec::Blosc => "blosc",
    };
    let cover = |checksum: &nvdb::Checksum| match checksum {
        nvdb::Checksum::None => "none",
        nvdb::Checksum::Half => "half",
        nvdb::Checksum::Full => "full",
    };
    let mut all = json!({
        "codecs": file.codecs.iter().map(packing).collect::<Vec<_>>(),
        "checksums": file.checksums.iter().map(cover).collect::<Vec<_>>(),
    });
    merge(&mut all, fields);
    Ok(all)
}

/// Reads a .nvdb file.
pub(super) fn read(path: &Path, options: &ReadOptions) -> Result<nvdb::File, Failure> {
    crate::output::input(path)?;
    nvdb::read_file_with(path, options).map_err(|e| Failure::of_topology(path, e))
}

fn list(args: &ListOutArgs, reading: &ReadOptions, console: Console, mut phases: Phases) -> Result<(), Failure> {
    let kind = extension(&args.out);
    if !matches!(kind.as_str(), "npy" | "csv") {
        return Err(refuse_extension(&args.out, ".npy, .csv"));
    }
    let place = OutputFile::check(&args.out)?;
    let file = phases.time("read", || read(&args.file, reading))?;
    let chosen = Selection::Item(args.item).resolve(file.batch.items());
    let of_item = chosen.and_then(|items| Ok((items[0], file.batch.coordinates(items[0])?)));
    let (item, voxels) = of_item.map_err(|e| Failure::of_topology(&args.file, e))?;
    phases.time("write", || {
        place.write(|out| match kind.as_str() {
            "npy" => {
                write_header("'<i4'", &[voxels.len() as u64, 3], out)?;
                voxels.iter().flatten().try_for_each(|c| out.write_all(&c.to_le_bytes()))
            }
            _ => voxels.iter().try_for_each(|[x, y, z]| writeln!(out, "{x},{y},{z}")),
        })
    })?;
    let fields =
        json!({"operation": "list", "item": item, "voxels": voxels.len(), "out": args.out.display().to_string()});
    let count = super::counted(voxels.len() as u64, "voxel", "voxels");
    let summary = format!("{}: {count} of grid {item}\n  wrote {}", args.file.display(), args.out.display());
    console.answer(object("topology", Engine::Cpu.describe(), phases, fields), &summary)
}

impl From<Codec> for nvdb::Codec {
    fn from(codec: Codec) -> Self {
        match codec {
            Codec::None => Self::None,
            Codec::Zip => Self::Zip,
            Codec::Blosc => Self::Blosc,
        }
    }
}
