// Schedule: index sequences. Needs stream_bytes.

@compute @workgroup_size(1)
fn decode_sequence(@builtin(workgroup_id) workgroup: vec3<u32>) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    if index >= params.streams { return; }
    let row = table[2u * index];
    let vertex_limit = table[2u * index + 1u].x;
    let limited = table[2u * index + 1u].z != 0u;
    let end = row.y - 4u;
    var reader = Reader(row.x, row.y, 1u, false);
    var last = vec2<u32>(0u);
    for (var k = 0u; k < row.z && !reader.bad; k++) {
        if reader.at >= end { reader.bad = true; }
        let value = take_varint(&reader);
        let which = value & 1u;
        last[which] += unzigzag(value >> 1u);
        reader.bad = reader.bad || (limited && last[which] >= vertex_limit);
        output[row.w + k] = last[which];
    }
    let bad = reader.bad || reader.at != end;
    if bad {
        for (var k = 0u; k < row.z; k++) { output[row.w + k] = 0u; }
    }
    statuses[index] = select(0u, 1u, bad);
}
