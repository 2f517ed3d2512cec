//! STRIDE meshlets made by hand: wrong in one thing that only the end of the walk shows, and with differences of vertices that are long codes.

use conformance::adapters::on_every_adapter;
use mesh_decode::{File, Outputs, Status, open};

use super::decode::compare;

/// Bits, most significant first.
#[derive(Default)]
struct Body(Vec<bool>);

impl Body {
    fn push(&mut self, value: u32, bits: u32) {
        self.0.extend((0..bits).rev().map(|k| (value >> k) & 1 == 1));
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.chunks(8).map(|bits| bits.iter().zip(0..).map(|(bit, k)| u8::from(*bit) << (7 - k)).sum()).collect()
    }
}

/// What the table says of the only meshlet: vertices, triangles, strips, roots, first bits of the residuals and of streams 2 to 6.
struct Entry {
    counts: [u32; 3],
    roots: u32,
    residuals: u64,
    streams: [u16; 5],
}

/// A blob of one meshlet with the canonical predictor and codes of so many bits.
fn blob(bits: u32, body: &[u8], entry: &Entry) -> File {
    let [vertices, triangles, strips] = entry.counts;
    let mut out = Vec::new();
    for word in [0x4252_5044, 4, 1, vertices, triangles, body.len() as u32, 0, 0] {
        out.extend(word.to_le_bytes());
    }
    // Centre, scale, error, least coordinates, ranges.
    for float in [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0] {
        out.extend(float.to_le_bytes());
    }
    [bits; 3].iter().for_each(|bits| out.extend(bits.to_le_bytes()));
    [1_i16, 1, -1].repeat(3).iter().for_each(|weight| out.extend(weight.to_le_bytes()));
    out.extend([0; 6]);
    out.extend(body);
    out.extend(0_u64.to_le_bytes());
    for word in [vertices, triangles, strips, 0, 0] {
        out.extend(word.to_le_bytes());
    }
    out.extend(entry.residuals.to_le_bytes());
    out.extend(entry.roots.to_le_bytes());
    entry.streams.iter().for_each(|stream| out.extend(stream.to_le_bytes()));
    open(&out).unwrap()
}

fn begin([vertices, triangles, strips]: [u32; 3]) -> Body {
    let mut body = Body::default();
    [vertices, triangles, strips].iter().for_each(|count| body.push(*count, 16));
    body
}

fn assert_status(file: &File, status: Status, what: &str) {
    assert_eq!(file.decode_cpu(Outputs::MESH).statuses, [status as u32], "{what}");
    on_every_adapter(|context| compare(context, what, file));
}

#[test]
fn a_strip_more_than_the_table_says() {
    let counts = [4, 2, 1];
    let mut body = begin(counts);
    // A strip of one triangle, where the only one should have two, and the first entry of another.
    body.push(1, 16);
    [0, 1, 2].iter().for_each(|id| body.push(8 | id, 4));
    body.push(1, 16);
    body.push(8 | 3, 4);
    // An anchor of zeros, Rice codes with parameter 0, deltas of three vertices.
    let residuals = body.0.len() as u64;
    body.push(0, 3);
    (0..6).for_each(|_| body.push(1 << 8, 16));
    body.push(0x1ff, 9);
    let entry = Entry { counts, roots: 4, residuals, streams: [102, 105, 108, 108, 108] };
    assert_status(&blob(1, &body.bytes(), &entry), Status::Count, "a strip too many");
}

#[test]
fn tokens_that_pass_the_end() {
    let counts = [3, 8, 1];
    let mut body = begin(counts);
    body.push(8, 16);
    [0, 1, 2].iter().for_each(|id| body.push(4 | id, 3));
    // Seven triangles of the oldest vertex of the list, four of them before the end.
    (0..7).for_each(|_| body.push(0, 7));
    let bytes = &body.bytes()[..13];
    let entry = Entry { counts, roots: 3, residuals: 0, streams: [99; 5] };
    assert_status(&blob(1, bytes, &entry), Status::Truncated, "tokens past the end");
}

/// A triangle whose second vertex is `zigzag` from the first in x, in unary.
fn triangle_of(zigzag: u32) -> File {
    let counts = [3, 1, 1];
    let mut body = begin(counts);
    body.push(1, 16);
    [0, 1, 2].iter().for_each(|id| body.push(4 | id, 3));
    let residuals = body.0.len() as u64;
    body.push(0, 18);
    (0..6).for_each(|_| body.push(1 << 8, 16));
    (0..zigzag).for_each(|_| body.push(0, 1));
    body.push(0x3f, 6);
    let ends = 18 + 96 + zigzag as u16 + 2;
    let entry = Entry { counts, roots: 3, residuals, streams: [ends, ends + 2, ends + 4, ends + 4, ends + 4] };
    blob(6, &body.bytes(), &entry)
}

#[test]
fn differences_that_are_long_codes() {
    for zigzag in [0, 30, 31, 32, 33, 40, 64, 100] {
        let file = triangle_of(zigzag);
        let decoded = file.decode_cpu(Outputs::ALL);
        let code = zigzag as i32 / 2;
        let expected = if zigzag % 2 == 0 { [[0, 0, 0], [code, 0, 0], [code, 0, 0]] } else { [[0; 3]; 3] };
        assert_eq!(decoded.grid, expected, "{zigzag}");
        let status = if zigzag % 2 == 0 { 0 } else { Status::Range as u32 };
        assert_eq!(decoded.statuses, [status], "{zigzag}");
        on_every_adapter(|context| compare(context, &format!("a difference of {zigzag} zeros"), &file));
    }
}
