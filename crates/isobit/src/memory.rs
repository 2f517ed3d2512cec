//! Does a job fit? Answered before it starts, with both numbers.

use crate::failure::Failure;

/// Fails with both numbers when `needed` bytes for `what` exceed the memory there is.
pub(crate) fn require(what: &str, needed: Option<u64>) -> Result<(), Failure> {
    let allowed = host_memory::available();
    match needed {
        Some(bytes) if bytes <= allowed => Ok(()),
        Some(bytes) => Err(Failure::Limit(format!(
            "{what}: not enough memory (needed {}, allowed {})",
            readable(bytes),
            readable(allowed)
        ))),
        None => Err(Failure::Limit(format!(
            "{what}: not enough memory (needed more than 2^64 bytes, allowed {})",
            readable(allowed)
        ))),
    }
}

/// Bytes with a unit of 1024, and the exact count where it is short enough to read.
pub(crate) fn readable(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_larger_than_any_machine_is_refused_with_both_numbers() {
        assert!(require("grid", Some(1)).is_ok());
        let text = require("grid", Some(u64::MAX)).expect_err("too large").to_string();
        assert!(text.contains("needed 16.0 EiB") && text.contains("allowed"), "{text}");
        assert_eq!(require("grid", None).expect_err("overflow").exit_code(), 4);
    }

    #[test]
    fn sizes_are_readable() {
        assert_eq!(readable(1000), "1000 bytes");
        assert_eq!(readable(1536), "1.5 KiB");
        assert_eq!(readable(3 << 30), "3.0 GiB");
    }
}
