//! Writing triangle index streams and index sequences.

use crate::error::Error;

/// Bytes of the table of common codes at the end of a triangle index stream.
const TABLE: usize = 16;
/// Entries of that table that codes can name.
const TABLE_CODES: usize = 14;
/// Zero bytes behind a sequence.
const SEQUENCE_TAIL: usize = 4;

/// Encodes triangles as an index stream of version 0 or 1.
///
/// Order is kept; a triangle may come back rotated, with its winding. Meshes whose vertices are numbered by first use are smallest: about a
/// byte a triangle. Cost: about 20 ns a triangle.
///
/// # Errors
/// [`Error::Input`] for a count that is not a multiple of 3, or another version.
pub fn encode_indices(indices: &[u32], version: u8) -> Result<Vec<u8>, Error> {
    check_version(version)?;
    let (triangles, []) = indices.as_chunks::<3>() else {
        let (value, allowed) = (indices.len().to_string(), "multiples of 3".to_owned());
        return Err(Error::Input { what: "index count", index: 0, value, allowed });
    };
    // The codes do not depend on the table: the first pass counts what it is to hold.
    let mut encoder = Encoder::new(version);
    let mut uses = [0_u32; 256];
    for triangle in triangles {
        if let Step::Fresh { both, explicit: 0 } = encoder.step(*triangle) {
            uses[usize::from(both)] += 1;
        }
    }
    // Two new vertices always have a place: as data this code would mean a reset.
    let mut common: Vec<u8> = (1..=255).filter(|both| uses[usize::from(*both)] > 0).collect();
    common.sort_by_key(|both| (std::cmp::Reverse(uses[usize::from(*both)]), *both));
    common.truncate(TABLE_CODES - 1);
    common.insert(0, 0);
    let (mut codes, mut data) = (Vec::with_capacity(triangles.len()), Vec::new());
    let mut encoder = Encoder::new(version);
    for triangle in triangles {
        let step = encoder.step(*triangle);
        match step {
            Step::Edge { code } => codes.push(code),
            Step::Fresh { both, explicit } => {
                let place = common.iter().position(|c| *c == both).filter(|_| explicit == 0);
                if place.is_none() {
                    data.push(both);
                }
                let other = if explicit & 4 != 0 { 0xff } else { 0xfe };
                codes.push(place.map_or(other, |place| 0xf0 + place as u8));
            }
        }
        encoder.explicit.drain(..).for_each(|value| push_varint(&mut data, value));
    }
    let mut out = vec![0xe0 | version];
    out.append(&mut codes);
    out.append(&mut data);
    common.resize(TABLE, 0);
    out.append(&mut common);
    Ok(out)
}

/// How a triangle is coded; its explicit vertices lie in [`Encoder::explicit`].
enum Step {
    /// On a recent edge.
    Edge { code: u8 },
    /// Without one: the code of the second and the third vertex, and which vertices are explicit (4 the first, 2, 1).
    Fresh { both: u8, explicit: u8 },
}

struct Encoder {
    edges: [[u32; 2]; 16],
    edge_place: usize,
    vertices: [u32; 16],
    vertex_place: usize,
    next: u32,
    last: u32,
    /// Places of the vertex queue that a triangle on an edge can name.
    queue_limit: usize,
    /// Zigzag differences of the explicit vertices of the last step.
    explicit: Vec<u32>,
}

