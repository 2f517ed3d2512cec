//! The binary tree: binned surface area heuristic, down to single triangles.
//!
//! Source: Wald, On fast construction of SAH-based bounding volume hierarchies, 2007. Sixteen bins on each axis over the box of the
//! triangles' centres; the plane of least `area_left * count_left + area_right * count_right`, the first such in the order of axes and
//! planes. Where no plane separates the centres, or the height would pass [`MAX_HEIGHT`], the range is cut in the middle.

use super::primitive::{Extent, Lanes, Primitive};
use rayon::prelude::*;

/// Most levels of inner binary nodes: [`super::MAX_DEPTH`] levels of eight-wide nodes take three binary levels each.
pub(super) const MAX_HEIGHT: u32 = 3 * super::MAX_DEPTH as u32;

/// Bins along an axis.
const BINS: usize = 16;
/// Bins along an axis for at most [`FEW`] primitives.
const FEW_BINS: usize = 8;
/// A few primitives.
const FEW: usize = 8;
/// Ranges of at least so many primitives are built by two threads.
const PARALLEL: usize = 4096;
/// Ranges of at least so many primitives are binned by several threads.
const PARALLEL_BINS: usize = 1 << 16;

/// A child: a single primitive or an inner node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Child {
    /// The primitive at this position.
    Leaf(u32),
    /// The node of this index.
    Inner(u32),
}

/// An inner node. Its index is the number of primitives before its cut, less one: that names it uniquely, so subtrees fill
/// disjoint parts of one array.
#[derive(Clone, Copy)]
pub(super) struct BinaryNode {
    pub(super) children: [Child; 2],
    /// First primitive of the range, and one past the last.
    pub(super) range: [u32; 2],
    /// Half the surface area of the box.
    pub(super) area: f32,
    /// Levels of inner nodes below and including this one.
    pub(super) height: u32,
}

/// The tree over primitives that were put into leaf order.
pub(super) struct Binary {
    pub(super) nodes: Vec<BinaryNode>,
    pub(super) root: Child,
}

/// Sorts the primitives (at least one) into leaf order and builds the tree over them.
pub(super) fn build(primitives: &mut [Primitive]) -> Binary {
    let unset = BinaryNode { children: [Child::Leaf(0); 2], range: [0; 2], area: 0.0, height: 0 };
    let mut nodes = vec![unset; primitives.len() - 1];
    let side = Side::of(primitives);
    let (root, _) = subtree(Range { primitives, nodes: &mut nodes, first: 0, side, depth: 0 });
    Binary { nodes, root }
}

/// A range of primitives with its part of the node array, one entry fewer.
struct Range<'a> {
    primitives: &'a mut [Primitive],
    nodes: &'a mut [BinaryNode],
    first: u32,
    side: Side,
    depth: u32,
}

/// Box of some primitives, and of twice their centres.
#[derive(Clone, Copy)]
struct Side {
    extent: Extent,
    centres: Extent,
}

impl Side {
    const EMPTY: Side = Side { extent: Extent::EMPTY, centres: Extent::EMPTY };

    #[inline(always)]
    fn add(&mut self, p: &Primitive) {
        let centre = p.centre();
        self.extent.grow(&p.lo, &p.hi);
        self.centres.grow(&centre, &centre);
    }

    fn of(primitives: &[Primitive]) -> Side {
        let mut side = Side::EMPTY;
        primitives.iter().for_each(|p| side.add(p));
        side
    }
}

/// Builds a range; returns its root and height.
fn subtree(range: Range<'_>) -> (Child, u32) {
    let Range { primitives, nodes, first, side, depth } = range;
    let count = primitives.len();
    if count == 1 {
        return (Child::Leaf(first), 0);
    }
    let (cut, sides) = split(primitives, &side.centres, depth);
    let end = first + count as u32;
    let (left_primitives, right_primitives) = primitives.split_at_mut(cut);
    let (left_nodes, rest) = nodes.split_at_mut(cut - 1);
    let (node, right_nodes) = rest.split_at_mut(1);
    let middle = first + cut as u32;
    let depth = depth + 1;
    let left = Range { primitives: left_primitives, nodes: left_nodes, first, side: sides[0], depth };
    let right = Range { primitives: right_primitives, nodes: right_nodes, first: middle, side: sides[1], depth };
    let ((a, a_height), (b, b_height)) = if count >= PARALLEL {
        rayon::join(|| subtree(left), || subtree(right))
    } else {
        (subtree(left), subtree(right))
    };
    let height = 1 + a_height.max(b_height);
    node[0] = BinaryNode { children: [a, b], range: [first, end], area: side.extent.half_area(), height };
    (Child::Inner(middle - 1), height)
}

