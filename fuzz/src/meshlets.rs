//! What the targets of mesh-decode share: good files with some bytes overwritten, and what holds for every decode.

use mesh_decode::{Decoded, Outputs, open};

/// Opens and decodes any bytes: whole, the odd units as a list, and the odd units as a file of their own.
///
/// # Panics
/// When a decode breaks one of its promises.
pub fn decode(bytes: &[u8]) {
    let Ok(file) = open(bytes) else { return };
    // Damaged counts may announce far more than a small input holds only where the file's length bears it out.
    assert!(u64::from(file.vertex_count()) <= 256 * 256 * bytes.len() as u64);
    let whole = file.decode_cpu(Outputs::ALL);
    check(&whole);
    let odd: Vec<u32> = (0..file.unit_count()).filter(|unit| unit % 2 == 1).collect();
    let some = file.decode_units_cpu(&odd, Outputs::ALL).expect("a good list");
    check(&some);
    let statuses: Vec<u32> = odd.iter().map(|unit| whole.statuses[*unit as usize]).collect();
    assert_eq!(some.statuses, statuses);
    if let Ok(subset) = file.subset(&odd) {
        let streamed = subset.decode_cpu(Outputs::ALL);
        assert_eq!((&streamed.statuses, &streamed.triangles), (&some.statuses, &some.triangles));
        assert_eq!((&streamed.grid, &streamed.vertex_references), (&some.grid, &some.vertex_references));
    }
    for index in 0..file.attributes().len() {
        let _ = file.decode_attribute_cpu(index, &odd);
    }
    let _ = (file.body_parts(), file.header_fields(), file.section_sizes(), file.grid_boxes(), whole.arrays());
    if let Some(Ok(blob)) = file.stride_blob() {
        let again = open(&blob).expect("a blob that was written opens").decode_cpu(Outputs::ALL);
        assert_eq!(again.grid, whole.grid);
    }
}

/// A status a unit, zeros where it is not 0, triangles inside their unit.
fn check(decoded: &Decoded) {
    assert_eq!(decoded.statuses.len(), decoded.units.len());
    assert_eq!(decoded.statuses.iter().filter(|status| **status != 0).count(), decoded.faults.len());
    for (range, status) in decoded.units.iter().zip(&decoded.statuses) {
        let vertices = range.vertex_offset..range.vertex_offset + range.vertex_count;
        let first = range.triangle_offset as usize;
        let triangles = &decoded.triangles[first..first + range.triangle_count as usize];
        if *status != 0 {
            assert!(triangles.iter().all(|triangle| *triangle == [0; 3]));
            if !decoded.positions.is_empty() {
                let positions = &decoded.positions[vertices.start as usize..vertices.end as usize];
                assert!(positions.iter().flatten().all(|x| x.to_bits() == 0));
            }
        } else if range.vertex_count > 0 {
            assert!(triangles.iter().flatten().all(|corner| vertices.contains(corner)));
        }
    }
}

/// One of the good files with bytes overwritten: `input` is the number of the file and (place, place, value) of each byte.
pub fn overwritten(files: &[&[u8]], input: &[u8]) -> Option<Vec<u8>> {
    let (choice, changes) = input.split_first()?;
    let mut bytes = files[usize::from(*choice) % files.len()].to_vec();
    for change in changes.as_chunks::<3>().0 {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
        bytes[place] = change[2];
    }
    Some(bytes)
}

/// A file of the test data of mesh-decode.
#[macro_export]
macro_rules! data {
    ($name:literal) => {
        include_bytes!(concat!("../../crates/mesh-decode/tests/data/", $name)).as_slice()
    };
}
