// Schedule: finds for each vertex a place in a hash table that all vertices of its position share, and the least of them.
// Needs folded_grid, move_params.

@group(0) @binding(1) var<storage, read> positions: array<u32>;
// Cleared before: one more than some vertex of the position that has the place.
@group(0) @binding(2) var<storage, read_write> table: array<atomic<u32>>;
// Cleared before: the complement of the least vertex of the position.
@group(0) @binding(3) var<storage, read_write> least: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> homes: array<u32>;

// The words of a position; both zeros are one.
fn position_words(vertex: u32) -> vec3<u32> {
    let words = vec3<u32>(positions[3u * vertex], positions[3u * vertex + 1u], positions[3u * vertex + 2u]);
    return select(words, vec3<u32>(0u), words == vec3<u32>(0x80000000u));
}

fn mixed(words: vec3<u32>) -> u32 {
    var h = words.x * 0x9e3779b1u;
    h = ((h ^ (h >> 15u)) + words.y) * 0x85ebca77u;
    h = ((h ^ (h >> 13u)) + words.z) * 0xc2b2ae3du;
    h = (h ^ (h >> 16u)) * 0x27d4eb2fu;
    return h ^ (h >> 15u);
}

@compute @workgroup_size(64)
fn weld_vertices(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let vertex = folded_index(workgroup, lane, 64u, params.groups_x);
    if vertex >= params.count { return; }
    let words = position_words(vertex);
    var slot = mixed(words) & params.mask;
    // The table has two places for every vertex, so one is empty.
    var searching = true;
    loop {
        if !searching { break; }
        let taken = atomicCompareExchangeWeak(&table[slot], 0u, vertex + 1u);
        if taken.exchanged {
            searching = false;
        } else if taken.old_value != 0u {
            if all(position_words(taken.old_value - 1u) == words) {
                searching = false;
            } else {
                slot = (slot + 1u) & params.mask;
            }
        }
    }
    atomicMax(&least[slot], ~vertex);
    homes[vertex] = slot;
}
