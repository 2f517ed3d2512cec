// Schedule: residuals of an MD1 meshlet of modes 0 and 2, 32 lanes: a lane a vertex, then of Rice codes a lane a bit of the unary plane. Needs decode_job, md1_block,
// md1_meshlet, md1_planes, md1_rows, predictor.

@group(0) @binding(6) var<storage, read_write> contexts: array<u32>;
@group(0) @binding(7) var<storage, read_write> residuals: array<u32>;

fn cut(value: i32) -> u32 {
    return bitcast<u32>(clamp(value, -params.largest_residual, params.largest_residual));
}

fn keep_residual(index: u32, axis: u32, vertex: u32, value: i32) {
    residuals[residual_row(index) + params.capacity * axis + vertex] = cut(value);
}

fn keep_packed(index: u32, vertex: u32, value: vec3<i32>) {
    residuals[residual_row(index) + vertex] = cut(value.x) + (cut(value.y) << 16u);
    residuals[residual_row(index) + params.capacity + vertex] = cut(value.z);
}

// Contexts and residuals that fill the last block of eight vertices.
fn fill_block(index: u32, vertices_here: u32, lane: u32) {
    let vertex = vertices_here + lane;
    if lane < (0u - vertices_here) % 8u {
        contexts[context_row(index) + vertex] = vertex * 0x010101u;
        for (var axis = 0u; axis < select(3u, 2u, PACKED); axis++) { keep_residual(index, axis, vertex, 0); }
    }
}

// Where the residuals of each axis are, in bits of the meshlet: the first delta and field and the steps to the next, the unary plane, the end of what an axis needs.
struct Coding {
    roots: u32,
    count: u32,
    deltas: vec3<u32>,
    delta_steps: vec3<u32>,
    deltas_end: u32,
    unary: vec3<u32>,
    fields: vec3<u32>,
    field_steps: vec3<u32>,
    needed: vec3<u32>,
    end: u32,
}

fn place_residuals(entry: Entry, head: Head, at: u32) -> Coding {
    var c: Coding;
    for (var k = 0u; k < 8u; k++) { c.roots += countOneBits(atomicLoad(&root_words[k])); }
    c.count = entry.vertices - min(c.roots, entry.vertices);
    let more = max(c.roots, 1u) - 1u;
    let widths = head.delta_width;
    c.deltas_end = at + more * (widths.x + widths.y + widths.z);
    if FIXED {
        c.delta_steps = vec3<u32>(widths.x + widths.y + widths.z);
        c.deltas = vec3<u32>(at, at + widths.x, at + widths.x + widths.y);
        let fields = head.parameter;
        c.field_steps = vec3<u32>(fields.x + fields.y + fields.z);
        c.fields = vec3<u32>(0u, fields.x, fields.x + fields.y) + c.deltas_end;
        c.end = c.deltas_end + c.count * c.field_steps.x;
        c.needed = vec3<u32>(c.end);
    } else {
        c.delta_steps = widths;
        c.deltas = vec3<u32>(at, at + more * widths.x, at + more * (widths.x + widths.y));
        c.field_steps = head.parameter;
        var next = c.deltas_end;
        for (var axis = 0u; axis < 3u; axis++) {
            c.unary[axis] = next;
            next += select(head.unary[axis], 0u, head.is_fixed[axis] == 1u);
            c.fields[axis] = next;
            next += c.count * head.parameter[axis];
            c.needed[axis] = next;
        }
        c.end = next;
    }
    return c;
}

// Whether the meshlet is as long as its residuals need.
fn check_residuals(block: Block, c: Coding) -> bool {
    fail_if(c.roots == 0u, STAGE_DELTAS, STATUS_COUNT);
    fail_if(c.deltas_end > block.bits, STAGE_DELTAS, STATUS_TRUNCATED);
    fail_if(c.needed.x > block.bits, STAGE_AXES, STATUS_TRUNCATED);
    fail_if(c.needed.y > block.bits, STAGE_AXES + 2u, STATUS_TRUNCATED);
    fail_if(c.needed.z > block.bits, STAGE_AXES + 4u, STATUS_TRUNCATED);
    fail_if(((c.end + 31u) >> 5u) != block.bits >> 5u, STAGE_END, STATUS_STREAM_END);
    return c.roots != 0u && c.deltas_end <= block.bits;
}

// Anchor, deltas and fields of a fixed width; of each Rice code its vertex.
fn write_roots_and_fields(block: Block, index: u32, entry: Entry, head: Head, c: Coding, lane: u32) {
    var roots_before = 0u;
    for (var word = 0u; 32u * word < entry.vertices; word++) {
        let bits = atomicLoad(&root_words[word]);
        let roots = roots_before + countOneBits(bits & ((1u << lane) - 1u));
        roots_before += countOneBits(bits);
        let vertex = 32u * word + lane;
        let root = ((bits >> lane) & 1u) == 1u;
        let rank = select(vertex - roots, max(roots, 1u) - 1u, root);
        if vertex < entry.vertices {
            if !FIXED && !root { atomicOr(&distances[rank >> 2u], vertex << (8u * (rank & 3u))); }
            var values: vec3<i32>;
            for (var axis = 0u; axis < 3u; axis++) {
                let at = select(c.fields[axis] + rank * c.field_steps[axis], c.deltas[axis] + rank * c.delta_steps[axis], root);
                let width = select(head.parameter[axis], head.delta_width[axis], root);
                if (root || head.is_fixed[axis] == 1u) && c.needed[axis] <= block.bits {
                    var value = unzigzag(field(block, at, width));
                    if vertex == 0u { value = bitcast<i32>(head.anchor[axis]); }
                    if PACKED { values[axis] = value; } else { keep_residual(index, axis, vertex, value); }
                }
            }
            if PACKED { keep_packed(index, vertex, values); }
        }
    }
}

// Rice codes: the lane of a one has the code's end.
fn write_rice(block: Block, index: u32, head: Head, c: Coding, lane: u32) {
    let below = (1u << lane) - 1u;
    for (var axis = 0u; axis < 3u; axis++) {
        if head.is_fixed[axis] == 0u && c.needed[axis] <= block.bits {
            let at = c.unary[axis];
            let length = c.fields[axis] - at;
            let width = head.parameter[axis];
            var rank_before = 0u;
            var end_before = 0u;
            for (var word = 0u; 32u * word < length; word++) {
                let bits = plane_word(block, at, length, word);
                let rank = rank_before + countOneBits(bits & below);
                if ((bits >> lane) & 1u) == 1u && rank < c.count {
                    let here = bits & below;
                    let previous = select(32u * word + 1u + firstLeadingBit(here | 1u), end_before, here == 0u);
                    let value = rice_value(32u * word + lane - previous, width, field(block, c.fields[axis] + rank * width, width));
                    keep_residual(index, axis, byte_of_distances(rank), unzigzag(value));
                }
                rank_before += countOneBits(bits);
                end_before = select(32u * word + 1u + firstLeadingBit(bits | 1u), end_before, bits == 0u);
            }
            fail_if(rank_before != c.count, STAGE_AXES + 2u * axis + 1u, STATUS_COUNT);
        }
    }
}
