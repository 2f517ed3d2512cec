//! Polygons become triangles.

use earcut::Earcut;
use earcut::utils3d::project3d_to_2d;

use crate::Mesh;

/// Appends the triangles of a polygon's vertex indices: the fan of its first corner where no corner turns back, else ears in the plane of the polygon.
///
/// A polygon whose ears do not use every corner (corners on a line, crossing edges) becomes a fan too: a corner that is left out would open a crack to
/// the neighbours.
pub(super) fn append_polygon(mesh: &mut Mesh, corners: &[i64]) -> Result<(), String> {
    let vertices = mesh.positions.len();
    if let Some(index) = corners.iter().find(|index| **index < 0 || **index >= vertices as i64) {
        let last = vertices.saturating_sub(1);
        return Err(format!("vertex index {index}, allowed are 0 to {last} ({vertices} vertices)"));
    }
    if corners.len() < 3 {
        return Err(format!("{} corners, needed are at least 3", corners.len()));
    }
    let corners: Vec<u32> = corners.iter().map(|index| *index as u32).collect();
    let points: Vec<[f64; 3]> = corners.iter().map(|index| mesh.positions[*index as usize]).collect();
    match ears(&points) {
        Some(ears) => mesh.triangles.extend(ears.iter().map(|ear| ear.map(|k| corners[k as usize]))),
        None => mesh.triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]])),
    }
    Ok(())
}

/// The ears of a polygon with a corner that turns back; none for all others.
fn ears(points: &[[f64; 3]]) -> Option<Vec<[u32; 3]>> {
    if points.len() == 3 || !turns_back(points) {
        return None;
    }
    let mut plane = Vec::new();
    if !project3d_to_2d(points, points.len(), &mut plane) {
        return None;
    }
    let mut indices: Vec<u32> = Vec::new();
    Earcut::new().earcut(plane.iter().copied(), &[], &mut indices);
    let mut ears = indices.as_chunks::<3>().0.to_vec();
    // The library does not say which way round its triangles are: they are to be as the polygon is.
    let turn = |[a, b, c]: [[f64; 2]; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let whole: f64 = (2..plane.len()).map(|k| turn([plane[0], plane[k - 1], plane[k]])).sum();
    let parts: f64 = ears.iter().map(|ear| turn(ear.map(|k| plane[k as usize]))).sum();
    if (whole < 0.0) != (parts < 0.0) {
        ears.iter_mut().for_each(|ear| ear.swap(1, 2));
    }
    (ears.len() == points.len() - 2).then_some(ears)
}

/// Whether a corner turns against the sense of the whole.
fn turns_back(points: &[[f64; 3]]) -> bool {
    let n = points.len();
    let minus = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| a[k] - b[k]) };
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let fan = (1..n - 1).map(|k| cross(minus(points[k], points[0]), minus(points[k + 1], points[0])));
    let normal = fan.fold([0.0; 3], |sum, v| std::array::from_fn(|k| sum[k] + v[k]));
    (0..n).any(|k| {
        let [before, at, after] = [points[k], points[(k + 1) % n], points[(k + 2) % n]];
        let turn = cross(minus(at, before), minus(after, at));
        (0..3).map(|k| turn[k] * normal[k]).sum::<f64>() < 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::append_polygon;
    use crate::Mesh;

    fn area(positions: &[[f64; 3]]) -> (usize, f64) {
        let mut mesh = Mesh { positions: positions.to_vec(), ..Mesh::default() };
        let corners: Vec<i64> = (0..positions.len() as i64).collect();
        append_polygon(&mut mesh, &corners).expect("a polygon");
        let signed = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|k| positions[k as usize]);
            0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
        };
        // All triangles turn the same way.
        let areas: Vec<f64> = mesh.triangles.iter().map(signed).collect();
        assert!(areas.iter().all(|a| *a >= 0.0) || areas.iter().all(|a| *a <= 0.0), "{areas:?}");
        (areas.len(), areas.iter().sum())
    }

    #[test]
    fn a_polygon_that_turns_back_keeps_its_area_and_every_corner() {
        // The fan of the first corner overlaps itself.
        let (count, found) = area(&[[0.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 2.0, 0.0], [1.8, 1.0, 0.0]]);
        assert!(count == 2 && (found - 0.2).abs() < 1e-12, "{found}");
        // An L, the other way round and tilted.
        let shape = [[0.0, 0.0], [0.0, 2.0], [1.0, 2.0], [1.0, 1.0], [3.0, 1.0], [3.0, 0.0]];
        let (count, found) = area(&shape.map(|[x, y]| [x, y, 0.25 * x - y]));
        assert!(count == 4 && (found + 4.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn convex_polygons_and_those_without_a_plane_are_fans() {
        let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        let mut mesh = Mesh { positions: square.to_vec(), ..Mesh::default() };
        append_polygon(&mut mesh, &[1, 2, 3, 0]).expect("a square");
        assert_eq!(mesh.triangles, [[1, 2, 3], [1, 3, 0]]);
        let (count, found) = area(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.5, 0.0, 0.0], [0.5, 0.0, 0.0]]);
        assert!(count == 3 && found == 0.0, "{count} {found}");
    }
}
