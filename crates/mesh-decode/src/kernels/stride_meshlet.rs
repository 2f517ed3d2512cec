//! One STRIDE meshlet: strips over a list of recent vertices, then six streams of residuals along the walk.
//!
//! The stream is most significant bit first: bit 31 of word 0 is bit 0. Source: STRIDE (meshpress), blob version 4.

use super::predictor::{predict_code, unzigzag};
use crate::status::{Fault, ON_LIST, Status};

/// Vertices and triangles of the largest meshlet.
pub const MAX_COUNT: u32 = 256;
/// Length of the list of recent vertices.
const RECENT: usize = 16;
/// Largest zigzag value of a residual: twice what 16-bit codes can differ by, and the predictor's rounding.
const MAX_SYMBOL: u32 = 0x7_ffff;
/// Largest parameter of a Rice or Exp-Golomb code.
const MAX_PARAMETER: u32 = 16;

/// The table entry of a meshlet; places are bits in the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// First bit.
    pub start: u32,
    /// First bit behind the meshlet.
    pub end: u32,
    /// First bit of the residual section.
    pub residuals: u32,
    /// Vertices.
    pub vertices: u32,
    /// Triangles.
    pub triangles: u32,
    /// Strips.
    pub strips: u32,
    /// Vertices without a prediction context.
    pub roots: u32,
    /// First bits of streams 2 to 6, from the residual section on.
    pub streams: [u32; 5],
}

/// Predictor and code widths of a file, by axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Predictor {
    /// Weights of the vertices a, b, c of the context.
    pub weights: [[i32; 3]; 3],
    /// Right shift of the weighted sum.
    pub shifts: [u32; 3],
    /// Bits of a code.
    pub bits: [u32; 3],
}

/// The connectivity of a meshlet: triangles in stream order and the walk, vertices in the order of their first use.
#[derive(Clone, Debug)]
pub struct Connectivity {
    /// Local vertices of each triangle.
    pub triangles: [[u8; 3]; MAX_COUNT as usize],
    /// Local vertex of each step of the walk.
    pub walk: [u8; MAX_COUNT as usize],
    /// Context a, b, c of each step; of no meaning for a root.
    pub contexts: [[u8; 3]; MAX_COUNT as usize],
    /// A bit a step: 1 where it has a context.
    pub predicted: [u32; 8],
    /// Steps without a context.
    pub roots: u32,
    /// First bit behind the connectivity.
    pub end: u32,
}

/// A place in the stream with its end.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    words: &'a [u32],
    /// The meshlet's first bit, for messages.
    start: u32,
    at: u32,
    end: u32,
}

impl Cursor<'_> {
    /// 32 bits from bit `at` on; zeros past the end.
    fn window(&self, at: u32) -> u32 {
        let word = (at >> 5) as usize;
        let high = self.words.get(word).copied().unwrap_or(0);
        let low = self.words.get(word + 1).copied().unwrap_or(0);
        (high << (at & 31)) | ((low >> 1) >> (31 - (at & 31)))
    }

    fn fault<T>(&self, status: Status, value: u32, allowed: u32) -> Result<T, Fault> {
        Err(Fault::new(status, self.at - self.start, value, allowed))
    }

    /// The next `n` bits, 0 to 32.
    fn bits(&mut self, n: u32) -> Result<u32, Fault> {
        if n > self.end - self.at {
            return self.fault(Status::Truncated, self.at - self.start + n, self.end - self.start);
        }
        let window = self.window(self.at);
        self.at += n;
        Ok(if n == 32 { window } else { (window >> 1) >> (31 - n) })
    }

    /// The number of zeros before the next 1, which is read too; at most `limit`.
    fn zeros(&mut self, limit: u32) -> Result<u32, Fault> {
        let mut count = 0;
        loop {
            let run = self.window(self.at + count).leading_zeros();
            count += run;
            if count >= self.end - self.at {
                return self.fault(Status::Truncated, self.end - self.start + 1, self.end - self.start);
            }
            if count > limit {
                return self.fault(Status::Range, count, limit);
            }
            if run < 32 {
                self.at += count + 1;
                return Ok(count);
            }
        }
    }

    /// A symbol of a stream: tag 1 is Rice, tag 2 Exp-Golomb.
    fn symbol(&mut self, tag: u32, k: u32) -> Result<u32, Fault> {
        let limit = MAX_SYMBOL >> k;
        let high = if tag == 1 {
            self.zeros(limit)?
        } else {
            let length = self.zeros(19)?;
            (1 << length) - 1 + self.bits(length)?
        };
        if high > limit {
            return self.fault(Status::Range, high, limit);
        }
        Ok((high << k) + self.bits(k)?)
    }
}

