// Schedule: streams of meshoptimizer, one invocation and workgroup a stream: every code depends on those before it, so only different streams run side by side, and
// streams that shared a subgroup would wait for each other.
// Needs folded_grid.

struct Params { zero: u32, streams: u32, groups_x: u32, pad: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> body: array<u32>;
// Two quads a stream: first byte, bytes, count, first word of the output; stride or number of vertices, version, whether
// that number is a limit, 0.
@group(0) @binding(2) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;
// 0, or 1 for a stream that is refused; its output is zeros.
@group(0) @binding(4) var<storage, read_write> statuses: array<u32>;

// A place in the bytes of a stream.
struct Reader { first: u32, length: u32, at: u32, bad: bool }

// Byte k of the stream; 0 outside of it.
fn byte_at(reader: Reader, k: u32) -> u32 {
    if k >= reader.length { return 0u; }
    let at = reader.first + k;
    return (body[at >> 2u] >> (8u * (at & 3u))) & 255u;
}

// Passes over n bytes and returns the place of the first.
fn take(reader: ptr<function, Reader>, n: u32) -> u32 {
    let at = (*reader).at;
    if n > (*reader).length - at {
        (*reader).bad = true;
        return at;
    }
    (*reader).at = at + n;
    return at;
}

// Groups of 7 bits, lowest first, at most five.
fn take_varint(reader: ptr<function, Reader>) -> u32 {
    var value = 0u;
    var going = true;
    for (var group = 0u; group < 5u && going; group++) {
        let byte = byte_at(*reader, take(reader, 1u));
        value |= (byte & 127u) << (7u * group);
        going = byte >= 128u && !(*reader).bad;
    }
    return value;
}

fn unzigzag(value: u32) -> u32 {
    return (value >> 1u) ^ (0u - (value & 1u));
}
