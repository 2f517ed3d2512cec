//! Bars on a logarithmic axis, as SVG.

use plotters::prelude::*;

/// A bar: its label, its value, the group that gives its colour.
#[derive(Debug, Clone)]
pub struct Bar {
    /// Label at the left.
    pub label: String,
    /// Value, above 0.
    pub value: f64,
    /// Group, named in the legend.
    pub group: String,
}

/// Colours of groups that people who see few colours tell apart (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
];
const WIDTH: u32 = 1000;
const ROW: u32 = 20;
const AROUND: u32 = 110;
const LABELS: u32 = 420;

/// The bars from top to bottom, with a line at 1; an empty text for no bars.
///
/// # Errors
/// What the library of plots says.
pub fn bars(title: &str, axis: &str, bars: &[Bar]) -> Result<String, String> {
    let mut text = String::new();
    if bars.is_empty() {
        return Ok(text);
    }
    draw(&mut text, title, axis, bars).map_err(|e| e.to_string())?;
    Ok(text)
}

fn draw(text: &mut String, title: &str, axis: &str, bars: &[Bar]) -> Result<(), Box<dyn std::error::Error>> {
    let height = AROUND + ROW * bars.len() as u32;
    let area = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    area.fill(&WHITE)?;
    let low = bars.iter().map(|bar| bar.value).fold(0.5, f64::min) / 1.2;
    let high = bars.iter().map(|bar| bar.value).fold(2.0, f64::max) * 1.6;
    let rows = bars.len() as f64;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(45)
        .y_label_area_size(LABELS)
        .build_cartesian_2d((low..high).log_scale(), rows..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(0)
        .x_desc(axis)
        .x_label_formatter(&|x| format!("{x}"))
        .label_style(("sans-serif", 13))
        .draw()?;
    let mut groups: Vec<&str> = Vec::new();
    for (row, bar) in bars.iter().enumerate() {
        let group = groups.iter().position(|group| *group == bar.group).unwrap_or_else(|| {
            groups.push(&bar.group);
            groups.len() - 1
        });
        let colour = COLOURS[group % COLOURS.len()];
        let top = row as f64;
        let rectangle = Rectangle::new([(1.0, top + 0.15), (bar.value, top + 0.85)], colour.filled());
        let drawn = chart.draw_series(std::iter::once(rectangle))?;
        if groups.len() == group + 1 && bars.iter().position(|first| first.group == bar.group) == Some(row) {
            drawn
                .label(bar.group.as_str())
                .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
        }
        let number = if bar.value < 10.0 { format!("{:.2}", bar.value) } else { format!("{:.0}", bar.value) };
        let style = ("sans-serif", 12).into_font();
        let beside = bar.value.max(1.0) * 1.02;
        chart.draw_series(std::iter::once(Text::new(number, (beside, top + 0.2), style.clone())))?;
        // Labels stand left of the axis: places of the plane, not of the chart.
        let (_, y) = chart.backend_coord(&(1.0, top + 0.2));
        area.draw(&Text::new(bar.label.clone(), (10, y), style))?;
    }
    chart.draw_series(std::iter::once(PathElement::new([(1.0, 0.0), (1.0, rows)], BLACK.stroke_width(1))))?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.9))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 12))
        .draw()?;
    area.present()?;
    drop(chart);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Bar, bars};

    #[test]
    fn every_bar_and_group_is_in_the_picture() {
        let bar = |label: &str, value, group: &str| Bar { label: label.into(), value, group: String::from(group) };
        let list = [bar("first", 0.5, "a"), bar("second", 30.0, "a"), bar("third", 2.0, "b")];
        let text = bars("title", "times", &list).expect("a picture");
        for part in ["<svg", "first", "second", "third", "0.50", "30", "title", "times"] {
            assert!(text.contains(part), "{part}");
        }
        // The three bars and the legend's two.
        assert!(text.matches("#0072B2").count() >= 3 && text.matches("#E69F00").count() >= 2, "{text}");
        assert!(bars("none", "", &[]).is_ok_and(|text| text.is_empty()));
    }
}
