// Schedule: STRIDE meshlets: the table, and bits most significant first. Dispatches: decode_stride walks the tokens, which depend on each other, a lane a
// meshlet; of them residuals_stride reads residuals, a lane an axis, and expand_stride makes triangles and contexts, 32 lanes a meshlet, at the same time; then
// chain_stride predicts, a lane a meshlet, and dequantize_stride writes vertices. Needs decode_job.

@group(0) @binding(2) var<storage, read> body: array<u32>;
// Three quads a meshlet: first bit, first bit behind, first bit of the residuals, status; vertices | triangles << 16, strips | roots << 16, and
// the first bits of streams 2 to 6 from the residuals on; a zero follows them.
@group(0) @binding(3) var<storage, read> table: array<vec4<u32>>;

const MAX_SYMBOL = 0x7ffffu;
// Words of a job in `strips`: the vertex of each index entry, a byte each, then planes of a bit an entry: whether it keeps the edge of corners 0 and 2, whether it
// completes a triangle, whether its vertex was not met before; then a bit a vertex in the order of first use: it has no context; then the status of the walk.
const STRIP_WORDS = 280u;
const EDGES_AT = 192u;
const NEWEST_AT = 216u;
const FIRSTS_AT = 240u;
const ROOTS_AT = 264u;
const STATUS_AT = 272u;

struct Entry {
    start: u32,
    end: u32,
    residuals: u32,
    status: u32,
    vertices: u32,
    triangles: u32,
    strips: u32,
    roots: u32,
    // First bits of streams 2 to 6.
    streams: array<u32, 5>,
}

// A place in the bits of a meshlet, and the first status that stopped it.
struct Cursor { at: u32, end: u32, status: u32 }

fn load_entry(unit: u32) -> Entry {
    let a = table[3u * unit];
    let b = table[3u * unit + 1u];
    let c = table[3u * unit + 2u];
    var e: Entry;
    e.start = a.x;
    e.end = a.y;
    e.residuals = a.z;
    e.status = a.w;
    e.vertices = b.x & 0xffffu;
    e.triangles = b.x >> 16u;
    e.strips = b.y & 0xffffu;
    e.roots = b.y >> 16u;
    e.streams = array<u32, 5>(b.z, b.w, c.x, c.y, c.z);
    return e;
}

// 32 bits from bit `at` on.
fn window(at: u32) -> u32 {
    let word = at >> 5u;
    return (body[word] << (at & 31u)) | ((body[word + 1u] >> 1u) >> (31u - (at & 31u)));
}

// The next n bits, 0 to 31.
fn take(cursor: ptr<function, Cursor>, n: u32) -> u32 {
    let at = (*cursor).at;
    if n > (*cursor).end - at {
        if (*cursor).status == 0u { (*cursor).status = STATUS_TRUNCATED; }
        return 0u;
    }
    (*cursor).at = at + n;
    return (window(at) >> 1u) >> (31u - n);
}

fn stop(cursor: ptr<function, Cursor>, failed: bool, status: u32) {
    if failed && (*cursor).status == 0u { (*cursor).status = status; }
}

// The number of zeros before the next 1, at most `limit`; the 1 is read too.
fn zeros(cursor: ptr<function, Cursor>, limit: u32) -> u32 {
    let at = (*cursor).at;
    let room = (*cursor).end - at;
    var count = 0u;
    var run = 32u;
    while run == 32u && count < room && count <= limit {
        run = countLeadingZeros(window(at + count));
        count += run;
    }
    stop(cursor, count >= room, STATUS_TRUNCATED);
    stop(cursor, count > limit, STATUS_RANGE);
    (*cursor).at = at + select(count + 1u, 0u, (*cursor).status != 0u);
    return count;
}

// A symbol of a stream: tag 1 is Rice, tag 2 Exp-Golomb.
fn symbol(cursor: ptr<function, Cursor>, tag: u32, k: u32) -> u32 {
    let limit = MAX_SYMBOL >> k;
    var high = 0u;
    if tag == 1u {
        high = zeros(cursor, limit);
    } else {
        let length = min(zeros(cursor, 19u), 19u);
        high = (1u << length) - 1u + take(cursor, length);
    }
    stop(cursor, high > limit, STATUS_RANGE);
    return (high << k) + take(cursor, k);
}
