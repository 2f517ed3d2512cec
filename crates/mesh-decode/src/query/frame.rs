//! The grid of a file as a map from coordinates, and boxes on it.

use crate::error::Error;
use crate::file::{File, Payload};
use crate::grid::power_of_two;

/// Bits of a box's corners below a grid step.
pub(crate) const FRACTION_BITS: u32 = 7;
const FRACTION: f64 = (1 << FRACTION_BITS) as f64;

/// Coordinates of a file's grid: x = origin + step * g on each axis, g the integers of `Decoded::grid`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridFrame {
    /// Coordinate of g = 0.
    pub origin: [f64; 3],
    /// Length of a grid step; of STRIDE files it may be 0 (a flat mesh) or negative.
    pub step: [f64; 3],
    /// Whether the map is exact: an origin of 0 and powers of two. STRIDE's is not.
    pub exact: bool,
}

/// A closed box in 1/128 of a grid step; empty where a low corner is above the high one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GridBox {
    /// Low corner.
    pub low: [i32; 3],
    /// High corner.
    pub high: [i32; 3],
}

impl GridBox {
    /// The box that nothing meets.
    pub const EMPTY: Self = Self { low: [i32::MAX; 3], high: [i32::MIN; 3] };

    /// Whether it holds no point.
    pub fn is_empty(&self) -> bool {
        (0..3).any(|axis| self.low[axis] > self.high[axis])
    }
}

impl GridFrame {
    /// The frame of a file.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a format without positions, and for DGF blocks of different exponents: they have no common grid.
    pub fn of(file: &File) -> Result<Self, Error> {
        let powers = |exponent: i32| Self { origin: [0.0; 3], step: [power_of_two(exponent); 3], exact: true };
        let unsupported = |what: String| Err(Error::Unsupported { format: file.format(), what });
        match file.payload() {
            Payload::Md1(md1) => Ok(powers(md1.header.exponent)),
            Payload::Clusters(clusters) => match clusters.exponents()[..] {
                [] => Ok(powers(0)),
                [exponent] => Ok(powers(exponent)),
                [a, b, ..] => unsupported(format!("clusters of exponents {a} and {b}, a box needs one grid")),
            },
            Payload::Dgf(blocks) => match blocks.exponents()[..] {
                [] => Ok(powers(0)),
                [exponent] => Ok(powers(exponent)),
                [a, b, ..] => unsupported(format!("blocks of exponents {a} and {b}, a box needs one grid")),
            },
            Payload::Stride(stride) => {
                let frame = stride.header.frame();
                let scale = f64::from(frame.scale);
                let origin = [0, 1, 2].map(|k| f64::from(frame.low[k]) * scale + f64::from(frame.centre[k]));
                let step = [0, 1, 2].map(|k| f64::from(frame.step[k]) * scale);
                Ok(Self { origin, step, exact: false })
            }
            Payload::Meshlets(_) => unsupported("a meshlet set holds no positions".to_owned()),
        }
    }

    /// The smallest box on the 1/128 grid that holds the closed box `low` to `high`; [`GridBox::EMPTY`] when a low corner is above the high one.
    ///
    /// Where the map is not exact (STRIDE) the box is 1/128 of a step wider on each side, so that no triangle is missed.
    ///
    /// # Errors
    /// [`Error::Input`] for a corner that is not a number; infinities are allowed.
    pub fn grid_box(&self, low: [f64; 3], high: [f64; 3]) -> Result<GridBox, Error> {
        let corners = low.iter().chain(&high);
        if let Some((index, value)) = corners.enumerate().find(|(_, x)| x.is_nan()) {
            let allowed = "numbers".to_owned();
            return Err(Error::Input {
                what: "corner of the box",
                index: index as u64,
                value: value.to_string(),
                allowed,
            });
        }
        let mut out = GridBox { low: [0; 3], high: [0; 3] };
        for axis in 0..3 {
            if low[axis] > high[axis] {
                return Ok(GridBox::EMPTY);
            }
            let Some([first, last]) = self.axis(axis, low[axis], high[axis]) else { return Ok(GridBox::EMPTY) };
            // Casts of floats saturate.
            (out.low[axis], out.high[axis]) = (first as i32, last as i32);
        }
        Ok(out)
    }

    /// One axis in units of the box, rounded outwards; `None` when a flat axis lies outside.
    fn axis(&self, axis: usize, low: f64, high: f64) -> Option<[f64; 2]> {
        let (origin, step) = (self.origin[axis], self.step[axis]);
        if step == 0.0 {
            let slack = 4.0 * f64::from(f32::EPSILON) * origin.abs();
            let inside = low <= origin + slack && origin - slack <= high;
            return inside.then_some([f64::NEG_INFINITY, f64::INFINITY]);
        }
        let at = |x: f64| (x - origin) / step * FRACTION;
        let (a, b) = if step > 0.0 { (at(low), at(high)) } else { (at(high), at(low)) };
        let margin = if self.exact { 0.0 } else { 1.0 };
        Some([a.floor() - margin, b.ceil() + margin])
    }
}

#[cfg(test)]
mod tests {
    use super::{GridBox, GridFrame};

    #[test]
    fn boxes_are_rounded_outwards() {
        let frame = GridFrame { origin: [0.0; 3], step: [0.25; 3], exact: true };
        let found = frame.grid_box([-0.25, 0.1, 0.0], [0.25, 0.1, f64::INFINITY]).expect("numbers");
        assert_eq!(found, GridBox { low: [-128, 51, 0], high: [128, 52, i32::MAX] });
        assert!(frame.grid_box([0.0, 1.0, 0.0], [1.0, 0.0, 1.0]).expect("numbers").is_empty());
        assert!(frame.grid_box([f64::NAN, 1.0, 0.0], [1.0; 3]).is_err());
        let flat = GridFrame { origin: [7.0; 3], step: [0.0, -0.5, 0.5], exact: false };
        let found = flat.grid_box([7.0, 6.0, 7.0], [8.0, 7.0, 8.0]).expect("numbers");
        assert_eq!((found.low, found.high), ([i32::MIN, -1, -1], [i32::MAX, 257, 257]));
        assert!(flat.grid_box([7.1, 0.0, 0.0], [8.0; 3]).expect("numbers").is_empty());
    }
}