impl Encoder {
    fn new(version: u8) -> Self {
        let queue_limit = if version == 0 { 15 } else { 13 };
        Self {
            edges: [[u32::MAX; 2]; 16],
            edge_place: 0,
            vertices: [u32::MAX; 16],
            vertex_place: 0,
            next: 0,
            last: 0,
            queue_limit,
            explicit: Vec::with_capacity(3),
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

    /// How many pushes ago a vertex was pushed, below `limit`; places that were never filled do not count.
    fn recent(&self, vertex: u32, limit: usize) -> Option<usize> {
        (0..limit.min(self.vertex_place)).find(|back| self.vertices[(self.vertex_place - 1 - back) & 15] == vertex)
    }

    /// The newest of the last 15 edges that the triangle has, and the rotation that begins with it.
    fn recent_edge(&self, triangle: [u32; 3]) -> Option<(usize, [u32; 3])> {
        (0..15.min(self.edge_place)).find_map(|back| {
            let edge = self.edges[(self.edge_place - 1 - back) & 15];
            rotations(triangle).into_iter().find(|t| t[..2] == edge).map(|t| (back, t))
        })
    }

    fn explicit(&mut self, vertex: u32) {
        self.explicit.push(zigzag(vertex.wrapping_sub(self.last)));
        self.last = vertex;
    }

    fn step(&mut self, triangle: [u32; 3]) -> Step {
        self.explicit.clear();
        match self.recent_edge(triangle) {
            Some((back, corners)) => self.edge(back, corners),
            None => self.fresh(triangle),
        }
    }

    fn edge(&mut self, back: usize, [a, b, c]: [u32; 3]) -> Step {
        let queued = self.recent(c, self.queue_limit).filter(|place| *place > 0);
        let low = if c == self.next {
            self.next = self.next.wrapping_add(1);
            0
        } else if let Some(place) = queued {
            place
        } else if self.queue_limit == 13 && c == self.last.wrapping_sub(1) {
            self.last = c;
            13
        } else if self.queue_limit == 13 && c == self.last.wrapping_add(1) {
            self.last = c;
            14
        } else {
            self.explicit(c);
            15
        };
        if low == 0 || low >= self.queue_limit {
            self.push_vertex(c);
        }
        self.push_edge(c, b);
        self.push_edge(a, c);
        Step::Edge { code: (back as u8) << 4 | low as u8 }
    }

    fn fresh(&mut self, triangle: [u32; 3]) -> Step {
        // A new vertex goes first, so that the others cannot be new unless it is.
        let turned = rotations(triangle).into_iter().find(|t| t[0] == self.next);
        let [a, b, c] = turned.unwrap_or(triangle);
        let code = |encoder: &mut Self, vertex: u32| {
            if vertex == encoder.next {
                encoder.next = encoder.next.wrapping_add(1);
                return 0;
            }
            encoder.recent(vertex, 14).map_or(15, |back| back as u8 + 1)
        };
        if turned.is_some() {
            self.next = self.next.wrapping_add(1);
        }
        let (second, third) = (code(self, b), code(self, c));
        let flags = [(turned.is_none(), 4, a), (second == 15, 2, b), (third == 15, 1, c)];
        let mut explicit = 0;
        for (is, flag, vertex) in flags {
            if is {
                explicit |= flag;
                self.explicit(vertex);
            }
        }
        self.push_vertex(a);
        for (code, vertex) in [(second, b), (third, c)] {
            if code == 0 || code == 15 {
                self.push_vertex(vertex);
            }
        }
        self.push_edge(b, a);
        self.push_edge(c, b);
        self.push_edge(a, c);
        Step::Fresh { both: second << 4 | third, explicit }
    }
}

fn rotations([a, b, c]: [u32; 3]) -> [[u32; 3]; 3] {
    [[a, b, c], [b, c, a], [c, a, b]]
}

/// Encodes an index sequence (lines, strips, points) of version 0 or 1; both have the same bytes behind the first.
///
/// # Errors
/// [`Error::Input`] for another version, or an index that is 2^30 or more away from both running values: the format has no form for it.
pub fn encode_sequence(indices: &[u32], version: u8) -> Result<Vec<u8>, Error> {
    check_version(version)?;
    let mut out = vec![0xd0 | version];
    let mut last = [0_u32; 2];
    for (place, index) in indices.iter().enumerate() {
        let delta = |k: usize| zigzag(index.wrapping_sub(last[k]));
        let base = usize::from(delta(1) < delta(0));
        let value = delta(base);
        if value >= 1 << 31 {
            let (value, allowed) = (index.to_string(), format!("within 2^30 of {} or {}", last[0], last[1]));
            return Err(Error::Input { what: "index", index: place as u64, value, allowed });
        }
        push_varint(&mut out, value << 1 | base as u32);
        last[base] = *index;
    }
    out.resize(out.len() + SEQUENCE_TAIL, 0);
    Ok(out)
}

pub(super) fn check_version(version: u8) -> Result<(), Error> {
    if version <= 1 {
        return Ok(());
    }
    let (value, allowed) = (version.to_string(), "0 and 1".to_owned());
    Err(Error::Input { what: "stream version", index: 0, value, allowed })
}

fn zigzag(delta: u32) -> u32 {
    (delta << 1) ^ ((delta as i32 >> 31) as u32)
}

fn push_varint(out: &mut Vec<u8>, mut value: u32) {
    while value > 127 {
        out.push((value & 127) as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}
