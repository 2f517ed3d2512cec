//! Any text as an expression of x, y and z: an error with a column inside the text, or a plan whose intervals and forms over a box hold the value
//! at a point of it.
#![no_main]

use affine_arith::{Affine, Error, Expr, Interval, Plan};
use libfuzzer_sys::fuzz_target;

/// Three numbers in [-range, range], by sixteenths.
fn numbers(bytes: [u8; 3], range: f32) -> [f32; 3] {
    bytes.map(|byte| (f32::from(byte) - 128.0) / 128.0 * range)
}

fuzz_target!(|input: &[u8]| {
    let Some((head, text)) = input.split_first_chunk::<7>() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let expr: Expr = match text.parse() {
        Ok(expr) => expr,
        Err(Error::Parse { column, .. }) => {
            assert!((1..=text.chars().count() + 1).contains(&column));
            return;
        }
        Err(other) => panic!("{other}"),
    };
    let Ok(plan) = Plan::new(&expr, &["x", "y", "z"]) else { return };
    let centre = numbers([head[0], head[1], head[2]], 4.0);
    let inside = numbers([head[3], head[4], head[5]], 1.0);
    let width = f32::from(head[6]) / 64.0;
    let cell: [Interval<f32>; 3] =
        std::array::from_fn(|k| Interval::new(centre[k] - width, centre[k] + width).expect("ordered"));
    let point: [Interval<f64>; 3] = std::array::from_fn(|k| {
        let at = f64::from(centre[k]) + f64::from(inside[k]) * f64::from(width);
        // The ends of the cell are rounded.
        Interval::point(at.clamp(f64::from(cell[k].lower()), f64::from(cell[k].upper())))
    });
    let value = plan.evaluate(&point).expect("three inputs");
    let forms: [Affine<f32, 3>; 3] = std::array::from_fn(|k| Affine::variable(k, cell[k]));
    let ranges = [plan.evaluate(&cell), plan.evaluate(&forms).map(|form| form.interval())];
    if value.is_empty() {
        return;
    }
    for range in ranges.map(|range| range.expect("three inputs")) {
        assert!(!range.is_empty(), "{text}: an empty range round {value:?}");
        let (lower, upper) = (f64::from(range.lower()), f64::from(range.upper()));
        assert!(lower <= value.upper() && value.lower() <= upper, "{text}: {range:?} misses {value:?}");
    }
});