/// The list of recent vertices, oldest first.
struct Recent {
    ids: [u32; RECENT],
    length: u32,
}

impl Recent {
    /// Takes out the entry `place` (or, when the list is full and nothing was taken, the oldest) and appends `id`.
    fn renew(&mut self, place: u32, id: u32) {
        for k in place..self.length.saturating_sub(1) {
            self.ids[k as usize] = self.ids[k as usize + 1];
        }
        self.ids[self.length as usize - 1] = id;
    }

    fn append(&mut self, id: u32) {
        if self.length < RECENT as u32 {
            self.length += 1;
            self.ids[self.length as usize - 1] = id;
        } else {
            self.renew(0, id);
        }
    }
}

/// Reads a vertex token.
fn read_vertex(cursor: &mut Cursor<'_>, recent: &mut Recent, vertices: u32, id_bits: u32) -> Result<u32, Fault> {
    // [1]
    if cursor.bits(1)? == 0 {
        let place = cursor.bits(5)?;
        if place >= recent.length {
            return cursor.fault(Status::Token, place, recent.length);
        }
        let id = recent.ids[place as usize];
        recent.renew(place, id);
        return Ok(id);
    }
    let id = cursor.bits(id_bits)?;
    if id >= vertices {
        return cursor.fault(Status::Index, id, vertices);
    }
    if recent.ids[..recent.length as usize].contains(&id) {
        return cursor.fault(Status::Token, id, ON_LIST);
    }
    recent.append(id);
    Ok(id)
}

/// Bits of a raw vertex id: the smallest number from 1 on with 2^bits >= vertices + 1.
fn id_bits(vertices: u32) -> u32 {
    32 - vertices.leading_zeros()
}

/// The walk so far.
struct Walk<'a> {
    out: &'a mut Connectivity,
    seen: [u32; 8],
    length: u32,
}

impl Walk<'_> {
    /// Appends a vertex on its first use.
    fn visit(&mut self, id: u32, context: Option<[u32; 3]>) {
        let (word, bit) = ((id >> 5) as usize, 1 << (id & 31));
        if self.seen[word] & bit != 0 {
            return;
        }
        self.seen[word] |= bit;
        let step = self.length as usize;
        self.out.walk[step] = id as u8;
        match context {
            Some(context) => {
                self.out.contexts[step] = context.map(|id| id as u8);
                self.out.predicted[step >> 5] |= 1 << (step & 31);
            }
            None => self.out.roots += 1,
        }
        self.length += 1;
    }
}

/// Vertices, triangles and strips of the meshlet at a bit.
///
/// # Errors
/// `Truncated`; `Count` for counts outside 1 to 256 or more strips than triangles.
pub fn read_counts(words: &[u32], start: u32, end: u32) -> Result<[u32; 3], Fault> {
    // [2]
    let mut cursor = Cursor { words, start, at: start, end };
    let counts = [cursor.bits(16)?, cursor.bits(16)?, cursor.bits(16)?];
    let [vertices, triangles, strips] = counts;
    if !(1..=MAX_COUNT).contains(&vertices) {
        return cursor.fault(Status::Count, vertices, MAX_COUNT);
    }
    if !(1..=MAX_COUNT).contains(&triangles) {
        return cursor.fault(Status::Count, triangles, MAX_COUNT);
    }
    if strips == 0 || strips > triangles {
        return cursor.fault(Status::Count, strips, triangles);
    }
    Ok(counts)
}

/// Reads the connectivity; the counts must be those of the stream's own header.
///
/// # Errors
/// `Count`, `Truncated`, `Token`, `Index`.
pub fn read_connectivity(words: &[u32], entry: &Entry, out: &mut Connectivity) -> Result<(), Fault> {
    let counts = read_counts(words, entry.start, entry.end)?;
    let mut cursor = Cursor { words, start: entry.start, at: entry.start + 48, end: entry.end };
    for (found, expected) in counts.into_iter().zip([entry.vertices, entry.triangles, entry.strips]) {
        if found != expected {
            return cursor.fault(Status::Count, found, expected);
        }
    }
    let id_bits = id_bits(entry.vertices);
    let mut recent = Recent { ids: [0; RECENT], length: 0 };
    out.roots = 0;
    out.predicted = [0; 8];
    let mut walk = Walk { out, seen: [0; 8], length: 0 };
    let mut done = 0;
    for _ in 0..entry.strips {
        // [3] a root triangle
        let length = cursor.bits(16)?;
        if length == 0 || length > entry.triangles - done {
            return cursor.fault(Status::Count, length, entry.triangles - done);
        }
        let mut current = [0; 3];
        for corner in &mut current {
            *corner = read_vertex(&mut cursor, &mut recent, entry.vertices, id_bits)?;
        }
        walk.out.triangles[done as usize] = current.map(|id| id as u8);
        for id in current {
            walk.visit(id, None);
        }
        // [4] each next triangle shares an edge with the current one
        for triangle in done + 1..done + length {
            let [p0, p1, p2] = current;
            let [a, b, c] = if cursor.bits(1)? == 0 { [p1, p2, p0] } else { [p0, p2, p1] };
            let id = read_vertex(&mut cursor, &mut recent, entry.vertices, id_bits)?;
            walk.visit(id, Some([a, b, c]));
            current = [a, b, id];
            walk.out.triangles[triangle as usize] = current.map(|id| id as u8);
        }
        done += length;
    }
    // [5]
    if done != entry.triangles {
        return cursor.fault(Status::Count, done, entry.triangles);
    }
    if walk.length != entry.vertices {
        return cursor.fault(Status::Count, walk.length, entry.vertices);
    }
    out.end = cursor.at;
    Ok(())
}

