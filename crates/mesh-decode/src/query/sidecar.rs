//! The tree as a file: docs/formats/unit-bvh.md.

use super::frame::GridFrame;
use super::unit_bvh::{NO_POINTS, Node, PointBox, UNIT, UnitBvh, hash};
use crate::error::Error;

const MAGIC: u32 = u32::from_le_bytes(*b"UBVH");
const VERSION: u32 = 1;
/// Words of the header: magic, version, units, flags, length, hash, frame.
const HEADER: usize = 4 + 2 + 8 + 12;
const BOX: usize = 6;
const NODE: usize = 8;

impl UnitBvh {
    /// The bytes of the sidecar.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut words = vec![MAGIC, VERSION, self.boxes.len() as u32, u32::from(self.frame.exact)];
        words.extend([self.length as u32, (self.length >> 32) as u32]);
        words.extend(self.hash.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)));
        for value in self.frame.origin.iter().chain(&self.frame.step) {
            words.extend([value.to_bits() as u32, (value.to_bits() >> 32) as u32]);
        }
        words.extend(self.boxes.iter().flat_map(box_words));
        for node in &self.nodes {
            words.extend(box_words(&node.bounds));
            words.extend(node.children);
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// Reads a sidecar and checks it: its form completely, and that it belongs to these bytes of a file by length and hash.
    ///
    /// # Errors
    /// [`Error::Sidecar`] with the word and what was expected.
    pub fn from_bytes(bytes: &[u8], file: &[u8]) -> Result<Self, Error> {
        let (chunks, rest) = bytes.as_chunks::<4>();
        let words: Vec<u32> = chunks.iter().map(|word| u32::from_le_bytes(*word)).collect();
        if !rest.is_empty() || words.len() < HEADER {
            let allowed = format!("whole words, at least {}", 4 * HEADER);
            return Err(wrong(words.len(), "bytes of the sidecar", bytes.len() as u64, allowed));
        }
        for (place, what, expected) in [(0, "magic number", MAGIC), (1, "version", VERSION)] {
            if words[place] != expected {
                return Err(wrong(place, what, words[place].into(), expected.to_string()));
            }
        }
        let units = words[2] as usize;
        if words[2] >= UNIT || words[3] > 1 {
            return Err(wrong(2, "units and flags", words[2].into(), "units below 2^31, flags 0 or 1".to_owned()));
        }
        let inner = units.saturating_sub(1);
        let needed = HEADER as u64 + (BOX * units + NODE * inner) as u64;
        if words.len() as u64 != needed {
            return Err(wrong(words.len(), "words of the sidecar", words.len() as u64, needed.to_string()));
        }
        let length = u64::from(words[4]) | u64::from(words[5]) << 32;
        if length != file.len() as u64 {
            return Err(wrong(4, "bytes of the file it belongs to", length, file.len().to_string()));
        }
        let mut stored = [0; 32];
        stored.iter_mut().zip(&bytes[24..56]).for_each(|(to, from)| *to = *from);
        if stored != hash(file) {
            return Err(wrong(
                6,
                "hash of the file it belongs to",
                words[6].into(),
                "the hash of this file".to_owned(),
            ));
        }
        let frame = read_frame(&words)?;
        let (boxes_at, nodes_at) = (HEADER, HEADER + BOX * units);
        let boxes: Vec<PointBox> = words[boxes_at..nodes_at].as_chunks::<BOX>().0.iter().map(read_box).collect();
        let node = |words: &[u32; NODE]| {
            let [a, b, c, d, e, f, left, right] = *words;
            Node { bounds: read_box(&[a, b, c, d, e, f]), children: [left, right] }
        };
        let nodes: Vec<Node> = words[nodes_at..].as_chunks::<NODE>().0.iter().map(node).collect();
        check_tree(&boxes, &nodes, nodes_at)?;
        Ok(Self { frame, boxes, nodes, length, hash: stored })
    }
}

fn wrong(word: usize, what: &'static str, value: u64, allowed: String) -> Error {
    Error::Sidecar { offset: 4 * word as u64, what, value, allowed }
}

fn box_words(b: &PointBox) -> [u32; BOX] {
    let [[a, b, c], [d, e, f]] = b.map(|corner| corner.map(|x| x as u32));
    [a, b, c, d, e, f]
}

fn read_box(words: &[u32; BOX]) -> PointBox {
    let [a, b, c, d, e, f] = words.map(|word| word as i32);
    [[a, b, c], [d, e, f]]
}

fn read_frame(words: &[u32]) -> Result<GridFrame, Error> {
    let mut values = [0.0; 6];
    for (k, value) in values.iter_mut().enumerate() {
        let at = 14 + 2 * k;
        *value = f64::from_bits(u64::from(words[at]) | u64::from(words[at + 1]) << 32);
        if !value.is_finite() {
            return Err(wrong(
                at,
                "number of the grid (its high word)",
                words[at + 1].into(),
                "finite numbers".to_owned(),
            ));
        }
    }
    let [a, b, c, d, e, f] = values;
    Ok(GridFrame { origin: [a, b, c], step: [d, e, f], exact: words[3] == 1 })
}

/// Every node but the root and every unit is the child of one node before it, and a node's box is that of its children.
fn check_tree(boxes: &[PointBox], nodes: &[Node], first: usize) -> Result<(), Error> {
    let (mut seen_units, mut seen_nodes) = (vec![false; boxes.len()], vec![false; nodes.len()]);
    for (k, node) in nodes.iter().enumerate() {
        let mut bounds = NO_POINTS;
        for (side, child) in node.children.into_iter().enumerate() {
            let at = first + NODE * k + BOX + side;
            let number = (child & !UNIT) as usize;
            let (seen, below, begin) = if child & UNIT != 0 {
                (&mut seen_units, boxes.get(number), 0)
            } else {
                (&mut seen_nodes, nodes.get(number).map(|node| &node.bounds), k + 1)
            };
            let fresh = below.filter(|_| number >= begin && !std::mem::replace(&mut seen[number], true));
            let Some(below) = fresh else {
                return Err(wrong(at, "child of a node", child.into(), "a later node or a unit, each once".to_owned()));
            };
            for axis in 0..3 {
                bounds[0][axis] = bounds[0][axis].min(below[0][axis]);
                bounds[1][axis] = bounds[1][axis].max(below[1][axis]);
            }
        }
        if bounds != node.bounds {
            let place = first + NODE * k;
            return Err(wrong(place, "box of node", k as u64, "the box of its children".to_owned()));
        }
    }
    Ok(())
}
