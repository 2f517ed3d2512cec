// Schedule: the tokens of a STRIDE meshlet, walked by one lane: each depends on the list that those before it left. An index entry a round, so that the lanes of
// a subgroup stay together, and nothing that an entry does is a branch: a walk that meets something wrong goes on to its end, and is then walked again for its status.
// Needs stride_state, stride_faults.

@group(0) @binding(4) var<storage, read_write> strips: array<u32>;

// Words of the bits that a lane has in workgroup memory; they are asked for eight entries before they are left there, which is at most four words.
const AHEAD = 16u;
const FEED_ENTRIES = 8u;
// What stands in a place of the list that has no vertex yet.
const VACANT = 256u;

// Rows of a word a lane: the words of its bits, place by place modulo AHEAD; two bits a vertex: met before, and on the list. The list itself is `kept` of
// stride_faults. With it 6 KB, so that eight workgroups fit on a multiprocessor that has 64.
var<workgroup> ahead: array<u32, AHEAD * WALK_LANES>;
var<workgroup> states: array<u32, 16u * WALK_LANES>;

// The window at bit `at` is in `first` and `second`, `third` follows.
struct Bits { at: u32, first: u32, second: u32, third: u32 }

// Words up to `loaded` have been left in `ahead`; those in `coming` are next.
struct Feed { last: u32, loaded: u32, coming: vec4<u32> }

// The rows of `kept` in the order of the list, four bits each, oldest first; `vacant`: those that have no vertex yet.
struct Recent { low: u32, high: u32, vacant: u32 }

// Where the strip is: entries that it still has, those of it so far, the bits before the next token; triangles of the strips that are still to come.
struct Strip { left: u32, step: u32, skip: u32, room: u32 }

// Bits of vertices in the order of first use, from that of `word` on: by the root of a strip. `used`: how many there are, fewer than 32 between words of entries;
// `newest`: the last bit of that plane.
struct Roots { low: u32, high: u32, used: u32, word: u32, newest: u32 }

// The place in `ahead` of the word of a bit: as many lanes as bits a word.
fn word_at(bit: u32, lane: u32) -> u32 {
    return (bit & (32u * (AHEAD - 1u))) | lane;
}

// Nothing further than a word behind the one of the meshlet's end is read.
fn four_words(word: u32, last: u32) -> vec4<u32> {
    return vec4<u32>(body[min(word, last)], body[min(word + 1u, last)], body[min(word + 2u, last)], body[min(word + 3u, last)]);
}

fn leave(word: u32, four: vec4<u32>, lane: u32) {
    ahead[word_at(32u * word, lane)] = four.x;
    ahead[word_at(32u * word + 32u, lane)] = four.y;
    ahead[word_at(32u * word + 64u, lane)] = four.z;
    ahead[word_at(32u * word + 96u, lane)] = four.w;
}

fn open_feed(at: u32, end: u32, lane: u32) -> Feed {
    let last = (end >> 5u) + 1u;
    let word = at >> 5u;
    for (var k = 0u; k < AHEAD; k += 4u) { leave(word + k, four_words(word + k, last), lane); }
    return Feed(last, word + AHEAD, four_words(word + AHEAD, last));
}

fn go_on(feed: ptr<function, Feed>, at: u32, lane: u32) {
    if (*feed).loaded - (at >> 5u) <= AHEAD - 4u {
        leave((*feed).loaded, (*feed).coming, lane);
        (*feed).loaded += 4u;
    }
    (*feed).coming = four_words((*feed).loaded, (*feed).last);
}

fn peek(bits: Bits) -> u32 {
    return (bits.first << (bits.at & 31u)) | ((bits.second >> 1u) >> (31u - (bits.at & 31u)));
}

fn advance(bits: Bits, n: u32, lane: u32) -> Bits {
    let at = bits.at + n;
    let crosses = ((at ^ bits.at) & 32u) != 0u;
    return Bits(at, select(bits.first, bits.second, crosses), select(bits.second, bits.third, crosses), ahead[word_at(at + 64u, lane)]);
}

// Takes the row at `slot` of the list out and appends it; of a raw token the oldest.
fn renew(recent: Recent, slot: u32, row: u32, raw: bool) -> Recent {
    let upper = (slot & 8u) != 0u;
    let below = (1u << (4u * (slot & 7u))) - 1u;
    let down_low = (recent.low >> 4u) | (recent.high << 28u);
    let down_high = (recent.high >> 4u) | (row << 28u);
    let low = select((recent.low & below) | (down_low & ~below), recent.low, upper);
    let high = select(down_high, (recent.high & below) | (down_high & ~below), upper);
    return Recent(low, high, select(recent.vacant, max(recent.vacant, 1u) - 1u, raw));
}

// Sixteen vertices a row of `states`.
fn state_row(id: u32, lane: u32) -> u32 {
    return ((2u * id) & (32u * 15u)) | lane;
}

fn state_shift(id: u32) -> u32 {
    return (2u * id) & 30u;
}

// The state of a vertex before this raw token, which puts it on the list; `gone`: what it takes the place of.
fn meet(id: u32, gone: u32, raw: bool, lane: u32) -> u32 {
    let row = state_row(id, lane);
    let shift = state_shift(id);
    let state = states[row];
    states[row] = state | select(0u, 3u << shift, raw);
    states[state_row(gone, lane)] &= ~select(0u, 2u << state_shift(gone), raw && gone < VACANT);
    return (state >> shift) & 3u;
}

fn next_strip(strip: Strip, begins: bool, length: u32) -> Strip {
    let left = select(strip.left, length + 2u, begins) - 1u;
    let step = select(strip.step + 1u, 0u, left == 0u);
    let skip = select(select(0u, 1u, step >= 3u), 16u, left == 0u);
    return Strip(left, step, skip, select(strip.room, strip.room - length, begins));
}

