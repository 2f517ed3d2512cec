//! The triangle index codec: edge and vertex queues of 16 entries.

use super::{check_indices, read_varint, unzigzag};
use crate::error::Error;
use crate::format::Format;

const FORMAT: Format = Format::MeshoptIndices;
/// Bytes of the table of common codes at the end of a stream.
const TABLE: usize = 16;

/// Decodes a triangle index stream of `count` indices (three a triangle, in the order and rotation of the encoder).
///
/// With `vertices` given, every index must be below it; without, the caller has to check before using them.
///
/// # Errors
/// [`Error::Stream`] with the byte at which the stream is wrong; [`Error::Index`].
pub fn decode_indices(bytes: &[u8], count: usize, vertices: Option<u32>) -> Result<Vec<u32>, Error> {
    check_indices_stream(bytes, count)?;
    let head = bytes[0];
    let table = bytes.len() - TABLE;
    let codes = &bytes[1..1 + count / 3];
    let mut queue_limit = 13;
    if head & 15 == 0 {
        queue_limit = 15;
    }
    let mut decoder = Decoder { bytes, at: 1 + count / 3, table, queue_limit, ..Decoder::new(bytes) };
    let mut out = vec![0; count];
    for (&code, place) in codes.iter().zip(out.as_chunks_mut::<3>().0) {
        // A triangle takes at most 16 bytes, and the table has as many.
        if decoder.at > table {
            return Err(Error::stream(
                FORMAT,
                decoder.at,
                "place of the data",
                decoder.at as u64,
                format!("up to {table}"),
            ));
        }
        let triangle = if code < 0xf0 { decoder.edge(code) } else { decoder.fresh(code) };
        let at = decoder.at;
        *place = triangle
            .ok_or_else(|| Error::stream(FORMAT, at, "code", u64::from(code), "codes with data and legal tables"))?;
    }
    if decoder.at != table {
        return Err(Error::stream(FORMAT, decoder.at, "end of the data", decoder.at as u64, table.to_string()));
    }
    check_indices(FORMAT, &out, vertices)?;
    Ok(out)
}

/// What can be said of a stream without reading its codes: count, first byte, least length.
pub(crate) fn check_indices_stream(bytes: &[u8], count: usize) -> Result<(), Error> {
    if !count.is_multiple_of(3) {
        return Err(Error::stream(FORMAT, 0, "index count", count as u64, "multiples of 3"));
    }
    let head = bytes.first().copied().unwrap_or(0);
    if head & 0xf0 != 0xe0 || head & 15 > 1 {
        return Err(Error::stream(FORMAT, 0, "first byte", u64::from(head), "0xe0 (224) and 0xe1 (225)"));
    }
    let needed = 1 + TABLE + count / 3;
    if bytes.len() < needed {
        return Err(Error::stream(FORMAT, bytes.len(), "length", bytes.len() as u64, format!("at least {needed}")));
    }
    Ok(())
}

struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
    table: usize,
    queue_limit: usize,
    edges: [[u32; 2]; 16],
    edge_place: usize,
    vertices: [u32; 16],
    vertex_place: usize,
    next: u32,
    last: u32,
}

impl<'a> Decoder<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            table: 0,
            queue_limit: 0,
            edges: [[u32::MAX; 2]; 16],
            edge_place: 0,
            vertices: [u32::MAX; 16],
            vertex_place: 0,
            next: 0,
            last: 0,
        }
    }

    fn push_edge(&mut self, a: u32, b: u32) {
        self.edges[self.edge_place & 15] = [a, b];
        self.edge_place += 1;
    }

    fn push_vertex(&mut self, vertex: u32) {
        self.vertices[self.vertex_place & 15] = vertex;
        self.vertex_place += 1;
    }

    /// The vertex pushed `back` pushes before the newest.
    fn recent_vertex(&self, back: usize) -> u32 {
        self.vertices[self.vertex_place.wrapping_sub(1 + back) & 15]
    }

    fn new_vertex(&mut self) -> u32 {
        let vertex = self.next;
        self.next = self.next.wrapping_add(1);
        vertex
    }

    fn explicit_vertex(&mut self) -> Option<u32> {
        self.last = self.last.wrapping_add(unzigzag(read_varint(self.bytes, &mut self.at)?));
        Some(self.last)
    }

    /// A triangle on a recent edge.
    #[inline]
    fn edge(&mut self, code: u8) -> Option<[u32; 3]> {
        let [a, b] = self.edges[self.edge_place.wrapping_sub(1 + usize::from(code >> 4)) & 15];
        let place = usize::from(code & 15);
        let (c, push) = if place == 0 {
            (self.new_vertex(), true)
        } else if place < self.queue_limit {
            (self.recent_vertex(place), false)
        } else if place < 15 {
            self.last = if place == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
            (self.last, true)
        } else {
            (self.explicit_vertex()?, true)
        };
        if push {
            self.push_vertex(c);
        }
        self.push_edge(c, b);
        self.push_edge(a, c);
        Some([a, b, c])
    }

    /// A triangle without a recent edge.
    fn fresh(&mut self, code: u8) -> Option<[u32; 3]> {
        let from_table = code < 0xfe;
        let both = if from_table {
            let both = self.bytes[self.table + usize::from(code & 15)];
            // The encoder's tables have no explicit vertices; the reference would read the queue out of its meaning here.
            if both >> 4 == 15 || both & 15 == 15 {
                return None;
            }
            both
        } else {
            let both = *self.bytes.get(self.at)?;
            self.at += 1;
            if both == 0 {
                self.next = 0;
            }
            both
        };
        let (second, third) = (usize::from(both >> 4), usize::from(both & 15));
        let first_is_new = code != 0xff;
        let mut a = if first_is_new { self.new_vertex() } else { 0 };
        let mut b = if second == 0 { self.new_vertex() } else { self.recent_vertex(second - 1) };
        let mut c = if third == 0 { self.new_vertex() } else { self.recent_vertex(third - 1) };
        if !first_is_new {
            a = self.explicit_vertex()?;
        }
        if second == 15 {
            b = self.explicit_vertex()?;
        }
        if third == 15 {
            c = self.explicit_vertex()?;
        }
        self.push_vertex(a);
        if second == 0 || second == 15 {
            self.push_vertex(b);
        }
        if third == 0 || third == 15 {
            self.push_vertex(c);
        }
        self.push_edge(b, a);
        self.push_edge(c, b);
        self.push_edge(a, c);
        Some([a, b, c])
    }
}
