// Schedule: residuals of STRIDE meshlets, a lane an axis of a meshlet, ten meshlets a workgroup of 32 lanes: a lane reads deltas and residuals in the order of the walk.
// Needs decode_job, stride_state, bits_ahead, predictor, folded_grid.

// A word a vertex of the walk, which expand_stride left; then three words a vertex, which are written here.
@group(0) @binding(5) var<storage, read_write> records: array<u32>;

const RESIDUAL_UNITS = 10u;
const NO_FAULT = 0xffffffffu;

// Stage << 8 | status word of the earliest stage that failed: the head, then two stages a stream.
var<workgroup> faults: array<atomic<u32>, 11>;

fn peek(bits: Bits) -> u32 {
    return (bits.first << (bits.at & 31u)) | ((bits.second >> 1u) >> (31u - (bits.at & 31u)));
}

// Residuals, whose bits are asked for ahead, and deltas, which are few: their place alone.
struct Streams { bits: Bits, deltas: u32, status: u32, deltas_status: u32 }

// The next symbol of the stream in use: a code of at most 32 bits from its window, others and wrong ones bit by bit.
fn next_symbol(streams: ptr<function, Streams>, root: bool, coding: vec4<u32>) -> u32 {
    var bits = (*streams).bits;
    let end = bits.end;
    var at = bits.at;
    var word = peek(bits);
    if root {
        at = (*streams).deltas;
        word = window(at);
    }
    let k = select(coding.w, coding.y, root);
    let rice = select(coding.z, coding.x, root) == 1u;
    let run = countLeadingZeros(word);
    let tail = k + select(run, 0u, rice);
    let length = run + 1u + tail;
    var value = ((word << (run & 31u)) >> (31u - min(tail, 31u))) - (1u << k) + select(0u, run << k, rice);
    if length <= min(end - at, 32u) && (value >> k) <= (MAX_SYMBOL >> k) {
        if root { (*streams).deltas = at + length; } else { advance(&bits, length); }
    } else {
        var cursor = Cursor(at, end, select((*streams).status, (*streams).deltas_status, root));
        value = symbol(&cursor, select(2u, 1u, rice), k);
        if root {
            (*streams).deltas = cursor.at;
            (*streams).deltas_status = cursor.status;
        } else {
            (*streams).status = cursor.status;
            bits = open_bits(cursor.at, end);
        }
    }
    (*streams).bits = bits;
    return value;
}

// Anchor and codings of an axis: deltas (.xy) and residuals (.zw).
struct Head { status: u32, anchor: i32, coding: vec4<u32>, end: u32 }

fn read_head(entry: Entry, axis: u32) -> Head {
    var cursor = Cursor(entry.residuals, entry.end, 0u);
    var head: Head;
    for (var j = 0u; j < 3u; j++) {
        let code = take(&cursor, params.bits[j]);
        head.anchor = select(head.anchor, bitcast<i32>(code), j == axis);
    }
    for (var j = 0u; j < 6u; j++) {
        let tag = take(&cursor, 8u);
        let parameter = take(&cursor, 8u);
        stop(&cursor, tag - 1u >= 2u || parameter > 16u, STATUS_PARAMETER);
        if j == axis { head.coding.x = tag; head.coding.y = parameter; }
        if j == axis + 3u { head.coding.z = tag; head.coding.w = parameter; }
    }
    head.status = cursor.status;
    head.end = cursor.at;
    return head;
}

// Stage << 8 | status word of the earliest stage of this axis that failed.
fn read_axis(entry: Entry, first_vertex: u32, axis: u32) -> u32 {
    let head = read_head(entry, axis);
    if head.status != 0u { return head.status; }
    let place_of = entry.streams;
    let starts = vec3<u32>(head.end - entry.residuals, place_of[0], place_of[1]);
    let ends = vec3<u32>(place_of[0], place_of[1], place_of[2]);
    let later_starts = vec3<u32>(place_of[2], place_of[3], place_of[4]);
    let later_ends = vec3<u32>(place_of[3], place_of[4], 0u);
    var streams = Streams(open_bits(entry.residuals + later_starts[axis], entry.end), entry.residuals + starts[axis], 0u, 0u);
    var place = params.vertices + 3u * first_vertex + axis;
    records[place] = bitcast<u32>(head.anchor);
    var context = records[first_vertex + min(1u, entry.vertices - 1u)];
    for (var step = 1u; step < entry.vertices; step++) {
        let root = (context >> 24u) == ((context >> 16u) & 255u);
        context = records[first_vertex + min(step + 1u, entry.vertices - 1u)];
        place += 3u;
        records[place] = bitcast<u32>(unzigzag(next_symbol(&streams, root, head.coding)));
    }
    var fault = NO_FAULT;
    if axis < 2u && streams.bits.at != entry.residuals + later_ends[axis] { fault = ((8u + 2u * axis) << 8u) | STATUS_STREAM_END; }
    if streams.status != 0u { fault = ((7u + 2u * axis) << 8u) | streams.status; }
    if streams.deltas != entry.residuals + ends[axis] { fault = ((2u + 2u * axis) << 8u) | STATUS_STREAM_END; }
    if streams.deltas_status != 0u { fault = ((1u + 2u * axis) << 8u) | streams.deltas_status; }
    return fault;
}

@compute @workgroup_size(32)
fn residuals_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let slot = lane / 3u;
    let index = RESIDUAL_UNITS * folded_index(workgroup, 0u, 1u, params.groups_x) + slot;
    let job = jobs[min(index, params.jobs - 1u)];
    let live = slot < RESIDUAL_UNITS && index < params.jobs && job.x != NO_UNIT;
    if lane < 11u { atomicStore(&faults[lane], NO_FAULT); }
    var sound = false;
    if live { sound = statuses[index] == 0u; }
    workgroupBarrier();
    if sound { atomicMin(&faults[slot], read_axis(load_entry(job.x), job.y, lane % 3u)); }
    workgroupBarrier();
    let fault = atomicLoad(&faults[slot]);
    if sound && lane % 3u == 0u && fault != NO_FAULT { statuses[index] = fault & 255u; }
}
