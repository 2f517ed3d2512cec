// One cluster: twin of cluster.rs. Needs meshlet_state.

struct Header {
    status: u32,
    vertices: u32,
    triangles: u32,
    topology_bytes: u32,
    exponent: u32,
    anchor: vec3<i32>,
    widths: vec3<u32>,
    positions: u32,
    topology: u32,
}

fn read_header(start: u32, size: u32, last: u32) -> Header {
    // [1]
    let w0 = word_at(start, last);
    let w1 = word_at(start + 4u, last);
    let w2 = word_at(start + 8u, last);
    let w3 = word_at(start + 12u, last);
    var h: Header;
    h.vertices = (w0 & 255u) + 1u;
    h.triangles = ((w0 >> 8u) & 255u) + 1u;
    h.topology_bytes = w0 >> 16u;
    h.exponent = w1 & 255u;
    h.anchor = vec3<i32>(i32(w1) >> 8u, i32(w2) >> 8u, i32(w3) >> 8u);
    h.widths = vec3<u32>((w2 & 15u) + 1u, ((w2 >> 4u) & 15u) + 1u, (w3 & 15u) + 1u);
    let position_bytes = (h.vertices * (h.widths.x + h.widths.y + h.widths.z) + 7u) >> 3u;
    let needed = 16u + position_bytes + h.topology_bytes;
    h.positions = start + 16u;
    h.topology = h.positions + position_bytes;
    h.status = select(0u, STATUS_STREAM_END, needed != size);
    h.status = select(h.status, STATUS_EXPONENT, h.exponent - 1u >= 232u);
    return h;
}

fn grid_position(h: Header, vertex: u32, last: u32) -> vec3<i32> {
    // [2]
    let at = 8u * h.positions + vertex * (h.widths.x + h.widths.y + h.widths.z);
    let x = bits_at(at, h.widths.x, last);
    let y = bits_at(at + h.widths.x, h.widths.y, last);
    let z = bits_at(at + h.widths.x + h.widths.y, h.widths.z, last);
    return h.anchor + bitcast<vec3<i32>>(vec3<u32>(x, y, z));
}
