//! Public vectors for IEEE 1788: every operation of [`Interval`] that the interval test framework has tightest results for, in f64 and in f32.
//!
//! The folder `itf1788` holds those whose licence lets them be copied; files of the same form that are put beside them are read, too.

use std::collections::BTreeMap;
use std::path::Path;

use affine_arith::{Binary, Interval, Real, Unary};

/// An operand or a result.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Given {
    /// Bounds; lower above upper where there is no number.
    Range(f64, f64),
    Number(f64),
    Truth(bool),
}

#[derive(Debug)]
struct Vector {
    operation: String,
    operands: Vec<Given>,
    expected: Given,
}

fn parsed(text: &str) -> Given {
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|e| panic!("{text}: {e}"));
    match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some("empty") => Given::Range(f64::INFINITY, f64::NEG_INFINITY),
        Some(bounds) => {
            let (lo, hi) = bounds.split_once(',').expect("two bounds");
            Given::Range(number(lo), number(hi))
        }
        None if text == "true" || text == "false" => Given::Truth(text == "true"),
        None => Given::Number(number(text)),
    }
}

fn vectors() -> Vec<Vector> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/references/itf1788");
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let texts = files.iter().map(|file| std::fs::read_to_string(file).expect("a text"));
    let lines: Vec<String> = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    let lines = lines.iter().filter(|line| !line.starts_with('#'));
    let vector = |line: &String| {
        let (call, expected) = line.split_once(" = ").expect("a result");
        let mut words = call.split_whitespace();
        let operation = words.next().expect("an operation").to_owned();
        Vector { operation, operands: words.map(parsed).collect(), expected: parsed(expected) }
    };
    lines.map(vector).collect()
}

/// Numbers that bounds are given in.
trait Bound: Real {
    /// Bounds moved outward to numbers of this type; empty where lo > hi.
    fn range(lo: f64, hi: f64) -> Interval<Self> {
        if lo > hi {
            return Interval::EMPTY;
        }
        let [low, high] = [lo, hi].map(Self::from_f64);
        let low = if low.to_f64() > lo { low.next_down() } else { low };
        let high = if high.to_f64() < hi { high.next_up() } else { high };
        Interval::new(low, high).expect("ordered")
    }

    /// Whether both bounds are numbers that intervals of this type have.
    fn is_exact(lo: f64, hi: f64) -> bool {
        let range = Self::range(lo, hi);
        lo > hi || range.lower().to_f64() == lo && range.upper().to_f64() == hi
    }
}

impl Bound for f32 {}
impl Bound for f64 {}

/// The number of permitted bounds between two.
fn floats_between<T: Bound>(a: T, b: T) -> u64 {
    let order = |x: T| {
        let size = x.to_f64().abs();
        let bits = if size == 0.0 {
            0
        } else if size_of::<T>() == 4 {
            1 + i64::from((size as f32).to_bits()) - i64::from((T::TINY.to_f64() as f32).to_bits())
        } else {
            1 + size.to_bits() as i64 - T::TINY.to_f64().to_bits() as i64
        };
        if x.to_f64() < 0.0 { -bits } else { bits }
    };
    order(a).abs_diff(order(b))
}

