//! Texts, traced functions and plans.

use crate::common::Reference;
use affine_arith::{Affine, Error, Expr, Interval, Mixed, Op, Plan, Scalar, Standard, StandardPlan, Unary};

fn plan(text: &str) -> Plan {
    Plan::new(&text.parse().expect("an expression"), &["x", "y", "z"]).expect("x, y and z alone")
}

fn value(text: &str, at: [f64; 3]) -> f64 {
    plan(text).evaluate(&at.map(Reference)).expect("three inputs").0
}

#[test]
fn texts_mean_what_they_say() {
    let (x, y, z) = (0.7_f64, -1.3_f64, 2.1_f64);
    for (text, truth) in [
        ("x+y*z", x + y * z),
        ("-x^2", -(x * x)),
        ("2^3^2", 512.0),
        ("2^-1 - x", 0.5 - x),
        ("(x+y)*-z", (x + y) * -z),
        ("x-y-z", x - y - z),
        ("z/x/y", z / x / y),
        ("sqr(sqrt(x^2+y^2)-1)+z^2-0.16", (x.hypot(y) - 1.0).powi(2) + z * z - 0.16),
        ("sin(pi*x)+e", (std::f64::consts::PI * x).sin() + std::f64::consts::E),
        ("1.5e1*x + 2e0", 15.0 * x + 2.0),
        ("max(min(x,y),z)+atan2(y,x)", z + y.atan2(x)),
        ("ln(z)^0.5", z.ln().sqrt()),
        ("clamp(z, x, 1.5) + hypot(x,y,z)", 1.5 + (x * x + y * y + z * z).sqrt()),
        (" smooth_min( x , y , 0.5 ) ", y),
        ("x^y", x.powf(y)),
        ("x^(1/3)", x.cbrt()),
    ] {
        assert!((value(text, [x, y, z]) - truth).abs() < 1e-12, "{text}: {} {truth}", value(text, [x, y, z]));
    }
}

/// A decimal exponent is a power, not e^(y ln x): defined at 0, and as tight.
#[test]
fn decimal_exponents_are_powers() {
    for (text, y) in [("x^0.3", 0.3), ("x^(1/3)", 1.0 / 3.0), ("x^-0.7", -0.7), ("x^2.1", 2.1), ("x^0.1", 0.1)] {
        let plan = plan(text);
        let own = |op: &Op| matches!(op, Op::Unary(Unary::Powf(bits), _) if (f64::from_bits(*bits) - y).abs() < 1e-15);
        assert!(plan.ops().iter().any(own), "{text}: {:?}", plan.ops());
        for (lo, hi) in [(1.5_f64, 1.5), (2.0, 2.5), (1e-100, 1e-99), (1e10, 1e11)] {
            let cell = Interval::new(lo, hi).expect("ordered");
            let range = plan.evaluate(&[cell; 3]).expect("three inputs");
            let near = cell.apply(Unary::powf(y));
            // The exponent itself is known to 2^-52 of it.
            let slack = 2e-12 * near.upper();
            assert!(range.lower() < near.lower() && range.upper() > near.upper(), "{text} {cell:?}");
            assert!(range.lower() > near.lower() - slack && range.upper() < near.upper() + slack, "{text} {cell:?}");
        }
    }
    let zero = plan("x^0.3").evaluate(&[Interval::new(0.0_f32, 1.0).expect("ordered"); 3]).expect("three inputs");
    assert!(zero.lower() == 0.0 && zero.upper() < 1.000_001, "{zero:?}");
    // Whole numbers that are not written exactly, and exponents that are no numbers, stay what they were.
    for text in ["x^1.00000000000000000001", "x^y", "x^1e-9"] {
        assert!(!plan(text).ops().iter().any(|op| matches!(op, Op::Unary(Unary::Powf(_), _))), "{text}");
    }
}