/// The head of the residual section: anchor and (tag, parameter) of the six streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResidualHead {
    /// Codes of the first vertex of the walk.
    pub anchor: [u32; 3],
    /// Tag (1 Rice, 2 Exp-Golomb) and parameter of each stream.
    pub coding: [[u32; 2]; 6],
    /// First bit of the first stream.
    pub end: u32,
}

/// Reads the head of the residual section at its place in `entry`.
///
/// # Errors
/// `Truncated`, `Parameter`.
pub fn read_residual_head(words: &[u32], entry: &Entry, bits: [u32; 3]) -> Result<ResidualHead, Fault> {
    // [6]
    let mut cursor = Cursor { words, start: entry.start, at: entry.residuals, end: entry.end };
    let mut head = ResidualHead::default();
    for (anchor, bits) in head.anchor.iter_mut().zip(bits) {
        *anchor = cursor.bits(bits)?;
    }
    for coding in &mut head.coding {
        *coding = [cursor.bits(8)?, cursor.bits(8)?];
        if !(1..=2).contains(&coding[0]) {
            return cursor.fault(Status::Parameter, coding[0], 2);
        }
        if coding[1] > MAX_PARAMETER {
            return cursor.fault(Status::Parameter, coding[1], MAX_PARAMETER);
        }
    }
    head.end = cursor.at;
    Ok(head)
}

/// Reads `count` residuals from bit `at` on and returns the first bit behind them.
///
/// # Errors
/// `Truncated`, `Range`.
pub fn read_stream(
    words: &[u32],
    entry: &Entry,
    at: u32,
    coding: [u32; 2],
    count: u32,
    out: &mut [i32; MAX_COUNT as usize],
) -> Result<u32, Fault> {
    // [7]
    let mut cursor = Cursor { words, start: entry.start, at, end: entry.end };
    for residual in &mut out[..count as usize] {
        let symbol = cursor.symbol(coding[0], coding[1])?;
        *residual = unzigzag(symbol);
    }
    Ok(cursor.at)
}

/// What the codes of one axis are made of.
#[derive(Clone, Copy)]
pub struct AxisResiduals<'a> {
    /// Code of the first vertex of the walk.
    pub anchor: u32,
    /// Differences of the later vertices without a context.
    pub deltas: &'a [i32; MAX_COUNT as usize],
    /// Residuals of the vertices with a context.
    pub residuals: &'a [i32; MAX_COUNT as usize],
}

/// Runs the predictor chain of one axis along the walk; `codes` is indexed by local vertex.
///
/// # Errors
/// `Range` for a code outside 0 to 2^bits - 1.
pub fn predict_axis(
    connectivity: &Connectivity,
    vertices: u32,
    axis: usize,
    predictor: &Predictor,
    input: AxisResiduals<'_>,
    codes: &mut [i32; MAX_COUNT as usize],
) -> Result<(), Fault> {
    // [8]
    let largest = (1i32 << predictor.bits[axis]) - 1;
    let (mut roots, mut predicted) = (0, 0);
    let mut previous = 0;
    for step in 0..vertices as usize {
        let code = if (connectivity.predicted[step >> 5] >> (step & 31)) & 1 == 1 {
            let context = connectivity.contexts[step].map(|id| codes[usize::from(id)]);
            predicted += 1;
            predict_code(predictor.weights[axis], predictor.shifts[axis], context, input.residuals[predicted - 1])
        } else {
            roots += 1;
            if roots == 1 { input.anchor as i32 } else { previous + input.deltas[roots - 2] }
        };
        if code < 0 || code > largest {
            return Err(Fault::new(Status::Range, 0, code as u32, largest as u32));
        }
        codes[usize::from(connectivity.walk[step])] = code;
        previous = code;
    }
    Ok(())
}
