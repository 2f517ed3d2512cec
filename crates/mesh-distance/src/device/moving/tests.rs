//! What a device makes anew, looked at itself: cylinders hold what they must, all else is the host's words.

use gpu_runtime::{AdapterSelector, Context, ContextOptions, Timestamps};

use crate::device::surface::DeviceSurface;
use crate::double::Precision;
use crate::kernels::real::{Real, Record};
use crate::kernels::triangle_record::TriangleRecord;
use crate::tree::{NODE_WORDS, Node, boxes};
use crate::{Mesh, Surface, make};

/// Any adapter that passes, software ones too.
fn context() -> Option<Context> {
    let options = ContextOptions { selector: AdapterSelector::Gpu, cache_dir: None, ..ContextOptions::default() };
    let context = Context::new(&options);
    if let Err(error) = &context {
        println!("SKIPPED: {error}");
    }
    context.ok()
}

/// First slot and end of each node's subtree.
fn slot_ranges(nodes: &[Node]) -> Vec<[u32; 2]> {
    let mut ranges = vec![[0; 2]; nodes.len()];
    for (at, node) in nodes.iter().enumerate().rev() {
        let own = node.slot_base + node.children - node.inner;
        let end = (0..node.inner).map(|k| ranges[(node.child_base + k) as usize][1]).fold(own, u32::max);
        ranges[at] = [node.slot_base, end];
    }
    ranges
}

/// How many children have a radius or half height below the exact one of their corners with pads of these parts of both.
fn short_cylinders<R: Real>(nodes: &[Node], records: &[R::Record], relative: f64) -> usize {
    let ranges = slot_ranges(nodes);
    let mut short = 0;
    for node in nodes {
        for k in 0..node.children {
            let range = match k.checked_sub(node.inner) {
                Some(leaf) => [node.slot_base + leaf, node.slot_base + leaf + 1],
                None => ranges[(node.child_base + k) as usize],
            };
            let (k, c) = (k as usize, &node.cylinders);
            let (centre, axis) = ([c.cx[k], c.cy[k], c.cz[k]], [c.nx[k], c.ny[k], c.nz[k]].map(f64::from));
            let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((length - 1.0).abs() <= 4.0 / f64::from(1 << 24), "axis of length {length}");
            let (mut across, mut along) = (0.0f64, 0.0f64);
            for p in records[range[0] as usize..range[1] as usize].iter().flat_map(|r| r.corners()) {
                let e: [f64; 3] = std::array::from_fn(|i| p[i].to_f64() - f64::from(centre[i]));
                let h: f64 = (0..3).map(|i| e[i] * axis[i]).sum();
                along = along.max(h.abs());
                across = across.max(e.iter().map(|x| x * x).sum::<f64>() - h * h);
            }
            let radius = across.sqrt().max(along / 8.0);
            // M is at most 2.
            let pad = relative * (radius + along) + 2.0 / 524_288.0;
            short += usize::from(f64::from(c.r[k]) < radius + pad || f64::from(c.h[k]) < along + pad);
        }
    }
    short
}

fn nodes_of<R: Precision>(device: &DeviceSurface<R>) -> Vec<Node> {
    device.nodes.download().unwrap().chunks_exact(NODE_WORDS).map(Node::from_words).collect()
}

fn bent(mesh: &Mesh) -> Mesh {
    let bend = |p: &[f64; 3]| [p[0], p[1], p[2] + p[0] * p[0] - 0.5 * p[1]].map(|x| f64::from(x as f32));
    let mut moved = mesh.clone();
    moved.positions.iter_mut().for_each(|p| *p = bend(p));
    moved
}

#[test]
fn cylinders_of_a_device_hold_their_triangles_with_the_pads_of_the_host() {
    let Some(context) = context() else { return };
    let needles = (0..300).flat_map(|i| {
        let x = f64::from(i) * 0.01;
        [[x, 0.0, 0.0], [x + 1e-5, 1.0, x], [x, 0.5 + x, 1e-4 * x]]
    });
    let needles = Mesh::new(needles.collect(), (0..300).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).unwrap();
    for mesh in [make::knot(3_000), make::cube(12), make::sphere(700), needles] {
        let moved = bent(&mesh);
        let single: Vec<[f32; 3]> = moved.positions.iter().map(|p| p.map(|x| x as f32)).collect();
        let (positions, triangles) =
            (context.upload("positions", &single).unwrap(), context.upload("triangles", &mesh.triangles).unwrap());
        let built = DeviceSurface::build(&positions, &triangles).unwrap();
        let mut surface = Surface::build(&mesh).unwrap();
        let mut refitted = DeviceSurface::upload_movable(&context, &surface).unwrap();
        refitted.update_positions_on(&positions, Timestamps::None).unwrap();
        for device in [&built, &refitted] {
            let (nodes, records) = (nodes_of(device), device.records.download().unwrap());
            assert_eq!(short_cylinders::<f32>(&nodes, &records, 1.0 / 32_768.0), 0);
            // The control: the count can find something.
            assert!(short_cylinders::<f32>(&nodes, &records, 1.0 / 1024.0) > 0);
        }
        surface.update_positions(&moved.positions).unwrap();
        assert_rest_is_the_hosts(&refitted, &surface);
    }
}

