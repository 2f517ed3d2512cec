// Schedule: predictor chains of MD1 and STRIDE: a lane an axis of a meshlet, CHAIN_UNITS meshlets a workgroup of 32 lanes, in the order of the walk. The ranges of
// damaged meshlets are filled with zeros here. Needs decode_job, predictor, and a module with `statuses`, `counts_of`, `is_walked` and `word_of`.

@group(0) @binding(5) var<storage, read_write> triangles: array<Triangle>;
// A word a vertex of the walk: the places in the walk of the vertices a, b and c that it is predicted from, then its number, a byte each; without a context c is its
// own place. Residuals follow, three words a vertex.
@group(0) @binding(6) var<storage, read_write> records: array<u32>;
// Three words a vertex.
@group(0) @binding(7) var<storage, read_write> vertices: array<u32>;

// The codes at places 2w and 2w + 1 of the walk of a lane in column `lane` of row w: each lane has a bank. The last two columns, of lanes without a meshlet, hold what
// the lanes find out. CODE_ROWS: half of the vertices of the file's largest meshlet, at least 32.
var<workgroup> codes: array<u32, 32u * CODE_ROWS>;
const STATUS_COLUMN = 30u;

fn weights_of(axis: u32) -> vec4<i32> {
    var weights = params.predictor_x;
    if axis == 1u { weights = params.predictor_y; }
    if axis == 2u { weights = params.predictor_z; }
    return weights;
}

// Context and residual of a place; past the last one, its own again.
fn record_of(first: u32, place: u32, count: u32, axis: u32) -> vec2<u32> {
    let at = first + min(place, count - 1u);
    return vec2<u32>(records[at], records[params.vertices + 3u * at + axis]);
}

// The words of the codes of a context.
fn ask(context: u32, lane: u32) -> vec3<u32> {
    return vec3<u32>(codes[((context << 4u) & 0xfe0u) | lane], codes[((context >> 4u) & 0xfe0u) | lane], codes[((context >> 12u) & 0xfe0u) | lane]);
}

// `all`: all bits that were set in a code. `low`: the code at the last even place.
struct Chain { lane: u32, axis: u32, first: u32, count: u32, weights: vec4<i32>, previous: i32, low: u32, all: u32 }

// The next code of a chain; places past the last one leave nothing behind but a code that nobody asks for. `words` were asked for before the code of the place before was known, so that one is put in here.
fn link(chain: ptr<function, Chain>, place: u32, odd: bool, record: vec2<u32>, words: vec3<u32>) {
    let previous = (*chain).previous;
    let context = vec3<u32>(record.x, record.x >> 8u, record.x >> 16u) & vec3<u32>(255u);
    let shifts = vec3<u32>(record.x << 4u, record.x >> 4u, record.x >> 12u) & vec3<u32>(16u);
    let kept = bitcast<vec3<i32>>((words >> shifts) & vec3<u32>(0xffffu));
    let known = select(kept, vec3<i32>(previous), context == vec3<u32>(place - 1u));
    let predicted = predict_code((*chain).weights, known.x, known.y, known.z, 0);
    let code = select(predicted, previous, context.z == place) + bitcast<i32>(record.y);
    (*chain).previous = code;
    let half = bitcast<u32>(code) & 0xffffu;
    if !odd { (*chain).low = half; }
    codes[((place << 4u) & 0xfe0u) | (*chain).lane] = select(half, (*chain).low | (half << 16u), odd);
    if place < (*chain).count {
        (*chain).all |= bitcast<u32>(code);
        vertices[3u * ((*chain).first + (record.x >> 24u)) + (*chain).axis] = word_of(code, (*chain).axis);
    }
}

