//! Slots, constants and texts of tapes.

use super::{Place, Tape, Value};
use crate::{Affine, Plan};

type Form = Affine<f32, 1>;

fn tape(text: &str) -> Tape {
    let plan = Plan::new(&text.parse().expect("an expression"), &["x", "y", "z", "t"]).expect("in x, y, z, t");
    Tape::new::<Form>(&plan, 8).expect("kernels have them")
}

const TEXTS: [&str; 4] = [
    "1/(0.1+sqr(x-0.5*cos(t))+y^2+z^2) + 1/(0.1+sqr(x+0.5)+sqr(y-sin(t))+z^2) - 4",
    "sin(x)*cos(y) + sin(y)*cos(z) + sin(z)*cos(x)",
    "x",
    "min(x, y) - x*t/(z - y)",
];

/// Every clause finds its operands where it looks for them.
#[test]
fn slots_keep_values_as_long_as_they_are_needed() {
    for text in TEXTS {
        let tape = tape(text);
        let (places, slots) = tape.places();
        let mut held: Vec<Option<usize>> = vec![None; slots];
        for (i, value) in tape.values.iter().enumerate() {
            if let (Value::Input(_), Place::Slot(slot)) = (value, places[i]) {
                held[slot as usize] = Some(i);
            }
        }
        let check = |held: &[Option<usize>], k: usize| match places[k] {
            Place::Slot(slot) => assert_eq!(held[slot as usize], Some(k), "{text}"),
            Place::Constant(given) => assert!((given as usize) < tape.given.len(), "{text}"),
        };
        for (i, value) in tape.values.iter().enumerate() {
            let (Value::Clause(clause), Place::Slot(slot)) = (value, places[i]) else { continue };
            clause.operands.iter().for_each(|k| check(&held, *k));
            held[slot as usize] = Some(i);
        }
        check(&held, tape.values.len() - 1);
        let clauses = tape.values.iter().filter(|value| matches!(value, Value::Clause(_))).count();
        assert_eq!((tape.clauses().len(), tape.clauses()[0][0] as usize), (1 + 2 * clauses, clauses));
    }
}

#[test]
fn functions_have_one_place_and_expressions_of_the_same_functions_one_text() {
    let text = |text: &str| tape(text).text::<Form>().text;
    let balls = text(TEXTS[0]);
    let places = |name: &str| balls.matches(&format!("affine_{name}(")).count();
    assert_eq!(["add", "sub", "sqr", "reciprocal", "constant_quotient"].map(places), [1, 0, 1, 1, 1], "{balls}");
    assert_eq!(text("2/(0.3+sqr(x)-y^2) - z + t"), text("5/(0.7+sqr(x)-y^2) - z + 3*t"));
    assert_eq!(text(TEXTS[1]).matches("affine_wave(").count(), 1);
}

/// Thirty values that are all needed twice: more than workgroup memory has room for.
#[test]
fn slots_that_are_too_many_are_private() {
    let squares: Vec<String> = (1..=30).map(|k| format!("sqr(x+{k}*y)")).collect();
    let products: Vec<String> = (0..30).map(|k| format!("{}*{}", squares[k], squares[(k + 7) % 30])).collect();
    let many = tape(&products.join("+")).text::<Form>().text;
    assert!(many.contains("    var slots: array<Affine, "), "{many}");
    assert!(tape(TEXTS[0]).text::<Form>().text.contains("var<workgroup> slots"));
}
