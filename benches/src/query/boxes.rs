//! The boxes of the protocol, and the file that they are kept in.

use std::path::Path;

use conformance::error::Error;

/// Parts of the volume of the mesh's box.
const PARTS: [f64; 4] = [0.001, 0.01, 0.1, 0.5];
/// Places on the surface.
const PLACES: usize = 100;
/// Boxes of a manifest: the parts of each place, the whole box, the empty one.
pub const COUNT: usize = PLACES * PARTS.len() + 2;

/// A box with its cell: a part of the volume, `full` or `empty`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueryBox {
    /// Low corner.
    pub low: [f64; 3],
    /// High corner.
    pub high: [f64; 3],
    /// Cell.
    pub cell: usize,
}

/// Names of the cells.
pub const CELLS: [&str; 6] = ["0.001", "0.01", "0.1", "0.5", "full", "empty"];

/// The cell of a box by its place in the manifest.
fn cell(place: usize) -> usize {
    if place < PLACES * PARTS.len() { place % PARTS.len() } else { place - (PLACES - 1) * PARTS.len() }
}

/// The 402 boxes of a mesh: for each place on the surface the four parts, then the whole box, then one beside it.
pub fn boxes(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<QueryBox> {
    let ends = |k: usize| {
        let xs = triangles.iter().flatten().map(|v| f64::from(positions[*v as usize][k]));
        (xs.clone().fold(f64::MAX, f64::min), xs.fold(f64::MIN, f64::max))
    };
    let ends = [ends(0), ends(1), ends(2)];
    let side = [0, 1, 2].map(|k| ends[k].1 - ends[k].0);
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut corners = Vec::with_capacity(COUNT);
    for _ in 0..PLACES {
        let points = triangles[next() % triangles.len()].map(|v| positions[v as usize].map(f64::from));
        let centre = [0, 1, 2].map(|k| (points[0][k] + points[1][k] + points[2][k]) / 3.0);
        for part in PARTS {
            let half = side.map(|s| 0.5 * s * part.cbrt());
            corners.push(([0, 1, 2].map(|k| centre[k] - half[k]), [0, 1, 2].map(|k| centre[k] + half[k])));
        }
    }
    corners.push((ends.map(|e| e.0), ends.map(|e| e.1)));
    let beside = ends.map(|e| e.1 + 1.0 + (e.1 - e.0));
    corners.push((beside, beside.map(|x| x + 1.0)));
    corners.into_iter().enumerate().map(|(place, (low, high))| QueryBox { low, high, cell: cell(place) }).collect()
}

/// A manifest as bytes: six little-endian f64 a box, low corner first.
pub fn to_bytes(boxes: &[QueryBox]) -> Vec<u8> {
    boxes.iter().flat_map(|b| [b.low, b.high]).flatten().flat_map(f64::to_le_bytes).collect()
}

/// Reads a manifest of 402 boxes.
///
/// # Errors
/// [`Error::File`], and [`Error::Corpus`] for another length.
pub fn read(path: &Path) -> Result<Vec<QueryBox>, Error> {
    let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
    if bytes.len() != 48 * COUNT {
        let what = format!("{} bytes (allowed: {}, six f64 for each of {COUNT} boxes)", bytes.len(), 48 * COUNT);
        return Err(Error::Corpus(format!("{}: {what}", path.display())));
    }
    let values: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let corners = values.as_chunks::<6>().0.iter().enumerate();
    Ok(corners
        .map(|(place, &[a, b, c, d, e, f])| QueryBox { low: [a, b, c], high: [d, e, f], cell: cell(place) })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::{COUNT, boxes, read, to_bytes};

    #[test]
    fn a_manifest_goes_round() {
        let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 4.0]];
        let made = boxes(&positions, &[[0, 1, 2]]);
        let count = |cell: usize| made.iter().filter(|b| b.cell == cell).count();
        assert_eq!([0, 1, 2, 3, 4, 5].map(count), [100, 100, 100, 100, 1, 1]);
        assert_eq!((made.len(), made[400].high, made[401].low), (COUNT, [1.0, 2.0, 4.0], [3.0, 5.0, 9.0]));
        let volume = |k: usize| (0..3).map(|a| made[k].high[a] - made[k].low[a]).product::<f64>();
        assert!((volume(0) - 0.008).abs() < 1e-12 && (volume(3) - 4.0).abs() < 1e-12);
        let folder = std::env::temp_dir().join(format!("isobit-boxes-{}", std::process::id()));
        std::fs::write(&folder, to_bytes(&made)).expect("a temporary file");
        assert_eq!(read(&folder).expect("a manifest"), made);
        std::fs::write(&folder, [0; 48]).expect("a temporary file");
        assert!(read(&folder).is_err());
        std::fs::remove_file(&folder).expect("a temporary file");
    }
}
