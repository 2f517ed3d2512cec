//! Ranges of angles and powers over boxes whose corners are zeros, unbounded, tiny and far apart: the words of the Rust type.
//!
//! Kernels: `enclose_boxes`, written from an expression, with interval_binary.wgsl.

use affine_arith::{BoxQuery, Interval, Model, Plan, Real};
use conformance::adapters::{has_f64, open_long};

/// Ends of ranges; the first and the last are no bounds.
fn ends<T: Real>() -> Vec<T> {
    let sizes = [T::TINY.to_f64(), 1e-20, 0.1, 1.0, 2.5, 1e9, T::LIMIT.to_f64()];
    let mut ends: Vec<f64> = sizes.iter().rev().map(|size| -size).chain([0.0]).chain(sizes).collect();
    ends.insert(0, f64::NEG_INFINITY);
    ends.push(f64::INFINITY);
    ends.into_iter().map(T::from_f64).collect()
}

fn boxes<T: Real>() -> Vec<[Interval<T>; 2]> {
    let ends = ends::<T>();
    let mut ranges = vec![Interval::EMPTY];
    for (k, lo) in ends.iter().enumerate() {
        ranges.extend(ends[k..].iter().filter_map(|hi| Interval::new(*lo, *hi).ok()));
    }
    ranges.iter().flat_map(|x| ranges.iter().map(|y| [*x, *y])).collect()
}

macro_rules! compare {
    ($number:ty, $context:expr) => {
        for text in ["atan2(x, y)", "x^y"] {
            let plan = Plan::new(&text.parse().expect("an expression"), &["x", "y"]).expect("in x and y");
            let query = BoxQuery::<2, $number>::new($context, &plan, Model::Intervals).expect("a kernel");
            let boxes = boxes::<$number>();
            let found = query.ranges(&boxes).expect("ranges");
            // Without the sign of zeros.
            let words = |range: Interval<$number>| [range.lower(), range.upper()].map(|bound| (bound + 0.0).to_bits());
            let mut empty = 0;
            for (operands, found) in boxes.iter().zip(found) {
                let expected = plan.evaluate(operands).expect("two variables");
                assert_eq!(words(found), words(expected), "{text} of {operands:?}: {found:?}, {expected:?}");
                empty += usize::from(expected.is_empty());
            }
            assert!(boxes.len() > 10_000 && empty > 200, "{} {empty}", boxes.len());
        }
    };
}

#[test]
fn angles_and_powers_at_the_ends_of_numbers_give_the_words_of_the_cpu() {
    for context in open_long() {
        compare!(f32, &context);
        if has_f64(&context) {
            compare!(f64, &context);
        }
    }
}
