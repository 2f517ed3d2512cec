//! Joint containment of the deferred accounting, and that guards change no bit.

use super::super::columns::Columns;
use super::super::graph::{Node, snap};
use super::{Form, Test, Writer};
use crate::expr::Plan;
use crate::real::Real;
use crate::subdivide::Rounding;

/// Roundings matter here: large terms that nearly cancel.
const POLYNOMIAL: &str =
    "(sqr(sqr(x))*3 - x*y*7.75 + y^2 + x)*(y - 1.25) - (sqr(sqr(x))*3 - x*y*7.75 + y^2)*y + x^2*y - x*y/3";

fn polynomial(x: f64, y: f64) -> f64 {
    let sum = x.powi(4) * 3.0 - x * y * 7.75 + y * y;
    (sum + x) * (y - 1.25) - sum * y + x * x * y - x * y / 3.0
}

/// The values of all nodes at the only index of the columns.
fn values(writer: &Writer, columns: &Columns) -> Vec<f32> {
    let mut values: Vec<f32> = Vec::new();
    for node in &writer.graph.nodes {
        let at = |id: u32| values[id as usize];
        values.push(match *node {
            Node::Constant(bits) => f32::from_bits(bits),
            Node::Column { axis, op, part } => columns.part(axis.into(), op as usize, part, 0),
            Node::Neg(x) => -at(x),
            Node::Abs(x) => at(x).abs(),
            Node::Add(x, y) => at(x) + at(y),
            Node::Mul(x, y) => at(x) * at(y),
            Node::Snap(x) => snap(at(x)),
            Node::Within { total, value, beyond } if at(total) > f32::LIMIT => {
                let _ = value;
                f32::from_bits(beyond)
            }
            Node::Within { value, .. } => at(value),
            Node::Call { .. } | Node::Part { .. } => f32::NAN,
        });
    }
    values
}

struct Evaluated {
    b: f32,
    x: [f32; 2],
    rest: f32,
}

fn evaluated(writer: &mut Writer, form: &Form, columns: &Columns) -> Evaluated {
    let rest = writer.rest(form);
    let rest = writer.inflated(rest);
    let values = values(writer, columns);
    let x = [0, 1].map(|k| form.x[k].map_or(0.0, |x| values[x as usize]));
    Evaluated { b: values[form.b as usize], x, rest: values[rest as usize] }
}

#[test]
fn joint_values_lie_within_the_deferred_bound() {
    let plan = Plan::new(&POLYNOMIAL.parse().expect("an expression"), &["x", "y"]).expect("x and y");
    let mut closest = 0.0_f64;
    for i in 0..20_000_u32 {
        // A low-discrepancy walk through centres and symbol values; widths down to next to nothing.
        let part = |k: u32| f64::from(i.wrapping_mul(2 * k + 1).wrapping_mul(0x9e37_79b9)) / f64::from(u32::MAX);
        let width = if i % 3 == 0 { 1e-9 } else { 2f64.powi(-3 - (i % 20) as i32) };
        let cell = [0, 1].map(|k| (4.0 * part(k) - 2.0 - width, 4.0 * part(k) - 2.0 + width));
        let columns = Columns::new(&plan, &cell, 0);
        let (mut writer, form) = Writer::written::<2>(&plan, &columns.ranges, Rounding::Rigorous);
        let result = evaluated(&mut writer, &form, &columns);
        let symbols = [2, 3].map(|k| (4.0 * part(k) - 2.0).clamp(-1.0, 1.0));
        // What the symbols mean: the variables' own forms.
        let at = |k: usize| {
            let op = plan.ops().iter().position(|op| *op == crate::Op::Input(k as u32)).expect("an input");
            let form = |part: u8| f64::from(columns.part(k, op, part, 0));
            form(0) + form(1) * symbols[k]
        };
        let truth = polynomial(at(0), at(1));
        let value = f64::from(result.b) + f64::from(result.x[0]) * symbols[0] + f64::from(result.x[1]) * symbols[1];
        // The last centre may be off by half an ulp, which the test of a cell need not count.
        let bound = f64::from(result.rest) + f64::from(result.b.abs()) * 2f64.powi(-24);
        assert!((truth - value).abs() <= bound + 1e-12, "{i}: {truth} {value} {bound}");
        closest = closest.max((truth - value).abs() / bound);
    }
    assert!(closest > 0.3, "the bound is never used by more than {closest}");
}

#[test]
fn guards_change_no_bit_where_nothing_is_out_of_range() {
    let plan = Plan::new(&POLYNOMIAL.parse().expect("an expression"), &["x", "y"]).expect("x and y");
    let columns = Columns::new(&plan, &[(0.5, 0.75), (-1.0, -0.875)], 0);
    let mut wild = columns.ranges.clone();
    for range in wild.iter_mut().flatten() {
        range.bound = f64::INFINITY;
        range.grains = [super::Grain::SNAPPED; 2];
    }
    let run = |ranges| {
        let (mut writer, form) = Writer::written::<2>(&plan, ranges, Rounding::Rigorous);
        let result = evaluated(&mut writer, &form, &columns);
        (writer.graph.nodes.len(), [result.b, result.x[0], result.x[1], result.rest].map(f32::to_bits))
    };
    let (plain, guarded) = (run(&columns.ranges), run(&wild));
    assert_eq!(plain.1, guarded.1);
    assert!(plain.0 + 20 < guarded.0, "{} nodes, with guards {}", plain.0, guarded.0);
    assert!(
        Test::new::<2>(&plan, &wild, Rounding::Rigorous)
            .graph
            .nodes
            .iter()
            .any(|node| matches!(node, Node::Within { .. }))
    );
}

/// Without rounding errors bounds are estimates: within 1e-2 of the values, relative to the magnitudes that meet.
#[test]
fn ignored_rounding_stays_near_the_values() {
    let plan = Plan::new(&POLYNOMIAL.parse().expect("an expression"), &["x", "y"]).expect("x and y");
    let (mut worst, mut narrower) = (0.0_f64, 0);
    for i in 0..5000_u32 {
        let part = |k: u32| f64::from(i.wrapping_mul(2 * k + 1).wrapping_mul(0x9e37_79b9)) / f64::from(u32::MAX);
        let width = 2f64.powi(-3 - (i % 24) as i32);
        let cell = [0, 1].map(|k| (4.0 * part(k) - 2.0 - width, 4.0 * part(k) - 2.0 + width));
        let columns = Columns::new(&plan, &cell, 0);
        let limit = |rounding| {
            let test = Test::new::<2>(&plan, &columns.ranges, rounding);
            let writer = Writer { graph: test.graph, rounding };
            let values = values(&writer, &columns);
            (f64::from(values[test.centre as usize]), f64::from(values[test.limit as usize]))
        };
        let ((rigorous_centre, rigorous), (centre, ignoring)) = (limit(Rounding::Rigorous), limit(Rounding::Ignore));
        assert_eq!(rigorous_centre, centre);
        assert!(ignoring <= rigorous);
        narrower += u32::from(ignoring < rigorous);
        for k in 0..9 {
            let at = [0, 1].map(|a| cell[a].0 + (cell[a].1 - cell[a].0) * f64::from((k + 3 * i * a as u32) % 9) / 8.0);
            let miss = (polynomial(at[0], at[1]) - centre).abs() - ignoring;
            // Terms of the polynomial reach some 100.
            worst = worst.max(miss / 100.0);
        }
    }
    println!("outside by {worst:e}, narrower {narrower} times");
    assert!(worst < 1e-2 && worst > 0.0 && narrower > 4000, "{worst:e} {narrower}");
}
