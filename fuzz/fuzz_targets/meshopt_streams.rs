//! Any bytes as a stream of meshoptimizer, with any count and stride, and as the input of its filters.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mesh_decode::meshopt::{Filter, apply_filter, decode_indices, decode_sequence, decode_vertices};

fuzz_target!(|input: (u8, u16, u8, &[u8])| {
    let (kind, count, stride, bytes) = input;
    let (count, stride) = (usize::from(count), usize::from(stride));
    match kind % 4 {
        0 => {
            if let Ok(vertices) = decode_vertices(bytes, count, stride) {
                assert_eq!(vertices.len(), count * stride);
            }
        }
        1 => {
            if let Ok(indices) = decode_indices(bytes, count, Some(1000)) {
                assert!(indices.len() == count && indices.iter().all(|index| *index < 1000));
            }
        }
        2 => {
            if let Ok(indices) = decode_sequence(bytes, count, Some(1000)) {
                assert!(indices.len() == count && indices.iter().all(|index| *index < 1000));
            }
        }
        _ => {
            let filters = [Filter::Octahedral, Filter::Quaternion, Filter::Exponential, Filter::Colour];
            let mut bytes = bytes.to_vec();
            let _ = apply_filter(filters[count % 4], &mut bytes, stride);
        }
    }
});