// Whether a code of this axis leaves its range. Records are asked for eight places ahead, codes one.
fn walk_axis(first: u32, count: u32, lane: u32, axis: u32) -> bool {
    var chain = Chain(lane, axis, first, count, weights_of(axis), 0, 0u, 0u);
    var r0 = record_of(first, 0u, count, axis);
    var r1 = record_of(first, 1u, count, axis);
    var r2 = record_of(first, 2u, count, axis);
    var r3 = record_of(first, 3u, count, axis);
    var r4 = record_of(first, 4u, count, axis);
    var r5 = record_of(first, 5u, count, axis);
    var r6 = record_of(first, 6u, count, axis);
    var r7 = record_of(first, 7u, count, axis);
    var words = ask(r0.x, lane);
    for (var place = 0u; place < count; place += 8u) {
        let c0 = r0;
        let c1 = r1;
        let c2 = r2;
        let c3 = r3;
        let c4 = r4;
        let c5 = r5;
        let c6 = r6;
        let c7 = r7;
        r0 = record_of(first, place + 8u, count, axis);
        r1 = record_of(first, place + 9u, count, axis);
        r2 = record_of(first, place + 10u, count, axis);
        r3 = record_of(first, place + 11u, count, axis);
        r4 = record_of(first, place + 12u, count, axis);
        r5 = record_of(first, place + 13u, count, axis);
        r6 = record_of(first, place + 14u, count, axis);
        r7 = record_of(first, place + 15u, count, axis);
        let w1 = ask(c1.x, lane);
        link(&chain, place, false, c0, words);
        let w2 = ask(c2.x, lane);
        link(&chain, place + 1u, true, c1, w1);
        let w3 = ask(c3.x, lane);
        link(&chain, place + 2u, false, c2, w2);
        let w4 = ask(c4.x, lane);
        link(&chain, place + 3u, true, c3, w3);
        let w5 = ask(c5.x, lane);
        link(&chain, place + 4u, false, c4, w4);
        let w6 = ask(c6.x, lane);
        link(&chain, place + 5u, true, c5, w5);
        let w7 = ask(c7.x, lane);
        link(&chain, place + 6u, false, c6, w6);
        words = ask(r0.x, lane);
        link(&chain, place + 7u, true, c7, w7);
    }
    return (chain.all >> params.bits[axis]) != 0u;
}

// The status of a meshlet: any axis may have found a code out of range.
fn status_of(slot: u32) -> u32 {
    let place = 96u * slot + STATUS_COLUMN;
    let found = vec3<u32>(codes[place], codes[place + 32u], codes[place + 64u]);
    return select(found.x, STATUS_RANGE, any(found == vec3<u32>(STATUS_RANGE)));
}

fn clear_meshlet(job: vec4<u32>, counts: u32, lane: u32) {
    for (var k = lane; k < 3u * (counts & 0xffffu); k += 32u) { vertices[3u * job.y + k] = 0u; }
    for (var k = lane; k < (counts >> 16u); k += 32u) { triangles[job.z + k] = Triangle(0u, 0u, 0u); }
}

fn predict_meshlets(workgroup: vec3<u32>, lane: u32) {
    let slot = lane / 3u;
    let axis = lane % 3u;
    let group = folded_index(workgroup, 0u, 1u, params.groups_x);
    let index = CHAIN_UNITS * group + slot;
    let unit = unit_of(index);
    let job = jobs[min(index, params.jobs - 1u)];
    let live = slot < CHAIN_UNITS && index < params.jobs && unit != NO_UNIT;
    let counts = counts_of(select(0u, unit, live));
    var status = 0u;
    if live { status = statuses[index]; }
    if live && is_walked(status) {
        if walk_axis(job.y, counts & 0xffffu, lane, axis) { status = STATUS_RANGE; }
    }
    codes[32u * lane + STATUS_COLUMN] = status;
    workgroupBarrier();
    storageBarrier();
    for (var k = 0u; k < CHAIN_UNITS; k++) {
        if status_of(k) != 0u {
            let other = jobs[min(CHAIN_UNITS * group + k, params.jobs - 1u)];
            clear_meshlet(other, counts_of(other.x), lane);
        }
    }
    if live && axis == 0u { statuses[index] = status_of(slot); }
}
