// Schedule: the tokens of a STRIDE meshlet, walked by one lane: each depends on the list that those before it left. An index entry a round, so that the lanes of
// a subgroup stay together. Needs stride_state, bits_ahead.

@group(0) @binding(4) var<storage, read_write> strips: array<u32>;

fn peek(bits: Bits) -> u32 {
    return (bits.first << (bits.at & 31u)) | ((bits.second >> 1u) >> (31u - (bits.at & 31u)));
}

// A bit a vertex of each lane: met before; and in the order of first use: by the root of a strip.
var<workgroup> seen: array<u32, 8u * 32u>;
var<workgroup> roots: array<u32, 8u * 32u>;

// The list of recent vertices, a byte each, newest last; `vacant`: places before the oldest, `empty`: 255 in their bytes.
struct Recent { ids: vec4<u32>, empty: vec4<u32>, vacant: u32 }

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

fn open_meshlet(entry: Entry, bits: ptr<function, Bits>) -> u32 {
    if entry.end - entry.start < 48u { return STATUS_TRUNCATED; }
    *bits = open_bits(entry.start, entry.end);
    let counts = peek(*bits);
    advance(bits, 32u);
    let strips_here = peek(*bits) >> 16u;
    advance(bits, 16u);
    return select(0u, STATUS_COUNT, counts != ((entry.vertices << 16u) | entry.triangles) || strips_here != entry.strips);
}

// What an index entry says: `skip`: bits before its token, `strip`: the length of the strip that it begins.
struct Token { begins: bool, strip: u32, skip: u32, raw: bool, place: u32, id: u32, length: u32 }

fn read_token(word: u32, begins: bool, edged: bool, id_bits: u32) -> Token {
    let skip = select(select(0u, 1u, edged), 16u, begins);
    let token = word << skip;
    let raw = (token >> 31u) != 0u;
    let length = skip + select(6u, 1u + id_bits, raw);
    return Token(begins, word >> 16u, skip, raw, (token >> 26u) & 31u, (token << 1u) >> (32u - id_bits), length);
}

// The status of an entry that is known to be wrong, in the order of the CPU reference's checks.
fn status_of(token: Token, bits_left: u32, strip_is_good: bool, is_listed: bool, vertices_here: u32) -> u32 {
    let of_token = select(STATUS_TOKEN, STATUS_INDEX, token.raw && token.id >= vertices_here);
    let of_length = select(of_token, STATUS_TRUNCATED, token.length > bits_left);
    let of_strip = select(of_length, STATUS_COUNT, !strip_is_good);
    return select(of_strip, STATUS_TRUNCATED, token.begins && bits_left < 16u);
}

// Walks all strips, writes index entries and planes, and returns the status. All of an entry is one path, with nothing that another entry does not do.
fn walk_strips(entry: Entry, row: u32, lane: u32) -> u32 {
    for (var k = 0u; k < 8u; k++) {
        seen[32u * k + lane] = 0u;
        roots[32u * k + lane] = 0u;
    }
    var bits: Bits;
    var status = open_meshlet(entry, &bits);
    let id_bits = 32u - countLeadingZeros(entry.vertices);
    let entries = entry.triangles + 2u * entry.strips;
    var recent = Recent(vec4<u32>(0u), vec4<u32>(0xffffffffu), 16u);
    // Entries that the current strip still has, those of it so far, strips and triangles that are still to come.
    var left = 0u;
    var step = 0u;
    var strips_left = entry.strips;
    var room = entry.triangles;
    var ids = 0u;
    var edges = 0u;
    var newest = 0u;
    var firsts = 0u;
    var used = 0u;
    var e = 0u;
    while e < entries && status == 0u {
        // [1] the edge that a triangle keeps, then the token of its vertex
        let begins = left == 0u;
        step = select(step + 1u, 0u, begins);
        let word = peek(bits);
        let token = read_token(word, begins, step >= 3u, id_bits);
        let strip_is_good = !begins || (strips_left != 0u && token.strip - 1u < room);
        let slot = select((token.place + recent.vacant) & 15u, 0u, token.raw);
        let id = select(byte_of(recent.ids, slot), token.id, token.raw);
        let is_listed = on_the_list(recent, id);
        let is_token = select(token.place + recent.vacant < 16u, id < entry.vertices && !is_listed, token.raw);
        let bits_left = bits.end - bits.at;
        if !(is_token && strip_is_good && token.length <= bits_left) {
            status = status_of(token, bits_left, strip_is_good, is_listed, entry.vertices);
            if strips_left == 0u && begins { status = STATUS_COUNT; }
        }
        left = select(left, token.strip + 2u, begins) - 1u;
        room -= select(0u, token.strip, begins);
        strips_left -= select(0u, 1u, begins);
        advance(&bits, token.length);
        // [2] the list
        recent.ids = renew(recent.ids, slot, id);
        if token.raw && recent.vacant != 0u {
            recent.vacant -= 1u;
            recent.empty = shift_down(recent.empty, 0u);
        }
        // [3] what is left behind
        ids = (ids >> 8u) | (id << 24u);
        edges = (edges >> 1u) | select(0u, word & 0x80000000u, step >= 3u);
        newest = (newest >> 1u) | select(0u, 0x80000000u, step >= 2u);
        let at = 32u * ((id >> 5u) & 7u) + lane;
        let met = seen[at];
        let bit = select(0u, 1u << (id & 31u), token.raw);
        seen[at] = met | bit;
        let is_first = (bit & ~met) != 0u;
        firsts = (firsts >> 1u) | select(0u, 0x80000000u, is_first);
        if is_first && step < 3u { roots[32u * ((used >> 5u) & 7u) + lane] |= 1u << (used & 31u); }
        used += u32(is_first);
        e += 1u;
        if (e & 3u) == 0u { strips[row + (e >> 2u) - 1u] = ids; }
        if (e & 31u) == 0u { keep_planes(row, (e >> 5u) - 1u, vec3<u32>(edges, newest, firsts)); }
    }
    for (var k = 0u; k < 8u; k++) { strips[row + ROOTS_AT + k] = roots[32u * k + lane]; }
    if status != 0u { return status; }
    let odd = e & 3u;
    if odd != 0u { strips[row + (e >> 2u)] = ids >> (32u - 8u * odd); }
    let rest = e & 31u;
    if rest != 0u { keep_planes(row, e >> 5u, vec3<u32>(edges, newest, firsts) >> vec3<u32>(32u - rest)); }
    return select(0u, STATUS_STREAM_END, bits.at != entry.residuals);
}

fn keep_planes(row: u32, word: u32, planes: vec3<u32>) {
    strips[row + EDGES_AT + word] = planes.x;
    strips[row + NEWEST_AT + word] = planes.y;
    strips[row + FIRSTS_AT + word] = planes.z;
}
