// Schedule: which parts of the listed blocks stay: the index of the part plus one, or 0; and its slot, or its distance at last, of f64 the
// upper words behind all lower ones.
// Needs query_params, strict_float, triangle_distance. Constants: SIGNED, LAST.

@group(0) @binding(8) var<storage, read_write> kept: array<u32>;

// Index of the part in its level.
fn part_index(at: u32) -> u32 {
    let block = blocks[at / 64u];
    let query = at % 64u;
    let row = block / params.seed_counts.x;
    let corner = 4u * vec3<u32>(block % params.seed_counts.x, row % params.seed_counts.y, row / params.seed_counts.y);
    let part = corner + vec3<u32>(query % 4u, (query / 4u) % 4u, query / 16u);
    return (part.z * params.counts.y + part.y) * params.counts.x + part.x;
}

fn write_result(query: Query, d2: real, slot: u32) {
    var keep = query.valid;
    var value = slot;
    if LAST {
        let distance = scale_pow2(sqrt_rn(d2), params.exponent);
        keep = keep && distance <= real_of_words(params.blocks.y, params.blocks.z);
        var negative = false;
        if SIGNED && keep {
            let closest = closest_feature(records[slot], query.p);
            negative = is_negative(normal_vectors[normal_features[slot * 8u + closest.feature]].xyz, closest.e);
        }
        let signed = with_sign(distance, negative);
        value = low_word(signed);
        if REAL_WORDS == 2u { results[params.group_count * 64u + query.at] = high_word(signed); }
    } else {
        keep = keep && d2 <= real(bitcast<f32>(params.blocks.x));
    }
    results[query.at] = value;
    kept[query.at] = select(0u, part_index(query.at) + 1u, keep);
}
