//! Grids from lists of points, in the numbers of the file.

use std::cell::Cell;
use std::path::Path;

use input_text::token;
use npyz::TypeChar;
use sparse_topology::{Error, GridBatch, Transform};

use super::args::PointsArgs;
use super::build::{Named, failed, names, transform};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::table::{Array, triples};
use crate::verbs::grouped;

/// The points of a file.
enum Points {
    /// Arrays of floats of 16 or 32 bits: voxels are computed in f32.
    Single(Vec<[f32; 3]>),
    /// Everything else, text and integers among it: voxels are computed in f64.
    Double(Vec<[f64; 3]>),
}

impl Points {
    fn read(path: &Path) -> Result<Self, Failure> {
        let single = Cell::new(false);
        let from_array = |array: &Array, i: usize| {
            single.set(matches!(array.kind(), (TypeChar::Float, 2 | 4)));
            Ok(array.float(i))
        };
        let from_text = |word: &str| word.parse::<f64>().map_err(|_| format!("\"{}\" is not a number", token(word)));
        let points = triples(path, from_array, from_text)?;
        Ok(match single.get() {
            // Exact: the numbers are those of the file.
            true => Self::Single(points.into_iter().map(|p| p.map(|x| x as f32)).collect()),
            false => Self::Double(points),
        })
    }

    fn single(&self) -> Option<&[[f32; 3]]> {
        if let Self::Single(points) = self { Some(points) } else { None }
    }

    fn double(&self) -> Option<&[[f64; 3]]> {
        if let Self::Double(points) = self { Some(points) } else { None }
    }

    /// What to say of points whose voxel is another one in f64.
    fn moved(&self, transform: &Transform, nearest: bool) -> Option<String> {
        let points = self.single()?;
        match GridBatch::points_moved_by_f32_cpu(points, transform, nearest) {
            0 => None,
            moved => Some(format!(
                "computed in f32, as its numbers are: {} of {} points would have another voxel in f64 (an array of f64 is computed in f64)",
                grouped(moved as u64),
                grouped(points.len() as u64)
            )),
        }
    }
}

pub(super) fn points(
    args: &PointsArgs,
    engine: &Engine,
    phases: &mut Phases,
    console: Console,
) -> Result<Named, Failure> {
    let files = &args.list.files;
    let lists = phases.time("read", || files.iter().map(|path| Points::read(path)).collect::<Result<Vec<_>, _>>())?;
    let place = transform(&args.list.place);
    let batch = phases.time("compute", || {
        for (path, list) in files.iter().zip(&lists) {
            if let Some(what) = list.moved(&place, args.nearest) {
                console.note(&format!("{}: {what}", path.display()));
            }
        }
        batch(&lists, &place, args.nearest, engine)
    });
    Ok((batch.map_err(|e| failed(files, e))?, names(files)))
}

/// One grid a list: in one call where all have the same numbers, else one by one, so that a grid does not depend on the other files.
fn batch(lists: &[Points], place: &Transform, nearest: bool, engine: &Engine) -> Result<GridBatch, Error> {
    let transforms = vec![*place; lists.len()];
    if let Some(singles) = lists.iter().map(Points::single).collect::<Option<Vec<_>>>() {
        return match engine {
            Engine::Cpu if nearest => GridBatch::from_nearest_voxels_cpu(&singles, &transforms),
            Engine::Cpu => GridBatch::from_points_cpu(&singles, &transforms),
            #[cfg(feature = "gpu")]
            Engine::Gpu(context) => super::on_device::points(context, &singles, &transforms, nearest),
        };
    }
    if let Some(doubles) = lists.iter().map(Points::double).collect::<Option<Vec<_>>>() {
        return match engine {
            Engine::Cpu if nearest => GridBatch::from_nearest_voxels_double_cpu(&doubles, &transforms),
            Engine::Cpu => GridBatch::from_points_double_cpu(&doubles, &transforms),
            #[cfg(feature = "gpu")]
            Engine::Gpu(context) => super::on_device::points_double(context, &doubles, &transforms, nearest),
        };
    }
    let one = |(item, list): (usize, &Points)| {
        batch(std::slice::from_ref(list), place, nearest, engine).map_err(|error| match error {
            Error::Point { index, axis, value, .. } => Error::Point { item, index, axis, value },
            Error::CoordinateOverflow { coordinate, .. } => Error::CoordinateOverflow { item, coordinate },
            other => other,
        })
    };
    let grids = lists.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?;
    GridBatch::concatenate(&grids.iter().collect::<Vec<_>>())
}
