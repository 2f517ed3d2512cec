//! Box queries on every adapter, in both strict forms: the triangles that the CPU reference finds, in one submission.
//!
//! Kernels: `select_units`, `filter_triangles`.

use conformance::adapters::on_every_adapter;
use mesh_decode::{
    DeviceFile, DeviceQuery, DgfOptions, File, GridBox, GridStep, Md1Mode, Md1Options, MeshletLimits, StreamedQuery,
    StrideOptions, UnitBvh, encode_dgf, encode_md1, encode_stride, open,
};
use mesh_distance::make;

/// A torus in every format with one grid, in small units.
fn files() -> Vec<(&'static str, Vec<u8>, File)> {
    let mesh = make::torus(1_200);
    let positions: Vec<[f32; 3]> = mesh.positions.iter().map(|p| p.map(|x| x as f32)).collect();
    let step = GridStep::Bits(11);
    let limits = MeshletLimits { vertices: 48, triangles: 60 };
    let md1 = |mode| {
        let options = Md1Options { step, mode, limits, ..Md1Options::default() };
        encode_md1(&positions, &mesh.triangles, &options).unwrap().bytes
    };
    let dgf = encode_dgf(&positions, &mesh.triangles, &DgfOptions { step, ..DgfOptions::default() }).unwrap().bytes;
    let stride = encode_stride(&positions, &mesh.triangles, &StrideOptions { bits: 11, limits }).unwrap().bytes;
    let all = [
        ("MD1 predicted", md1(Md1Mode::Predicted)),
        ("MD1 fixed", md1(Md1Mode::Fixed)),
        ("MD1 offsets", md1(Md1Mode::Offsets)),
        ("DGF", dgf),
        ("STRIDE", stride),
    ];
    all.into_iter().map(|(name, bytes)| (name, bytes.clone(), open(&bytes).unwrap())).collect()
}

/// Boxes of all sizes round the torus, and the extremes.
fn boxes() -> Vec<([f64; 3], [f64; 3])> {
    let mut state = 3_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    let mut found = vec![
        ([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]),
        ([50.0; 3], [51.0; 3]),
        ([1.0; 3], [-1.0; 3]),
        ([0.0; 3], [0.0; 3]),
    ];
    for k in 0..20 {
        let half = [0.02, 0.2, 0.7, 2.0][k % 4];
        let centre = [4.0 * next() - 2.0, 4.0 * next() - 2.0, next() - 0.5];
        found.push((centre.map(|x| x - half), centre.map(|x| x + half)));
    }
    found
}

/// The same with the choice of units on the device, everything at its place in a whole decode.
fn chosen_on_the_device(query: &DeviceQuery<'_>, closed_box: &GridBox) -> Vec<u32> {
    let mut recording = query.count().context().record("test");
    query.record(&mut recording, closed_box).unwrap();
    let (count, numbers) = (recording.download(query.count()), recording.download(query.numbers()));
    let mut completed = recording.submit().unwrap();
    let count = completed.take(count).unwrap()[0] as usize;
    completed.take(numbers).unwrap()[..count].to_vec()
}

#[test]
fn boxes_give_the_triangles_of_the_cpu() {
    on_every_adapter(|context| {
        let mut found_some = 0;
        for (name, bytes, file) in files() {
            let bvh = UnitBvh::build(&file, &bytes).unwrap();
            let device = DeviceFile::upload(context, &file).unwrap();
            let query = DeviceQuery::new(&device, &bvh).unwrap();
            let mut streamed = StreamedQuery::new(context, &file, &bvh).unwrap();
            for (low, high) in boxes() {
                let closed_box = bvh.frame().grid_box(low, high).unwrap();
                let expected = file.query_box_cpu(&bvh, &closed_box).unwrap().triangles;
                let what = format!("{name}, {low:?} to {high:?}");
                assert_eq!(query.triangles_in(&closed_box).unwrap(), expected, "{what}");
                assert_eq!(chosen_on_the_device(&query, &closed_box), expected, "{what}: chosen on the device");
                let answer = streamed.ask(&closed_box).unwrap();
                assert_eq!(answer.triangles, expected, "{what}: streamed");
                assert_eq!(answer.units, bvh.units_in(&closed_box), "{what}");
                let bytes =
                    answer.units.iter().map(|unit| file.unit_bytes(*unit)).map(|r| r.end - r.start).sum::<u64>();
                // Tables, jobs and whole words come on top of the bytes of the units; nothing goes up for nothing.
                let allowed = if answer.units.is_empty() { 0 } else { bytes + 96 * answer.units.len() as u64 + 1024 };
                assert!(answer.times.upload_bytes <= allowed, "{what}: {} bytes up", answer.times.upload_bytes);
                found_some += usize::from(!expected.is_empty() && expected.len() < file.triangle_count() as usize);
            }
        }
        assert!(found_some > 20, "{found_some} boxes found a part");
    });
}

#[test]
fn a_damaged_unit_and_an_empty_file_have_no_triangles() {
    on_every_adapter(|context| {
        let (_, mut bytes, file) = files().swap_remove(1);
        let damaged = file.unit_bytes(3);
        bytes[damaged.start as usize..damaged.end as usize].fill(0xff);
        let file = open(&bytes).unwrap();
        let bvh = UnitBvh::build(&file, &bytes).unwrap();
        let device = DeviceFile::upload(context, &file).unwrap();
        let query = DeviceQuery::new(&device, &bvh).unwrap();
        let all = bvh.frame().grid_box([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]).unwrap();
        let found = query.triangles_in(&all).unwrap();
        assert_eq!(found, file.query_box_cpu(&bvh, &all).unwrap().triangles);
        assert_eq!(StreamedQuery::new(context, &file, &bvh).unwrap().ask(&all).unwrap().triangles, found);
        assert_eq!(chosen_on_the_device(&query, &all), found);
        assert_eq!(found.len() as u32, file.triangle_count() - file.units()[3].triangle_count);

        let empty = encode_md1(&[], &[], &Md1Options::default()).unwrap().bytes;
        let file = open(&empty).unwrap();
        let bvh = UnitBvh::build(&file, &empty).unwrap();
        let device = DeviceFile::upload(context, &file).unwrap();
        assert!(DeviceQuery::new(&device, &bvh).unwrap().triangles_in(&all).unwrap().is_empty());
    });
}
