//! The diverging colour map: blue inside (negative), near white at zero, orange to brown outside.

/// Control colours from the deepest inside to the farthest outside, equally spaced, zero in the middle.
const STOPS: [[f64; 3]; 9] = [
    [9.0, 38.0, 94.0],
    [24.0, 84.0, 158.0],
    [75.0, 143.0, 201.0],
    [163.0, 202.0, 232.0],
    [247.0, 247.0, 245.0],
    [251.0, 214.0, 170.0],
    [237.0, 157.0, 89.0],
    [191.0, 92.0, 32.0],
    [110.0, 42.0, 6.0],
];

/// What is not a number.
const MISSING: [u8; 3] = [176, 176, 180];

/// Maps values to colours, symmetric about zero: equal colours for equal distance on both sides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColourMap {
    /// The |value| at the end of the map; positive and finite.
    reach: f64,
}

impl ColourMap {
    /// A map that reaches `reach` on both sides; anything that is no positive number becomes 1.
    pub(crate) fn new(reach: f64) -> Self {
        Self { reach: if reach.is_finite() && reach > 0.0 { reach } else { 1.0 } }
    }

    /// The colour of a value; infinities take the end colours, NaN is grey.
    pub(crate) fn colour(self, value: f64) -> [u8; 3] {
        if value.is_nan() {
            return MISSING;
        }
        let t = (value / self.reach).clamp(-1.0, 1.0);
        // A root spreads the colours near the surface, where a picture of distances is read.
        let t = t.signum() * t.abs().powf(0.55);
        let place = (t + 1.0) * 0.5 * (STOPS.len() - 1) as f64;
        let low = (place as usize).min(STOPS.len() - 2);
        let weight = place - low as f64;
        std::array::from_fn(|c| (STOPS[low][c] + (STOPS[low + 1][c] - STOPS[low][c]) * weight).round() as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_float_has_a_colour() {
        for reach in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300, 2.0, 1e300] {
            let map = ColourMap::new(reach);
            assert_eq!(map.colour(0.0), [247, 247, 245]);
            assert_eq!(map.colour(f64::INFINITY), [110, 42, 6]);
            assert_eq!(map.colour(f64::NEG_INFINITY), [9, 38, 94]);
            assert_eq!(map.colour(f64::NAN), MISSING);
        }
        assert_eq!(ColourMap::new(2.0).colour(-2.0), [9, 38, 94]);
    }
}
