// Schedule: triangle index streams. Needs stream_bytes.

struct Queues {
    edges: array<vec2<u32>, 16>,
    edge_place: u32,
    recent: array<u32, 16>,
    recent_place: u32,
    next: u32,
    last: u32,
}

fn push_edge(q: ptr<function, Queues>, a: u32, b: u32) {
    (*q).edges[(*q).edge_place & 15u] = vec2<u32>(a, b);
    (*q).edge_place += 1u;
}

fn push_vertex(q: ptr<function, Queues>, vertex: u32, wanted: bool) {
    if !wanted { return; }
    (*q).recent[(*q).recent_place & 15u] = vertex;
    (*q).recent_place += 1u;
}

// Place 0 is a new vertex, 1 to 14 a recent one.
fn new_or_recent(q: ptr<function, Queues>, place: u32) -> u32 {
    if place == 0u {
        (*q).next += 1u;
        return (*q).next - 1u;
    }
    return (*q).recent[((*q).recent_place - place) & 15u];
}

fn explicit_vertex(q: ptr<function, Queues>, reader: ptr<function, Reader>) -> u32 {
    (*q).last += unzigzag(take_varint(reader));
    return (*q).last;
}

// A triangle on a recent edge.
fn edge_triangle(q: ptr<function, Queues>, reader: ptr<function, Reader>, code: u32, limit: u32) -> vec3<u32> {
    let edge = (*q).edges[((*q).edge_place - 1u - (code >> 4u)) & 15u];
    let place = code & 15u;
    var c = 0u;
    if place == 0u {
        c = new_or_recent(q, 0u);
    } else if place < limit {
        c = (*q).recent[((*q).recent_place - 1u - place) & 15u];
    } else if place < 15u {
        (*q).last = select((*q).last + 1u, (*q).last - 1u, place == 13u);
        c = (*q).last;
    } else {
        c = explicit_vertex(q, reader);
    }
    push_vertex(q, c, place == 0u || place >= limit);
    push_edge(q, c, edge.y);
    push_edge(q, edge.x, c);
    return vec3<u32>(edge, c);
}

// A triangle without a recent edge; `codes`: first byte of the table at the stream's end.
fn fresh_triangle(q: ptr<function, Queues>, reader: ptr<function, Reader>, code: u32, codes: u32) -> vec3<u32> {
    var both = 0u;
    if code < 0xfeu {
        both = byte_at(*reader, codes + (code & 15u));
        (*reader).bad = (*reader).bad || (both >> 4u) == 15u || (both & 15u) == 15u;
    } else {
        both = byte_at(*reader, take(reader, 1u));
        if both == 0u && !(*reader).bad { (*q).next = 0u; }
    }
    let second = both >> 4u;
    let third = both & 15u;
    var a = 0u;
    if code != 0xffu { a = new_or_recent(q, 0u); }
    var b = new_or_recent(q, second);
    var c = new_or_recent(q, third);
    if code == 0xffu { a = explicit_vertex(q, reader); }
    if second == 15u { b = explicit_vertex(q, reader); }
    if third == 15u { c = explicit_vertex(q, reader); }
    push_vertex(q, a, true);
    push_vertex(q, b, second == 0u || second == 15u);
    push_vertex(q, c, third == 0u || third == 15u);
    push_edge(q, b, a);
    push_edge(q, c, b);
    push_edge(q, a, c);
    return vec3<u32>(a, b, c);
}

@compute @workgroup_size(1)
fn decode_indices(@builtin(workgroup_id) workgroup: vec3<u32>) {
    let index = folded_index(workgroup, 0u, 1u, params.groups_x);
    if index >= params.streams { return; }
    let row = table[2u * index];
    let vertex_limit = table[2u * index + 1u].x;
    let limited = table[2u * index + 1u].z != 0u;
    let queue_limit = select(13u, 15u, table[2u * index + 1u].y == 0u);
    let count = row.z / 3u;
    let codes = row.y - 16u;
    var reader = Reader(row.x, row.y, 1u + count, false);
    var q: Queues;
    for (var k = 0u; k < 16u; k++) {
        q.edges[k] = vec2<u32>(0xffffffffu);
        q.recent[k] = 0xffffffffu;
    }
    for (var t = 0u; t < count && !reader.bad; t++) {
        // A triangle takes at most 16 bytes, and the table has as many.
        if reader.at > codes { reader.bad = true; }
        let code = byte_at(reader, 1u + t);
        var corners = vec3<u32>(0u);
        if code < 0xf0u {
            corners = edge_triangle(&q, &reader, code, queue_limit);
        } else {
            corners = fresh_triangle(&q, &reader, code, codes);
        }
        reader.bad = reader.bad || (limited && any(corners >= vec3<u32>(vertex_limit)));
        output[row.w + 3u * t] = corners.x;
        output[row.w + 3u * t + 1u] = corners.y;
        output[row.w + 3u * t + 2u] = corners.z;
    }
    let bad = reader.bad || reader.at != codes;
    if bad {
        for (var k = 0u; k < row.z; k++) { output[row.w + k] = 0u; }
    }
    statuses[index] = select(0u, 1u, bad);
}
