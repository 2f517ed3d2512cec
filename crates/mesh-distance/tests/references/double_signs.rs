//! Winding numbers and their signs in f64: against solid angles of 192 bits, a billionth from the surface, and where half a turn is close.

use crate::common::{Random, add, points, shared_meshes};
use astro_float_num::{BigFloat, Consts, RoundingMode};
use mesh_distance::kernels::real::Real;
use mesh_distance::kernels::solid_angle::{Fixed, above_half, add_fixed, to_fixed};
use mesh_distance::{Criterion, Mesh, Sign, Surface, WindingOptions, make};

const BITS: usize = 192;
const NEAREST: RoundingMode = RoundingMode::ToEven;

/// A number of 192 bits.
#[derive(Clone)]
struct Long(BigFloat);

impl Long {
    fn of(x: f64) -> Long {
        Long(BigFloat::from_f64(x, BITS))
    }

    fn plus(&self, y: &Long) -> Long {
        Long(self.0.add(&y.0, BITS, NEAREST))
    }

    fn minus(&self, y: &Long) -> Long {
        Long(self.0.sub(&y.0, BITS, NEAREST))
    }

    fn times(&self, y: &Long) -> Long {
        Long(self.0.mul(&y.0, BITS, NEAREST))
    }

    /// As text of decimal digits: the crate has no conversion to f64.
    fn value(&self) -> f64 {
        self.0.to_string().parse().expect("a number")
    }
}

type Vector = [Long; 3];

fn dot(u: &Vector, v: &Vector) -> Long {
    u[0].times(&v[0]).plus(&u[1].times(&v[1])).plus(&u[2].times(&v[2]))
}

/// Half of the solid angle, by the formula of Van Oosterom and Strackee.
fn half_angle([a, b, c]: [[f64; 3]; 3], p: [f64; 3], constants: &mut Consts) -> Long {
    let [a, b, c] = [a, b, c].map(|v| std::array::from_fn(|k| Long::of(v[k]).minus(&Long::of(p[k]))));
    let minor = |i: usize, j: usize| b[i].times(&c[j]).minus(&b[j].times(&c[i]));
    let volume = dot(&a, &[minor(1, 2), minor(2, 0), minor(0, 1)]);
    let [la, lb, lc] = [&a, &b, &c].map(|v| Long(dot(v, v).0.sqrt(BITS, NEAREST)));
    let terms = [dot(&a, &b).times(&lc), dot(&a, &c).times(&lb), dot(&b, &c).times(&la)];
    let x = terms.iter().fold(la.times(&lb).times(&lc), |sum, term| sum.plus(term));
    if volume.0.is_zero() {
        return Long::of(0.0);
    }
    let angle = Long(volume.0.div(&x.0, BITS, NEAREST).atan(BITS, NEAREST, constants));
    let pi = Long(constants.pi(BITS, NEAREST));
    match (x.0.is_negative(), volume.0.is_negative()) {
        (false, _) => angle,
        (true, false) => angle.plus(&pi),
        (true, true) => angle.minus(&pi),
    }
}

/// The winding number.
fn oracle(mesh: &Mesh, p: [f64; 3], constants: &mut Consts) -> Long {
    let sum =
        (0..mesh.triangles.len()).fold(Long::of(0.0), |sum, t| sum.plus(&half_angle(mesh.corners(t), p, constants)));
    let turn = Long(constants.pi(BITS, NEAREST)).times(&Long::of(2.0));
    Long(sum.0.div(&turn.0, BITS, NEAREST))
}

fn holed() -> Mesh {
    let cube = make::cube(48);
    Mesh::new(cube.positions.clone(), cube.triangles[1..].to_vec()).unwrap()
}

fn far(mesh: &Mesh) -> Mesh {
    let positions = mesh.positions.iter().map(|p| add(*p, [1e5, 1e5, 3.5e3], 1.0)).collect();
    Mesh::new(positions, mesh.triangles.clone()).unwrap()
}

#[test]
fn exact_winding_numbers_are_those_of_192_bits() {
    let cube = make::cube(48);
    let mut damaged = make::torus(96);
    damaged.triangles.extend((0..9).map(|v| [v, v, v + 1]));
    damaged.triangles.extend(damaged.triangles[..10].to_vec());
    let mut constants = Consts::new().unwrap();
    for (name, mesh) in [
        ("sphere", make::sphere(120)),
        ("holed cube", holed()),
        ("knot far away", far(&make::knot(120))),
        ("damaged torus", damaged),
        ("one triangle", Mesh::new(cube.positions.clone(), cube.triangles[..1].to_vec()).unwrap()),
    ] {
        let surface = Surface::build_double(&mesh).unwrap();
        let points = points(&mesh, 40, 11);
        let unsigned = surface.distance_cpu(&points, Sign::None, false).unwrap();
        let got = surface.winding_cpu(&points, WindingOptions::EXACT).unwrap();
        let size = 2f64.powi(surface.frame().exponent);
        let mut worst = 0.0f64;
        for ((p, d), w) in points.iter().zip(unsigned).zip(got) {
            // On the surface itself the rounding of coordinates decides the side.
            if d > 1e-13 * size {
                let want = oracle(&mesh, *p, &mut constants);
                let error = Long::of(w).minus(&want).value().abs();
                let near = d / size;
                // Centring rounds each vertex: it moves by some 2^-53 half extents.
                let allowed = 3e-16 + 3e-17 / near;
                worst = worst.max(error / allowed);
                assert!(error < allowed, "{name} {p:?} at {d:e}: {w}, {:e} off, allowed {allowed:e}", error);
            }
        }
        println!("{name}: {worst:.3} of the allowed error");
    }
}

