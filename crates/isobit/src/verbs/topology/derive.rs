//! Grids from grids.

use std::path::{Path, PathBuf};

use sparse_topology::nvdb::{self, ReadOptions};
use sparse_topology::{Error, GridBatch, Neighbours, Pair};

use super::args::{CarryArgs, Operation, PruneArgs, SetArgs};
use super::{Made, out, read};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::table::Array;
use crate::verbs::counted;

/// Which voxel of the source a voxel of the result comes from.
enum Source {
    /// The one at the same coordinate, of the same grid.
    Same,
    /// The one at floor(c / f).
    Divided([u32; 3]),
    /// The one at f c.
    Multiplied([u32; 3]),
    /// The one at the same coordinate, of the grid that was selected.
    Selected(Vec<usize>),
}

/// The features that an operation carries along.
pub(super) fn carried(operation: &Operation) -> Option<&Path> {
    let args: &CarryArgs = match operation {
        Operation::Subsample(a) | Operation::Refine(a) => &a.out,
        Operation::Dilate(a) | Operation::Erode(a) => &a.out,
        Operation::Pad(a) | Operation::Clip(a) => &a.out,
        Operation::Merge(a) | Operation::Intersect(a) | Operation::Difference(a) => &a.out,
        Operation::Prune(a) => &a.out,
        Operation::Select(a) => &a.out,
        _ => return None,
    };
    args.features.as_deref()
}

/// Reads the grids, applies the operation, follows the rows of features.
pub(super) fn run(
    operation: &Operation,
    reading: &ReadOptions,
    engine: &Engine,
    phases: &mut Phases,
    console: Console,
) -> Result<Made, Failure> {
    let path = first_file(operation);
    let file = phases.time("read", || read(path, reading))?;
    let features = carried(operation).map(|path| phases.time("read", || read_features(path, &file.batch)));
    let features = features.transpose()?;
    let mut names = file.names.clone();
    let codec = out(operation).codec.map_or(file.codecs.first().copied().unwrap_or_default(), nvdb::Codec::from);
    let failed = |e: Error| Failure::of_topology(path, e);
    let mask = match operation {
        Operation::Prune(args) => phases.time("read", || read_mask(args, &file.batch))?,
        _ => Vec::new(),
    };
    let others = match operation {
        Operation::Merge(args) | Operation::Intersect(args) | Operation::Difference(args) => {
            read_others(args, &file.batch, reading, phases, console)?
        }
        _ => Vec::new(),
    };
    let all: Vec<&GridBatch> = std::iter::once(&file.batch).chain(&others).collect();
    let batch = phases.time("compute", || match engine {
        Engine::Cpu => apply(operation, &all, &mask),
        #[cfg(feature = "gpu")]
        Engine::Gpu(context) => super::on_device::derive(context, operation, &all, &mask),
    });
    let batch = batch.map_err(failed)?;
    let source = source(operation, &file.batch).map_err(failed)?;
    if let Source::Selected(chosen) = &source {
        names = chosen.iter().map(|&item| file.names[item].clone()).collect();
    }
    let pairs = super::pairs_place(operation).map(|_| {
        phases.time("pairs", || match engine {
            Engine::Cpu => pairs(operation, &file.batch, &batch),
            #[cfg(feature = "gpu")]
            Engine::Gpu(context) => super::on_device::pairs(context, operation, &file.batch, &batch),
        })
    });
    let pairs = pairs.transpose().map_err(failed)?;
    let rows = |array: Array| Ok((array, phases.time("features", || rows_of(&file.batch, &batch, &source))?));
    let features = features.map(rows).transpose().map_err(failed)?;
    Ok(Made { batch, names, codec, pairs, features })
}

fn first_file(operation: &Operation) -> &Path {
    match operation {
        Operation::Coarsen(a) => &a.file,
        Operation::Subsample(a) | Operation::Refine(a) => &a.file,
        Operation::Conv(a) | Operation::ConvTranspose(a) => &a.file,
        Operation::Dilate(a) | Operation::Erode(a) => &a.file,
        Operation::Pad(a) | Operation::Clip(a) => &a.file,
        Operation::Dual(a) => &a.file,
        Operation::Merge(a) | Operation::Intersect(a) | Operation::Difference(a) => {
            a.files.first().map_or(Path::new(""), PathBuf::as_path)
        }
        Operation::Prune(a) => &a.file,
        Operation::Select(a) => &a.file,
        Operation::Info(a) => &a.file,
        Operation::List(a) => &a.file,
        Operation::FromCoordinates(_) | Operation::FromPoints(_) | Operation::FromMesh(_) | Operation::FromDense(_) => {
            Path::new("")
        }
    }
}

