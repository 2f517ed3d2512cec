// Schedule: residuals of STRIDE meshlets, a lane an axis of a meshlet, ten meshlets a workgroup of 32 lanes: a lane reads its deltas, then its residuals.
// Needs decode_job, stride_state, stride_rows, bits_ahead, predictor, folded_grid.

@group(0) @binding(4) var<storage, read> strips: array<u32>;
@group(0) @binding(5) var<storage, read_write> residuals: array<vec4<u32>>;

const RESIDUAL_UNITS = 10u;
const NO_FAULT = 0xffffffffu;

// Stage << 8 | status word of the earliest stage that failed: the head, then two stages a stream.
var<workgroup> faults: array<atomic<u32>, 11>;

fn peek(bits: Bits) -> u32 {
    return (bits.first << (bits.at & 31u)) | ((bits.second >> 1u) >> (31u - (bits.at & 31u)));
}

// What a lane reads. Of a Rice code with parameter k the run of zeros counts 2^k each (`scale`), of an Exp-Golomb code it says how many bits follow (`longer`). Codes
// of at most `sure` bits are in range; `failed`: one was longer, or passed the end.
struct Stream { bits: Bits, k: u32, longer: u32, scale: u32, sure: u32, failed: bool }

// `coding`: tag and parameter.
fn open_stream(at: u32, end: u32, coding: vec2<u32>) -> Stream {
    let k = coding.y;
    let rice = coding.x == 1u;
    let sure = min(select(37u - k, (MAX_SYMBOL >> k) + 1u + k, rice), 32u);
    return Stream(open_bits(at, end), k, select(1u, 0u, rice), select(0u, 1u << k, rice), sure, false);
}

fn residual_word(value: u32) -> u32 {
    return bitcast<u32>(clamp(unzigzag(value), -params.largest_residual, params.largest_residual));
}

// The next residual, or zero and nothing read where the lowest bit of `absent` is set: without a branch, so that lanes stay together.
fn next_residual(stream: ptr<function, Stream>, absent: u32) -> u32 {
    var bits = (*stream).bits;
    let is_absent = (absent & 1u) != 0u;
    let word = peek(bits);
    let k = (*stream).k;
    let run = countLeadingZeros(word);
    let tail = k + run * (*stream).longer;
    let length = select(run + 1u + tail, 0u, is_absent);
    let value = ((word << (run & 31u)) >> (31u - min(tail, 31u))) + (run * (*stream).scale - (1u << k));
    (*stream).failed = (*stream).failed || length > min(bits.end - bits.at, (*stream).sure);
    advance(&bits, length);
    (*stream).bits = bits;
    return select(residual_word(value), 0u, is_absent);
}

fn next_pair(stream: ptr<function, Stream>, absent: u32) -> u32 {
    let low = next_residual(stream, absent);
    let high = next_residual(stream, absent >> 1u);
    return (low & 0xffffu) | (high << 16u);
}

// Eight places from `place` on.
fn read_block(stream: ptr<function, Stream>, absent: u32, row: u32, place: u32) {
    if HALVES {
        let a = next_pair(stream, absent);
        let b = next_pair(stream, absent >> 2u);
        let c = next_pair(stream, absent >> 4u);
        let d = next_pair(stream, absent >> 6u);
        residuals[(row + (place >> 1u)) >> 2u] = vec4<u32>(a, b, c, d);
    } else {
        for (var k = 0u; k < 8u; k += 4u) {
            let a = next_residual(stream, absent >> k);
            let b = next_residual(stream, absent >> (k + 1u));
            let c = next_residual(stream, absent >> (k + 2u));
            let d = next_residual(stream, absent >> (k + 3u));
            residuals[(row + place + k) >> 2u] = vec4<u32>(a, b, c, d);
        }
    }
}

// Residuals of the vertices with a context, from bit `at` on; where they end, and their status. Zeros stand for the others, and fill the last block of eight.
// `planes`: bits of the places without a context.
fn read_residuals(entry: Entry, at: u32, coding: vec2<u32>, planes: u32, row: u32) -> vec2<u32> {
    var stream = open_stream(at, entry.end, coding);
    var absent = 0u;
    // The plane is followed by another word.
    var coming = strips[planes];
    for (var place = 0u; place < entry.vertices; place += 8u) {
        if (place & 31u) == 0u {
            absent = coming;
            coming = strips[planes + (place >> 5u) + 1u];
            if entry.vertices - place < 32u { absent |= 0xffffffffu << (entry.vertices - place); }
        }
        read_block(&stream, absent, row, place);
        absent >>= 8u;
    }
    var found = vec2<u32>(stream.bits.at, 0u);
    if stream.failed { found = read_symbols(entry, at, coding, planes, row, false); }
    return found;
}

