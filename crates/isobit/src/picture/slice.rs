//! The picture of one plane of a volume: colours, iso-lines at round values, the zero line strong, axes with ticks and
//! a colour bar with values.

use super::canvas::{Anchor, Canvas, INK};
use super::colours::ColourMap;
use super::contour::Lattice;
use super::plot::Plot;
use super::ticks::{label, multiples, round_step, short};
use crate::failure::Failure;
use crate::volume::{Volume, other_axes};

const BAR_GAP: f32 = 28.0;
const BAR_WIDTH: f32 = 20.0;
const BAR_LABELS: f32 = 86.0;
/// The largest plot.
const LARGEST: [f64; 2] = [860.0, 720.0];
/// More cells than this along a side are thinned: the plot has fewer pixels.
const MAX_LATTICE: usize = 1600;
const NAMES: [&str; 3] = ["x", "y", "z"];

/// What to draw and what to write beside it.
pub(crate) struct SliceFigure<'a> {
    /// The values.
    pub(crate) volume: &'a Volume,
    /// The axis the plane is across, 0 to 2.
    pub(crate) axis: usize,
    /// Where along that axis, 0 to 1.
    pub(crate) fraction: f64,
    /// First line.
    pub(crate) title: &'a str,
    /// Second line, before the place of the plane.
    pub(crate) subtitle: &'a str,
    /// What a value is.
    pub(crate) quantity: &'a str,
    /// What lengths are counted in.
    pub(crate) unit: &'a str,
}

/// Smallest and largest of the finite values; the first above the second when there are none.
fn range(values: &[f64]) -> (f64, f64) {
    let finite = values.iter().copied().filter(|v| v.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)))
}

impl SliceFigure<'_> {
    /// Draws the figure. Any volume of at least one cell has one: planes of one cell, constant planes, and values that
    /// are not finite (grey) included.
    pub(crate) fn draw(&self) -> Result<Canvas, Failure> {
        let cells = self.volume.cells[self.axis];
        let index = ((self.fraction * cells as f64) as usize).min(cells.saturating_sub(1));
        let (lattice, plot, range) = self.plane(index);
        let mut canvas = plot.canvas(BAR_GAP + BAR_WIDTH + BAR_LABELS)?;
        let (low, high) = range;
        let map = ColourMap::new(low.abs().max(high.abs()));
        fill(&mut canvas, &plot, &lattice, map);
        let step = round_step(high - low, 14.0);
        let levels = step.map(|s| multiples(low, high, s, 40)).unwrap_or_default();
        iso_lines(&mut canvas, &plot, &lattice, &levels);
        plot.axes(&mut canvas);
        self.colour_bar(&mut canvas, &plot, map, range, step, &levels);
        plot.titles(&mut canvas, self.title, &self.line(index, range));
        Ok(canvas)
    }

    /// The plane's values with their rim, the plot that shows them, and the smallest and largest value of its cells.
    fn plane(&self, index: usize) -> (Lattice, Plot<'_>, (f64, f64)) {
        let axes = other_axes(self.axis);
        let (mut width, mut height, mut plane) = self.volume.plane(self.axis, index);
        let cells = range(&plane);
        let low = axes.map(|a| self.volume.first[a] - 0.5 * self.volume.spacing[a]);
        let high = axes.map(|a| self.volume.first[a] + (self.volume.cells[a] as f64 - 0.5) * self.volume.spacing[a]);
        let plot = Plot::of_equal_scales(low, high, LARGEST, axes.map(|a| NAMES[a]), self.unit);
        let thin = [width.div_ceil(MAX_LATTICE), height.div_ceil(MAX_LATTICE)];
        if thin != [1, 1] {
            let rows = (0..height).step_by(thin[1]);
            let kept = rows.flat_map(|j| (0..width).step_by(thin[0]).map(move |i| (i, j)));
            plane = kept.map(|(i, j)| plane[j * width + i]).collect();
            (width, height) = (width.div_ceil(thin[0]), height.div_ceil(thin[1]));
        }
        (Lattice::with_rim(width, height, &plane), plot, cells)
    }

    fn colour_bar(
        &self,
        canvas: &mut Canvas,
        plot: &Plot<'_>,
        map: ColourMap,
        (low, high): (f64, f64),
        step: Option<f64>,
        levels: &[f64],
    ) {
        let [left, top, width, height] = plot.pixels;
        let x = left + width + BAR_GAP;
        let ink = x + BAR_WIDTH + 7.0;
        let rows = height as usize;
        // Top to bottom: from the highest value to the lowest. A constant plane has a bar of one colour.
        let value = |row: usize| high + (low - high) * (row as f64 + 0.5) / rows as f64;
        canvas.fill_pixels([x as usize, top as usize, BAR_WIDTH as usize, rows], |_, row| map.colour(value(row)));
        let bar = [x.floor(), top, BAR_WIDTH, height];
        canvas.frame(bar, 1.0, INK);
        canvas.text(self.quantity, [x, top - 12.0], 14.0, Anchor::Start, INK);
        let Some(step) = step else {
            let text = if low.is_finite() && high.is_finite() { short(low) } else { "not finite".to_owned() };
            canvas.text(&text, [ink, top + height * 0.5 + 5.0], 14.0, Anchor::Start, INK);
            return;
        };
        let room = f64::from(height) * step / (high - low);
        let every = (17.0 / room).ceil().max(1.0);
        for &level in levels {
            let y = top + height * ((high - level) / (high - low)) as f32;
            let (thick, colour) = if level == 0.0 { (2.6, INK) } else { (0.9, [24, 24, 27, 150]) };
            canvas.lines(&[[bar[0], y, x + BAR_WIDTH, y]], thick, colour, None);
            // Zero keeps its label when there is no room for all.
            if (level / step).round().rem_euclid(every) == 0.0 {
                canvas.text(&label(level, step), [ink, y + 5.0], 14.0, Anchor::Start, INK);
            }
        }
    }

    /// What the second line says.
    fn line(&self, index: usize, (low, high): (f64, f64)) -> String {
        let axis = self.axis;
        let place = self.volume.first[axis] + index as f64 * self.volume.spacing[axis];
        let range = if low <= high { format!(", values {} to {}", short(low), short(high)) } else { String::new() };
        format!(
            "{}plane {} = {} (cell index {} of {}){range}",
            self.subtitle,
            NAMES[axis],
            short(place),
            index,
            self.volume.cells[axis],
        )
    }
}

