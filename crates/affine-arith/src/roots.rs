//! Isolation of the roots of systems of equations: boxes that hold all of them, and which of these hold one for certain.

use crate::affine::Affine;
use crate::continuous::Continuous;
use crate::error::Error;
use crate::expr::Plan;
use crate::interval::Interval;

/// A box that may hold roots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootBox<const D: usize> {
    /// Its ranges along the axes.
    pub ranges: [(f64, f64); D],
    /// Whether it holds a root for certain.
    pub certain: bool,
}

/// How far to isolate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootOptions {
    /// Boxes narrower than this along every axis are not divided.
    pub width: f64,
    /// Most boxes that are looked at.
    pub capacity: usize,
}

/// What an affine form of the system says about a box.
enum Finding<const D: usize> {
    Empty,
    /// The part that can hold roots, and whether it holds one.
    Part([Interval<f64>; D], bool),
}

/// Boxes that together hold every root of f_1 = .. = f_D = 0 in `bounds`, in the order of the boxes' lower corners.
///
/// Each box is evaluated with affine forms in f64: f(x(e)) = b + A e + d(e), |d| <= r. Where A has an inverse, roots have e = -A^-1 (b + d), which cuts
/// the box; when that set lies inside the box and
/// every equation is continuous on the whole box there is a root in it (Brouwer). Boxes on which an interval says that an equation has no value, or none that is 0, are left out. Boxes are cut, then halved along their widest axis. Neighbouring
/// results whose certain boxes overlap are joined. A multiple root leaves boxes that are not certain.
///
/// Errors: plans or variables that are not D in number; bounds that are not finite and increasing; a width that is negative or no finite number; more boxes than the capacity.
pub fn isolate_roots<const D: usize>(
    plans: &[Plan; D],
    bounds: [(f64, f64); D],
    options: RootOptions,
) -> Result<Vec<RootBox<D>>, Error> {
    for plan in plans {
        if plan.variables().len() != D {
            return Err(Error::Count { what: "variables of the plan", got: plan.variables().len(), needed: D });
        }
    }
    if !(options.width >= 0.0 && options.width.is_finite()) {
        return Err(Error::Width { width: options.width });
    }
    let mut open = vec![(ranges(bounds)?, false)];
    let mut found: Vec<([Interval<f64>; D], bool)> = Vec::new();
    let mut looked_at = 0;
    while let Some((cell, known)) = open.pop() {
        looked_at += 1;
        if looked_at > options.capacity {
            return Err(Error::Capacity { level: 0, needed: looked_at, allowed: options.capacity });
        }
        let (part, certain) = match examine(plans, &cell)? {
            Finding::Empty => continue,
            // A part has all roots of its box.
            Finding::Part(part, certain) => (part, certain || known),
        };
        let widths = part.map(|range| range.hi - range.lo);
        let widest = (0..D).fold(0, |best, k| if widths[k] > widths[best] { k } else { best });
        let before = (0..D).fold(0.0, |most: f64, k| most.max(cell[k].hi - cell[k].lo));
        let middle = part[widest].lo + 0.5 * widths[widest];
        let splits = part[widest].lo < middle && middle < part[widest].hi;
        if widths[widest] <= options.width || !splits {
            found.push((part, certain));
        } else if widths[widest] < 0.5 * before {
            // The cut was worth a division.
            open.push((part, certain));
        } else {
            let mut halves = [part, part];
            halves[0][widest].hi = middle;
            halves[1][widest].lo = middle;
            // The lower half comes first.
            open.extend([(halves[1], false), (halves[0], false)]);
        }
    }
    let mut groups = joined(found);
    for i in 0..groups.len() {
        groups[i].1 = groups[i].1 || holds_one(plans, &groups, i, &ranges(bounds)?, options.width)?;
    }
    let mut boxes: Vec<RootBox<D>> = groups.into_iter().map(result).collect();
    boxes.sort_by(|a, b| a.ranges.partial_cmp(&b.ranges).unwrap_or(std::cmp::Ordering::Equal));
    Ok(boxes)
}

/// Whether a root is proven in a box somewhat larger than group `i`: a division may have gone through it. All roots lie in groups, so one in the larger
/// box lies in this group when no other is near.
fn holds_one<const D: usize>(
    plans: &[Plan; D],
    groups: &[([Interval<f64>; D], bool)],
    i: usize,
    bounds: &[Interval<f64>; D],
    width: f64,
) -> Result<bool, Error> {
    let mut larger = groups[i].0;
    for range in &mut larger {
        let margin = (range.hi - range.lo).max(width);
        *range = Interval::outward(range.lo - margin, range.hi + margin);
    }
    let inside = (0..D).all(|k| larger[k].is_subset(bounds[k]));
    let alone = groups.iter().enumerate().all(|(k, (other, _))| k == i || !touch(&larger, other));
    Ok(inside && alone && matches!(examine(plans, &larger)?, Finding::Part(_, true)))
}

