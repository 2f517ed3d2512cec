// Connectivity of a DGF1 block: twin of dgf_topology.rs. Needs dgf_block.

const MAX_ENTRIES = 128u;
const MAX_INDEX_BITS = 192u;

struct Topology {
    // BACKTRACKs at illegal places.
    illegal: u32,
    entries: u32,
    restart: vec2<u32>,
    backtrack: vec2<u32>,
    first_changes: vec2<u32>,
    second_changes: vec2<u32>,
    keep: vec2<u32>,
    // Bits behind the last entry are of no meaning.
    first_use: vec4<u32>,
}

// Even bits to the low half, odd bits to the high half, each in order.
fn unshuffle(x: u32) -> u32 {
    var y = x;
    var t = (y ^ (y >> 1u)) & 0x22222222u;
    y = y ^ t ^ (t << 1u);
    t = (y ^ (y >> 2u)) & 0x0c0c0c0cu;
    y = y ^ t ^ (t << 2u);
    t = (y ^ (y >> 4u)) & 0x00f000f0u;
    y = y ^ t ^ (t << 4u);
    t = (y ^ (y >> 8u)) & 0x0000ff00u;
    return y ^ t ^ (t << 8u);
}

// The lowest n bits of two words, n from 0 to 64.
fn low_mask(n: u32) -> vec2<u32> {
    let low = select((1u << (n & 31u)) - 1u, 0xffffffffu, n >= 32u);
    let high = select((1u << (n & 31u)) - 1u, 0xffffffffu, n >= 64u);
    return vec2<u32>(low, select(0u, high, n >= 32u));
}

fn shift_up(x: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(x.x << 1u, (x.y << 1u) | (x.x >> 31u));
}

fn read_masks(base: u32, triangles: u32) -> Topology {
    var t: Topology;
    let live = low_mask(triangles);
    // [1] control codes: two planes in triangle order, shifted up by one because triangle 0 has no code
    let h0 = rows[base + 32u];
    let h1 = rows[base + 33u];
    let h2 = rows[base + 34u];
    let h3 = rows[base + 35u];
    let high = shift_up(vec2<u32>((h0 & 0xffffu) | (h1 << 16u), (h2 & 0xffffu) | (h3 << 16u)));
    let low = shift_up(vec2<u32>((h0 >> 16u) | (h1 & 0xffff0000u), (h2 >> 16u) | (h3 & 0xffff0000u)));
    t.restart = ~(high | low) & live;
    t.backtrack = high & low & live;
    let edge1 = low & ~high;
    let edge2 = high & ~low;
    let illegal = t.backtrack & shift_up(t.restart | t.backtrack);
    t.illegal = illegal.x | illegal.y;
    // [2] a BACKTRACK takes the other edge than the triangle before it, which then is on nobody else's path
    t.first_changes = edge1 | (t.backtrack & shift_up(edge2)) | t.restart;
    t.second_changes = edge2 | (t.backtrack & shift_up(edge1)) | t.restart;
    t.keep = ~vec2<u32>((t.backtrack.x >> 1u) | (t.backtrack.y << 31u), t.backtrack.y >> 1u);
    t.entries = triangles + 2u * (countOneBits(t.restart.x) + countOneBits(t.restart.y));
    return t;
}

fn read_first_uses(base: u32, triangles: u32, entries: u32) -> vec4<u32> {
    // [3]
    let start = 2u * triangles + 27u;
    let q = start >> 5u;
    let shift = start & 31u;
    // The word before the block holds none but the first three bits, which are set.
    let a0 = reverseBits(rows[base + ((32u - q) & 31u)]);
    let a1 = reverseBits(rows[base + 31u - q]);
    let a2 = reverseBits(rows[base + 30u - q]);
    var words = vec4<u32>(field_of(a0, a1, shift) | 7u, field_of(a1, a2, shift), 0u, 0u);
    if entries > 64u {
        let a3 = reverseBits(rows[base + 29u - q]);
        let a4 = reverseBits(rows[base + 28u - q]);
        words.z = field_of(a2, a3, shift);
        words.w = field_of(a3, a4, shift);
    }
    return words;
}

fn count_first_uses(t: Topology) -> u32 {
    let lower = low_mask(min(t.entries, 64u));
    var used = countOneBits(t.first_use.x & lower.x) + countOneBits(t.first_use.y & lower.y);
    if t.entries > 64u {
        let upper = low_mask(min(t.entries, MAX_ENTRIES) - 64u);
        used += countOneBits(t.first_use.z & upper.x) + countOneBits(t.first_use.w & upper.y);
    }
    return used;
}

fn check_topology(h: Header, t: Topology, used: u32) -> u32 {
    // [4]
    let index_bits = (t.entries - used) * h.index_bits;
    let back = 1024u - 2u * (h.triangles - 1u) - (t.entries - 3u);
    var status = select(0u, STATUS_SECTIONS, index_bits > MAX_INDEX_BITS || h.index_start + index_bits > back);
    status = select(status, STATUS_COUNT, t.entries > MAX_ENTRIES || used != h.vertices);
    return select(status, STATUS_CONTROL, t.illegal != 0u);
}

// `word`: the first-use bits of the entry's 32; `before`: first uses before them.
fn entry_vertex(base: u32, h: Header, word: u32, before: u32, entry: u32) -> u32 {
    // [5] the rank of a first use is its vertex; the others are stored
    let bit = 1u << (entry & 31u);
    let rank = before + countOneBits(word & (bit - 1u));
    let stored = field(base, h.index_start + (entry - rank) * h.index_bits, h.index_bits);
    let repeat = select(stored, 0xffffffffu, stored >= rank);
    return select(repeat, rank, (word & bit) != 0u);
}

// `upper`: triangles from 32 on.
fn corner_entries(t: Topology, triangle: u32, upper: bool) -> vec3<u32> {
    // [6]
    let bit = 1u << (triangle & 31u);
    let below = bit - 1u;
    let j0 = last_change(t.first_changes, t.keep, upper, bit, below);
    let j1 = last_change(t.second_changes, t.keep, upper, bit, below);
    if upper {
        let shift = 2u * (countOneBits(t.restart.x) + countOneBits(t.restart.y & (below | bit)));
        let hangs0 = select(t.backtrack.x | t.restart.x, t.backtrack.y | t.restart.y, j0 >= 32u) >> (j0 & 31u);
        let hangs1 = select(t.backtrack.x, t.backtrack.y, j1 >= 32u) >> (j1 & 31u);
        return vec3<u32>(j0 + shift - 1u - (hangs0 & 1u), j1 + shift - 1u - (hangs1 & 1u), triangle + shift);
    }
    let shift = 2u * countOneBits(t.restart.x & (below | bit));
    let hangs0 = (t.backtrack.x | t.restart.x) >> j0;
    let hangs1 = t.backtrack.x >> j1;
    return vec3<u32>(j0 + shift - 1u - (hangs0 & 1u), j1 + shift - 1u - (hangs1 & 1u), triangle + shift);
}

fn last_change(changes: vec2<u32>, keep: vec2<u32>, upper: bool, bit: u32, below: u32) -> u32 {
    if upper {
        let here = (changes.y & keep.y & below) | (changes.y & bit);
        let inside = here != 0u;
        return firstLeadingBit(select(changes.x & keep.x, here, inside)) + select(0u, 32u, inside);
    }
    return firstLeadingBit((changes.x & keep.x & below) | (changes.x & bit));
}
