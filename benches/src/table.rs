//! Tables that read well in a terminal and in Markdown.

/// A table of Markdown, its columns padded to one width: the first left, the others right aligned.
pub fn markdown(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |k: usize| {
        let cells = rows.iter().filter_map(|row| row.get(k)).map(|cell| cell.chars().count());
        cells.chain([head[k].chars().count(), 3]).max().unwrap_or(3)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded = cells.zip(&widths).enumerate().map(|(k, (cell, &width))| match k {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        format!("| {} |\n", padded.collect::<Vec<_>>().join(" | "))
    };
    let rule = widths.iter().enumerate().map(|(k, &width)| match k {
        0 => "-".repeat(width),
        _ => format!("{}:", "-".repeat(width - 1)),
    });
    let mut text = line(&mut head.iter().copied());
    text += &format!("| {} |\n", rule.collect::<Vec<_>>().join(" | "));
    for row in rows {
        text += &line(&mut row.iter().map(String::as_str));
    }
    text
}

/// The middle of the values; NaN of none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::{markdown, median};

    #[test]
    fn columns_line_up() {
        let rows = [vec!["bunny".to_owned(), "1".to_owned()], vec!["a".to_owned(), "12.50".to_owned()]];
        let expected = "| mesh  |  rate |\n| ----- | ----: |\n| bunny |     1 |\n| a     | 12.50 |\n";
        assert_eq!(markdown(&["mesh", "rate"], &rows), expected);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
    }
}