#[test]
fn cylinders_of_a_device_hold_triangles_of_f64() {
    let Some(context) = context() else { return };
    for mesh in [make::knot(3_000), make::cube(12)] {
        let mut surface = Surface::build_double(&mesh).unwrap();
        let refitted = DeviceSurface::upload_movable(&context, &surface);
        let Ok(mut refitted) = refitted.inspect_err(|error| println!("SKIPPED: {error}")) else { return };
        let third = |p: &[f64; 3]| [p[0] / 3.0, p[1] + p[0] * p[2], p[2] - 0.3 * p[1]];
        let positions: Vec<[f64; 3]> = mesh.positions.iter().map(third).collect();
        refitted.update_positions(&positions).unwrap();
        let (nodes, records) = (nodes_of(&refitted), refitted.records.download().unwrap());
        assert_eq!(short_cylinders::<f64>(&nodes, &records, 1.0 / 32_768.0), 0);
        surface.update_positions(&positions).unwrap();
        assert_rest_is_the_hosts(&refitted, &surface);
    }
}

/// Boxes, records and pseudo-normals of a refitted surface, word for word.
fn assert_rest_is_the_hosts<R: Precision>(refitted: &DeviceSurface<R>, surface: &Surface<R>) {
    assert_eq!(refitted.boxes.download().unwrap(), boxes::words(surface.tree(), surface.boxes()));
    let records = refitted.records.download().unwrap();
    assert_eq!(bytemuck::cast_slice::<_, u8>(&records), bytemuck::cast_slice::<_, u8>(surface.records()));
    let bits = |vectors: &[[R; 4]]| vectors.iter().map(|v| v.map(R::words)).collect::<Vec<_>>();
    assert_eq!(bits(&refitted.normal_vectors.download().unwrap()), bits(&surface.normals().vectors));
}

/// All that queries read: records, nodes, boxes and the pseudo-normals that records name.
fn words_of(device: &DeviceSurface) -> Vec<Vec<u32>> {
    let records: Vec<u32> = device.records.download().unwrap().iter().flat_map(TriangleRecord::words).collect();
    let vectors = device.normal_vectors.download().unwrap();
    let features = device.normal_features.download().unwrap();
    let named = features.iter().flat_map(|f| f[..7].iter().flat_map(|&at| vectors[at as usize].map(f32::to_bits)));
    vec![records, device.nodes.download().unwrap(), device.boxes.download().unwrap(), named.collect()]
}

#[test]
fn a_surface_built_again_is_a_new_one() {
    let Some(context) = context() else { return };
    let (knot, cube) = (make::knot(3_000), make::cube(300));
    let upload = |mesh: &Mesh| {
        let single: Vec<[f32; 3]> = mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect();
        (context.upload("positions", &single).unwrap(), context.upload("triangles", &mesh.triangles).unwrap())
    };
    // Bent, then with all triangles turned and in another order, then with corners that fall together.
    let mut turned = bent(&knot);
    turned.triangles.reverse();
    turned.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let mut flat = knot.clone();
    flat.positions.iter_mut().for_each(|p| *p = p.map(|x| (4.0 * x).round()));
    let (positions, triangles) = upload(&knot);
    let mut device = DeviceSurface::build(&positions, &triangles).unwrap();
    let mut bytes = Vec::new();
    for mesh in [bent(&knot), turned, flat, knot.clone(), cube, knot.clone()] {
        let (positions, triangles) = upload(&mesh);
        device = device.rebuild(&positions, &triangles, Timestamps::None).unwrap().0;
        assert_eq!(words_of(&device), words_of(&DeviceSurface::build(&positions, &triangles).unwrap()));
        bytes.push(context.held_bytes());
    }
    // Only the first one allocates what a build needs.
    assert_eq!(bytes[1..4], [bytes[0]; 3]);
    // A fault is one of the new mesh, whatever was there before.
    let (positions, _) = upload(&knot);
    let triangles =
        context.upload("triangles", &vec![[0, 1, knot.positions.len() as u32]; knot.triangles.len()]).unwrap();
    let error = device.rebuild(&positions, &triangles, Timestamps::None).map(|_| ()).unwrap_err();
    assert!(matches!(error, crate::Error::VertexIndex { triangle: 0, .. }), "{error}");
}