fn unary(name: &str) -> Option<Unary> {
    Some(match name {
        "neg" => Unary::Neg,
        "recip" => Unary::Reciprocal,
        "sqr" => Unary::Sqr,
        "sqrt" => Unary::Sqrt,
        "exp" => Unary::Exp,
        "exp2" => Unary::Exp2,
        "exp10" => Unary::Exp10,
        "ln" => Unary::Log,
        "log2" => Unary::Log2,
        "log10" => Unary::Log10,
        "sin" => Unary::Sin,
        "cos" => Unary::Cos,
        "tan" => Unary::Tan,
        "asin" => Unary::Asin,
        "acos" => Unary::Acos,
        "atan" => Unary::Atan,
        "sinh" => Unary::Sinh,
        "cosh" => Unary::Cosh,
        "tanh" => Unary::Tanh,
        "asinh" => Unary::Asinh,
        "acosh" => Unary::Acosh,
        "atanh" => Unary::Atanh,
        "ceil" => Unary::Ceil,
        "floor" => Unary::Floor,
        "trunc" => Unary::Trunc,
        "round_ties_even" => Unary::Rint,
        "round" => Unary::Round,
        "abs" => Unary::Abs,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<Binary> {
    Some(match name {
        "add" => Binary::Add,
        "sub" => Binary::Sub,
        "mul" => Binary::Mul,
        "div" => Binary::Div,
        "min" => Binary::Min,
        "max" => Binary::Max,
        "atan2" => Binary::Atan2,
        "pow" => Binary::Pow,
        _ => return None,
    })
}

/// The range of an operation; None where it is none of those with ranges.
fn ranged<T: Bound>(operation: &str, operands: &[Given]) -> Option<Interval<T>> {
    let range = |k: usize| match operands[k] {
        Given::Range(lo, hi) => T::range(lo, hi),
        other => panic!("{operation}: {other:?}"),
    };
    if let Some(function) = unary(operation) {
        return Some(range(0).apply(function));
    }
    if let Some(function) = binary(operation) {
        return Some(range(0).apply2(function, range(1)));
    }
    Some(match (operation, operands) {
        ("powi", [_, Given::Number(n)]) => range(0).apply(Unary::Powi(*n as i32)),
        ("intersection", _) => range(0).intersect(range(1)),
        ("convex_hull", _) => range(0).join(range(1)),
        _ => return None,
    })
}

/// Most floats that a bound may be outside the tightest one.
fn allowed(operation: &str) -> u64 {
    match operation {
        "neg" | "abs" | "min" | "max" | "ceil" | "floor" | "trunc" | "round" | "round_ties_even" | "intersection"
        | "convex_hull" => 0,
        "add" | "sub" | "mul" | "div" | "recip" | "sqr" | "sqrt" => 2,
        _ => 4,
    }
}

/// Where an operation is documented to differ (docs/affine-arith.md): a pole alone counts as its limit, and a tangent over pi rounded down is entire.
fn is_documented(vector: &Vector) -> bool {
    let [Given::Range(lo, hi)] = vector.operands[..] else { return false };
    match vector.operation.as_str() {
        "ln" | "log2" | "log10" => hi == 0.0,
        "atanh" => lo == 1.0 || hi == -1.0,
        "tan" => hi - lo == std::f64::consts::PI,
        _ => false,
    }
}

#[derive(Default)]
struct Count {
    vectors: usize,
    /// With operands that intervals of the type have, and no documented difference.
    exact: usize,
    tightest: usize,
    worst: u64,
}

fn compared<T: Bound>(vectors: &[Vector], faults: &mut Vec<String>) -> BTreeMap<String, Count> {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for vector in vectors {
        let Some(found) = ranged::<T>(&vector.operation, &vector.operands) else { continue };
        let Given::Range(lo, hi) = vector.expected else { panic!("{vector:?}: no range") };
        let count = counts.entry(vector.operation.clone()).or_default();
        count.vectors += 1;
        let expected = T::range(lo, hi);
        if !expected.is_subset(found) {
            faults.push(format!("{}: {vector:?} is {found:?}, not contained", std::any::type_name::<T>()));
        }
        let exact = |operand: &Given| match *operand {
            Given::Range(lo, hi) => T::is_exact(lo, hi),
            _ => true,
        };
        if !vector.operands.iter().all(exact) || is_documented(vector) && expected != found {
            continue;
        }
        count.exact += 1;
        if expected == found {
            count.tightest += 1;
            continue;
        }
        // Bounds that are infinite on one side alone are infinitely far.
        let far = |found: T, expected: T| match [found, expected].map(|x| x.to_f64().is_finite()) {
            [true, true] => floats_between(found, expected),
            [false, false] => 0,
            _ => u64::MAX,
        };
        let worst = if expected.is_empty() {
            u64::MAX
        } else {
            far(found.lower(), expected.lower()).max(far(found.upper(), expected.upper()))
        };
        count.worst = count.worst.max(worst);
        if worst > allowed(&vector.operation) {
            faults.push(format!("{}: {vector:?} is {found:?}, {worst} floats outside", std::any::type_name::<T>()));
        }
    }
    counts
}

#[test]
fn ranges_contain_those_of_public_vectors_and_are_as_tight() {
    let (vectors, mut faults) = (vectors(), Vec::new());
    let double = compared::<f64>(&vectors, &mut faults);
    let single = compared::<f32>(&vectors, &mut faults);
    println!(
        "| operation | vectors | f64: operands exact | tightest | worst | f32: operands exact | tightest | worst |"
    );
    for (name, count) in &double {
        let other = &single[name];
        println!(
            "| {name} | {} | {} | {} | {} | {} | {} | {} |",
            count.vectors, count.exact, count.tightest, count.worst, other.exact, other.tightest, other.worst
        );
    }
    assert!(double.values().map(|count| count.vectors).sum::<usize>() > 2500, "vectors are missing");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is asked of an interval; None for other operations.
fn asked<T: Bound>(vector: &Vector) -> Option<Given> {
    let range = |k: usize| match vector.operands[k] {
        Given::Range(lo, hi) => T::range(lo, hi),
        other => panic!("{vector:?}: {other:?}"),
    };
    let x = || range(0);
    Some(match (vector.operation.as_str(), &vector.operands[..]) {
        ("inf", _) => Given::Number(x().lower().to_f64()),
        ("sup", _) => Given::Number(x().upper().to_f64()),
        ("mid", _) => Given::Number(x().mid().to_f64()),
        ("wid", _) => Given::Number(x().width().to_f64()),
        ("is_empty", _) => Given::Truth(x().is_empty()),
        ("is_entire", _) => Given::Truth(x().is_entire()),
        ("is_common_interval", _) => Given::Truth(x().is_bounded()),
        ("subset", _) => Given::Truth(x().is_subset(range(1))),
        ("contains", [_, Given::Number(number)]) => Given::Truth(x().contains(T::from_f64(*number))),
        _ => return None,
    })
}

fn answers<T: Bound>(vectors: &[Vector]) -> (usize, Vec<String>) {
    let (mut count, mut faults) = (0, Vec::new());
    for vector in vectors {
        let exact = |operand: &Given| match *operand {
            Given::Range(lo, hi) => T::is_exact(lo, hi),
            Given::Number(number) => T::from_f64(number).to_f64() == number,
            Given::Truth(_) => true,
        };
        let Some(found) = asked::<T>(vector).filter(|_| vector.operands.iter().all(exact)) else { continue };
        // Of what is empty the width is 0, of what is unbounded the middle is any number.
        let free = match (vector.operation.as_str(), &vector.operands[0]) {
            ("wid" | "mid", Given::Range(lo, hi)) => lo > hi || vector.operation == "mid" && !(hi - lo).is_finite(),
            _ => false,
        };
        if !free {
            count += 1;
            if found != vector.expected {
                faults.push(format!("{}: {vector:?} is {found:?}", std::any::type_name::<T>()));
            }
        }
    }
    (count, faults)
}

#[test]
fn intervals_answer_as_public_vectors_do() {
    let vectors = vectors();
    for (count, faults) in [answers::<f64>(&vectors), answers::<f32>(&vectors)] {
        println!("{count} vectors");
        assert!(count > 60 && faults.is_empty(), "{count}: {}", faults.join("\n"));
    }
}
