// Schedule: predictor chains of MD1 and STRIDE, a lane a meshlet, in the order of the walk. The last RECENT codes of a meshlet are in workgroup memory, all of them in
// rows on the device; a block of places asks for the older ones that it needs while the block before it is worked on. NARROW: codes of at most 13 bits, all predicted
// by a + b - c, and residuals cut at 2^14: then x and y are summed in one word. Needs decode_job, predictor, chain_state, and a module with `context_row`,
// `residual_row`, `status_before` and `is_walked`.

// A word a vertex of the walk: the places in the walk of the vertices a, b and c that it is predicted from, a byte each; without a context c is its own place. As
// many as fill the last block.
@group(0) @binding(5) var<storage, read> contexts: array<vec4<u32>>;
// Likewise, by axis; without a context the difference to the vertex before.
@group(0) @binding(6) var<storage, read> residuals: array<vec4<u32>>;

const RECENT = 16u;
// At most half of RECENT, so that what is older at a place of the next block was left before this one.
const BLOCK = 4u;

var<workgroup> recent: array<u32, 2u * RECENT * COLUMNS>;

// The codes that a place is predicted from, where they are in the rows only; others are of no meaning.
struct Older { a: vec2<u32>, b: vec2<u32>, c: vec2<u32> }

// Those of a block, and its contexts and residuals.
struct OlderBlock { at_0: Older, at_1: Older, at_2: Older, at_3: Older }
struct Block { contexts: vec4<u32>, x: vec4<u32>, y: vec4<u32>, z: vec4<u32> }

// A meshlet: the code of place 0 in the rows, the first quads of its contexts and residuals. `all`: all bits that were set in a code.
struct Chain { lane: u32, first: u32, context_row: u32, residual_row: u32, previous: vec2<u32>, all: vec3<u32> }

fn is_old(place: u32, at: u32) -> bool {
    return place - at > RECENT;
}

// Asked for without a branch, so that nothing waits for it: place 0 where it is not needed.
fn older_code(first: u32, place: u32, at: u32) -> vec2<u32> {
    return codes[first + COLUMNS * select(0u, at, is_old(place, at))];
}

fn older_codes(first: u32, place: u32, context: u32) -> Older {
    let a = older_code(first, place, context & 255u);
    let b = older_code(first, place, (context >> 8u) & 255u);
    let c = older_code(first, place, (context >> 16u) & 255u);
    return Older(a, b, c);
}

fn load_older(first: u32, place: u32, contexts_here: vec4<u32>) -> OlderBlock {
    return OlderBlock(
        older_codes(first, place, contexts_here.x),
        older_codes(first, place + 1u, contexts_here.y),
        older_codes(first, place + 2u, contexts_here.z),
        older_codes(first, place + 3u, contexts_here.w),
    );
}

fn load_block(chain: Chain, place: u32) -> Block {
    let axis = params.capacity >> 2u;
    let at = chain.residual_row + (place >> 2u);
    return Block(contexts[chain.context_row + (place >> 2u)], residuals[at], residuals[at + axis], residuals[at + 2u * axis]);
}

fn recent_place(place: u32, lane: u32) -> u32 {
    return ((place % RECENT) * COLUMNS) | lane;
}

fn code_at(lane: u32, place: u32, at: u32, older: vec2<u32>) -> vec2<u32> {
    let near = recent_place(at, lane);
    return select(vec2<u32>(recent[near], recent[near + RECENT * COLUMNS]), older, is_old(place, at));
}

fn three_codes(pair: vec2<u32>) -> vec3<i32> {
    return bitcast<vec3<i32>>(vec3<u32>(pair.x & 0xffffu, pair.x >> 16u, pair.y));
}

// The code before it for a vertex without a context.
fn predict_wide(a: vec3<i32>, b: vec3<i32>, c: vec3<i32>) -> vec3<i32> {
    let x = predict_code(params.predictor_x, a.x, b.x, c.x, 0);
    let y = predict_code(params.predictor_y, a.y, b.y, c.y, 0);
    let z = predict_code(params.predictor_z, a.z, b.z, c.z, 0);
    return vec3<i32>(x, y, z);
}

// The next code of a chain.
fn link(chain: ptr<function, Chain>, place: u32, context: u32, older: Older, residual: vec3<u32>) {
    let lane = (*chain).lane;
    let previous = (*chain).previous;
    let a = code_at(lane, place, context & 255u, older.a);
    let b = code_at(lane, place, (context >> 8u) & 255u, older.b);
    let c = code_at(lane, place, (context >> 16u) & 255u, older.c);
    let is_root = ((context >> 16u) & 255u) == place;
    var code: vec2<u32>;
    if NARROW {
        // Exact while no half word leaves 16 bits, and the first code out of range does not.
        code = select(a + b - c, previous, is_root) + vec2<u32>(residual.x + (residual.y << 16u), residual.z);
        (*chain).all |= vec3<u32>(code.x, 0u, code.y);
    } else {
        let predicted = predict_wide(three_codes(a), three_codes(b), three_codes(c));
        let three = bitcast<vec3<u32>>(select(predicted, three_codes(previous), is_root)) + residual;
        (*chain).all |= three;
        code = vec2<u32>((three.x & 0xffffu) | (three.y << 16u), three.z & 0xffffu);
    }
    (*chain).previous = code;
    let near = recent_place(place, lane);
    recent[near] = code.x;
    recent[near + RECENT * COLUMNS] = code.y;
    codes[(*chain).first + COLUMNS * place] = code;
}

// Whether a code has left its range.
fn has_left(all: vec3<u32>) -> bool {
    var each = all;
    if NARROW { each = vec3<u32>(all.x & 0xffffu, all.x >> 16u, all.z); }
    return any((each >> params.bits) != vec3<u32>(0u));
}

// Places past the last one repeat the last code. Contexts and residuals are asked for two blocks ahead, older codes one.
fn walk_places(start: Chain, count: u32) -> bool {
    var chain = start;
    let last = (count - 1u) & ~(BLOCK - 1u);
    var next = load_block(chain, 0u);
    var later = load_block(chain, min(BLOCK, last));
    var older_next = load_older(chain.first, 0u, next.contexts);
    for (var place = 0u; place < count; place += BLOCK) {
        let here = next;
        let older = older_next;
        next = later;
        older_next = load_older(chain.first, min(place + BLOCK, last), next.contexts);
        later = load_block(chain, min(place + 2u * BLOCK, last));
        link(&chain, place, here.contexts.x, older.at_0, vec3<u32>(here.x.x, here.y.x, here.z.x));
        link(&chain, place + 1u, here.contexts.y, older.at_1, vec3<u32>(here.x.y, here.y.y, here.z.y));
        link(&chain, place + 2u, here.contexts.z, older.at_2, vec3<u32>(here.x.z, here.y.z, here.z.z));
        link(&chain, place + 3u, here.contexts.w, older.at_3, vec3<u32>(here.x.w, here.y.w, here.z.w));
    }
    return has_left(chain.all);
}

fn predict_meshlets(workgroup: vec3<u32>, lane: u32) {
    let index = folded_index(workgroup, lane, COLUMNS, params.groups_x);
    let unit = unit_of(index);
    if index < params.jobs && unit != NO_UNIT {
        var status = status_before(index);
        if is_walked(status) {
            let start = Chain(lane, first_code(index), context_row(index) >> 2u, residual_row(index) >> 2u, vec2<u32>(0u), vec3<u32>(0u));
            if walk_places(start, counts_of(unit) & 0xffffu) { status = STATUS_RANGE; }
        }
        statuses[index] = status;
    }
}
