//! mesh-decode: bytes of every encoder on the same meshes and the same grid.

use std::path::{Path, PathBuf};

use conformance::error::Error;
use conformance::report;
use mesh_decode::meshopt::{encode_clusters, encode_indices, encode_vertices};
use mesh_decode::{
    DgfOptions, GridStep, Md1Mode, Md1Options, MeshletLimits, StrideOptions, encode_dgf, encode_md1, encode_stride,
    grid_points,
};
use mesh_distance::{Mesh, make};

use crate::table::markdown;

/// Options of the comparison.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Grid steps of the longest side, as powers of two.
    #[arg(long, value_delimiter = ',', default_value = "12,14", value_parser = clap::value_parser!(u32).range(6..=15))]
    bits: Vec<u32>,
    /// Folder of STL and OBJ files to add; each of at least 1,000 triangles counts.
    #[arg(long, value_name = "DIR")]
    meshes: Option<PathBuf>,
    /// Folder of the report.
    #[arg(long, value_name = "DIR", default_value = "docs/reports")]
    out: PathBuf,
}

/// Fewest triangles of a mesh: headers and tables weigh little from here on.
const FEWEST: usize = 1_000;

/// A mesh whose longest side is a power of two, so that STRIDE's grid step is one too.
struct Source {
    name: String,
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// Bytes on one grid.
struct Sizes {
    /// STRIDE, DGF, meshoptimizer's clusters and streams.
    others: [usize; 4],
    /// MD1 predicted, fixed, offsets.
    md1: [usize; 3],
}

/// Encodes every mesh, writes the report and prints it.
///
/// # Errors
/// Of the folders and the encoders.
pub fn start(options: &Options) -> Result<(), Error> {
    let mut sources = procedural();
    if let Some(folder) = &options.meshes {
        sources.extend(read_folder(folder)?);
    }
    let mut rows = Vec::new();
    for source in sources.iter().filter(|source| source.triangles.len() >= FEWEST) {
        for &bits in &options.bits {
            eprintln!("{}, {bits} bit ..", source.name);
            rows.push(cells(source, bits, &measure(source, bits)?));
        }
    }
    let head = [
        "mesh",
        "triangles",
        "bits",
        "STRIDE 4",
        "DGF",
        "clusters",
        "streams",
        "MD1 predicted",
        "fixed",
        "offsets",
        "to STRIDE",
        "",
        "",
        "to DGF",
        "",
        "bits/triangle",
        "",
    ];
    let text = format!("{}{}", introduction(), markdown(&head, &rows));
    let path = report::write(&options.out, "compression", "", &text)?;
    println!("{text}\nreport: {}", path.display());
    Ok(())
}

fn introduction() -> String {
    format!(
        "# Compression of mesh-decode's encoders\n\n`bench compression`, commit {}, {}. Bytes of whole files, all made by this project's encoders, without source maps and boxes. Every mesh is scaled \
         so that its longest side is a power of two; then 2^bits steps along it are the same grid for all formats. STRIDE: blob version 4, canonical predictor (it loses the winding). DGF: blocks of 128 bytes. \
         clusters: meshoptimizer's, 256 vertices and 256 triangles. streams: meshoptimizer's vertex stream (version 1, 8 bytes a vertex: 16-bit codes, where they suffice) and index stream, in the \
         mesh's own order, which cannot be decoded in parts. MD1 in its three modes, then predicted, fixed and offsets as parts of STRIDE's bytes, predicted and fixed as parts of DGF's, \
         and their bits a triangle.\n\n",
        report::commit(),
        report::today()
    )
}

fn procedural() -> Vec<Source> {
    let all: [(&str, Mesh); 6] = [
        ("sphere", make::sphere(20_000)),
        ("torus", make::torus(12_288)),
        ("knot", make::knot(100_000)),
        ("terrain", make::terrain(131_072)),
        ("small terrain", make::terrain(2_048)),
        ("cube, flat faces", make::cube(12_000)),
    ];
    all.into_iter().map(|(name, mesh)| scaled(name.to_owned(), &mesh)).collect()
}

fn read_folder(folder: &Path) -> Result<Vec<Source>, Error> {
    let entries = std::fs::read_dir(folder).map_err(|source| Error::File { path: folder.into(), source })?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "stl" || ending == "obj"));
    paths.sort();
    let name = |path: &Path| path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    paths.iter().map(|path| Ok(scaled(name(path), &mesh_distance::read_mesh(path)?))).collect()
}

