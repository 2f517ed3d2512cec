// Schedule: the tokens of a STRIDE meshlet, walked by one lane: each depends on the list that those before it left. An index entry a round, so that the lanes of
// a subgroup stay together. Needs stride_state, bits_ahead.

@group(0) @binding(5) var<storage, read_write> strips: array<u32>;

fn peek(bits: Bits) -> u32 {
    return (bits.first << (bits.at & 31u)) | ((bits.second >> 1u) >> (31u - (bits.at & 31u)));
}

// A bit a vertex of each lane: met before.
var<workgroup> seen: array<u32, 8u * 32u>;

// The list of recent vertices, a byte each, newest last; `empty`: 255 in the bytes before the oldest.
struct Recent { ids: vec4<u32>, empty: vec4<u32>, length: u32 }

fn byte_of(ids: vec4<u32>, slot: u32) -> u32 {
    let low = select(ids.x, ids.y, (slot & 4u) != 0u);
    let high = select(ids.z, ids.w, (slot & 4u) != 0u);
    return (select(low, high, (slot & 8u) != 0u) >> (8u * (slot & 3u))) & 255u;
}

// All bytes a place down, and `id` in the last.
fn shift_down(ids: vec4<u32>, id: u32) -> vec4<u32> {
    return vec4<u32>((ids.x >> 8u) | (ids.y << 24u), (ids.y >> 8u) | (ids.z << 24u), (ids.z >> 8u) | (ids.w << 24u), (ids.w >> 8u) | (id << 24u));
}

// Takes the byte at `slot` out and appends `id`.
fn renew(ids: vec4<u32>, slot: u32, id: u32) -> vec4<u32> {
    let down = shift_down(ids, id);
    let below = (1u << (8u * (slot & 3u))) - 1u;
    let word = slot >> 2u;
    let x = select(ids.x, (ids.x & below) | (down.x & ~below), word == 0u);
    let y = select(select(ids.y, (ids.y & below) | (down.y & ~below), word == 1u), down.y, word < 1u);
    let z = select(select(ids.z, (ids.z & below) | (down.z & ~below), word == 2u), down.z, word < 2u);
    let w = select(down.w, (ids.w & below) | (down.w & ~below), word == 3u);
    return vec4<u32>(x, y, z, w);
}

fn on_the_list(recent: Recent, id: u32) -> bool {
    let x = (recent.ids ^ vec4<u32>(id * 0x01010101u)) | recent.empty;
    let zeros_of = (x - vec4<u32>(0x01010101u)) & ~x & vec4<u32>(0x80808080u);
    return (zeros_of.x | zeros_of.y | zeros_of.z | zeros_of.w) != 0u;
}

// Whether this lane meets the vertex for the first time.
fn meet(id: u32, lane: u32) -> bool {
    let place = 32u * ((id >> 5u) & 7u) + lane;
    let bit = 1u << (id & 31u);
    let before = seen[place];
    seen[place] = before | bit;
    return (before & bit) == 0u;
}

// The length of the strip that begins here, or 0 and a status.
fn begin_strip(bits: ptr<function, Bits>, status: ptr<function, u32>, strips_left: u32, room: u32) -> u32 {
    if strips_left == 0u { *status = STATUS_COUNT; }
    if *status == 0u && (*bits).end - (*bits).at < 16u { *status = STATUS_TRUNCATED; }
    if *status != 0u { return 0u; }
    let length = peek(*bits) >> 16u;
    if length == 0u || length > room { *status = STATUS_COUNT; }
    advance(bits, 16u);
    return length;
}

fn open_meshlet(entry: Entry, bits: ptr<function, Bits>) -> u32 {
    if entry.end - entry.start < 48u { return STATUS_TRUNCATED; }
    *bits = open_bits(entry.start, entry.end);
    let counts = peek(*bits);
    advance(bits, 32u);
    let strips_here = peek(*bits) >> 16u;
    advance(bits, 16u);
    return select(0u, STATUS_COUNT, counts != ((entry.vertices << 16u) | entry.triangles) || strips_here != entry.strips);
}

// Walks all strips, writes index entries and planes, and returns the status.
fn walk_strips(entry: Entry, row: u32, lane: u32) -> u32 {
    var bits: Bits;
    var status = open_meshlet(entry, &bits);
    for (var k = 0u; k < 8u; k++) { seen[32u * k + lane] = 0u; }
    let id_bits = 32u - countLeadingZeros(entry.vertices);
    let entries = entry.triangles + 2u * entry.strips;
    var recent = Recent(vec4<u32>(0u), vec4<u32>(0xffffffffu), 0u);
    var steps = 0u;
    var roots = 0u;
    // Triangles that the current strip still has, entries of its root that are still to come, strips and triangles that are still to come.
    var left = 0u;
    var root = 0u;
    var strips_left = entry.strips;
    var room = entry.triangles;
    var ids = 0u;
    var edges = 0u;
    var newest = 0u;
    var firsts = 0u;
    for (var e = 0u; e < entries && status == 0u; e++) {
        if left == 0u {
            left = begin_strip(&bits, &status, strips_left, room);
            strips_left -= 1u;
            room -= left;
            root = 3u;
        }
        // [1] the edge that a triangle keeps, then the token of its vertex
        let edged = select(0u, 1u, root == 0u);
        let word = peek(bits);
        let token = word << edged;
        let raw = (token >> 31u) != 0u;
        let place = (token >> 26u) & 31u;
        let raw_id = (token << 1u) >> (32u - id_bits);
        let length = edged + select(6u, 1u + id_bits, raw);
        let slot = select((16u + place - recent.length) & 15u, 0u, raw);
        let id = select(byte_of(recent.ids, slot), raw_id, raw);
        let wrong_raw = select(select(0u, STATUS_TOKEN, on_the_list(recent, id)), STATUS_INDEX, id >= entry.vertices);
        let wrong = select(select(0u, STATUS_TOKEN, place >= recent.length), wrong_raw, raw);
        let found = select(wrong, STATUS_TRUNCATED, length > bits.end - bits.at);
        status = select(status, found, status == 0u);
        if status != 0u { break; }
        advance(&bits, length);
        // [2] the list
        recent.ids = renew(recent.ids, slot, id);
        if raw && recent.length < 16u {
            recent.length += 1u;
            recent.empty = shift_down(recent.empty, 0u);
        }
        // [3] what is left behind
        var fresh = 0u;
        if raw { fresh = select(0u, 1u, meet(id, lane)); }
        steps += fresh;
        roots += select(0u, fresh, root != 0u);
        ids |= id << (8u * (e & 3u));
        edges |= (edged & (word >> 31u)) << (e & 31u);
        newest |= select(0u, 1u, root < 2u) << (e & 31u);
        firsts |= fresh << (e & 31u);
        left -= select(0u, 1u, root < 2u);
        root = max(root, 1u) - 1u;
        let last = e + 1u == entries;
        if (e & 3u) == 3u || last {
            strips[row + (e >> 2u)] = ids;
            ids = 0u;
        }
        if (e & 31u) == 31u || last {
            strips[row + EDGES_AT + (e >> 5u)] = edges;
            strips[row + NEWEST_AT + (e >> 5u)] = newest;
            strips[row + FIRSTS_AT + (e >> 5u)] = firsts;
            edges = 0u;
            newest = 0u;
            firsts = 0u;
        }
    }
    if status != 0u { return status; }
    if steps != entry.vertices { return STATUS_COUNT; }
    if bits.at != entry.residuals { return STATUS_STREAM_END; }
    return select(0u, STATUS_COUNT, roots != entry.roots);
}
