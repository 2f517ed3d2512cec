// Schedule: residuals of STRIDE meshlets, a lane an axis of a meshlet, ten meshlets a workgroup of 32 lanes: a lane reads its deltas, then its residuals.
// Needs decode_job, stride_state, bits_ahead, predictor, folded_grid.

// Behind the contexts three words a vertex of the walk, which are written here.
@group(0) @binding(5) var<storage, read_write> records: array<u32>;
@group(0) @binding(6) var<storage, read_write> strips: array<u32>;

const RESIDUAL_UNITS = 10u;
const NO_FAULT = 0xffffffffu;

// Stage << 8 | status word of the earliest stage that failed: the head, then two stages a stream.
var<workgroup> faults: array<atomic<u32>, 11>;

fn peek(bits: Bits) -> u32 {
    return (bits.first << (bits.at & 31u)) | ((bits.second >> 1u) >> (31u - (bits.at & 31u)));
}

// The next symbol: a code of at most 32 bits from its window, others and wrong ones bit by bit. `coding`: tag and parameter.
fn next_symbol(bits: ptr<function, Bits>, status: ptr<function, u32>, coding: vec2<u32>) -> u32 {
    let end = (*bits).end;
    let at = (*bits).at;
    let word = peek(*bits);
    let k = coding.y;
    let rice = coding.x == 1u;
    let run = countLeadingZeros(word);
    let tail = k + select(run, 0u, rice);
    let length = run + 1u + tail;
    var value = ((word << (run & 31u)) >> (31u - min(tail, 31u))) - (1u << k) + select(0u, run << k, rice);
    if length <= min(end - at, 32u) && (value >> k) <= (MAX_SYMBOL >> k) {
        advance(bits, length);
    } else {
        var cursor = Cursor(at, end, *status);
        value = symbol(&cursor, coding.x, k);
        *status = cursor.status;
        *bits = open_bits(cursor.at, end);
    }
    return value;
}

// Residuals of the vertices with a context, from bit `at` on; where they end, and their status.
fn read_residuals(entry: Entry, at: u32, coding: vec2<u32>, row: u32, first: u32) -> vec2<u32> {
    var bits = open_bits(at, entry.end);
    var status = 0u;
    var roots = strips[row];
    var place = first;
    for (var step = 1u; step < entry.vertices; step++) {
        if (step & 31u) == 0u { roots = strips[row + (step >> 5u)]; }
        place += 3u;
        if ((roots >> (step & 31u)) & 1u) == 0u { records[place] = bitcast<u32>(unzigzag(next_symbol(&bits, &status, coding))); }
    }
    return vec2<u32>(bits.at, status);
}

// Deltas of the vertices without a context but the first, likewise.
fn read_deltas(entry: Entry, at: u32, coding: vec2<u32>, row: u32, first: u32) -> vec2<u32> {
    var bits = open_bits(at, entry.end);
    var status = 0u;
    var left = strips[row] & 0xfffffffeu;
    var word = 0u;
    while word < 8u {
        if left == 0u {
            word += 1u;
            left = strips[row + word];
        } else {
            let step = 32u * word + firstTrailingBit(left);
            left &= left - 1u;
            records[first + 3u * step] = bitcast<u32>(unzigzag(next_symbol(&bits, &status, coding)));
        }
    }
    return vec2<u32>(bits.at, status);
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
fn read_axis(entry: Entry, row: u32, first_vertex: u32, axis: u32) -> u32 {
    let head = read_head(entry, axis);
    if head.status != 0u { return head.status; }
    let place_of = entry.streams;
    let starts = vec3<u32>(head.end - entry.residuals, place_of[0], place_of[1]);
    let ends = vec3<u32>(place_of[0], place_of[1], place_of[2]);
    let later_starts = vec3<u32>(place_of[2], place_of[3], place_of[4]);
    let later_ends = vec3<u32>(place_of[3], place_of[4], 0u);
    let first = params.vertices + 3u * first_vertex + axis;
    records[first] = bitcast<u32>(head.anchor);
    let deltas = read_deltas(entry, entry.residuals + starts[axis], head.coding.xy, row, first);
    let residuals = read_residuals(entry, entry.residuals + later_starts[axis], head.coding.zw, row, first);
    var fault = NO_FAULT;
    if axis < 2u && residuals.x != entry.residuals + later_ends[axis] { fault = ((8u + 2u * axis) << 8u) | STATUS_STREAM_END; }
    if residuals.y != 0u { fault = ((7u + 2u * axis) << 8u) | residuals.y; }
    if deltas.x != entry.residuals + ends[axis] { fault = ((2u + 2u * axis) << 8u) | STATUS_STREAM_END; }
    if deltas.y != 0u { fault = ((1u + 2u * axis) << 8u) | deltas.y; }
    return fault;
}

@compute @workgroup_size(32)
fn residuals_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let slot = lane / 3u;
    let index = RESIDUAL_UNITS * folded_index(workgroup, 0u, 1u, params.groups_x) + slot;
    let unit = unit_of(index);
    let job = jobs[min(index, params.jobs - 1u)];
    let live = slot < RESIDUAL_UNITS && index < params.jobs && unit != NO_UNIT;
    if lane < 11u { atomicStore(&faults[lane], NO_FAULT); }
    var sound = false;
    if live { sound = statuses[index] == 0u; }
    workgroupBarrier();
    if sound { atomicMin(&faults[slot], read_axis(load_entry(unit), STRIP_WORDS * index + ROOTS_AT, job.y, lane % 3u)); }
    workgroupBarrier();
    let fault = atomicLoad(&faults[slot]);
    if sound && lane % 3u == 0u && fault != NO_FAULT { statuses[index] = fault & 255u; }
}