/// Moved to the origin and scaled so that the longest side is 1.
fn scaled(name: String, mesh: &Mesh) -> Source {
    let used = || mesh.triangles.iter().flatten().map(|v| mesh.positions[*v as usize]);
    let low = used().fold([f64::MAX; 3], |low, p| [0, 1, 2].map(|k| low[k].min(p[k])));
    let high = used().fold([f64::MIN; 3], |high, p| [0, 1, 2].map(|k| high[k].max(p[k])));
    let longest = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    let place = |p: &[f64; 3]| [0, 1, 2].map(|k| ((p[k] - low[k]) / longest) as f32);
    Source { name, positions: mesh.positions.iter().map(place).collect(), triangles: mesh.triangles.clone() }
}

fn measure(source: &Source, bits: u32) -> Result<Sizes, mesh_decode::Error> {
    let (positions, triangles) = (&source.positions, &source.triangles);
    let step = GridStep::Length((-f64::from(bits)).exp2());
    let limits = MeshletLimits { vertices: 256, triangles: 256 };
    let md1 = |mode| {
        let options = Md1Options { step, mode, boxes: false, sources: false, limits };
        encode_md1(positions, triangles, &options).map(|encoded| encoded.bytes.len())
    };
    let others = [
        encode_stride(positions, triangles, &StrideOptions { bits, limits })?.bytes.len(),
        encode_dgf(positions, triangles, &DgfOptions { step, ..DgfOptions::default() })?.bytes.len(),
        encode_clusters(positions, triangles, step, limits)?.bytes.len(),
        streams(positions, triangles, step)?,
    ];
    Ok(Sizes { others, md1: [md1(Md1Mode::Predicted)?, md1(Md1Mode::Fixed)?, md1(Md1Mode::Offsets)?] })
}

/// meshoptimizer's streams of the whole mesh: three 16-bit codes and a pad a vertex.
fn streams(positions: &[[f32; 3]], triangles: &[[u32; 3]], step: GridStep) -> Result<usize, mesh_decode::Error> {
    let points = grid_points(positions, step)?.points;
    let codes: Vec<u8> =
        points.iter().flat_map(|p| [p[0], p[1], p[2], 0].map(|x| x as u16)).flat_map(u16::to_le_bytes).collect();
    Ok(encode_vertices(&codes, 8, 1)?.len() + encode_indices(triangles.as_flattened(), 1)?.len())
}

fn cells(source: &Source, bits: u32, sizes: &Sizes) -> Vec<String> {
    let part = |bytes: usize, of: usize| format!("{:.0} %", 100.0 * bytes as f64 / of as f64);
    let count = source.triangles.len();
    let per_triangle = |bytes: usize| format!("{:.1}", 8.0 * bytes as f64 / count as f64);
    let [stride, dgf, ..] = sizes.others;
    let mut row = vec![source.name.clone(), count.to_string(), bits.to_string()];
    row.extend(sizes.others.iter().chain(&sizes.md1).map(ToString::to_string));
    row.extend(sizes.md1.map(|bytes| part(bytes, stride)));
    row.extend(sizes.md1[..2].iter().map(|bytes| part(*bytes, dgf)));
    row.extend(sizes.md1[..2].iter().map(|bytes| per_triangle(*bytes)));
    row
}

#[cfg(test)]
mod tests {
    use super::{measure, procedural};

    /// The goals: 90 % of STRIDE's bytes, 65 % of DGF's. Fixed widths miss the first on flat faces, which the test says too.
    #[test]
    fn md1_is_smaller_than_its_goals() {
        for source in procedural().iter().filter(|source| source.triangles.len() < 20_001) {
            let sizes = measure(source, 12).expect("a good mesh");
            let flat = source.name.contains("flat");
            for (bytes, mode) in sizes.md1[..2].iter().zip(["predicted", "fixed"]) {
                let small = 10 * bytes <= 9 * sizes.others[0];
                assert!(small || (flat && mode == "fixed"), "{} {mode}: {bytes} of {}", source.name, sizes.others[0]);
                assert!(100 * bytes <= 65 * sizes.others[1], "{} {mode}: {bytes} of {}", source.name, sizes.others[1]);
            }
        }
    }
}