#[test]
fn the_winding_sign_is_the_sign_of_the_exact_sum() {
    let mut double = make::sphere(300);
    double.triangles.extend(double.triangles.clone());
    let made = [
        ("sphere", make::sphere(1_000)),
        ("knot far away", far(&make::knot(2_000))),
        ("holed cube", holed()),
        ("double sphere", double),
        ("terrain", make::terrain(500)),
    ];
    let made = made.into_iter().map(|(name, mesh)| (name.to_owned(), mesh));
    for (name, mesh) in made.chain(shared_meshes()).filter(|(_, mesh)| mesh.triangles.len() < 20_000) {
        let surface = Surface::build_double(&mesh).unwrap();
        let mut points = points(&mesh, 400, 13);
        // Round a missing triangle the number is 1/2 in its plane.
        let cube = make::cube(48);
        let [a, b, c] = cube.corners(0);
        let mut random = Random::new(2);
        for k in 0..100 {
            let [u, v] = [0.3 + 0.2 * random.unit(), 0.3 + 0.2 * random.unit()];
            let inside: [f64; 3] = std::array::from_fn(|i| a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]));
            points.push(add(inside, random.vector(), 0.1f64.powi(k % 17)));
        }
        let bits = |sign| -> Vec<u64> {
            surface.distance_cpu(&points, sign, false).unwrap().iter().map(|d| d.to_bits()).collect()
        };
        let (fast, slow) = (bits(Sign::Winding), bits(Sign::SolidAngle));
        let wrong = fast.iter().zip(&slow).position(|(f, s)| f != s);
        assert!(wrong.is_none(), "{name}: {:?}", wrong.map(|i| (points[i], fast[i], slow[i])));
        if name == "holed cube" {
            let numbers = surface.winding_cpu(&points, WindingOptions::EXACT).unwrap();
            let close = numbers.iter().filter(|w| (*w - 0.5).abs() < 1e-9).count();
            assert!(close > 10, "{close} numbers near 1/2");
            // The rounding of a number to f64 may hide on which side it is.
            let agrees = |(w, d): (&f64, &u64)| *w == 0.5 || (*w > 0.5) == (d >> 63 == 1) || d << 1 == 0;
            assert!(numbers.iter().zip(&slow).all(agrees));
        }
    }
}

#[test]
fn expansions_stay_within_the_stated_error() {
    for (name, mesh) in [("sphere", make::sphere(1_000)), ("knot", make::knot(2_000)), ("holed cube", holed())] {
        let surface = Surface::build_double(&mesh).unwrap();
        let points = points(&mesh, 300, 12);
        let exact = surface.winding_cpu(&points, WindingOptions::EXACT).unwrap();
        let worst = |beta, criterion| {
            let fast = surface.winding_cpu(&points, WindingOptions::new(beta, criterion)).unwrap();
            exact.iter().zip(&fast).fold(0.0f64, |m, (e, f)| m.max((e - f).abs()))
        };
        assert!(worst(2.0, Criterion::Radius) < 0.12 && worst(2.0, Criterion::Diagonal) < 0.03, "{name}");
        // The error falls with the cube of beta, far below what f32 could hold.
        let tight = worst(1024.0, Criterion::Radius);
        assert!(tight < 1e-9, "{name}, beta 1024: {tight:e}");
    }
}

/// Fixed points against integers of 128 bits.
fn check_fixed<R: Real>(values: impl Iterator<Item = f64>) {
    let integer = |w: Fixed<R>| {
        let [low, high]: [u64; 2] = [w[0].into(), w[1].into()];
        let bits = 8 * size_of::<R::Limb>();
        (u128::from(high) << (128 - bits)) as i128 >> (128 - 2 * bits) | i128::from(low)
    };
    let mut sum = (Fixed::<R>::default(), 0i128);
    for x in values {
        let x = R::from_f64(x);
        // The significand as an integer, times a power of two, cut off towards 0.
        let (bits, exponent) = (x.to_f64().to_bits(), (x.to_f64().to_bits() >> 52 & 0x7ff) as i32 - 1075);
        let size = i128::from(bits & 0x000f_ffff_ffff_ffff | 0x0010_0000_0000_0000);
        let shift = exponent + R::FRACTION;
        let cut = match shift {
            0.. => size << shift,
            -127..0 => size >> -shift,
            _ => 0,
        };
        let expected = if x.to_f64().is_sign_negative() { -cut } else { cut };
        assert_eq!(integer(to_fixed(x)), expected, "{x:?}");
        sum = (add_fixed::<R>(sum.0, to_fixed(x)), sum.1 + expected);
        assert_eq!(integer(sum.0), sum.1);
        assert_eq!(above_half::<R>(sum.0), sum.1 > 1i128 << (R::FRACTION - 1), "{:?}", sum.0);
    }
}

#[test]
fn fixed_points_are_cut_off_and_added_as_integers() {
    let mut random = Random::new(8);
    let mut values: Vec<f64> = (0..20_000).map(|i| random.unit() * 2f64.powi(i % 130 - 113)).collect();
    values.extend([0.0, -0.0, 0.5, -0.5, 0.5, 0.25, 0.25, 2f64.powi(-96), 2f64.powi(-36), 2f64.powi(-37), 1e5, -1e5]);
    check_fixed::<f32>(values.iter().copied());
    check_fixed::<f64>(values.iter().copied());
}
