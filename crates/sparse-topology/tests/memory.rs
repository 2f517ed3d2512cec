//! Peak memory of operations, and bytes of grids. One test, since the peak is of the process.
#![cfg(target_os = "linux")]

use sparse_topology::{Error, GridBatch, Neighbours, Transform};

/// A figure of the process in bytes.
fn status(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}

/// Bytes beyond what was there before and the result, at the worst moment; `None` where the system does not tell.
fn scratch(operation: impl FnOnce() -> Result<GridBatch, Error>) -> Option<u64> {
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = status("VmRSS:")?;
    let result = operation().expect("a result");
    Some(status("VmHWM:")?.saturating_sub(before).saturating_sub(result.bytes()))
}

type Operation<'a> = dyn Fn() -> Result<GridBatch, Error> + 'a;

#[test]
fn scratch_stays_below_a_byte_a_voxel() {
    let one = [Transform::default()];
    let solid = GridBatch::from_dense_cpu([-128; 3], [256; 3], None, &one).unwrap();
    let shell = {
        let inner = GridBatch::from_dense_cpu([-100; 3], [200; 3], None, &one).unwrap();
        GridBatch::difference_cpu(&[&inner.dilate_cpu(Neighbours::Vertex, 6).unwrap(), &inner]).unwrap()
    };
    // The first call starts the threads.
    shell.coarsen_cpu([2; 3]).unwrap();
    let cases: [(&str, u64, &Operation<'_>); 6] = [
        ("dual of a solid", solid.voxels(), &|| solid.dual_cpu()),
        ("coarsen a solid by 3", solid.voxels(), &|| solid.coarsen_cpu([3; 3])),
        ("coarsen a shell by (2, 2, 1)", shell.voxels(), &|| shell.coarsen_cpu([2, 2, 1])),
        ("dilate a shell", shell.voxels(), &|| shell.dilate_cpu(Neighbours::Vertex, 1)),
        ("conv 3 of a solid", solid.voxels(), &|| solid.conv_cpu([3; 3], [2; 3])),
        ("refine a shell", shell.voxels() * 8, &|| shell.refine_cpu([2; 3])),
    ];
    // A control: an operation that lists its voxels is seen.
    let listed = scratch(|| {
        assert_eq!(shell.coordinates(0)?.len() as u64, shell.voxels());
        shell.coarsen_cpu([2; 3])
    });
    assert!(listed.is_none_or(|bytes| bytes > shell.voxels()), "{listed:?} bytes for a list of all voxels");
    for (name, voxels, operation) in cases {
        let Some(bytes) = scratch(operation) else {
            println!("skipped: the system does not tell the peak of a process");
            return;
        };
        println!("{name}: {bytes} bytes of scratch, {voxels} voxels");
        assert!(bytes < voxels, "{name}: {bytes} bytes of scratch for {voxels} voxels");
    }
}

#[test]
fn scattered_grids_are_small() {
    let mut state = 1_u64;
    let mut draw = |side: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % side) as i32
    };
    let bytes =
        |voxels: &[[i32; 3]]| GridBatch::from_coordinates_cpu(&[voxels], &[Transform::default()]).unwrap().bytes();
    let wide: Vec<[i32; 3]> = (0..5000).map(|_| [0; 3].map(|_: i32| draw(18_001) - 9000)).collect();
    assert!(bytes(&wide) < 8_000_000, "{}", bytes(&wide));
    // 40,000 points of a road scene of 5000 x 3000 x 200 voxels, whose dense table would take 12 GB.
    let road: Vec<[i32; 3]> = (0..40_000).map(|_| [draw(5000), draw(3000), draw(200)]).collect();
    assert!(bytes(&road) < 6_000_000, "{}", bytes(&road));
    // One voxel: a tile's, a lower node's and a leaf's words.
    assert!(bytes(&[[1; 3]]) < 10_000, "{}", bytes(&[[1; 3]]));
}
