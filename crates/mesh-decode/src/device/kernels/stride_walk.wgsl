// Schedule: the connectivity of a STRIDE meshlet, walked by one lane: every token depends on the list that those before it left.
// Needs stride_state.

@group(0) @binding(5) var<storage, read_write> triangles: array<Triangle>;
@group(0) @binding(6) var<storage, read_write> strips: array<u32>;

// The list of recent vertices, oldest first, a byte each.
struct Recent { ids: vec4<u32>, length: u32 }

// Bytes of each word that lie before entry `place` of the list.
fn bytes_before(place: u32) -> vec4<u32> {
    let count = clamp(vec4<i32>(i32(place)) - vec4<i32>(0, 4, 8, 12), vec4<i32>(0), vec4<i32>(4));
    let partial = (vec4<u32>(1u) << ((8u * vec4<u32>(count)) & vec4<u32>(31u))) - vec4<u32>(1u);
    return select(partial, vec4<u32>(0xffffffffu), count == vec4<i32>(4));
}

fn byte_of(ids: vec4<u32>, place: u32) -> u32 {
    let low = select(ids.x, ids.y, (place & 4u) != 0u);
    let high = select(ids.z, ids.w, (place & 4u) != 0u);
    return (select(low, high, (place & 8u) != 0u) >> (8u * (place & 3u))) & 255u;
}

// Takes entry `place` out and appends `id`.
fn renew(recent: ptr<function, Recent>, place: u32, id: u32) {
    let ids = (*recent).ids;
    let down = (ids >> vec4<u32>(8u)) | vec4<u32>(ids.y << 24u, ids.z << 24u, ids.w << 24u, 0u);
    let before = bytes_before(place);
    let last = (*recent).length - 1u;
    let words = vec4<u32>(0u, 1u, 2u, 3u) == vec4<u32>(last >> 2u);
    let fresh = select(vec4<u32>(0u), vec4<u32>(id << (8u * (last & 3u))), words);
    (*recent).ids = (ids & before) | (down & ~before) | fresh;
}

fn on_the_list(recent: Recent, id: u32) -> bool {
    let x = recent.ids ^ vec4<u32>(id * 0x01010101u);
    let same = ~(((x & vec4<u32>(0x7f7f7f7fu)) + vec4<u32>(0x7f7f7f7fu)) | x | vec4<u32>(0x7f7f7f7fu));
    return any((same & bytes_before(recent.length)) != vec4<u32>(0u));
}

// Reads a vertex token.
fn read_vertex(cursor: ptr<function, Cursor>, recent: ptr<function, Recent>, count: u32, id_bits: u32) -> u32 {
    if take(cursor, 1u) == 0u {
        let place = take(cursor, 5u);
        stop(cursor, place >= (*recent).length, STATUS_TOKEN);
        if (*cursor).status != 0u { return 0u; }
        let id = byte_of((*recent).ids, place);
        renew(recent, place, id);
        return id;
    }
    let id = take(cursor, id_bits);
    stop(cursor, id >= count, STATUS_INDEX);
    stop(cursor, on_the_list(*recent, id), STATUS_TOKEN);
    if (*cursor).status != 0u { return 0u; }
    if (*recent).length < 16u {
        (*recent).length += 1u;
        // The byte behind the list is 0.
        let last = (*recent).length - 1u;
        let words = vec4<u32>(0u, 1u, 2u, 3u) == vec4<u32>(last >> 2u);
        (*recent).ids |= select(vec4<u32>(0u), vec4<u32>(id << (8u * (last & 3u))), words);
    } else {
        renew(recent, 0u, id);
    }
    return id;
}

// What is known of the vertices, and the planes that the chain reads.
struct Walk { seen: array<u32, 8>, steps: u32, roots: u32, entries: u32, first_bits: u32 }

