// Schedule: one meshlet of the meshlet codec a workgroup of 64 lanes: its bytes, prefix sums, and triangles. Codes, extra bytes and new vertices
// are located by one prefix sum; a corner that is inherited is followed back to the triangle that has it. Needs decode_job, meshlet_codec.

@group(0) @binding(2) var<storage, read> body: array<u32>;
@group(0) @binding(4) var<storage, read_write> triangles: array<Triangle>;
@group(0) @binding(5) var<storage, read_write> statuses: array<u32>;
// First byte, bytes, vertices, triangles.
@group(0) @binding(6) var<storage, read> table: array<vec4<u32>>;

const LANES = 64u;
const NO_FAULT = 0xffffffffu;
const STAGE_LAYOUT = 1u;
const STAGE_REFERENCES = 2u;
// Two stages a triangle: its bytes, its corners.
const STAGE_TRIANGLES = 4u;
const STAGE_END = 600u;

var<workgroup> fault: atomic<u32>;
var<workgroup> scan_words: array<u32, LANES>;
var<workgroup> scan_rows: array<u32, 8>;
// Third corner | first << 8 | second << 16 | code << 24; the first two only for codes from 12 on.
var<workgroup> triangle_words: array<u32, 256>;

fn fail_if(failed: bool, stage: u32, status: u32) {
    if failed { atomicMin(&fault, (stage << 8u) | status); }
}

// Four bytes from byte `at` on; nothing past word `last` is read.
fn word_at(at: u32, last: u32) -> u32 {
    return window_at(at >> 2u, 8u * (at & 3u), last);
}

// The n bits (1 to 16) from bit `at` on.
fn bits_at(at: u32, n: u32, last: u32) -> u32 {
    return window_at(at >> 5u, at & 31u, last) & ((1u << n) - 1u);
}

fn window_at(word: u32, shift: u32, last: u32) -> u32 {
    let lo = body[min(word, last)];
    let hi = body[min(word + 1u, last)];
    return (lo >> shift) | ((hi << 1u) << (31u - shift));
}

// Sum of the values of the lanes before (.x) and of all (.y). All lanes call it together.
fn scan(value: u32, lane: u32) -> vec2<u32> {
    workgroupBarrier();
    scan_words[lane] = value;
    workgroupBarrier();
    var before = 0u;
    for (var k = lane & 56u; k < lane; k++) { before += scan_words[k]; }
    if (lane & 7u) == 7u { scan_rows[lane >> 3u] = before + value; }
    workgroupBarrier();
    var total = 0u;
    for (var k = 0u; k < 8u; k++) {
        let row = scan_rows[k];
        before += select(0u, row, k < (lane >> 3u));
        total += row;
    }
    return vec2<u32>(before, total);
}

// Codes of the four triangles of a lane, 4 bits each.
fn lane_codes(parts: Layout, lane: u32, last: u32) -> u32 {
    return word_at(parts.codes + 2u * lane, last) & 0xffffu;
}

// Extra bytes (low half) and new vertices (high half) of a lane's triangles.
fn lane_extras(codes: u32, count: u32, lane: u32) -> u32 {
    var sum = 0u;
    for (var k = 0u; k < 4u; k++) {
        let code = (codes >> (4u * k)) & 15u;
        let extra = extra_length(code);
        let fresh = select(3u, 1u, code < 12u) - extra;
        sum += select(0u, extra | (fresh << 16u), 4u * lane + k < count);
    }
    return sum;
}

// Reads a lane's triangles: `at`: their first extra byte, `next`: the number of the next new vertex.
fn load_triangles(parts: Layout, codes: u32, count: u32, lane: u32, at: u32, next: u32, last: u32) {
    var place = at;
    var id = next;
    for (var k = 0u; k < 4u; k++) {
        let triangle = 4u * lane + k;
        if triangle >= count { break; }
        let code = (codes >> (4u * k)) & 15u;
        let extra = extra_length(code);
        fail_if(place + extra > parts.bound, STAGE_TRIANGLES + 2u * triangle, STATUS_TRUNCATED);
        let bytes = word_at(place, last);
        place += extra;
        var word = code << 24u;
        if code < 12u {
            word |= select(id & 255u, bytes & 255u, extra == 1u);
            id += 1u - extra;
        } else {
            let first = select(bytes, id, extra == 0u) & 255u;
            id += select(0u, 1u, extra == 0u);
            let second = select(bytes >> 8u, id, extra < 2u) & 255u;
            id += select(0u, 1u, extra < 2u);
            let third = select(bytes >> 16u, id, extra < 3u) & 255u;
            id += select(0u, 1u, extra < 3u);
            word |= third | (first << 8u) | (second << 16u);
        }
        triangle_words[triangle] = word;
    }
}

// Corner 0 or 1 of a triangle: its own, or that of the triangle that it hangs from, one of the three before it; there are none before the first.
fn inherited(triangle: u32, corner: u32) -> u32 {
    var at = triangle;
    var word = triangle_words[at];
    var value = 0u;
    var going = true;
    while going {
        let code = word >> 24u;
        let back = 1u + (code >> 2u);
        if code >= 12u {
            value = (word >> (8u + 8u * corner)) & 255u;
            going = false;
        } else if at < back {
            going = false;
        } else {
            at -= back;
            word = triangle_words[at];
            if ((code >> 1u) & 1u) != corner {
                value = word & 255u;
                going = false;
            }
        }
    }
    return value;
}

// Writes all triangles; local vertices must be below `limit`.
fn write_triangles(job: vec4<u32>, count: u32, limit: u32, lane: u32) {
    for (var i = lane; i < count; i += LANES) {
        let corners = vec3<u32>(inherited(i, 0u), inherited(i, 1u), triangle_words[i] & 255u);
        let largest = max(corners.x, max(corners.y, corners.z));
        fail_if(largest >= limit, STAGE_TRIANGLES + 2u * i + 1u, STATUS_INDEX);
        triangles[job.z + i] = Triangle(job.w + corners.x, job.w + corners.y, job.w + corners.z);
    }
}

fn clear_triangles(job: vec4<u32>, count: u32, lane: u32) {
    for (var i = lane; i < count; i += LANES) { triangles[job.z + i] = Triangle(0u, 0u, 0u); }
}
