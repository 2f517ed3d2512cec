// Schedule: what a query writes.
// Needs query_params, strict_float, triangle_distance. Constants: OUTPUT, SIGNED, SQUARED.

// Values of OUTPUT.
const OUTPUT_SLOT = 0u;      // the record that won, as a seed of the next level
const OUTPUT_DISTANCE = 1u;  // the distance
const OUTPUT_CLOSEST = 2u;   // distance, facet, feature, u, v, closest point, the words of a number side by side

fn put(at: u32, x: real) {
    results[at] = low_word(x);
    if REAL_WORDS == 2u { results[at + 1u] = high_word(x); }
}

fn write_result(query: Query, d2: real, slot: u32) {
    if !query.valid { return; }
    if OUTPUT == OUTPUT_SLOT {
        results[query.at] = slot;
        return;
    }
    var distance = real(0.0);
    if SQUARED {
        distance = scale_pow2(d2, 2 * params.exponent);
    } else {
        distance = scale_pow2(sqrt_rn(d2), params.exponent);
    }
    if SIGNED || OUTPUT == OUTPUT_CLOSEST {
        let r = records[slot];
        let closest = closest_feature(r, query.p);
        if SIGNED {
            let normal = normal_vectors[normal_features[slot * 8u + closest.feature]].xyz;
            distance = with_sign(distance, is_negative(normal, closest.e));
        }
        if OUTPUT == OUTPUT_CLOSEST {
            let o = query.at * (6u * REAL_WORDS + 2u);
            put(o, distance);
            results[o + REAL_WORDS] = r.facet;
            results[o + REAL_WORDS + 1u] = closest.feature;
            put(o + REAL_WORDS + 2u, closest.uv.x);
            put(o + 2u * REAL_WORDS + 2u, closest.uv.y);
            put(o + 3u * REAL_WORDS + 2u, closest.q.x);
            put(o + 4u * REAL_WORDS + 2u, closest.q.y);
            put(o + 5u * REAL_WORDS + 2u, closest.q.z);
            return;
        }
    }
    put(query.at * REAL_WORDS, distance);
}
