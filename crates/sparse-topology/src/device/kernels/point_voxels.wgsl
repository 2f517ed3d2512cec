// Schedule: the voxels of points; the first point that has none.

struct Params {
    zero: u32,
    count: u32,
    before: u32,
    items: u32,
    add: f32,
    groups: u32,
    pad_a: u32,
    pad_b: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> points: array<f32>;
@group(0) @binding(2) var<storage, read> item_ends: array<u32>;
// Origin and voxel size of every item, six words.
@group(0) @binding(3) var<storage, read> frames: array<f32>;
@group(0) @binding(4) var<storage, read_write> voxels: array<i32>;
// A word a point that has no voxel sets.
@group(0) @binding(5) var<storage, read_write> failed: array<atomic<u32>>;

fn item_of(i: u32) -> u32 {
    let at = params.before + i;
    var low = 0u;
    var high = params.items - 1u;
    while (low < high) {
        let middle = (low + high) >> 1u;
        if (item_ends[middle] <= at) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

@compute @workgroup_size(64)
fn point_voxels(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < params.count; i += params.groups * 64u) {
        let frame = 6u * item_of(i);
        var status = 0u;
        for (var k = 0u; k < 3u; k++) {
            let at = voxel_of_axis(points[3u * i + k], frames[frame + k], frames[frame + 3u + k], params.add);
            voxels[3u * i + k] = at.voxel;
            status |= at.status;
        }
        if (STATUS) {
            atomicOr(&failed[i >> 5u], status << (i & 31u));
        } else if (status != 0u) {
            atomicMin(&failed[0], params.before + i);
        }
    }
}
