//! Products of coordinates of very large and very small meshes.

use crate::Bounds;

/// Binary exponents of a size up to which products of four differences of coordinates stay inside the 64-bit floats, small triangles
/// of a large mesh among them.
const PLAIN: std::ops::RangeInclusive<i32> = -200..=200;

/// A power of two that the differences of a mesh's coordinates are multiplied by before products of them are formed; every such step is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    exponent: i32,
}

impl Unit {
    /// 1 for meshes of usual size, else what brings the longest side of the box near 1.
    pub(crate) fn of(bounds: Option<Bounds>) -> Unit {
        let side = |b: Bounds| (0..3).map(|k| b.hi[k] - b.lo[k]).fold(0.0, f64::max);
        let side: f64 = bounds.map_or(0.0, side);
        // Below the normal numbers the exponent is -1023, of a side beyond them 1024: near enough.
        let exponent = (side.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        let plain = side == 0.0 || PLAIN.contains(&exponent);
        Unit { exponent: if plain { 0 } else { exponent.clamp(-1000, 1000) } }
    }

    /// A difference of two points in this unit.
    pub(crate) fn scaled(self, v: [f64; 3]) -> [f64; 3] {
        let factor = power(-self.exponent);
        v.map(|x| x * factor)
    }

    /// A product of `factors` lengths in this unit as the mesh has it: infinite, 0 or rounded where 64-bit floats do not reach.
    pub(crate) fn back(self, product: f64, factors: i32) -> f64 {
        (0..factors).fold(product, |x, _| x * power(self.exponent))
    }

    /// Decimal text of [`Unit::back`] where that is infinite, or 0 for what is not 0: two digits and a power of ten.
    pub(crate) fn beyond(self, product: f64, factors: i32) -> Option<String> {
        let value = self.back(product, factors);
        if value.is_finite() && (value != 0.0 || product == 0.0) {
            return None;
        }
        let tens = product.abs().log10() + f64::from(factors * self.exponent) * std::f64::consts::LOG10_2;
        let mut power = tens.floor();
        let mut digits = (10f64.powf(tens - power) * 10.0).round() / 10.0;
        if digits >= 10.0 {
            (digits, power) = (digits / 10.0, power + 1.0);
        }
        Some(format!("{}{digits:.1}e{power}", if product < 0.0 { "-" } else { "" }))
    }
}

/// 2^exponent, of a normal number.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::Unit;
    use crate::Bounds;

    fn unit(side: f64) -> Unit {
        Unit::of(Some(Bounds { lo: [-side, 0.0, 0.0], hi: [side, 0.0, 0.0] }))
    }

    #[test]
    fn sizes_of_every_magnitude_have_a_unit() {
        for side in [1.0, 3.0, 1e-30, 1e50, 0.0] {
            assert_eq!(unit(side).exponent, 0, "{side}: as it is");
        }
        for side in [f64::MAX, 1e200, 1e-200, 1e-300, 5e-324] {
            let unit = unit(side);
            let [x, ..] = unit.scaled([side, 0.0, 0.0]);
            assert!((1e-30..1e30).contains(&x), "{side}: {x}");
            assert_eq!(unit.back(x, 1), side, "exact");
        }
        assert_eq!(Unit::of(None).exponent, 0);
    }

    #[test]
    fn what_no_float_holds_is_told_in_decimals() {
        let large = unit(1e200);
        let [x, ..] = large.scaled([1e200, 0.0, 0.0]);
        assert_eq!(large.beyond(2.5 * x * x, 2).as_deref(), Some("2.5e400"));
        assert_eq!(large.beyond(-x * x * x, 3).as_deref(), Some("-1.0e600"));
        assert_eq!((large.beyond(x, 1), large.beyond(0.0, 3)), (None, None));
        let small = unit(1e-300);
        let [x, ..] = small.scaled([1e-300, 0.0, 0.0]);
        assert_eq!(small.beyond(x * x, 2).as_deref(), Some("1.0e-600"));
    }
}
