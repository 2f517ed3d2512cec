// Schedule: a workgroup of 64 looks at the 64 leaves of a task's block; the first invocations make a window each.

const WINDOWS: u32 = 13u;

var<workgroup> windows: array<Window, WINDOWS>;

fn corners_of(triangle: u32) -> array<vec4<u32>, 9> {
    var corners = array<vec4<u32>, 9>();
    let at = 14u * triangle;
    for (var k = 0u; k < 9u; k++) {
        // Bits 7 k to 7 k + 6 of two words.
        let shift = 7u * k;
        var high = triangles[at + 13u] >> (shift & 31u);
        if (shift < 32u) {
            high = triangles[at + 12u] >> shift;
            if (shift > 25u) {
                high |= triangles[at + 13u] << (32u - shift);
            }
        }
        corners[k] = vec4<u32>(triangles[at + 3u + k], high & 127u, 0u, 0u);
    }
    return corners;
}

// A leaf of a task's block, in its tile.
fn leaf_of_task(task: u32, local: u32) -> vec3<u32> {
    return (block_of_task(task) << vec3<u32>(2u)) | vec3<u32>(local >> 4u, (local >> 2u) & 3u, local & 3u);
}

// Its first voxel, counted from the triangle's.
fn leaf_position(task: u32, leaf: vec3<u32>) -> vec3<i32> {
    let tile = tiles[tasks[3u * task + 1u]];
    let at = 14u * tasks[3u * task];
    let base = vec3<u32>(triangles[at], triangles[at + 1u], triangles[at + 2u]);
    let first = (bitcast<vec3<u32>>(tile.yzw) << vec3<u32>(12u)) | (leaf << vec3<u32>(3u));
    return bitcast<vec3<i32>>(first - base);
}

// Makes the windows and tells whether the invocation's leaf has a voxel. For all invocations of the workgroup.
fn leaf_is_met(task: u32, local: u32) -> bool {
    workgroupBarrier();
    if (local < WINDOWS) {
        windows[local] = window_of(corners_of(tasks[3u * task]), local);
    }
    workgroupBarrier();
    let position = leaf_position(task, leaf_of_task(task, local));
    var meets = true;
    for (var w = 0u; w < WINDOWS && meets; w++) {
        meets = window_meets_leaf(windows[w], window_start(windows[w], position));
    }
    return meets;
}
