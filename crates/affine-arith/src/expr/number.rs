//! Decimal numbers of a text, enclosed between f64.

/// The tightest f64 round the decimal number, equal when it is one; None when the text is no finite number.
pub(super) fn enclose_decimal(text: &str) -> Option<(f64, f64)> {
    let near: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    if is_exact(text, near) { Some((near, near)) } else { Some((near.next_down(), near.next_up())) }
}

/// Whether the text is `near` exactly. False for numbers of many digits, whatever they are.
fn is_exact(text: &str, near: f64) -> bool {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    if digits.len() > 36 {
        return false;
    }
    let Ok(exponent) = exponent.parse::<i32>() else { return false };
    let integer = if digits.is_empty() { 0 } else { digits.parse::<u128>().unwrap_or(0) };
    let exponent = i64::from(exponent) - fraction.len() as i64;
    equals(integer, exponent, near)
}

/// Whether integer 10^exponent = near, for near >= 0.
fn equals(integer: u128, exponent: i64, near: f64) -> bool {
    if integer == 0 || near == 0.0 {
        return integer == 0 && near == 0.0;
    }
    // near = m 2^q with odd m.
    let bits = near.to_bits();
    let biased = (bits >> 52) as i64;
    if biased == 0 {
        return false;
    }
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    let zeros = significand.trailing_zeros();
    let (m, q) = (u128::from(significand >> zeros), biased - 1075 + i64::from(zeros));
    // Both sides times 10^-exponent and 2^-q where these are negative.
    let scaled = |value: u128, ten: i64, two: i64| -> Option<u128> {
        let tens = 10_u128.checked_pow(u32::try_from(ten.max(0)).ok()?)?;
        let shift = u32::try_from(two.max(0)).ok().filter(|shift| *shift < 127)?;
        value.checked_mul(tens)?.checked_mul(1_u128 << shift)
    };
    match (scaled(integer, exponent, -q), scaled(m, -exponent, q)) {
        (Some(left), Some(right)) => left == right,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::enclose_decimal;

    #[test]
    fn floats_are_points_and_others_lie_between_neighbours() {
        for (text, exact) in [
            ("0", true),
            ("0.25", true),
            ("11.5", true),
            ("3e2", true),
            ("1e22", true),
            ("2.5e-1", true),
            ("0.1", false),
            ("11.8", false),
            ("11.80000019073486328125", true),
            ("11.80000019073486328126", false),
            ("1e23", false),
            ("9007199254740993", false),
            ("1e-3", false),
            ("123456789012345678901234567890", false),
        ] {
            let (lo, hi) = enclose_decimal(text).expect("a number");
            assert_eq!(lo == hi, exact, "{text}");
            let near: f64 = text.parse().expect("a number");
            assert!(lo <= near && near <= hi);
        }
        assert_eq!(enclose_decimal("1e999"), None);
        assert_eq!(enclose_decimal("1.2.3"), None);
    }
}
