// Schedule: the connectivity of a STRIDE meshlet, walked by one lane: every token depends on the list that those before it left.
// Needs stride_state.

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

// The walk so far: steps, roots among them.
struct Walk { steps: u32, roots: u32 }

// The step of a vertex; bit 8 is set when it is met for the first time.
fn visit(walk: ptr<function, Walk>, id: u32, root: bool) -> u32 {
    let map = maps[id];
    if (map & 0xffffu) != NO_STEP { return map & 255u; }
    let step = (*walk).steps & 255u;
    maps[id] = (map & 0xffff0000u) | step;
    maps[step] = (maps[step] & 0xffffu) | (id << 16u);
    if root {
        root_words[step >> 5u] |= 1u << (step & 31u);
        (*walk).roots += 1u;
    }
    (*walk).steps += 1u;
    return step | 256u;
}

// Walks all strips; leaves maps, triangle words and root words, and returns the end, or the status that stopped it.
fn walk_strips(entry: Entry) -> Cursor {
    var cursor = Cursor(entry.start, entry.end, 0u);
    let counts = vec3<u32>(take(&cursor, 16u), take(&cursor, 16u), take(&cursor, 16u));
    stop(&cursor, counts.x != entry.vertices || counts.y != entry.triangles || counts.z != entry.strips, STATUS_COUNT);
    let id_bits = 32u - countLeadingZeros(entry.vertices);
    var recent = Recent(vec4<u32>(0u), 0u);
    var walk = Walk(0u, 0u);
    var done = 0u;
    for (var strip = 0u; strip < entry.strips && cursor.status == 0u; strip++) {
        let length = take(&cursor, 16u);
        stop(&cursor, length == 0u || length > entry.triangles - done, STATUS_COUNT);
        if cursor.status != 0u { break; }
        // [1] a root triangle
        var ids = vec3<u32>(0u);
        var steps = vec3<u32>(0u);
        for (var k = 0u; k < 3u; k++) { ids[k] = read_vertex(&cursor, &recent, entry.vertices, id_bits); }
        if cursor.status != 0u { break; }
        for (var k = 0u; k < 3u; k++) { steps[k] = visit(&walk, ids[k], true); }
        let fresh = (steps >> vec3<u32>(8u)) & vec3<u32>(1u);
        steps &= vec3<u32>(255u);
        triangle_words[done] = steps.x | (steps.y << 8u) | (steps.z << 16u) | (1u << 24u) | (fresh.x << 26u) | (fresh.y << 27u) | (fresh.z << 28u);
        // [2] each next triangle shares an edge with the current one
        for (var t = done + 1u; t < done + length && cursor.status == 0u; t++) {
            let edge = take(&cursor, 1u);
            let id = read_vertex(&cursor, &recent, entry.vertices, id_bits);
            if cursor.status != 0u { break; }
            let step = visit(&walk, id, false);
            steps = vec3<u32>(select(steps.y, steps.x, edge == 1u), steps.z, step & 255u);
            triangle_words[t] = steps.x | (steps.y << 8u) | (steps.z << 16u) | (edge << 25u) | ((step >> 8u) << 28u);
        }
        done += length;
    }
    stop(&cursor, done != entry.triangles || walk.steps != entry.vertices, STATUS_COUNT);
    fail_if(cursor.status != 0u, STAGE_WALK, cursor.status);
    fail_if(cursor.at != entry.residuals, STAGE_WALK_END, STATUS_STREAM_END);
    fail_if(walk.roots != entry.roots, STAGE_ROOTS, STATUS_COUNT);
    return cursor;
}
