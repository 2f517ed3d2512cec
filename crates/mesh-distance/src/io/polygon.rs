//! Polygons become triangles.

use std::collections::HashMap;

use earcut::Earcut;
use earcut::utils3d::project3d_to_2d;

use crate::Mesh;

/// Appends the triangles of a polygon's vertex indices: the fan of its first corner where no corner turns back, else ears in the plane of the polygon.
///
/// A vertex that follows itself counts once. Every other corner becomes one of a triangle, also those on a line or at the place of the corner before:
/// one that is left out would open a crack to the neighbours. A polygon that crosses itself or has no plane becomes a fan.
pub(super) fn append_polygon(mesh: &mut Mesh, corners: &[i64]) -> Result<(), String> {
    let vertices = mesh.positions.len();
    if let Some(index) = corners.iter().find(|index| **index < 0 || **index >= vertices as i64) {
        let last = vertices.saturating_sub(1);
        return Err(format!("vertex index {index}, allowed are 0 to {last} ({vertices} vertices)"));
    }
    if corners.len() < 3 {
        return Err(format!("{} corners, needed are at least 3", corners.len()));
    }
    let given: Vec<u32> = corners.iter().map(|index| *index as u32).collect();
    let once = distinct(&given);
    // Fewer than three are a triangle without area, which is kept as it was written.
    let corners = if once.len() < 3 { given } else { once.iter().map(|&k| given[k]).collect() };
    let points: Vec<[f64; 3]> = corners.iter().map(|index| mesh.positions[*index as usize]).collect();
    match ears(&points) {
        Some(ears) => mesh.triangles.extend(ears.iter().map(|ear| ear.map(|k| corners[k as usize]))),
        None => mesh.triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]])),
    }
    Ok(())
}

/// The places in a ring whose entry is not that of the place before.
fn distinct<T: PartialEq>(ring: &[T]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..ring.len()).filter(|&k| k == 0 || ring[k] != ring[k - 1]).collect();
    while places.len() > 1 && ring[places[places.len() - 1]] == ring[0] {
        places.pop();
    }
    places
}

/// The ears of a polygon with a corner that turns back; none for all others.
fn ears(points: &[[f64; 3]]) -> Option<Vec<[u32; 3]>> {
    let places = distinct(points);
    let outline: Vec<[f64; 3]> = places.iter().map(|&k| points[k]).collect();
    if outline.len() < 4 || !turns_back(&outline) {
        return None;
    }
    let mut plane = Vec::new();
    if !project3d_to_2d(&outline, outline.len(), &mut plane) {
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
    ears.iter_mut().flatten().for_each(|k| *k = places[*k as usize] as u32);
    put_back(points, &mut ears);
    (ears.len() == points.len() - 2).then_some(ears)
}

/// Puts back the corners that no ear has: those on a line with their neighbours, which the library leaves out, and those at the place of the one before.
fn put_back(points: &[[f64; 3]], ears: &mut Vec<[u32; 3]>) {
    let n = points.len();
    let mut kept = vec![false; n];
    ears.iter().flatten().for_each(|&k| kept[k as usize] = true);
    let Some(first) = kept.iter().position(|kept| *kept) else { return };
    let sides = |ear: [u32; 3]| [[ear[0], ear[1]], [ear[1], ear[2]], [ear[2], ear[0]]];
    let mut ear_of: HashMap<[u32; 2], usize> =
        ears.iter().enumerate().flat_map(|(place, ear)| sides(*ear).map(|side| (side, place))).collect();
    let mut from = first;
    for step in 1..=n {
        let to = (first + step) % n;
        if !kept[to] {
            continue;
        }
        let left_out: Vec<u32> = (1..(to + n - from) % n).map(|k| ((from + k) % n) as u32).collect();
        let edge = [from as u32, to as u32];
        match ear_of.get(&edge).copied() {
            _ if left_out.is_empty() => {}
            // The ear behind the edge becomes a fan of its third corner.
            Some(place) if lie_along(points, from, &left_out, to) => {
                let apex = ears[place].into_iter().find(|k| !edge.contains(k)).unwrap_or(edge[0]);
                let chain = [&edge[..1], &left_out, &edge[1..]].concat();
                let mut fan = chain.windows(2).map(|pair| [pair[0], pair[1], apex]);
                ears[place] = fan.next().unwrap_or(ears[place]);
                ears.extend(fan);
                ear_of.insert([edge[1], apex], ears.len() - 1);
            }
            // A way there and back has no area; its triangles have none either.
            _ => {
                let chain = [&left_out[..], &edge[1..]].concat();
                ears.extend(chain.windows(2).map(|pair| [edge[0], pair[0], pair[1]]));
            }
        }
        from = to;
    }
}

/// Whether one comes to these corners in turn on the way along an edge.
fn lie_along(points: &[[f64; 3]], from: usize, corners: &[u32], to: usize) -> bool {
    let way: [f64; 3] = std::array::from_fn(|k| points[to][k] - points[from][k]);
    let along = |p: [f64; 3]| (0..3).map(|k| (p[k] - points[from][k]) * way[k]).sum::<f64>();
    let places: Vec<f64> = corners.iter().map(|&k| along(points[k as usize])).collect();
    places.windows(2).all(|pair| pair[0] <= pair[1])
        && places[0] >= 0.0
        && places[places.len() - 1] <= along(points[to])
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
    fn corners_on_a_line_and_corners_given_twice_keep_the_area_of_a_polygon_that_turns_back() {
        let shape = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        for spread in [1, 2, 4] {
            // Each side in parts; then one of the corners twice, in turn.
            let ring: Vec<[f64; 3]> = (0..6 * spread)
                .map(|i| {
                    let ([a, b], t) = ([shape[i / spread], shape[(i / spread + 1) % 6]], i % spread);
                    let at = |k: usize| a[k] + (b[k] - a[k]) * t as f64 / spread as f64;
                    [at(0), at(1), 0.5]
                })
                .collect();
            let (count, found) = area(&ring);
            assert!(count == ring.len() - 2 && (found - 4.0).abs() < 1e-12, "{spread}: {count} {found}");
            for twice in 0..ring.len() {
                let mut more = ring.clone();
                more.insert(twice, ring[twice]);
                let (count, found) = area(&more);
                assert!(count == more.len() - 2 && (found - 4.0).abs() < 1e-12, "{spread} {twice}: {count} {found}");
            }
            let mut mesh = Mesh { positions: ring.clone(), ..Mesh::default() };
            let closed: Vec<i64> = (0..ring.len() as i64).chain([0, 0]).collect();
            append_polygon(&mut mesh, &closed).expect("a polygon");
            assert_eq!(mesh.triangles.len(), ring.len() - 2, "its first corner at its end too");
        }
    }

    #[test]
    fn a_way_there_and_back_adds_no_area() {
        let spike = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [5.0, 1.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let positions = spike.map(|[x, y]| [x, y, 0.0]);
        let mut mesh = Mesh { positions: positions.to_vec(), ..Mesh::default() };
        append_polygon(&mut mesh, &[0, 1, 2, 3, 4, 5, 6, 7]).expect("a polygon");
        let size = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|k| positions[k as usize]);
            0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs()
        };
        let (count, whole) = (mesh.triangles.len(), mesh.triangles.iter().map(size).sum::<f64>());
        assert!(count == 6 && (whole - 4.0).abs() < 1e-12, "{count} {whole}");
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