fn keep_word(row: u32, place: u32, word: u32) {
    if HALVES {
        let at = row + (place >> 1u);
        let shift = 16u * (place & 1u);
        let other = residuals[at >> 2u][at & 3u] & (0xffff0000u >> shift);
        residuals[at >> 2u][at & 3u] = other | ((word & 0xffffu) << shift);
    } else {
        residuals[(row + place) >> 2u][place & 3u] = word;
    }
}

// Deltas of the vertices without a context but the first, likewise, to their places.
fn read_deltas(entry: Entry, at: u32, coding: vec2<u32>, planes: u32, row: u32) -> vec2<u32> {
    var stream = open_stream(at, entry.end, coding);
    var left = strips[planes] & 0xfffffffeu;
    var word = 0u;
    while word < 8u {
        if left == 0u {
            word += 1u;
            left = strips[planes + word];
        } else {
            let place = 32u * word + firstTrailingBit(left);
            left &= left - 1u;
            let value = next_residual(&stream, 0u);
            // More vertices than the table says are found elsewhere.
            if place < entry.vertices { keep_word(row, place, value); }
        }
    }
    var found = vec2<u32>(stream.bits.at, 0u);
    if stream.failed { found = read_symbols(entry, at, coding, planes, row, true); }
    return found;
}

// The symbols of a stream bit by bit: of all places without a context but the first (`of_roots`), or of the others.
fn read_symbols(entry: Entry, at: u32, coding: vec2<u32>, planes: u32, row: u32, of_roots: bool) -> vec2<u32> {
    var cursor = Cursor(at, entry.end, 0u);
    for (var place = select(0u, 1u, of_roots); place < 256u && cursor.status == 0u; place++) {
        let is_root = ((strips[planes + (place >> 5u)] >> (place & 31u)) & 1u) != 0u;
        if is_root == of_roots && (of_roots || place < entry.vertices) {
            let value = symbol(&cursor, coding.x, coding.y);
            if place < entry.vertices { keep_word(row, place, residual_word(value)); }
        }
    }
    return vec2<u32>(cursor.at, cursor.status);
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
fn read_axis(entry: Entry, index: u32, axis: u32) -> u32 {
    let head = read_head(entry, axis);
    if head.status != 0u { return head.status; }
    let place_of = entry.streams;
    let starts = vec3<u32>(head.end - entry.residuals, place_of[0], place_of[1]);
    let ends = vec3<u32>(place_of[0], place_of[1], place_of[2]);
    let later_starts = vec3<u32>(place_of[2], place_of[3], place_of[4]);
    let later_ends = vec3<u32>(place_of[3], place_of[4], 0u);
    let row = residual_row(index) + axis_words() * axis;
    let planes = STRIP_WORDS * index + ROOTS_AT;
    let others = read_residuals(entry, entry.residuals + later_starts[axis], head.coding.zw, planes, row);
    let deltas = read_deltas(entry, entry.residuals + starts[axis], head.coding.xy, planes, row);
    keep_word(row, 0u, bitcast<u32>(head.anchor));
    var fault = NO_FAULT;
    if axis < 2u && others.x != entry.residuals + later_ends[axis] { fault = ((8u + 2u * axis) << 8u) | STATUS_STREAM_END; }
    if others.y != 0u { fault = ((7u + 2u * axis) << 8u) | others.y; }
    if deltas.x != entry.residuals + ends[axis] { fault = ((2u + 2u * axis) << 8u) | STATUS_STREAM_END; }
    if deltas.y != 0u { fault = ((1u + 2u * axis) << 8u) | deltas.y; }
    return fault;
}

@compute @workgroup_size(32)
fn residuals_stride(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let slot = lane / 3u;
    let index = RESIDUAL_UNITS * folded_index(workgroup, 0u, 1u, params.groups_x) + slot;
    let unit = unit_of(index);
    let live = slot < RESIDUAL_UNITS && index < params.jobs && unit != NO_UNIT;
    if lane < 11u { atomicStore(&faults[lane], NO_FAULT); }
    var sound = false;
    if live { sound = strips[STRIP_WORDS * index + STATUS_AT] == 0u; }
    workgroupBarrier();
    if sound { atomicMin(&faults[slot], read_axis(load_entry(unit), index, lane % 3u)); }
    workgroupBarrier();
    if live && lane % 3u == 0u {
        let fault = atomicLoad(&faults[slot]);
        residuals[residual_status_at(index) >> 2u] = vec4<u32>(select(fault & 255u, 0u, fault == NO_FAULT));
    }
}