// Notes an index entry, and whether its vertex is met for the first time.
fn visit(walk: ptr<function, Walk>, id: u32, root: bool, strip: u32) {
    let word = (id >> 5u) & 7u;
    let bit = 1u << (id & 31u);
    let fresh = ((*walk).seen[word] & bit) == 0u;
    (*walk).seen[word] |= bit;
    (*walk).steps += select(0u, 1u, fresh);
    (*walk).roots += select(0u, 1u, fresh && root);
    (*walk).first_bits |= select(0u, 1u, fresh) << ((*walk).entries & 31u);
    (*walk).entries += 1u;
    if ((*walk).entries & 31u) == 0u {
        strips[strip + FIRSTS_AT + (*walk).entries / 32u - 1u] = (*walk).first_bits;
        (*walk).first_bits = 0u;
    }
}

// Walks all strips, writes triangles and planes, and returns the status.
fn walk_strips(entry: Entry, job: vec4<u32>, strip_at: u32) -> u32 {
    var cursor = Cursor(entry.start, entry.end, 0u);
    let count_v = take(&cursor, 16u);
    let count_t = take(&cursor, 16u);
    let count_s = take(&cursor, 16u);
    stop(&cursor, count_v != entry.vertices || count_t != entry.triangles || count_s != entry.strips, STATUS_COUNT);
    let id_bits = 32u - countLeadingZeros(entry.vertices);
    var recent = Recent(vec4<u32>(0u), 0u);
    var walk: Walk;
    var roots = 0u;
    var edges = 0u;
    // Triangles that the current strip still has, and strips that are still to come.
    var left = 0u;
    var strips_left = entry.strips;
    var ids = vec3<u32>(0u);
    for (var t = 0u; t < entry.triangles && cursor.status == 0u; t++) {
        let root = left == 0u;
        if root {
            // [1] a root triangle
            if strips_left == 0u {
                stop(&cursor, true, STATUS_COUNT);
            } else {
                left = take(&cursor, 16u);
                stop(&cursor, left == 0u || left > entry.triangles - t, STATUS_COUNT);
                strips_left -= 1u;
            }
            if cursor.status != 0u { break; }
            ids.x = read_vertex(&cursor, &recent, entry.vertices, id_bits);
            ids.y = read_vertex(&cursor, &recent, entry.vertices, id_bits);
        } else {
            // [2] each next triangle shares an edge with the current one
            let edge = take(&cursor, 1u);
            edges |= edge << (t & 31u);
            ids = vec3<u32>(select(ids.y, ids.x, edge == 1u), ids.z, 0u);
        }
        ids.z = read_vertex(&cursor, &recent, entry.vertices, id_bits);
        if cursor.status != 0u { break; }
        if root {
            visit(&walk, ids.x, true, strip_at);
            visit(&walk, ids.y, true, strip_at);
        }
        visit(&walk, ids.z, root, strip_at);
        roots |= select(0u, 1u, root) << (t & 31u);
        triangles[job.z + t] = Triangle(job.w + ids.x, job.w + ids.y, job.w + ids.z);
        left -= 1u;
        if (t & 31u) == 31u || t + 1u == entry.triangles {
            strips[strip_at + t / 32u] = roots;
            strips[strip_at + EDGES_AT + t / 32u] = edges;
            roots = 0u;
            edges = 0u;
        }
    }
    if (walk.entries & 31u) != 0u { strips[strip_at + FIRSTS_AT + walk.entries / 32u] = walk.first_bits; }
    // A strip that is still to come has no room for a triangle.
    if cursor.status == 0u && strips_left != 0u {
        let length = take(&cursor, 16u);
        stop(&cursor, true, STATUS_COUNT);
    }
    stop(&cursor, walk.steps != entry.vertices, STATUS_COUNT);
    stop(&cursor, cursor.at != entry.residuals, STATUS_STREAM_END);
    stop(&cursor, walk.roots != entry.roots, STATUS_COUNT);
    return cursor.status;
}