fn touch<const D: usize>(a: &[Interval<f64>; D], b: &[Interval<f64>; D]) -> bool {
    (0..D).all(|k| a[k].lo <= b[k].hi && b[k].lo <= a[k].hi)
}

fn result<const D: usize>((cell, certain): ([Interval<f64>; D], bool)) -> RootBox<D> {
    RootBox { ranges: cell.map(|range| (range.lo, range.hi)), certain }
}

fn ranges<const D: usize>(bounds: [(f64, f64); D]) -> Result<[Interval<f64>; D], Error> {
    let allowed = 2f64.powi(59);
    let mut cell = [Interval::ENTIRE; D];
    for (axis, (range, (lower, upper))) in cell.iter_mut().zip(bounds).enumerate() {
        let fits = lower.abs() <= allowed && upper.abs() <= allowed;
        if !fits || lower.partial_cmp(&upper) != Some(std::cmp::Ordering::Less) {
            return Err(Error::Bounds { axis, lower, upper, allowed });
        }
        *range = Interval::new(lower, upper)?;
    }
    Ok(cell)
}

fn examine<const D: usize>(plans: &[Plan; D], cell: &[Interval<f64>; D]) -> Result<Finding<D>, Error> {
    let Some(mut certain) = may_hold(plans, cell)? else { return Ok(Finding::Empty) };
    let inputs: [Affine<f64, D>; D] = std::array::from_fn(|k| Affine::variable(k, cell[k]));
    let mut forms = [Affine::ENTIRE; D];
    for (form, plan) in forms.iter_mut().zip(plans) {
        *form = plan.evaluate(&inputs)?;
        if !form.possibly_zero() {
            return Ok(Finding::Empty);
        }
    }
    let Some(inverse) = inverse(forms.map(|form| form.x)) else { return Ok(Finding::Part(*cell, false)) };
    // e = C (-b - d) + (1 - C A) e, an enclosure for any C.
    let unit = Interval { lo: -1.0, hi: 1.0 };
    let mut part = *cell;
    for k in 0..D {
        let mut sum = Interval { lo: 0.0, hi: 0.0 };
        for (i, form) in forms.iter().enumerate() {
            let right = -Interval::point(form.b) - unit * Interval::point(form.err);
            sum = sum + Interval::point(inverse[k][i]) * right;
        }
        for j in 0..D {
            let one = Interval::point(if j == k { 1.0 } else { 0.0 });
            let product = (0..D).fold(Interval { lo: 0.0, hi: 0.0 }, |product, i| {
                product + Interval::point(inverse[k][i]) * Interval::point(forms[i].x[j])
            });
            sum = sum + (one - product) * unit;
        }
        certain &= sum.lo > -1.0 && sum.hi < 1.0;
        let symbols = sum.intersect(unit);
        if symbols.is_empty() {
            return Ok(Finding::Empty);
        }
        let (b, x, _) = inputs[k].parts();
        let range = Interval::point(b) + Interval::point(x[k]) * symbols;
        part[k] = part[k].intersect(range);
        if part[k].is_empty() {
            return Ok(Finding::Empty);
        }
    }
    let cut = (0..D).any(|k| part[k] != cell[k]);
    match cut && may_hold(plans, &part)?.is_none() {
        true => Ok(Finding::Empty),
        false => Ok(Finding::Part(part, certain)),
    }
}

/// Whether intervals allow a root in a box, and whether all equations are continuous on it, as Brouwer's theorem needs. Forms count operands outside of a
/// domain as its end; intervals know that there is no value.
fn may_hold<const D: usize>(plans: &[Plan; D], cell: &[Interval<f64>; D]) -> Result<Option<bool>, Error> {
    let variables = cell.map(Continuous::variable);
    let mut everywhere = true;
    for plan in plans {
        let value = plan.evaluate(&variables)?;
        if value.range.is_empty() || value.range.lo > 0.0 || value.range.hi < 0.0 {
            return Ok(None);
        }
        everywhere &= value.everywhere;
    }
    Ok(Some(everywhere))
}

/// The inverse, near enough to help; None where a pivot is small.
fn inverse<const D: usize>(mut a: [[f64; D]; D]) -> Option<[[f64; D]; D]> {
    let mut c: [[f64; D]; D] = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    for k in 0..D {
        let pivot = (k..D).fold(k, |best, i| if a[i][k].abs() > a[best][k].abs() { i } else { best });
        a.swap(k, pivot);
        c.swap(k, pivot);
        let factor = 1.0 / a[k][k];
        if !factor.is_finite() || factor.abs() > 1e150 {
            return None;
        }
        a[k] = a[k].map(|x| x * factor);
        c[k] = c[k].map(|x| x * factor);
        for i in (0..D).filter(|i| *i != k) {
            let times = a[i][k];
            for j in 0..D {
                a[i][j] -= times * a[k][j];
                c[i][j] -= times * c[k][j];
            }
        }
    }
    c.iter().flatten().all(|x| x.is_finite() && x.abs() < 1e150).then_some(c)
}

