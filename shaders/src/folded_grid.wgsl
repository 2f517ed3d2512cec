// Linear index in a folded grid of workgroups: twin of folded_grid.rs.

// ((z * groups_x + y) * groups_x + x) * workgroup_size + local_index, or 0xffffffff where that is 2^32 or more.
// Extents are at most 65535, so row < 2^32 always and group < 2^32 when z = 0.
fn folded_index(workgroup_id: vec3<u32>, local_index: u32, workgroup_size: u32, groups_x: u32) -> u32 {
    let row = workgroup_id.z * groups_x + workgroup_id.y;
    if workgroup_id.z != 0u && row > (0xffffffffu - workgroup_id.x) / groups_x {
        return 0xffffffffu;
    }
    let group = row * groups_x + workgroup_id.x;
    if group > (0xffffffffu - local_index) / workgroup_size {
        return 0xffffffffu;
    }
    return group * workgroup_size + local_index;
}
