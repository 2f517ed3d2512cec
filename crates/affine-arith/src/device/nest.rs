//! Children of a cell in loops, one within another, an axis a loop: an operation stands once and runs as often as its axes ask.

/// Names of the axes in the texts of kernels.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// The order of the axes, outermost first.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    order: Vec<usize>,
}

impl Nest {
    /// The order in which operations with these sets of axes and weights run least often; of equal ones the first in the order of permutations.
    pub(super) fn new(axes: usize, sets: &[(usize, u32)]) -> Self {
        let cost = |order: &Vec<usize>| {
            let nest = Self { order: order.clone() };
            sets.iter().map(|(set, weight)| weight << nest.depth(*set)).sum::<u32>()
        };
        let order = orders(axes).into_iter().min_by_key(cost).unwrap_or_default();
        Self { order }
    }

    /// The number of loops round an operation of these axes.
    pub(super) fn depth(&self, set: usize) -> usize {
        self.order.iter().rposition(|axis| set >> axis & 1 == 1).map_or(0, |place| place + 1)
    }

    /// The axis of the loop at this depth, counted from 1.
    pub(super) fn axis(&self, depth: usize) -> usize {
        self.order[depth - 1]
    }

    /// The number of axes.
    pub(super) fn axes(&self) -> usize {
        self.order.len()
    }

    /// The head of the loop at a depth; `q` and the name of its axis is the child's half.
    pub(super) fn head(&self, depth: usize) -> String {
        let name = AXES[self.axis(depth)];
        format!("for (var q{name} = 0u; q{name} < 2u; q{name}++) {{")
    }

    /// The number of the child, within all loops.
    pub(super) fn child(&self) -> String {
        let bit = |axis: usize| if axis == 0 { "qx".to_owned() } else { format!("(q{} << {axis}u)", AXES[axis]) };
        (0..self.axes()).map(bit).collect::<Vec<_>>().join(" | ")
    }
}

/// All permutations of the axes, in order.
fn orders(axes: usize) -> Vec<Vec<usize>> {
    (0..axes).fold(vec![Vec::new()], |orders, _| {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            (0..axes).filter(|axis| !order.contains(axis)).map(|axis| [order.as_slice(), &[axis]].concat()).collect()
        };
        orders.iter().flat_map(|order| -> Vec<Vec<usize>> { longer(order) }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::{Nest, orders};

    #[test]
    fn operations_of_two_axes_run_in_the_outer_loops() {
        assert_eq!(orders(3).len(), 6);
        // y and z together: x is the innermost loop.
        let nest = Nest::new(3, &[(0b110, 5), (0b111, 1), (0b011, 1)]);
        assert_eq!((nest.depth(0b110), nest.depth(0b111), nest.depth(0b011)), (2, 3, 3));
        assert_eq!(nest.axis(3), 0);
        assert_eq!(nest.child(), "qx | (qy << 1u) | (qz << 2u)");
        assert_eq!(Nest::new(1, &[]).depth(1), 1);
    }
}
