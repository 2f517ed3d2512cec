// Schedule: residuals of MD1 meshlets of mode 0, a lane an axis of a meshlet, ten meshlets a workgroup of 32 lanes: a lane reads deltas and residuals in the order
// of the vertices. Needs decode_job, md1_block, md1_meshlet, bits_ahead, predictor, folded_grid.

@group(0) @binding(4) var<storage, read_write> statuses: array<u32>;
// Two words a job: first bit of the deltas, vertices without a context.
@group(0) @binding(5) var<storage, read_write> strips: array<u32>;
// A word a vertex, which decode_md1 left; then three words a vertex, which are written here.
@group(0) @binding(6) var<storage, read_write> records: array<u32>;

const RESIDUAL_UNITS = 10u;
const NO_FAULT = 0xffffffffu;

// Stages behind those of decode_md1; codes out of range, which chain_md1 finds, have stage 16.
const STAGE_DELTAS = 9u;
const STAGE_AXES = 10u;
const STAGE_END = 17u;

// Stage << 8 | status word of the earliest stage that failed.
var<workgroup> faults: array<atomic<u32>, 11>;

fn peek(bits: Bits) -> u32 {
    return (bits.first >> (bits.at & 31u)) | ((bits.second << 1u) << (31u - (bits.at & 31u)));
}

// How the residuals of an axis are coded. Bits of the meshlet: deltas, a unary plane and its end, fields, the end of all that this axis needs, the end of the
// meshlet. `unary_coded`: Rice codes, not fields of a fixed width.
struct Coding {
    anchor: i32,
    deltas: u32,
    delta_width: u32,
    unary: u32,
    unary_end: u32,
    fields: u32,
    width: u32,
    unary_coded: bool,
    deltas_end: u32,
    needed: u32,
    end: u32,
}

fn rice_coding(block: Block, at: u32, roots: u32, count: u32, axis: u32) -> Coding {
    let head = read_head(block, params.bits);
    var c: Coding;
    var next = at;
    for (var k = 0u; k < 3u; k++) {
        if k == axis { c.deltas = next; }
        next += (max(roots, 1u) - 1u) * head.delta_width[k];
    }
    c.deltas_end = next;
    for (var k = 0u; k < 3u; k++) {
        let unary = select(head.unary[k], 0u, head.is_fixed[k] == 1u);
        if k == axis {
            c.unary = next;
            c.unary_end = next + unary;
            c.fields = next + unary;
        }
        next += unary + count * head.parameter[k];
        if k == axis { c.needed = next; }
    }
    c.end = next;
    c.anchor = bitcast<i32>(head.anchor[axis]);
    c.delta_width = head.delta_width[axis];
    c.width = head.parameter[axis];
    c.unary_coded = head.is_fixed[axis] == 0u;
    return c;
}

// The run of zeros of the next Rice code; whether the plane ends before it does.
fn next_run(bits: ptr<function, Bits>, end: u32, short: ptr<function, bool>) -> u32 {
    var count = 0u;
    var run = countTrailingZeros(peek(*bits));
    while run == 32u && (*bits).at < end {
        count += 32u;
        advance(bits, 32u);
        run = countTrailingZeros(peek(*bits));
    }
    if (*bits).at + run >= end {
        *short = true;
        return 0u;
    }
    advance(bits, run + 1u);
    return count + run;
}

// Stage << 8 | status word of the earliest stage of this axis that failed.
fn read_axis(block: Block, count_v: u32, first_vertex: u32, places: vec2<u32>, axis: u32) -> u32 {
    let roots = places.y;
    let count = count_v - min(roots, count_v);
    let c = rice_coding(block, places.x, roots, count, axis);
    if roots == 0u { return (STAGE_DELTAS << 8u) | STATUS_COUNT; }
    if c.deltas_end > block.bits { return (STAGE_DELTAS << 8u) | STATUS_TRUNCATED; }
    if c.needed > block.bits { return ((STAGE_AXES + 2u * axis) << 8u) | STATUS_TRUNCATED; }
    let first_bit = 32u * block.first;
    let end = first_bit + block.bits;
    var unary = open_bits(first_bit + c.unary, end);
    var fields = open_bits(first_bit + c.fields, end);
    let unary_end = first_bit + c.unary_end;
    var delta_at = c.deltas;
    var short = false;
    var place = params.vertices + 3u * first_vertex + axis;
    records[place] = bitcast<u32>(c.anchor);
    var context = records[first_vertex + min(1u, count_v - 1u)];
    for (var vertex = 1u; vertex < count_v; vertex++) {
        let root = (context >> 24u) == ((context >> 16u) & 255u);
        context = records[first_vertex + min(vertex + 1u, count_v - 1u)];
        var value = 0u;
        if root {
            value = field(block, delta_at, c.delta_width);
            delta_at += c.delta_width;
        } else {
            var run = 0u;
            if c.unary_coded { run = next_run(&unary, unary_end, &short); }
            value = rice_value(run, c.width, peek(fields) & ((1u << c.width) - 1u));
            advance(&fields, c.width);
        }
        place += 3u;
        records[place] = bitcast<u32>(unzigzag(value));
    }
    // Ones that are left
    var more = 0u;
    for (var at = unary.at - first_bit; at < c.unary_end; at += 32u) {
        more |= window(block, at) & (0xffffffffu >> (32u - min(c.unary_end - at, 32u)));
    }
    var fault = select(NO_FAULT, (STAGE_END << 8u) | STATUS_STREAM_END, ((c.end + 31u) >> 5u) != block.bits >> 5u);
    if c.unary_coded && (short || more != 0u) { fault = ((STAGE_AXES + 2u * axis + 1u) << 8u) | STATUS_COUNT; }
    return fault;
}

@compute @workgroup_size(32)
fn residuals_md1(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let slot = lane / 3u;
    let index = RESIDUAL_UNITS * folded_index(workgroup, 0u, 1u, params.groups_x) + slot;
    let job = jobs[min(index, params.jobs - 1u)];
    let live = slot < RESIDUAL_UNITS && index < params.jobs && job.x != NO_UNIT;
    let row = table[select(0u, job.x, live)];
    if lane < 11u { atomicStore(&faults[lane], NO_FAULT); }
    var sound = false;
    if live { sound = statuses[index] == 0u; }
    workgroupBarrier();
    if sound {
        let places = vec2<u32>(strips[2u * index], strips[2u * index + 1u]);
        atomicMin(&faults[slot], read_axis(unit_block(row), unit_entry(row).vertices, job.y, places, lane % 3u));
    }
    workgroupBarrier();
    let fault = atomicLoad(&faults[slot]);
    if sound && lane % 3u == 0u && fault != NO_FAULT { statuses[index] = fault & 255u; }
}
