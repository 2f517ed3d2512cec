// Schedule: steepest ascent of the distance from each cell, as far as no triangle can be crossed; cells without a way up are listed as roots.
// Where a whole block of 4 x 4 x 4 cells is farther from the surface than it is wide, one cell stands for it.
// Needs sign_forest, sign_places, sign_far_away, grid_point, folded_grid.

@group(0) @binding(1) var<storage, read> results: array<u32>;
@group(0) @binding(2) var<storage, read_write> links: array<u32>;
@group(0) @binding(3) var<storage, read_write> list_out: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

// Distances of a block and of the cells round it, 0 outside of the grid.
var<workgroup> tile: array<f32, 216>;
// Largest distance that the block's middle can go to, and a link there.
var<workgroup> highest: atomic<u32>;
var<workgroup> upward: atomic<u32>;

struct Block {
    first: vec3<u32>,
    h: vec3<f32>,
    // Coordinates of the block and of the grid's corner at most, for least_distance.
    size: f32,
    // Of the middle, and how far it is from the surface at least.
    raw: f32,
    reach: f32,
    // Whether all cells link to the middle.
    far: bool,
}

fn block_of(group: u32) -> Block {
    let blocks = (params.counts + 3u) / 4u;
    let first = vec3<u32>(group % blocks.x, (group / blocks.x) % blocks.y, group / (blocks.x * blocks.y)) * 4u;
    let h = vec3<f32>(grid_h());
    let corner = sum_of(grid_point(params.first + first, grid_lo(), grid_h()));
    let size = 1.00001 * (corner + sum_of(grid_lo()) + 8.0 * (h.x + h.y + h.z));
    // 86: the cell (1, 1, 1) of the block.
    let raw = tile[86];
    let reach = least_distance(raw, size);
    let far = link_along(2.0 * h, reach, MIDDLE) != 0u;
    return Block(first, h, size, raw, reach, far);
}

fn fill_tile(group: u32, lane: u32) {
    let blocks = (params.counts + 3u) / 4u;
    let first = vec3<u32>(group % blocks.x, (group / blocks.x) % blocks.y, group / (blocks.x * blocks.y)) * 4u;
    for (var i = lane; i < 216u; i += 64u) {
        let beside = first + vec3<u32>(i % 6u, (i / 6u) % 6u, i / 36u);
        var raw = 0.0;
        if all(beside > vec3<u32>(0u)) && all(beside <= params.counts) { raw = raw_distance(cell_index(beside - 1u)); }
        tile[i] = raw;
    }
}

// A link of the block's middle to that of another block, at least as far away as the block is wide; its distance, and 0 where there is none.
fn way_up(block: Block, lane: u32) -> vec2<u32> {
    let code = lane % 32u + 1u;
    let steps = block.reach / min(block.h.x, min(block.h.y, block.h.z)); // bound only
    // [1] half of the lanes as far as the surface is, the others half as far
    let step_log = i32(bitcast<u32>(max(steps, 1.0)) >> 23u) - 127 - i32(lane / 32u); // bound only
    let step = vec3<u32>(u32(clamp(step_log, 2, 15)));
    let middle = vec3<i32>(block.first) + 1;
    let next = middle + (neighbour(code) << step);
    let there = vec3<u32>(max(next, vec3<i32>(0)));
    let log = vec3<u32>(params.block_log);
    var found = vec2<u32>(0u, 0u);
    if block.far && code < MIDDLE && code != HERE && all(next >= vec3<i32>(0)) && all(there < params.counts) && all((there >> log) == (block.first >> log)) {
        let raw = raw_distance(cell_index(there));
        let way = vec3<f32>(neighbour(code) << step) * block.h;
        let d = least_distance(raw, block.size + abs(way.x) + abs(way.y) + abs(way.z));
        let link = link_along(way, d, code | (step.x << STEP));
        if raw > block.raw && link != 0u { found = vec2<u32>(bitcast<u32>(raw), link); }
    }
    return found;
}

// The best of the cells beside this one.
fn link_beside(block: Block, local: vec3<u32>) -> u32 {
    let at = local.x + 1u + 6u * (local.y + 1u) + 36u * (local.z + 1u);
    let log = vec3<u32>(params.block_log);
    let cell = block.first + local;
    var best = tile[at];
    var link = HERE;
    for (var code = 1u; code < MIDDLE; code += 1u) {
        let side = neighbour(code);
        let raw = tile[u32(i32(at) + side.x + 6 * side.y + 36 * side.z)];
        let within = all((vec3<u32>(vec3<i32>(cell + 4u) + side) >> log) == ((cell + 4u) >> log));
        let along = link_along(vec3<f32>(side) * block.h, least_distance(raw, block.size), code);
        if raw > best && within && along != 0u {
            best = raw;
            link = along;
        }
    }
    return link;
}

@compute @workgroup_size(64)
fn sign_links(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let group = folded_index(workgroup, 0u, 1u, params.groups_x);
    if lane == 0u {
        atomicStore(&highest, 0u);
        atomicStore(&upward, 0u);
    }
    if group < params.group_count { fill_tile(group, lane); }
    workgroupBarrier();
    let block = block_of(group);
    let up = way_up(block, lane);
    if up.y != 0u { atomicMax(&highest, up.x); }
    workgroupBarrier();
    if up.y != 0u && up.x == atomicLoad(&highest) { atomicMax(&upward, up.y); }
    workgroupBarrier();
    let local = vec3<u32>(lane % 4u, (lane / 4u) % 4u, lane / 16u);
    let cell = block.first + local;
    var listed = false;
    var at = 0u;
    if group < params.group_count && all(cell < params.counts) {
        at = cell_index(cell);
        var link = HERE | DECIDED;
        // On the surface and far away there is nothing to decide.
        if results[at * params.stride + params.upper] != 0u && !is_far_away(grid_point(params.first + cell, grid_lo(), grid_h())) {
            if !block.far {
                link = link_beside(block, local);
            } else if all(local == vec3<u32>(1u)) {
                link = select(HERE, atomicLoad(&upward), atomicLoad(&upward) != 0u);
            } else {
                // Not farther than the corner (3, 3, 3), for which there is a link.
                link = link_along((vec3<f32>(1.0) - vec3<f32>(local)) * block.h, block.reach, MIDDLE);
                link = select(HERE, link, link != 0u);
            }
            listed = is_root(link);
        }
        links[at] = link;
    }
    list_together(listed, at, lane);
}
