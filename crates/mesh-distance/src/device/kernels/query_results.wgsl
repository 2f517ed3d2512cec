// Schedule: what a query writes.
// Needs query_params, strict_float, triangle_distance. Constants: OUTPUT, SIGNED, SQUARED.

// Values of OUTPUT.
const OUTPUT_SLOT = 0u;      // the record that won, as a seed of the next level
const OUTPUT_DISTANCE = 1u;  // the distance
const OUTPUT_CLOSEST = 2u;   // distance, facet, feature, u, v, closest point

fn write_result(query: Query, d2: f32, slot: u32) {
    if !query.valid { return; }
    if OUTPUT == OUTPUT_SLOT {
        results[query.at] = slot;
        return;
    }
    var distance = 0.0;
    if SQUARED {
        distance = scale_pow2(d2, 2 * params.exponent);
    } else {
        distance = scale_pow2(sqrt_rn(d2), params.exponent);
    }
    var bits = bitcast<u32>(distance);
    if SIGNED || OUTPUT == OUTPUT_CLOSEST {
        let r = records[slot];
        let closest = closest_feature(r, query.p);
        if SIGNED && is_negative(normal_vectors[normal_features[slot * 8u + closest.feature]].xyz, closest.e) {
            bits |= 0x80000000u;
        }
        if OUTPUT == OUTPUT_CLOSEST {
            let o = query.at * 8u;
            results[o + 1u] = r.facet;
            results[o + 2u] = closest.feature;
            results[o + 3u] = bitcast<u32>(closest.uv.x);
            results[o + 4u] = bitcast<u32>(closest.uv.y);
            results[o + 5u] = bitcast<u32>(closest.q.x);
            results[o + 6u] = bitcast<u32>(closest.q.y);
            results[o + 7u] = bitcast<u32>(closest.q.z);
            results[o] = bits;
            return;
        }
    }
    results[query.at] = bits;
}