/// Puts the primitives of the two sides of a cut in order; returns the size of the left side and both sides' boxes.
fn split(primitives: &mut [Primitive], centres: &Extent, depth: u32) -> (usize, [Side; 2]) {
    let count = primitives.len();
    if count == 2 {
        return (1, [Side::of(&primitives[..1]), Side::of(&primitives[1..])]);
    }
    // The smallest height that a balanced tree needs; one more level may be wasted on an uneven cut only if it still fits below.
    let needed = usize::BITS - (count - 1).leading_zeros();
    if needed + depth < MAX_HEIGHT {
        if let Some(plane) = Binning::new(centres, count).and_then(|binning| best_plane(binning, primitives)) {
            return partition(primitives, &plane);
        }
    } else {
        halve(primitives, centres);
    }
    let cut = count / 2;
    (cut, [Side::of(&primitives[..cut]), Side::of(&primitives[cut..])])
}

/// Sorts about the median centre along the widest axis, ties by index.
fn halve(primitives: &mut [Primitive], centres: &Extent) {
    let width = |k: usize| centres.hi[k] - centres.lo[k];
    let axis = (1..3).fold(0, |best, k| if width(k) > width(best) { k } else { best });
    let key = |p: &Primitive| (p.centre()[axis], p.id());
    let middle = primitives.len() / 2;
    primitives.select_nth_unstable_by(middle, |a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
    });
}

/// The map from centres to bins; axes without extent have scale 0 and are not used.
#[derive(Clone, Copy)]
struct Binning {
    origin: Lanes,
    scale: Lanes,
    bins: usize,
}

impl Binning {
    fn new(centres: &Extent, count: usize) -> Option<Binning> {
        // Half of all cuts are of a few primitives; empty bins would take most of their time.
        let bins = if count <= FEW { FEW_BINS } else { BINS };
        let scale: Lanes = std::array::from_fn(|k| {
            let width = centres.hi[k] - centres.lo[k];
            let scale = if k < 3 && width > 0.0 { bins as f32 / width } else { 0.0 };
            if scale.is_finite() { scale } else { 0.0 }
        });
        scale.iter().any(|&s| s > 0.0).then_some(Binning { origin: centres.lo, scale, bins })
    }

    #[inline(always)]
    fn bins(&self, p: &Primitive) -> [usize; 4] {
        let centre = p.centre();
        let last = (self.bins - 1) as f32;
        std::array::from_fn(|k| {
            let x = (centre[k] - self.origin[k]) * self.scale[k] - 0.5;
            let x = if x > 0.0 { x } else { 0.0 };
            let x = if x < last { x } else { last };
            // Adding 2^23 rounds to an integer in the low bits: a saturating conversion would take most of the time.
            ((x + 8_388_608.0).to_bits() & 31) as usize
        })
    }
}

/// Boxes and counts of the bins of the three axes.
#[derive(Clone)]
struct Bins {
    extents: [[Extent; BINS]; 3],
    counts: [[u32; BINS]; 3],
}

impl Bins {
    const EMPTY: Bins = Bins { extents: [[Extent::EMPTY; BINS]; 3], counts: [[0; BINS]; 3] };

    fn fill(binning: &Binning, primitives: &[Primitive]) -> Bins {
        let mut bins = Bins::EMPTY;
        for p in primitives {
            let at = binning.bins(p);
            for (axis, &bin) in at.iter().enumerate().take(3) {
                bins.extents[axis][bin].grow(&p.lo, &p.hi);
                bins.counts[axis][bin] += 1;
            }
        }
        bins
    }

    fn join(mut self, other: Bins) -> Bins {
        for axis in 0..3 {
            for bin in 0..BINS {
                let Extent { lo, hi } = other.extents[axis][bin];
                self.extents[axis][bin].grow(&lo, &hi);
                self.counts[axis][bin] += other.counts[axis][bin];
            }
        }
        self
    }
}

