//! Grids from grids.

use std::path::{Path, PathBuf};

use sparse_topology::{Error, GridBatch, Neighbours, Pair, nvdb};

use super::args::{CarryArgs, Operation, PruneArgs, SelectArgs, SetArgs};
use super::{Made, out, read};
use crate::console::Phases;
use crate::failure::Failure;
use crate::table::Array;

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
    /// None: features are not carried.
    None,
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
pub(super) fn run(operation: &Operation, phases: &mut Phases) -> Result<Made, Failure> {
    let path = first_file(operation);
    let file = phases.time("read", || read(path))?;
    let features = carried(operation).map(|path| phases.time("read", || read_features(path, &file.batch)));
    let features = features.transpose()?;
    let mut names = file.names.clone();
    let codec = out(operation).codec.map_or(file.codecs.first().copied().unwrap_or_default(), nvdb::Codec::from);
    let failed = |e: Error| Failure::of_topology(path, e);
    let (batch, source) = match operation {
        Operation::Prune(args) => {
            let mask = phases.time("read", || read_mask(args, &file.batch))?;
            (phases.time("compute", || file.batch.prune_cpu(&mask)).map_err(failed)?, Source::Same)
        }
        Operation::Merge(args) | Operation::Intersect(args) | Operation::Difference(args) => {
            (sets(operation, args, &file.batch, phases)?, Source::Same)
        }
        Operation::Select(args) => {
            let (batch, chosen) = select(args, &file.batch).map_err(failed)?;
            names = chosen.iter().map(|&item| file.names[item].clone()).collect();
            (batch, Source::Selected(chosen))
        }
        _ => phases.time("compute", || apply(operation, &file.batch)).map_err(failed)?,
    };
    let pairs = phases.time("pairs", || pairs(operation, &file.batch, &batch)).map_err(failed)?;
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

/// The operations of one file that need nothing else; others give the grids as they are.
fn apply(operation: &Operation, grid: &GridBatch) -> Result<(GridBatch, Source), Error> {
    Ok(match operation {
        Operation::Coarsen(a) => (grid.coarsen_cpu(a.factor.0)?, Source::None),
        Operation::Subsample(a) => (grid.subsample_cpu(a.factor.0)?, Source::Multiplied(a.factor.0)),
        Operation::Refine(a) => (grid.refine_cpu(a.factor.0)?, Source::Divided(a.factor.0)),
        Operation::Conv(a) => (grid.conv_cpu(a.kernel.0, a.stride.0)?, Source::None),
        Operation::ConvTranspose(a) => (grid.conv_transpose_cpu(a.kernel.0, a.stride.0)?, Source::None),
        Operation::Dilate(a) => (grid.dilate_cpu(neighbours(&a.neighbours), a.steps)?, Source::Same),
        Operation::Erode(a) => (grid.erode_cpu(neighbours(&a.neighbours), a.steps)?, Source::Same),
        Operation::Pad(a) => (grid.pad_cpu(a.min.0, a.max.0)?, Source::Same),
        Operation::Clip(a) => (grid.clip_cpu(a.min.0, a.max.0)?, Source::Same),
        Operation::Dual(a) if a.exclude_border => (grid.dual_without_border_cpu()?, Source::None),
        Operation::Dual(_) => (grid.dual_cpu()?, Source::None),
        _ => (grid.clone(), Source::Same),
    })
}

fn neighbours(word: &str) -> Neighbours {
    match word {
        "6" => Neighbours::Face,
        "18" => Neighbours::Edge,
        _ => Neighbours::Vertex,
    }
}

fn sets(operation: &Operation, args: &SetArgs, first: &GridBatch, phases: &mut Phases) -> Result<GridBatch, Failure> {
    let mut others = Vec::new();
    for path in args.files.iter().skip(1) {
        let file = phases.time("read", || read(path))?;
        if file.batch.items() != first.items() {
            let what = format!("{} grids, {} in {}", file.batch.items(), first.items(), args.files[0].display());
            return Err(Failure::file(path, what));
        }
        others.push(file.batch);
    }
    let all: Vec<&GridBatch> = std::iter::once(first).chain(&others).collect();
    let batch = phases.time("compute", || match operation {
        Operation::Merge(_) => GridBatch::union_cpu(&all),
        Operation::Intersect(_) => GridBatch::intersection_cpu(&all),
        _ => GridBatch::difference_cpu(&all),
    });
    batch.map_err(|e| Failure::of_topology(&args.files[0], e))
}

fn select(args: &SelectArgs, grid: &GridBatch) -> Result<(GridBatch, Vec<usize>), Error> {
    Ok((grid.select(&args.items)?, args.items.resolve(grid.items())?))
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

fn pairs(operation: &Operation, from: &GridBatch, to: &GridBatch) -> Result<Option<Vec<Pair>>, Error> {
    match operation {
        Operation::Coarsen(a) if a.pairs.is_some() => from.pool_pairs_cpu(to, a.factor.0).map(Some),
        Operation::Conv(a) if a.pairs.is_some() => from.conv_pairs_cpu(to, a.kernel.0, a.stride.0).map(Some),
        Operation::ConvTranspose(a) if a.pairs.is_some() => {
            from.conv_transpose_pairs_cpu(to, a.kernel.0, a.stride.0).map(Some)
        }
        _ => Ok(None),
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
