// Schedule: the status of a STRIDE meshlet's tokens that are known to be wrong: the checks one by one, in the order of the CPU reference. Needs stride_state.

const WALK_LANES = 32u;

// The list of recent vertices of each lane, a row a place.
var<workgroup> kept: array<u32, 16u * WALK_LANES>;

fn is_kept(id: u32, length: u32, lane: u32) -> bool {
    var found = false;
    for (var k = 0u; k < length; k++) { found = found || kept[WALK_LANES * k + lane] == id; }
    return found;
}

// Takes out the place and appends `id`, on a list of `length`.
fn append(place: u32, id: u32, length: u32, lane: u32) {
    for (var k = place; k + 1u < length; k++) { kept[WALK_LANES * k + lane] = kept[WALK_LANES * (k + 1u) + lane]; }
    kept[WALK_LANES * (length - 1u) + lane] = id;
}

// Reads a vertex token with a list of `listed`; the length of the list after it.
fn check_token(cursor: ptr<function, Cursor>, listed: u32, vertices_here: u32, lane: u32) -> u32 {
    var length = listed;
    if take(cursor, 1u) == 0u {
        let place = take(cursor, 5u);
        stop(cursor, place >= length, STATUS_TOKEN);
        if (*cursor).status == 0u { append(place, kept[WALK_LANES * place + lane], length, lane); }
    } else {
        let id = take(cursor, 32u - countLeadingZeros(vertices_here));
        stop(cursor, id >= vertices_here, STATUS_INDEX);
        stop(cursor, is_kept(id, length, lane), STATUS_TOKEN);
        if (*cursor).status == 0u {
            length = min(length + 1u, 16u);
            append(select(listed, 0u, listed == 16u), id, length, lane);
        }
    }
    return length;
}

fn fault_of_walk(entry: Entry, lane: u32) -> u32 {
    var cursor = Cursor(entry.start + 48u, entry.end, 0u);
    var listed = 0u;
    var room = entry.triangles;
    for (var strip = 0u; strip < entry.strips && cursor.status == 0u; strip++) {
        let length = take(&cursor, 16u);
        stop(&cursor, length - 1u >= room, STATUS_COUNT);
        room -= length;
        for (var step = 0u; step < length + 2u && cursor.status == 0u; step++) {
            if step >= 3u { take(&cursor, 1u); }
            listed = check_token(&cursor, listed, entry.vertices, lane);
        }
    }
    stop(&cursor, room != 0u, STATUS_COUNT);
    return cursor.status;
}
