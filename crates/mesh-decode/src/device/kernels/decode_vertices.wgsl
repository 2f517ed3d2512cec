// Schedule: vertex streams. The four byte columns of one word of up to 256 vertices are decoded together. Needs stream_bytes.

// The four bytes of a word of each vertex, as deltas.
var<private> columns: array<u32, 256>;

// Bits of a value of a group: the two bits of its header choose. `control`: 4 in version 0.
fn group_bits(control: u32, code: u32) -> u32 {
    let widths = select(select(0x8420u, 0x4210u, control == 0u), 0x8421u, control == 1u);
    return (widths >> (4u * code)) & 15u;
}

// Value j of a group of 16 packed values.
fn packed_value(reader: Reader, first: u32, bits: u32, j: u32) -> u32 {
    if bits == 1u { return (byte_at(reader, first + (j >> 3u)) >> (j & 7u)) & 1u; }
    if bits == 2u { return (byte_at(reader, first + (j >> 2u)) >> (6u - 2u * (j & 3u))) & 3u; }
    return (byte_at(reader, first + (j >> 1u)) >> (4u - 4u * (j & 1u))) & 15u;
}

fn put_byte(vertex: u32, k: u32, value: u32) {
    let kept = columns[vertex & 255u] & ~(255u << (8u * k));
    columns[vertex & 255u] = kept | (value << (8u * k));
}

fn decode_group(reader: ptr<function, Reader>, bits: u32, vertex: u32, k: u32) {
    if bits == 0u {
        for (var j = 0u; j < 16u; j++) { put_byte(vertex + j, k, 0u); }
        return;
    }
    let first = take(reader, 2u * bits);
    if bits == 8u {
        for (var j = 0u; j < 16u; j++) { put_byte(vertex + j, k, byte_at(*reader, first + j)); }
        return;
    }
    // A value of all ones stands for the next byte after the packed values.
    let escape = (1u << bits) - 1u;
    for (var j = 0u; j < 16u; j++) {
        var value = packed_value(*reader, first, bits, j);
        if value == escape { value = byte_at(*reader, take(reader, 1u)); }
        put_byte(vertex + j, k, value);
    }
}

// One byte column of a block.
fn decode_column(reader: ptr<function, Reader>, count: u32, control: u32, k: u32) {
    if control == 2u {
        for (var v = 0u; v < count; v++) { put_byte(v, k, 0u); }
        return;
    }
    if control == 3u {
        let first = take(reader, count);
        for (var v = 0u; v < count; v++) { put_byte(v, k, byte_at(*reader, first + v)); }
        return;
    }
    let groups = (count + 15u) >> 4u;
    let header = take(reader, (groups + 3u) >> 2u);
    for (var g = 0u; g < groups && !(*reader).bad; g++) {
        // Part of what is accepted: so many bytes must be left before a group.
        if (*reader).length - (*reader).at < 24u { (*reader).bad = true; }
        let code = (byte_at(*reader, header + (g >> 2u)) >> (2u * (g & 3u))) & 3u;
        decode_group(reader, group_bits(control, code), 16u * g, k);
    }
}

// Zigzag in each byte, and in each half.
fn unzigzag_bytes(x: u32) -> u32 {
    return ((x >> 1u) & 0x7f7f7f7fu) ^ ((x & 0x01010101u) * 255u);
}

fn unzigzag_halves(x: u32) -> u32 {
    return ((x >> 1u) & 0x7fff7fffu) ^ ((x & 0x00010001u) * 65535u);
}

// The value after `value`, by the channel's mode.
fn apply_delta(value: u32, delta: u32, mode: u32) -> u32 {
    if (mode & 3u) == 0u {
        let step = unzigzag_bytes(delta);
        return ((value & 0x7f7f7f7fu) + (step & 0x7f7f7f7fu)) ^ ((value ^ step) & 0x80808080u);
    }
    if (mode & 3u) == 1u {
        let step = unzigzag_halves(delta);
        return ((value & 0x7fff7fffu) + (step & 0x7fff7fffu)) ^ ((value ^ step) & 0x80008000u);
    }
    let turn = mode >> 4u;
    return value ^ select((delta >> turn) | (delta << ((32u - turn) & 31u)), delta, turn == 0u);
}

@compute @workgroup_size(1)
fn decode_vertices(@builtin(workgroup_id) workgroup: vec3<u32>) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    if index >= params.streams { return; }
    let row = table[2u * index];
    let stride_words = table[2u * index + 1u].x >> 2u;
    let version = table[2u * index + 1u].y;
    let channels = select(0u, stride_words, version == 1u);
    let tail = max(4u * stride_words + channels, select(32u, 24u, version == 1u));
    let block = min(((8192u / (4u * stride_words)) >> 4u) << 4u, 256u);
    var reader = Reader(row.x, row.y, 1u, false);
    let start = row.y - channels - 4u * stride_words;
    for (var done = 0u; done < row.z && !reader.bad; done += block) {
        let count = min(block, row.z - done);
        let controls = take(&reader, channels);
        for (var g = 0u; g < stride_words && !reader.bad; g++) {
            for (var k = 0u; k < 4u && !reader.bad; k++) {
                var control = 4u;
                if version == 1u { control = (byte_at(reader, controls + g) >> (2u * k)) & 3u; }
                decode_column(&reader, count, control, k);
            }
            var mode = 0u;
            if version == 1u { mode = byte_at(reader, row.y - channels + g); }
            if (mode & 3u) == 3u { reader.bad = true; }
            // The vertex before the block: the one at the stream's end, or the last of the block before.
            var value = 0u;
            if done == 0u {
                for (var k = 0u; k < 4u; k++) { value |= byte_at(reader, start + 4u * g + k) << (8u * k); }
            } else {
                value = output[row.w + (done - 1u) * stride_words + g];
            }
            for (var v = 0u; v < count; v++) {
                value = apply_delta(value, columns[v & 255u], mode);
                output[row.w + (done + v) * stride_words + g] = value;
            }
        }
    }
    let bad = reader.bad || reader.length - reader.at != tail;
    if bad {
        for (var k = 0u; k < row.z * stride_words; k++) { output[row.w + k] = 0u; }
    }
    statuses[index] = select(0u, 1u, bad);
}