/// Boxes that touch are one: a root on a common face shows in both.
fn joined<const D: usize>(found: Vec<([Interval<f64>; D], bool)>) -> Vec<([Interval<f64>; D], bool)> {
    let mut groups: Vec<([Interval<f64>; D], bool)> = Vec::new();
    for (mut cell, mut certain) in found {
        while let Some(i) = groups.iter().position(|(other, _)| touch(&cell, other)) {
            let (other, other_certain) = groups.swap_remove(i);
            cell = std::array::from_fn(|k| cell[k].join(other[k]));
            certain |= other_certain;
        }
        groups.push((cell, certain));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::{RootOptions, isolate_roots};
    use crate::Plan;

    fn plan(text: &str, variables: &[&str]) -> Plan {
        Plan::new(&text.parse().expect("an expression"), variables).expect("its variables")
    }

    const OPTIONS: RootOptions = RootOptions { width: 1e-12, capacity: 100_000 };

    #[test]
    fn roots_of_one_variable_are_certain_and_narrow() {
        let roots = isolate_roots(&[plan("x^3-2*x", &["x"])], [(-3.0, 3.1)], OPTIONS).expect("few boxes");
        assert_eq!(roots.len(), 3);
        for (found, root) in roots.iter().zip([-(2f64.sqrt()), 0.0, 2f64.sqrt()]) {
            let (lo, hi) = found.ranges[0];
            assert!(found.certain && lo <= root && root <= hi && hi - lo < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn systems_of_two_and_three_variables() {
        let circle = [plan("x^2+y^2-1", &["x", "y"]), plan("y-x^2", &["x", "y"])];
        let roots = isolate_roots(&circle, [(-2.0, 2.0); 2], OPTIONS).expect("few boxes");
        let x = ((5f64.sqrt() - 1.0) / 2.0).sqrt();
        assert_eq!(roots.len(), 2);
        assert!(roots.iter().all(|found| found.certain));
        assert!(roots[0].ranges[0].0 <= -x && -x <= roots[0].ranges[0].1, "{roots:?}");
        let names = ["x", "y", "z"];
        let three = [plan("x^2+y^2+z^2-14", &names), plan("x*y*z-6", &names), plan("x+2*y-z-2", &names)];
        let roots = isolate_roots(&three, [(0.5, 4.0); 3], OPTIONS).expect("few boxes");
        let holds = |point: [f64; 3]| {
            roots.iter().any(|r| (0..3).all(|k| r.ranges[k].0 <= point[k] && point[k] <= r.ranges[k].1))
        };
        assert!(holds([1.0, 2.0, 3.0]) && roots.iter().all(|found| found.certain), "{roots:?}");
    }

    #[test]
    fn roots_beside_the_edge_of_a_domain() {
        let roots = |text: &str, bounds| isolate_roots(&[plan(text, &["x"])], [bounds], OPTIONS).expect("few boxes");
        // (text, bounds, root, whether it is proven)
        for (text, bounds, root, certain) in [
            ("sqrt(x)", (-1.0, 1.1), 0.0, false),
            ("sqrt(x-1)", (0.0, 3.1), 1.0, false),
            ("sqrt(x)+2*x-0.5", (-1.0, 1.1), 0.0954915, true),
            ("log(x)+x", (-1.0, 1.1), 0.5671433, true),
            ("asin(x)+x-1", (-3.0, 3.1), 0.4890266, true),
            ("x^1.5-0.125", (-1.0, 1.1), 0.25, true),
        ] {
            let found = roots(text, bounds);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            let (lo, hi) = found[0].ranges[0];
            assert!(lo <= root + 1e-4 && root - 1e-4 <= hi && hi - lo < 1e-9, "{text}: {found:?}");
            assert_eq!(found[0].certain, certain, "{text}: {found:?}");
        }
        // Left of 0 there is no value, though 0 in its place would give a root.
        for text in ["sqrt(x)+x+0.5", "x^0.5+2*x+0.5", "x+0.5+sqrt(x)*0.001", "x+0.3+0*sqrt(x)", "sqrt(x^2-1)+x+0.25"] {
            assert!(roots(text, (-0.99, 1.1)).is_empty(), "{text}: {:?}", roots(text, (-0.99, 1.1)));
        }
    }

    #[test]
    fn a_jump_is_no_root() {
        let found = isolate_roots(&[plan("floor(x)-0.5", &["x"])], [(0.0, 2.1)], OPTIONS).expect("few boxes");
        assert!(found.iter().all(|root| !root.certain), "{found:?}");
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        assert!(isolate_roots(&[plan("x^2+1e-9", &["x"])], [(-1.0, 1.0)], OPTIONS).expect("few boxes").is_empty());
        let double = isolate_roots(&[plan("x^2", &["x"])], [(-1.0, 1.5)], OPTIONS).expect("few boxes");
        assert!(double.len() == 1 && !double[0].certain, "{double:?}");
    }
}
