//! Grids from lists, meshes and dense arrays.

use std::path::{Path, PathBuf};

use input_text::token;
use sparse_topology::{GridBatch, MeshView, Transform};

use super::args::{Axes, DenseArgs, ListArgs, PlaceArgs};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::table::{Array, triples};
use crate::verbs::{file_name, read_mesh};

/// A batch, and a name for each grid: its file's.
pub(super) type Named = (GridBatch, Vec<String>);

pub(super) fn transform(place: &PlaceArgs) -> Transform {
    Transform { voxel_size: place.voxel_size.0, origin: place.origin.0 }
}

pub(super) fn names(files: &[PathBuf]) -> Vec<String> {
    // The format's longest name has 255 bytes.
    files.iter().map(|path| file_name(path).chars().take(60).collect()).collect()
}

/// A failure of one of several files, which the error names by its position.
pub(super) fn failed(files: &[PathBuf], error: sparse_topology::Error) -> Failure {
    use sparse_topology::Error as E;
    let item = match error {
        E::Point { item, .. } | E::CoordinateOverflow { item, .. } => item,
        _ => 0,
    };
    Failure::of_topology(files.get(item).map_or(Path::new("input"), PathBuf::as_path), error)
}

pub(super) fn coordinates(args: &ListArgs, engine: &Engine, phases: &mut Phases) -> Result<Named, Failure> {
    let read = |path: &PathBuf| {
        let bits = |value: i128| {
            i32::try_from(value).map_err(|_| format!("{value} is out of range (allowed: -2147483648 to 2147483647)"))
        };
        let from_array = |array: &Array, i: usize| match array.is_float() {
            true => Err("a float (allowed: whole numbers)".to_owned()),
            false => bits(array.integer(i)),
        };
        let from_text =
            |word: &str| bits(word.parse::<i128>().map_err(|_| format!("\"{}\" is not a whole number", token(word)))?);
        triples(path, from_array, from_text)
    };
    let lists = phases.time("read", || args.files.iter().map(read).collect::<Result<Vec<_>, _>>())?;
    let slices: Vec<&[[i32; 3]]> = lists.iter().map(Vec::as_slice).collect();
    let transforms = vec![transform(&args.place); lists.len()];
    let batch = phases.time("compute", || match engine {
        Engine::Cpu => GridBatch::from_coordinates_cpu(&slices, &transforms),
        #[cfg(feature = "gpu")]
        Engine::Gpu(context) => super::on_device::coordinates(context, &slices, &transforms),
    });
    Ok((batch.map_err(|e| failed(&args.files, e))?, names(&args.files)))
}

pub(super) fn mesh(args: &ListArgs, engine: &Engine, phases: &mut Phases, console: Console) -> Result<Named, Failure> {
    let meshes =
        phases.time("read", || args.files.iter().map(|p| read_mesh(p, console)).collect::<Result<Vec<_>, _>>())?;
    let views: Vec<MeshView<'_, f64>> =
        meshes.iter().map(|mesh| MeshView { vertices: &mesh.positions, triangles: &mesh.triangles }).collect();
    let transforms = vec![transform(&args.place); views.len()];
    let batch = phases.time("compute", || match engine {
        Engine::Cpu => GridBatch::from_mesh_cpu(&views, &transforms),
        #[cfg(feature = "gpu")]
        Engine::Gpu(context) => super::on_device::mesh(context, &views, &transforms),
    });
    Ok((batch.map_err(|e| failed(&args.files, e))?, names(&args.files)))
}

pub(super) fn dense(args: &DenseArgs, engine: &Engine, phases: &mut Phases) -> Result<Named, Failure> {
    let transforms = [transform(&args.place)];
    let path = args.file.clone().unwrap_or_else(|| PathBuf::from("dense"));
    let (size, mask) = match (&args.file, args.size) {
        (Some(path), _) => {
            let (size, mask) = phases.time("read", || read_dense(args, path))?;
            (size, Some(mask))
        }
        (None, Some(size)) => (size.0, None),
        (None, None) => {
            return Err(Failure::Usage("nothing to build from (0 given, allowed: FILE.npy or --size)".to_owned()));
        }
    };
    let (min, mask) = (args.min.0, mask.as_deref());
    let batch = phases.time("compute", || match engine {
        Engine::Cpu => GridBatch::from_dense_cpu(min, size, mask, &transforms),
        #[cfg(feature = "gpu")]
        Engine::Gpu(context) => super::on_device::dense(context, min, size, mask, &transforms),
    });
    Ok((batch.map_err(|e| Failure::of_topology(&path, e))?, names(&[path])))
}

/// The cells that are taken, x slowest.
fn read_dense(args: &DenseArgs, path: &Path) -> Result<([u32; 3], Vec<bool>), Failure> {
    let array = Array::read(path)?;
    let [a, b, c] = array.shape[..] else {
        return Err(Failure::file(path, format!("shape {:?} (allowed: 3 dimensions)", array.shape)));
    };
    let mut size = [0; 3];
    for (to, from) in size.iter_mut().zip(if args.axes == Axes::Xyz { [a, b, c] } else { [c, b, a] }) {
        *to = u32::try_from(from).map_err(|_| Failure::file(path, format!("{from} cells along an axis")))?;
    }
    let taken = |i: usize| match args.below {
        Some(limit) => array.float(i) < limit,
        None => array.float(i) != 0.0,
    };
    let [nx, ny, nz] = size.map(|n| n as usize);
    let mask = match args.axes {
        Axes::Xyz => (0..array.len()).map(taken).collect(),
        Axes::Zyx => (0..array.len()).map(|i| taken((i % nz * ny + i / nz % ny) * nx + i / (nz * ny))).collect(),
    };
    Ok((size, mask))
}
