// Schedule: predictor chains in workgroup memory: a lane an axis of a meshlet, CHAIN_UNITS meshlets a workgroup of 32 lanes. Needs decode_job, predictor.

// The codes of vertices 2w and 2w + 1 of a lane in column `lane` of row w. Two columns are left for what the lanes find out.
var<workgroup> codes: array<u32, COLUMNS * 128u>;
const COLUMNS = 3u * CHAIN_UNITS + 2u;
const FAULTS_AT = COLUMNS - 2u;
const COUNTS_AT = COLUMNS - 1u;

fn code_at(vertex: u32, lane: u32) -> i32 {
    return bitcast<i32>((codes[COLUMNS * (vertex >> 1u) + lane] >> (16u * (vertex & 1u))) & 0xffffu);
}

fn keep_code(vertex: u32, lane: u32, code: i32) {
    let place = COLUMNS * (vertex >> 1u) + lane;
    let shift = 16u * (vertex & 1u);
    codes[place] = (codes[place] & ~(0xffffu << shift)) | ((bitcast<u32>(code) & 0xffffu) << shift);
}

fn weights_of(axis: u32) -> vec4<i32> {
    var weights = params.predictor_x;
    if axis == 1u { weights = params.predictor_y; }
    if axis == 2u { weights = params.predictor_z; }
    return weights;
}

// Context and residual of a vertex; past the last one, such that leave the code of a vertex that is not there: the last of 256.
fn record_of(first: u32, vertex: u32, count: u32, axis: u32) -> vec2<u32> {
    let place = first + min(vertex, count - 1u);
    let record = vec2<u32>(records[place], records[params.vertices + 3u * place + axis]);
    return select(record, vec2<u32>(0xffffffffu, 0u), vertex >= count);
}

// `all`: all bits that were set in a code.
struct Chain { lane: u32, weights: vec4<i32>, previous: i32, all: u32 }

// The next code of a chain.
fn link(chain: ptr<function, Chain>, record: vec2<u32>) {
    let lane = (*chain).lane;
    let own = record.x >> 24u;
    let opposite = (record.x >> 16u) & 255u;
    let predicted = predict_code((*chain).weights, code_at(record.x & 255u, lane), code_at((record.x >> 8u) & 255u, lane), code_at(opposite, lane), 0);
    let code = select(predicted, (*chain).previous, own == opposite) + bitcast<i32>(record.y);
    (*chain).all |= bitcast<u32>(code);
    (*chain).previous = code;
    keep_code(own, lane, code);
}

// Whether a code of this axis leaves its range. Records are asked for eight vertices ahead.
fn walk_axis(first: u32, count: u32, lane: u32, axis: u32) -> bool {
    var chain = Chain(lane, weights_of(axis), 0, 0u);
    var r0 = record_of(first, 0u, count, axis);
    var r1 = record_of(first, 1u, count, axis);
    var r2 = record_of(first, 2u, count, axis);
    var r3 = record_of(first, 3u, count, axis);
    var r4 = record_of(first, 4u, count, axis);
    var r5 = record_of(first, 5u, count, axis);
    var r6 = record_of(first, 6u, count, axis);
    var r7 = record_of(first, 7u, count, axis);
    for (var vertex = 0u; vertex < count; vertex += 8u) {
        let c0 = r0;
        let c1 = r1;
        let c2 = r2;
        let c3 = r3;
        let c4 = r4;
        let c5 = r5;
        let c6 = r6;
        let c7 = r7;
        r0 = record_of(first, vertex + 8u, count, axis);
        r1 = record_of(first, vertex + 9u, count, axis);
        r2 = record_of(first, vertex + 10u, count, axis);
        r3 = record_of(first, vertex + 11u, count, axis);
        r4 = record_of(first, vertex + 12u, count, axis);
        r5 = record_of(first, vertex + 13u, count, axis);
        r6 = record_of(first, vertex + 14u, count, axis);
        r7 = record_of(first, vertex + 15u, count, axis);
        link(&chain, c0);
        link(&chain, c1);
        link(&chain, c2);
        link(&chain, c3);
        link(&chain, c4);
        link(&chain, c5);
        link(&chain, c6);
        link(&chain, c7);
    }
    return (chain.all >> params.bits[axis]) != 0u;
}

// The status of a meshlet: any axis may have found a code out of range.
fn status_of(slot: u32) -> u32 {
    let place = 3u * COLUMNS * slot + FAULTS_AT;
    let statuses_of = vec3<u32>(codes[place], codes[place + COLUMNS], codes[place + 2u * COLUMNS]);
    return select(statuses_of.x, STATUS_RANGE, any(statuses_of == vec3<u32>(STATUS_RANGE)));
}

fn clear_meshlet(job: vec4<u32>, counts: u32, lane: u32) {
    for (var k = lane; k < 3u * (counts & 0xffffu); k += 32u) { vertices[3u * job.y + k] = 0u; }
    for (var k = lane; k < (counts >> 16u); k += 32u) { triangles[job.z + k] = Triangle(0u, 0u, 0u); }
}