/// A quotient with a divisor that may be 0 is any number, 0/0 too.
#[test]
fn quotients_of_zeros_are_entire() {
    let (zero, unit) = (Interval::point(0.0_f32), Interval::new(-1.0_f32, 1.0).expect("ordered"));
    for (text, cells) in [("0/0", [unit; 3]), ("x/y", [zero; 3]), ("0/y", [unit; 3]), ("x/y", [zero, unit, unit])] {
        let plan = plan(text);
        let form = plan.evaluate(&[0, 1, 2].map(|k| Affine::<f32, 3>::variable(k, cells[k]))).expect("three inputs");
        assert!(form.is_entire(), "{text} {cells:?}: {form:?}");
        let standard = StandardPlan::new(&plan).evaluate(&cells).expect("three ranges");
        assert!(standard.is_entire(), "{text} {cells:?}: {standard:?}");
        let run = plan.evaluate(&cells.map(Standard::variable)).expect("three forms");
        assert!(run.is_entire(), "{text} {cells:?}: {run:?}");
    }
    let mixed = plan("x/y").evaluate(&[Mixed::<f32, 3>::variable(0, zero); 3]).expect("three inputs");
    assert!(!mixed.interval().is_bounded(), "{mixed:?}");
}

/// A number that counts the operations of a run.
#[derive(Clone)]
struct Counted(std::rc::Rc<std::cell::Cell<usize>>);

impl Counted {
    fn one_more(&self) -> Self {
        self.0.set(self.0.get() + 1);
        self.clone()
    }
}

impl std::ops::Neg for Counted {
    type Output = Self;

    fn neg(self) -> Self {
        self.one_more()
    }
}

macro_rules! counted {
    ($($name:ident $method:ident),*) => {$(
        impl std::ops::$name for Counted {
            type Output = Self;

            fn $method(self, _: Self) -> Self {
                self.one_more()
            }
        }
    )*};
}
counted!(Add add, Sub sub, Mul mul, Div div);

thread_local!(static COUNT: std::rc::Rc<std::cell::Cell<usize>> = std::rc::Rc::default());

impl Scalar for Counted {
    fn constant_between(_: f64, _: f64) -> Self {
        Self(COUNT.with(Clone::clone)).one_more()
    }

    fn unary(&self, _: Unary) -> Self {
        self.one_more()
    }

    fn binary(&self, _: affine_arith::Binary, _: &Self) -> Self {
        self.one_more()
    }
}

/// Steps of texts of n terms are proportional to n: no part is there, or runs, more than once.
#[test]
fn long_texts_have_as_many_steps_as_parts() {
    type Text = fn(usize) -> String;
    let texts: [(Text, usize); 4] = [
        (|k| format!("x*{k}"), 3),
        (|k| format!("sin(x*{k})*y"), 5),
        (|k| format!("0.1*sin({k}*x+y)-z"), 7),
        (|_| "x".to_owned(), 1),
    ];
    for (term, parts) in texts {
        for terms in [100, 16_000] {
            let text: Vec<String> = (2..terms + 2).map(term).collect();
            let plan = plan(&text.join("+"));
            assert!(plan.ops().len() <= parts * terms + 4, "{} of {terms}", plan.ops().len());
            let count = COUNT.with(Clone::clone);
            count.set(0);
            plan.evaluate(&[0; 3].map(|_| Counted(count.clone()))).expect("three inputs");
            assert!(count.get() <= plan.ops().len(), "{} of {}", count.get(), plan.ops().len());
            assert!(count.get() + 3 >= plan.ops().len());
        }
    }
}

#[test]
fn variables_have_their_column() {
    for (text, name, column) in [
        ("x+q", "q", Some(3)),
        ("sin(sin)", "sin", Some(5)),
        ("2e5+e", "e", Some(5)),
        ("xy + x", "x", Some(6)),
        ("é*b", "b", Some(3)),
        ("x (y)", "x", None),
        ("", "x", None),
    ] {
        assert_eq!(affine_arith::variable_column(text, name), column, "{text}");
    }
}

