// Schedule: the tiles of a list of coordinates, each once, in any order. Equal tiles meet in a table of slots, whose entry is the position (from 1) of a coordinate.

@group(0) @binding(3) var<storage, read_write> slots: array<atomic<u32>>;
// The number of tiles, whether the table was too small, two free words, then the tiles.
@group(0) @binding(4) var<storage, read_write> found: array<atomic<u32>>;

// Slots of the table, a power of two, and tiles that are listed.
const SLOTS: u32 = 131072u;
const MOST: u32 = 65535u;
const PROBES: u32 = 1024u;

fn hash(tile: vec4<i32>) -> u32 {
    let t = bitcast<vec4<u32>>(tile);
    var h = t.x * 0x9e3779b1u ^ t.y * 0x85ebca77u ^ t.z * 0xc2b2ae3du ^ t.w * 0x27d4eb2fu;
    h ^= h >> 15u;
    h *= 0x2c1b3c6du;
    return h ^ (h >> 13u);
}

fn list_tile(tile: vec4<i32>) {
    let n = atomicAdd(&found[0], 1u);
    if (n < MOST) {
        for (var k = 0u; k < 4u; k++) {
            atomicStore(&found[4u + 4u * n + k], bitcast<u32>(tile[k]));
        }
    }
}

fn note_tile(i: u32, tile: vec4<i32>) {
    var slot = hash(tile) & (SLOTS - 1u);
    var probe = 0u;
    while (probe < PROBES) {
        var owner = atomicLoad(&slots[slot]);
        if (owner == 0u) {
            let taken = atomicCompareExchangeWeak(&slots[slot], 0u, i + 1u);
            if (taken.exchanged) {
                list_tile(tile);
                return;
            }
            owner = taken.old_value;
        }
        // An exchange may fail for no reason: the slot is then looked at again.
        if (owner != 0u) {
            if (all(tile_of_voxel(owner - 1u) == tile)) {
                return;
            }
            slot = (slot + 1u) & (SLOTS - 1u);
        }
        probe++;
    }
    atomicStore(&found[1], 1u);
}

@compute @workgroup_size(64)
fn voxel_tiles(@builtin(global_invocation_id) id: vec3<u32>) {
    var last = vec4<i32>(-1, 0, 0, 0);
    for (var i = id.x; i < params.count; i += params.groups * 64u) {
        let tile = tile_of_voxel(i);
        if (any(tile != last)) {
            note_tile(i, tile);
            last = tile;
        }
    }
}
