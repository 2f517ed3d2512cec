// Schedule: predictor chains of MD1 and STRIDE, a lane a meshlet, in the order of the walk. The last RECENT codes of a meshlet are in workgroup memory, all of them in
// rows on the device; a block of places asks for the older ones that it needs while the block before it is worked on. NARROW: codes of at most 13 bits, all predicted
// by a + b - c, and residuals cut at 2^14: then x and y are summed in one word. Needs decode_job, predictor, chain_state, and a module with `context_row`,
// `residual_row`, `status_before` and `is_walked`.

// A word a vertex of the walk: the places in the walk of the vertices a, b and c that it is predicted from, a byte each; without a context c is its own place. As
// many as fill the last block.
@group(0) @binding(5) var<storage, read> contexts: array<vec4<u32>>;
// Likewise, by axis, `axis_words` apart, with HALVES two in a word, with PACKED x and y in one word; without a context the difference to the vertex before.
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
    let axis = axis_words() >> 2u;
    let at = chain.residual_row + (place >> select(2u, 3u, HALVES));
    let here = contexts[chain.context_row + (place >> 2u)];
    var block = Block(here, residuals[at], vec4<u32>(0u), residuals[at + axis]);
    if !PACKED {
        block.y = block.z;
        block.z = residuals[at + 2u * axis];
    }
    return block;
}

// The residuals of four places from `place` on.
fn four_residuals(quad: vec4<u32>, place: u32) -> vec4<u32> {
    var four = quad;
    if HALVES {
        let pair = select(quad.xy, quad.zw, (place & 4u) != 0u);
        four = bitcast<vec4<u32>>(bitcast<vec4<i32>>(vec4<u32>(pair.x << 16u, pair.x, pair.y << 16u, pair.y)) >> vec4<u32>(16u));
    }
    return four;
}

fn recent_place(place: u32, lane: u32) -> u32 {
    return ((place % RECENT) * COLUMNS) | lane;
}

// The codes of a context that are in workgroup memory, asked for before that of the place before is left there.
struct Near { a: vec2<u32>, b: vec2<u32>, c: vec2<u32> }

fn near_code(lane: u32, at: u32) -> vec2<u32> {
    let near = recent_place(at, lane);
    return vec2<u32>(recent[near], recent[near + RECENT * COLUMNS]);
}

fn ask(lane: u32, context: u32) -> Near {
    return Near(near_code(lane, context & 255u), near_code(lane, (context >> 8u) & 255u), near_code(lane, (context >> 16u) & 255u));
}

fn code_at(place: u32, at: u32, near: vec2<u32>, older: vec2<u32>, previous: vec2<u32>) -> vec2<u32> {
    return select(select(near, previous, at == place - 1u), older, is_old(place, at));
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
fn link(chain: ptr<function, Chain>, place: u32, context: u32, near_codes: Near, older: Older, residual: vec3<u32>) {
    let previous = (*chain).previous;
    let a = code_at(place, context & 255u, near_codes.a, older.a, previous);
    let b = code_at(place, (context >> 8u) & 255u, near_codes.b, older.b, previous);
    let c = code_at(place, (context >> 16u) & 255u, near_codes.c, older.c, previous);
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
    let near = recent_place(place, (*chain).lane);
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
    var near = ask(chain.lane, next.contexts.x);
    for (var place = 0u; place < count; place += BLOCK) {
        let here = next;
        let older = older_next;
        let x = four_residuals(here.x, place);
        let y = four_residuals(here.y, place);
        let z = four_residuals(here.z, place);
        next = later;
        older_next = load_older(chain.first, min(place + BLOCK, last), next.contexts);
        later = load_block(chain, min(place + 2u * BLOCK, last));
        let lane = chain.lane;
        let near_1 = ask(lane, here.contexts.y);
        link(&chain, place, here.contexts.x, near, older.at_0, vec3<u32>(x.x, y.x, z.x));
        let near_2 = ask(lane, here.contexts.z);
        link(&chain, place + 1u, here.contexts.y, near_1, older.at_1, vec3<u32>(x.y, y.y, z.y));
        let near_3 = ask(lane, here.contexts.w);
        link(&chain, place + 2u, here.contexts.z, near_2, older.at_2, vec3<u32>(x.z, y.z, z.z));
        near = ask(lane, next.contexts.x);
        link(&chain, place + 3u, here.contexts.w, near_3, older.at_3, vec3<u32>(x.w, y.w, z.w));
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
