//! Round numbers for axes, iso-lines and colour bars.

/// The smallest of 1, 2, 5 times a power of ten that is at least `span / parts`; None when there is no such step
/// (a span of zero, or not finite).
pub(crate) fn round_step(span: f64, parts: f64) -> Option<f64> {
    let raw = span / parts;
    if !raw.is_finite() || raw < f64::MIN_POSITIVE {
        return None;
    }
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].iter().map(|m| m * power).find(|&s| s >= raw * (1.0 - 1e-9))?;
    (step.is_finite() && step > 0.0).then_some(step)
}

/// Multiples of `step` in `[low, high]`, at most `limit` of them.
pub(crate) fn multiples(low: f64, high: f64, step: f64, limit: usize) -> Vec<f64> {
    let first = (low / step - 1e-9).ceil();
    let last = (high / step + 1e-9).floor();
    if !(first.is_finite() && last.is_finite()) || last < first {
        return Vec::new();
    }
    let count = ((last - first) as usize).saturating_add(1).min(limit);
    // Whole multiples, so that zero is exactly zero.
    (0..count).map(|i| (first + i as f64) * step).collect()
}

/// What is taken off the values of an axis so that their labels are short: the multiple of a power of ten above the span that is nearest to
/// the middle.
pub(crate) fn offset(low: f64, high: f64) -> f64 {
    let power = 10f64.powf((high - low).log10().ceil());
    let offset = ((0.5 * low + 0.5 * high) / power).round() * power;
    // Beyond this a float has no digits left for the rest, and the name of the axis no room.
    if offset.abs() < 1e15 { offset } else { 0.0 }
}

/// The multiple of `step` that is nearest to a value: a difference of multiples has rounding errors.
pub(crate) fn whole(value: f64, step: f64) -> f64 {
    // Minus zero becomes zero.
    (value / step).round() * step + 0.0
}

/// A value as text with the decimals that `step` needs; powers of ten outside 1e-4 .. 1e6.
pub(crate) fn label(value: f64, step: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let digits = -step.abs().log10().floor();
    if value.abs() >= 1e6 || digits > 4.0 || !digits.is_finite() {
        let significant = (value.abs().log10().floor() + digits).clamp(0.0, 8.0) as usize;
        return minus(&format!("{value:.significant$e}"));
    }
    minus(&format!("{value:.*}", digits.max(0.0) as usize))
}

/// A value with four significant digits, for sentences.
pub(crate) fn short(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return minus(&format!("{value}"));
    }
    let power = value.abs().log10().floor();
    if !(-4.0..6.0).contains(&power) {
        return minus(&format!("{value:.3e}"));
    }
    let text = format!("{value:.*}", (3.0 - power).max(0.0) as usize);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    minus(text)
}

/// A true minus sign: the font's hyphen is too short to read at small sizes.
fn minus(text: &str) -> String {
    text.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_one_two_five() {
        assert_eq!(round_step(10.0, 5.0), Some(2.0));
        assert_eq!(round_step(1.0, 8.0), Some(0.2));
        assert_eq!(round_step(0.0, 8.0), None);
        assert_eq!(round_step(f64::INFINITY, 8.0), None);
        assert_eq!(round_step(f64::NAN, 8.0), None);
    }

    #[test]
    fn multiples_contain_an_exact_zero_and_stop() {
        assert_eq!(multiples(-0.25, 0.25, 0.1, 99), [-0.2, -0.1, 0.0, 0.1, 0.2]);
        assert_eq!(multiples(0.0, 1e9, 1.0, 3).len(), 3);
        assert_eq!(multiples(0.1, 0.2, 1.0, 3).len(), 0);
    }

    #[test]
    fn labels_read_well() {
        assert_eq!(label(0.0, 0.1), "0");
        assert_eq!(label(-0.30000000000000004, 0.1), "\u{2212}0.3");
        assert_eq!(label(20.0, 10.0), "20");
        assert_eq!(label(2e-7, 1e-7), "2e\u{2212}7");
        assert_eq!(label(1.5e7, 5e6), "1.5e7");
        assert_eq!(short(0.123456), "0.1235");
        assert_eq!(short(12.0), "12");
    }
}