/// A superscript was once taken for a letter of the variable's name.
#[test]
fn the_signs_of_typesetting_mean_what_they_look_like() {
    for (text, plain) in [
        ("x²", "x^2"),
        ("x² + y²", "x^2 + y^2"),
        ("(x+1)⁻¹⁰", "(x+1)^(-10)"),
        ("-x²", "-(x^2)"),
        ("sin(x)³*y", "sin(x)^3*y"),
        ("x**2", "x^2"),
        ("2**-x", "2^-x"),
        ("x**2**y", "x^2^y"),
        ("x − −y", "x - -y"),
        ("x·y × z ÷ 2", "x*y*z/2"),
        ("π*x₁", "pi*x₁"),
        ("max(x, y, z)", "max(max(x, y), z)"),
    ] {
        let ops = |text: &str| {
            let expr: Expr = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            let variables = if text.contains('₁') { vec!["x₁"] } else { vec!["x", "y", "z"] };
            format!("{:?}", Plan::new(&expr, &variables).unwrap_or_else(|e| panic!("{text}: {e}")).ops())
        };
        assert_eq!(ops(text), ops(plain), "{text}");
    }
}

#[test]
fn errors_point_at_the_column() {
    for (text, column, part) in [
        ("x + * y", 5, "found `*`"),
        ("sin(x", 6, "expected `)`"),
        ("x y", 3, "operator"),
        ("2x", 2, "a product needs its `*`"),
        ("x²³⁺", 2, "not a whole number that can be a power"),
        ("x⁹⁹⁹⁹⁹⁹⁹⁹⁹⁹", 2, "not a whole number that can be a power"),
        ("²", 1, "expected a number"),
        ("min(x)", 1, "2 or more"),
        ("foo(x)", 1, "unknown function `foo`"),
        ("1 + sin(x, y)", 5, "takes 1"),
        ("", 1, "the end"),
        ("1.2.3", 1, "not a finite number"),
        ("x + 1e999", 5, "not a finite number"),
        ("é + $", 5, "found `$`"),
    ] {
        match text.parse::<Expr>() {
            Err(Error::Parse { column: found, message }) => {
                assert_eq!(found, column, "{text}: {message}");
                assert!(message.contains(part), "{text}: {message}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let deep = "(".repeat(100_000) + "x";
    assert!(matches!(deep.parse::<Expr>(), Err(Error::Parse { .. })));
    let minus = "-".repeat(100_000) + "x";
    assert!(minus.parse::<Expr>().is_err());
    let unknown = Plan::new(&"x+w".parse().expect("an expression"), &["x"]).expect_err("w has no value");
    assert_eq!(unknown.to_string(), "unknown variable `w`, allowed: x");
}

#[test]
fn common_parts_are_evaluated_once_and_constants_folded() {
    let shared = plan("(x+y)^2 * (y+x) + sin(x+y)");
    let sums = shared.ops().iter().filter(|op| matches!(op, Op::Binary(affine_arith::Binary::Add, ..))).count();
    assert_eq!(sums, 2, "{:?}", shared.ops());
    let folded = plan("(x + 2*3)*y + (1/3 - 0*5)");
    let constants: Vec<(f64, f64)> = folded
        .ops()
        .iter()
        .filter_map(
            |op| if let Op::Constant(lo, hi) = op { Some((f64::from_bits(*lo), f64::from_bits(*hi))) } else { None },
        )
        .collect();
    assert_eq!(constants.len(), 2, "{constants:?}");
    assert!(constants.contains(&(6.0, 6.0)));
    assert!(constants.iter().any(|(lo, hi)| *lo < *hi && *lo <= 1.0 / 3.0 && 1.0 / 3.0 <= *hi && hi - lo < 1e-15));
    assert_eq!(plan("x*x").ops(), plan("x^2").ops());
    assert_eq!(plan("x*y").sets(), [1, 2, 3]);
    assert_eq!(plan("y + 0").ops(), [Op::Input(1)]);
}

#[test]
fn decimal_constants_are_enclosed() {
    let tenth = plan("0.1").evaluate::<Interval<f64>>(&[Interval::ENTIRE; 3]).expect("three inputs");
    assert!(tenth.lower() < 0.1 && 0.1 < tenth.upper());
    let quarter = plan("0.25").evaluate::<Interval<f32>>(&[Interval::ENTIRE; 3]).expect("three inputs");
    assert_eq!((quarter.lower(), quarter.upper()), (0.25, 0.25));
}

#[test]
fn sums_are_grouped_by_variables() {
    let grouped = plan("x + y*2 + z + sqr(x) - y - 3 + x*y");
    // One operation of all three variables is left, of two variables two: x y, and the sum of what depends on x and y.
    let of = |count: u32| grouped.sets().iter().filter(|set| set.count_ones() == count).count();
    assert_eq!((of(3), of(2)), (1, 3), "{:?}", grouped.ops());
    let at = [0.3, -1.7, 2.9];
    let [x, y, z] = at;
    assert!(
        (value("x + y*2 + z + sqr(x) - y - 3 + x*y", at) - (x + y * 2.0 + z + x * x - y - 3.0 + x * y)).abs() < 1e-14
    );
    assert!((value("-(x - (y - z)) - (-x - -y)", at) - (-(x - (y - z)) - (-x + y))).abs() < 1e-14);
    assert!((value("-x - y", at) - (-x - y)).abs() < 1e-15);
}

fn torus<S: Scalar>(x: &S, y: &S, z: &S) -> S {
    (x.hypot(y) - S::constant(1.0)).sqr() + z.sqr() - S::constant(0.16)
}

#[test]
fn a_function_written_once_runs_on_everything() {
    let at = [0.9, 0.3, 0.2];
    let truth = torus(&at[0], &at[1], &at[2]);
    let [x, y, z] = ["x", "y", "z"].map(Expr::variable);
    let traced = Plan::new(&torus(&x, &y, &z), &["x", "y", "z"]).expect("x, y and z alone");
    let cell = at.map(|c| Interval::new((c - 0.05) as f32, (c + 0.05) as f32).expect("ordered"));
    let range = torus(&cell[0], &cell[1], &cell[2]);
    let forms: [Affine<f32, 3>; 3] = std::array::from_fn(|k| Affine::variable(k, cell[k]));
    let form = torus(&forms[0], &forms[1], &forms[2]);
    assert!(range.contains(truth as f32) && form.interval().contains(truth as f32));
    // The plan adds in another order, so its words may differ; both contain the value.
    assert!(traced.evaluate(&forms).expect("three inputs").interval().contains(truth as f32));
    assert!(traced.evaluate(&cell).expect("three inputs").contains(truth as f32));
    assert!((traced.evaluate(&at).expect("three inputs") - truth).abs() < 1e-15);
    assert!(traced.evaluate(&at[..2]).is_err());
    assert_eq!(torus(&x, &y, &z).variables(), ["x", "y", "z"]);
}

#[test]
fn long_chains_neither_overflow_the_stack_nor_repeat_work() {
    let x = Expr::variable("x");
    let mut sum = x.clone();
    let mut doubled = x.clone();
    for _ in 0..200_000 {
        sum = (sum + x.clone()).unary(Unary::Sin);
    }
    for _ in 0..64 {
        doubled = doubled.clone() + doubled;
    }
    let plan = Plan::new(&sum, &["x"]).expect("x alone");
    assert_eq!(plan.ops().len(), 400_001);
    assert_eq!(Plan::new(&doubled, &["x"]).expect("x alone").ops().len(), 65);
    assert_eq!(sum.variables(), ["x"]);
}
