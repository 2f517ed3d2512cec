// The voxel of a point, in f32: see voxel_of_point.rs. Needs strict_float.

const NO_VOXEL: u32 = 1u;

struct AxisVoxel {
    voxel: i32,
    status: u32,
}

fn voxel_of_axis(x: f32, origin: f32, size: f32, add: f32) -> AxisVoxel {
    // [1] position in index space
    let position = div_rn(flush(x) - flush(origin), size);
    // [2] the voxel that holds it
    let voxel = floor(position + add);
    // [3] -2^31 is a coordinate, 2^31 and what is larger or not a number is none
    let bits = bitcast<u32>(voxel);
    let outside = (bits & 0x7fffffffu) >= 0x4f000000u && bits != 0xcf000000u;
    if (outside) {
        return AxisVoxel(0, NO_VOXEL);
    }
    return AxisVoxel(i32(voxel), 0u);
}