/// A batch from batches of which the first is the operation's own; `mask` is that of `prune`.
fn apply(operation: &Operation, all: &[&GridBatch], mask: &[bool]) -> Result<GridBatch, Error> {
    let Some(grid) = all.first() else { return Ok(GridBatch::empty(&[])) };
    match operation {
        Operation::Coarsen(a) => grid.coarsen_cpu(a.factor.0),
        Operation::Subsample(a) => grid.subsample_cpu(a.factor.0),
        Operation::Refine(a) => grid.refine_cpu(a.factor.0),
        Operation::Conv(a) => grid.conv_cpu(a.kernel.0, a.stride.0),
        Operation::ConvTranspose(a) => grid.conv_transpose_cpu(a.kernel.0, a.stride.0),
        Operation::Dilate(a) => grid.dilate_cpu(neighbours(&a.neighbours), a.steps),
        Operation::Erode(a) => grid.erode_cpu(neighbours(&a.neighbours), a.steps),
        Operation::Pad(a) => grid.pad_cpu(a.min.0, a.max.0),
        Operation::Clip(a) => grid.clip_cpu(a.min.0, a.max.0),
        Operation::Dual(a) if a.exclude_border => grid.dual_without_border_cpu(),
        Operation::Dual(_) => grid.dual_cpu(),
        Operation::Prune(_) => grid.prune_cpu(mask),
        Operation::Select(a) => grid.select(&a.items),
        Operation::Merge(_) => GridBatch::union_cpu(all),
        Operation::Intersect(_) => GridBatch::intersection_cpu(all),
        Operation::Difference(_) => GridBatch::difference_cpu(all),
        _ => Ok(GridBatch::clone(grid)),
    }
}

/// Where the voxels of a result come from.
fn source(operation: &Operation, grid: &GridBatch) -> Result<Source, Error> {
    Ok(match operation {
        Operation::Subsample(a) => Source::Multiplied(a.factor.0),
        Operation::Refine(a) => Source::Divided(a.factor.0),
        Operation::Select(a) => match a.items.resolve(grid.items())? {
            none if none.is_empty() => {
                let (what, value) = ("grids that --items selects".to_owned(), "none".to_owned());
                return Err(Error::Parameter { what, value, allowed: format!("some of {}", grid.items()) });
            }
            chosen => Source::Selected(chosen),
        },
        _ => Source::Same,
    })
}

pub(super) fn neighbours(word: &str) -> Neighbours {
    match word {
        "6" => Neighbours::Face,
        "18" => Neighbours::Edge,
        _ => Neighbours::Vertex,
    }
}

fn read_others(
    args: &SetArgs,
    first: &GridBatch,
    reading: &ReadOptions,
    phases: &mut Phases,
    console: Console,
) -> Result<Vec<GridBatch>, Failure> {
    let mut others = Vec::new();
    for path in args.files.iter().skip(1) {
        let file = phases.time("read", || read(path, reading))?;
        if file.batch.items() != first.items() {
            let grids = counted(file.batch.items() as u64, "grid", "grids");
            let what = format!("{grids}, {} in {}", first.items(), args.files[0].display());
            return Err(Failure::file(path, what));
        }
        let transforms = first.transforms().iter().zip(file.batch.transforms());
        if let Some((item, (kept, other))) = transforms.enumerate().find(|(_, (a, b))| a != b) {
            console.note(&format!(
                "{}: grid {item} has voxels of {:?} from {:?} on, that of {} {:?} from {:?} on: coordinates are compared as they are, and the first file's sizes kept",
                path.display(),
                other.voxel_size,
                other.origin,
                args.files[0].display(),
                kept.voxel_size,
                kept.origin,
            ));
        }
        others.push(file.batch);
    }
    Ok(others)
}

fn read_mask(args: &PruneArgs, grid: &GridBatch) -> Result<Vec<bool>, Failure> {
    let array = Array::read(&args.mask)?;
    match array.shape[..] {
        [n] if n == grid.voxels() && !array.is_float() => Ok((0..array.len()).map(|i| array.integer(i) != 0).collect()),
        _ if array.is_float() => Err(Failure::file(&args.mask, "values are floats (allowed: booleans, integers)")),
        _ => {
            let what = format!("shape {:?} (allowed: [{}], one entry a voxel)", array.shape, grid.voxels());
            Err(Failure::file(&args.mask, what))
        }
    }
}

fn read_features(path: &Path, grid: &GridBatch) -> Result<Array, Failure> {
    let array = Array::read(path)?;
    if !(1..=2).contains(&array.shape.len()) || array.shape[0] != grid.voxels() {
        let n = grid.voxels();
        let what = format!("shape {:?} (allowed: [{n}] or [{n}, c], one row a voxel)", array.shape);
        return Err(Failure::file(path, what));
    }
    Ok(array)
}

fn pairs(operation: &Operation, from: &GridBatch, to: &GridBatch) -> Result<Vec<Pair>, Error> {
    match operation {
        Operation::Coarsen(a) => from.pool_pairs_cpu(to, a.factor.0),
        Operation::Conv(a) => from.conv_pairs_cpu(to, a.kernel.0, a.stride.0),
        Operation::ConvTranspose(a) => from.conv_transpose_pairs_cpu(to, a.kernel.0, a.stride.0),
        _ => Ok(Vec::new()),
    }
}

/// For every voxel of the result, the row of the source that it comes from.
fn rows_of(from: &GridBatch, to: &GridBatch, source: &Source) -> Result<Vec<Option<u64>>, Error> {
    let mut rows = Vec::new();
    for item in 0..to.items() {
        let of = match source {
            Source::Selected(chosen) => chosen[item],
            _ => item,
        };
        rows.extend(to.coordinates(item)?.into_iter().map(|c| {
            let at: [i64; 3] = std::array::from_fn(|k| match source {
                Source::Divided(f) => i64::from(c[k]).div_euclid(i64::from(f[k])),
                Source::Multiplied(f) => i64::from(c[k]) * i64::from(f[k]),
                _ => i64::from(c[k]),
            });
            let mut coordinate = [0; 3];
            for (to, from) in coordinate.iter_mut().zip(at) {
                *to = i32::try_from(from).ok()?;
            }
            from.row(of, coordinate)
        }));
    }
    Ok(rows)
}