fn fill(canvas: &mut Canvas, plot: &Plot<'_>, lattice: &Lattice, map: ColourMap) {
    let [width, height] = plot.size();
    let [columns, rows] = [&lattice.xs, &lattice.ys].map(|p| p.last().copied().unwrap_or(1.0));
    plot.fill(canvas, |column, row| {
        let x = (column as f64 + 0.5) / width as f64 * columns;
        let y = (row as f64 + 0.5) / height as f64 * rows;
        map.colour(lattice.sample(x, y))
    });
}

fn iso_lines(canvas: &mut Canvas, plot: &Plot<'_>, lattice: &Lattice, levels: &[f64]) {
    let [left, top, width, height] = plot.pixels;
    let [columns, rows] = [&lattice.xs, &lattice.ys].map(|p| p.last().copied().unwrap_or(1.0));
    let on_canvas = |[x0, y0, x1, y1]: [f64; 4]| {
        let x = |x: f64| left + (x / columns) as f32 * width;
        let y = |y: f64| top + (1.0 - (y / rows) as f32) * height;
        [x(x0), y(y0), x(x1), y(y1)]
    };
    // Zero last and always, so that nothing lies over it.
    for &level in levels.iter().filter(|&&level| level != 0.0).chain([&0.0]) {
        let segments: Vec<[f32; 4]> = lattice.iso_line(level).into_iter().map(on_canvas).collect();
        let (thick, colour) = if level == 0.0 { (2.8, INK) } else { (0.9, [24, 24, 27, 130]) };
        canvas.lines(&segments, thick, colour, Some(plot.pixels));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Values;

    #[test]
    fn the_picture_shows_the_values_of_its_cells_and_no_others() {
        let values = (0..24).map(|i| i as f32).collect();
        let volume = Volume { cells: [2, 3, 4], first: [0.0; 3], spacing: [1.0; 3], values: Values::F32(values) };
        let figure = SliceFigure {
            volume: &volume,
            axis: 2,
            fraction: 0.5,
            title: "",
            subtitle: "",
            quantity: "value",
            unit: "cells",
        };
        let (lattice, _, cells) = figure.plane(1);
        assert_eq!(cells, (6.0, 11.0));
        assert_eq!(range(&lattice.values), cells);
    }

    /// Squares grow so fast that a straight line through the outermost two would be negative beyond them.
    #[test]
    fn values_without_a_sign_have_no_inside() {
        let values = (0..100).map(|i| ((i % 10) as f32).powi(2) + 0.01).collect();
        let volume = Volume { cells: [10, 10, 1], first: [0.0; 3], spacing: [1.0; 3], values: Values::F32(values) };
        let figure = SliceFigure {
            volume: &volume,
            axis: 2,
            fraction: 0.0,
            title: "",
            subtitle: "",
            quantity: "value",
            unit: "cells",
        };
        let canvas = figure.draw().expect("a picture");
        assert_eq!(canvas.rgb().filter(|[r, _, b]| b.saturating_sub(*r) > 20).count(), 0, "blue is inside");
    }
}