/// A cut: bins up to and including `bin` along `axis` go left.
struct Plane {
    binning: Binning,
    axis: usize,
    bin: usize,
}

fn best_plane(binning: Binning, primitives: &[Primitive]) -> Option<Plane> {
    let bins = if primitives.len() >= PARALLEL_BINS {
        // Minima, maxima and counts: no order of joining can be seen in them.
        primitives
            .par_chunks(PARALLEL_BINS / 4)
            .map(|part| Bins::fill(&binning, part))
            .reduce(|| Bins::EMPTY, Bins::join)
    } else {
        Bins::fill(&binning, primitives)
    };
    let mut best = (f32::INFINITY, None);
    for axis in 0..3 {
        if binning.scale[axis] == 0.0 {
            continue;
        }
        let (extents, counts) = (&bins.extents[axis], &bins.counts[axis]);
        let mut right_cost = [0.0f32; BINS];
        let (mut extent, mut count) = (Extent::EMPTY, 0);
        for bin in (1..binning.bins).rev() {
            extent.grow(&extents[bin].lo, &extents[bin].hi);
            count += counts[bin];
            right_cost[bin - 1] = if count > 0 { extent.half_area() * count as f32 } else { f32::INFINITY };
        }
        (extent, count) = (Extent::EMPTY, 0);
        for bin in 0..binning.bins - 1 {
            extent.grow(&extents[bin].lo, &extents[bin].hi);
            count += counts[bin];
            let cost = extent.half_area() * count as f32 + right_cost[bin];
            if count > 0 && cost < best.0 {
                best = (cost, Some(Plane { binning, axis, bin }));
            }
        }
    }
    best.1
}

/// Moves the left side to the front, by swaps from both ends: a pure function of the order before.
fn partition(primitives: &mut [Primitive], plane: &Plane) -> (usize, [Side; 2]) {
    let mut sides = [Side::EMPTY; 2];
    let (mut from, mut to) = (0, primitives.len());
    while from < to {
        let p = primitives[from];
        if plane.binning.bins(&p)[plane.axis] <= plane.bin {
            sides[0].add(&p);
            from += 1;
        } else {
            sides[1].add(&p);
            to -= 1;
            primitives.swap(from, to);
        }
    }
    (from, sides)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(at: impl Iterator<Item = [f32; 3]>) -> Vec<Primitive> {
        let one = |(id, [x, y, z]): (usize, [f32; 3])| Primitive {
            lo: [x, y, z, f32::from_bits(id as u32)],
            hi: [x, y, z, 0.0],
        };
        at.enumerate().map(one).collect()
    }

    /// Checks ranges, boxes and heights; returns the height.
    fn check(binary: &Binary, child: Child, first: u32, end: u32) -> u32 {
        match child {
            Child::Leaf(at) => {
                assert_eq!((at, at + 1), (first, end));
                0
            }
            Child::Inner(index) => {
                let node = &binary.nodes[index as usize];
                assert_eq!(node.range, [first, end]);
                let height = 1 + check(binary, node.children[0], first, index + 1).max(check(
                    binary,
                    node.children[1],
                    index + 1,
                    end,
                ));
                assert_eq!(node.height, height);
                height
            }
        }
    }

    #[test]
    fn hard_inputs_stay_below_the_height_limit() {
        let cases: [(&str, Vec<Primitive>); 4] = [
            ("one place", points((0..10_000).map(|_| [0.5; 3]))),
            ("a line", points((0..10_000).map(|i| [i as f32 / 1e4, 0.0, 0.0]))),
            ("powers of two", points((0..10_000).map(|i| [2f32.powf(-(i as f32) / 250.0), 0.0, 0.0]))),
            ("one far away each", points((0..300).map(|i| [f32::from_bits((i % 120) << 23), 0.0, 0.0]))),
        ];
        for (name, mut primitives) in cases {
            let count = primitives.len() as u32;
            let binary = build(&mut primitives);
            let height = check(&binary, binary.root, 0, count);
            assert!(height <= MAX_HEIGHT, "{name}: {height}");
            let mut ids: Vec<u32> = primitives.iter().map(Primitive::id).collect();
            ids.sort_unstable();
            assert!(ids.into_iter().eq(0..count), "{name}");
        }
    }
}