fn open_meshlet(entry: Entry) -> u32 {
    if entry.end - entry.start < 48u { return STATUS_TRUNCATED; }
    let counts = window(entry.start);
    let strips_here = window(entry.start + 32u) >> 16u;
    return select(0u, STATUS_COUNT, counts != ((entry.vertices << 16u) | entry.triangles) || strips_here != entry.strips);
}

fn clear_rows(lane: u32) {
    for (var k = 0u; k < 16u; k++) {
        kept[WALK_LANES * k + lane] = VACANT;
        states[WALK_LANES * k + lane] = 0u;
    }
}

// Walks all strips, writes index entries and planes, and returns the status.
fn walk_strips(entry: Entry, row: u32, lane: u32) -> u32 {
    var status = open_meshlet(entry);
    if status == 0u { status = walk_entries(entry, row, lane); }
    return status;
}

fn walk_entries(entry: Entry, row: u32, lane: u32) -> u32 {
    clear_rows(lane);
    let start = entry.start + 48u;
    var feed = open_feed(start, entry.end, lane);
    var bits = Bits(start, ahead[word_at(start, lane)], ahead[word_at(start + 32u, lane)], ahead[word_at(start + 64u, lane)]);
    let id_bits = 32u - countLeadingZeros(entry.vertices);
    // Of a raw token.
    let more_bits = id_bits - 5u;
    let entries = entry.triangles + 2u * entry.strips;
    var recent = Recent(0x76543210u, 0xfedcba98u, 16u);
    var strip = Strip(0u, 0u, 16u, entry.triangles);
    var failed = false;
    var ids = 0u;
    var planes = vec3<u32>(0u);
    var roots = Roots(0u, 0u, 0u, 0u, 0u);
    var e = 0u;
    while e < entries {
        if e % FEED_ENTRIES == 0u { go_on(&feed, bits.at, lane); }
        // [1] the edge that a triangle keeps, then the token of its vertex
        let begins = strip.left == 0u;
        let word = peek(bits);
        let token = word << strip.skip;
        let raw = (token >> 31u) != 0u;
        bits = advance(bits, strip.skip + 6u + (token >> 31u) * more_bits, lane);
        let raw_id = (token << 1u) >> (32u - id_bits);
        // [2] the list
        let slot = select((token >> 26u) + recent.vacant, 0u, raw);
        let place = (select(recent.low, recent.high, (slot & 8u) != 0u) >> (4u * (slot & 7u))) & 15u;
        let at = (place * WALK_LANES) | lane;
        let before = kept[at];
        let id = select(before, raw_id, raw);
        kept[at] = id;
        recent = renew(recent, slot, place, raw);
        let state = meet(id, before, raw, lane);
        // [3] what must not be
        let bad_token = select(slot >= 16u, id >= entry.vertices || state >= 2u, raw);
        let bad_strip = begins && (word >> 16u) - 1u >= strip.room;
        failed = failed || bad_token || bad_strip;
        // [4] what is left behind
        ids = (ids >> 8u) | (id << 24u);
        let is_first = raw && state == 0u;
        let edge = select(0u, word & 0x80000000u, strip.step >= 3u);
        planes = (planes >> vec3<u32>(1u)) | vec3<u32>(edge, select(0u, 0x80000000u, strip.step >= 2u), select(0u, 0x80000000u, is_first));
        strip = next_strip(strip, begins, word >> 16u);
        e += 1u;
        if (e & 3u) == 0u { strips[row + (e >> 2u) - 1u] = ids; }
        if (e & 31u) == 0u { roots = keep_planes(row, (e >> 5u) - 1u, planes, roots); }
    }
    let odd = e & 3u;
    if odd != 0u { strips[row + (e >> 2u)] = ids >> (32u - 8u * odd); }
    let rest = e & 31u;
    if rest != 0u { roots = keep_planes(row, e >> 5u, planes >> vec3<u32>(32u - rest), roots); }
    while roots.word < 8u { roots = keep_roots(row, roots); }
    // Only as many strips as there should be leave neither entries nor triangles.
    failed = failed || strip.left != 0u || strip.room != 0u || bits.at - start > entry.end - start;
    var status = select(0u, STATUS_STREAM_END, bits.at != entry.residuals);
    if failed { status = fault_of_walk(entry, lane); }
    return status;
}

// Edges, newest and first uses of a word of entries.
fn keep_planes(row: u32, word: u32, planes: vec3<u32>, roots: Roots) -> Roots {
    strips[row + EDGES_AT + word] = planes.x;
    strips[row + NEWEST_AT + word] = planes.y;
    strips[row + FIRSTS_AT + word] = planes.z;
    var next = roots;
    var left = planes.z & ~(((planes.y << 1u) | roots.newest) & planes.y);
    while left != 0u {
        let bit = left & (0u - left);
        let place = roots.used + countOneBits(planes.z & (bit - 1u));
        let mark = 1u << (place & 31u);
        next.low |= select(mark, 0u, place >= 32u);
        next.high |= select(0u, mark, place >= 32u);
        left ^= bit;
    }
    next.newest = planes.y >> 31u;
    next.used += countOneBits(planes.z);
    if next.used >= 32u { next = keep_roots(row, next); }
    return next;
}

fn keep_roots(row: u32, roots: Roots) -> Roots {
    // A damaged meshlet may use more vertices than there are.
    strips[row + ROOTS_AT + min(roots.word, 7u)] = roots.low;
    return Roots(roots.high, 0u, max(roots.used, 32u) - 32u, roots.word + 1u, roots.newest);
}
