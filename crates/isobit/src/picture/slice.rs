//! The picture of one plane of a volume: colours, iso-lines at round values, the zero line strong, axes with ticks and
//! a colour bar with values.

use super::canvas::{Anchor, Canvas, GREY, INK};
use super::colours::ColourMap;
use super::contour::Lattice;
use super::ticks::{label, multiples, round_step, short};
use crate::failure::Failure;
use crate::volume::{Volume, other_axes};

const LEFT: f32 = 84.0;
const TOP: f32 = 78.0;
const BOTTOM: f32 = 68.0;
const BAR_GAP: f32 = 28.0;
const BAR_WIDTH: f32 = 20.0;
const BAR_LABELS: f32 = 86.0;
/// The largest plot, and the smallest side of one (a flat plane is stretched rather than drawn as a hairline).
const LARGEST: [f64; 2] = [860.0, 720.0];
const SMALLEST: f64 = 150.0;
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

/// A plot's place on the canvas and in space.
struct Frame {
    /// Left, top, width, height in pixels.
    pixels: [f32; 4],
    /// Lower edges of the plane's two axes.
    low: [f64; 2],
    /// Upper edges.
    high: [f64; 2],
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
        let (lattice, frame, cells) = self.plane(index);
        let [_, _, width, height] = frame.pixels;
        let total = [LEFT + width + BAR_GAP + BAR_WIDTH + BAR_LABELS, TOP + height + BOTTOM];
        let mut canvas = Canvas::new(total[0] as u32, total[1] as u32)?;
        // Colours reach to the rim, which lies half a cell outside the outermost centres; the title names the cells' own values.
        let (low, high) = range(&lattice.values);
        let map = ColourMap::new(low.abs().max(high.abs()));
        fill(&mut canvas, &frame, &lattice, map);
        let step = round_step(high - low, 14.0);
        let levels = step.map(|s| multiples(low, high, s, 40)).unwrap_or_default();
        iso_lines(&mut canvas, &frame, &lattice, &levels);
        self.axes(&mut canvas, &frame);
        self.colour_bar(&mut canvas, &frame, map, (low, high), step, &levels);
        self.titles(&mut canvas, total[0], index, cells);
        Ok(canvas)
    }

    /// The plane's values with their rim, the frame that shows them, and the smallest and largest value of its cells.
    fn plane(&self, index: usize) -> (Lattice, Frame, (f64, f64)) {
        let axes = other_axes(self.axis);
        let (mut width, mut height, mut plane) = self.volume.plane(self.axis, index);
        let cells = range(&plane);
        let low = axes.map(|a| self.volume.first[a] - 0.5 * self.volume.spacing[a]);
        let high = axes.map(|a| self.volume.first[a] + (self.volume.cells[a] as f64 - 0.5) * self.volume.spacing[a]);
        let side = |i: usize| {
            let length = (high[i] - low[i]).abs();
            if length.is_finite() && length > 0.0 { length } else { 0.0 }
        };
        let scale = (LARGEST[0] / side(0)).min(LARGEST[1] / side(1));
        let pixels = |i: usize| {
            let length = side(i) * scale;
            if length.is_finite() { length.clamp(SMALLEST, LARGEST[i]).round() as f32 } else { LARGEST[i] as f32 }
        };
        let frame = Frame { pixels: [LEFT, TOP, pixels(0), pixels(1)], low, high };
        let thin = [width.div_ceil(MAX_LATTICE), height.div_ceil(MAX_LATTICE)];
        if thin != [1, 1] {
            let rows = (0..height).step_by(thin[1]);
            let kept = rows.flat_map(|j| (0..width).step_by(thin[0]).map(move |i| (i, j)));
            plane = kept.map(|(i, j)| plane[j * width + i]).collect();
            (width, height) = (width.div_ceil(thin[0]), height.div_ceil(thin[1]));
        }
        (Lattice::with_rim(width, height, &plane), frame, cells)
    }

    fn axes(&self, canvas: &mut Canvas, frame: &Frame) {
        let [left, top, width, height] = frame.pixels;
        let bottom = top + height;
        canvas.frame(frame.pixels, 1.2, INK);
        let axes = other_axes(self.axis);
        for (i, length) in [width, height].into_iter().enumerate() {
            let (low, high) = (frame.low[i], frame.high[i]);
            // A short axis may hold only one multiple of the step that its length suggests: then a finer one.
            let parts = (f64::from(length) / 95.0).max(3.0);
            let steps = [parts, 2.0 * parts, 4.0 * parts].map(|parts| round_step(high - low, parts));
            let ticks = steps.into_iter().flatten().map(|step| (step, multiples(low, high, step, 50)));
            let Some((step, values)) = ticks.into_iter().find(|(_, values)| values.len() > 1) else { continue };
            for value in values {
                let t = ((value - low) / (high - low)) as f32;
                let text = label(value, step);
                if i == 0 {
                    let x = left + t * width;
                    canvas.lines(&[[x, bottom, x, bottom + 6.0]], 1.2, INK, None);
                    canvas.text(&text, [x, bottom + 23.0], 14.0, Anchor::Middle, INK);
                } else {
                    let y = bottom - t * height;
                    canvas.lines(&[[left - 6.0, y, left, y]], 1.2, INK, None);
                    canvas.text(&text, [left - 10.0, y + 5.0], 14.0, Anchor::End, INK);
                }
            }
        }
        let name = |i: usize| format!("{} ({})", NAMES[axes[i]], self.unit);
        canvas.text(&name(0), [left + width * 0.5, bottom + 50.0], 15.0, Anchor::Middle, INK);
        canvas.text_upwards(&name(1), [22.0, top + height * 0.5], 15.0, INK);
    }

    fn colour_bar(
        &self,
        canvas: &mut Canvas,
        frame: &Frame,
        map: ColourMap,
        (low, high): (f64, f64),
        step: Option<f64>,
        levels: &[f64],
    ) {
        let [left, top, width, height] = frame.pixels;
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

    fn titles(&self, canvas: &mut Canvas, total: f32, index: usize, (low, high): (f64, f64)) {
        let axis = self.axis;
        let place = self.volume.first[axis] + index as f64 * self.volume.spacing[axis];
        let range = if low <= high { format!(", values {} to {}", short(low), short(high)) } else { String::new() };
        let line = format!(
            "{}plane {} = {} (cell index {} of {}){range}",
            self.subtitle,
            NAMES[axis],
            short(place),
            index,
            self.volume.cells[axis],
        );
        let room = total - LEFT - 12.0;
        fitted(canvas, self.title, [LEFT, 30.0], 20.0, room, INK);
        fitted(canvas, &line, [LEFT, 51.0], 14.0, room, GREY);
    }
}

/// A line of text, set smaller when it is too long, and cut when it is far too long.
pub(super) fn fitted(canvas: &mut Canvas, text: &str, at: [f32; 2], size: f32, room: f32, colour: [u8; 4]) {
    let mut text = text.to_owned();
    let size = size * (room / canvas.text_width(&text, size)).clamp(0.7, 1.0);
    while canvas.text_width(&text, size) > room && text.chars().count() > 2 {
        let kept = text.chars().count() - 2;
        text = text.chars().take(kept).chain(['\u{2026}']).collect();
    }
    canvas.text(&text, at, size, Anchor::Start, colour);
}

fn fill(canvas: &mut Canvas, frame: &Frame, lattice: &Lattice, map: ColourMap) {
    let [left, top, width, height] = frame.pixels;
    let [columns, rows] = [&lattice.xs, &lattice.ys].map(|p| p.last().copied().unwrap_or(1.0));
    canvas.fill_pixels([left as usize, top as usize, width as usize, height as usize], |column, row| {
        let x = (column as f64 + 0.5) / f64::from(width) * columns;
        let y = (1.0 - (row as f64 + 0.5) / f64::from(height)) * rows;
        map.colour(lattice.sample(x, y))
    });
}

fn iso_lines(canvas: &mut Canvas, frame: &Frame, lattice: &Lattice, levels: &[f64]) {
    let [left, top, width, height] = frame.pixels;
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
        canvas.lines(&segments, thick, colour, Some(frame.pixels));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Values;

    #[test]
    fn the_range_is_that_of_cells_and_not_of_the_rim() {
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
        let rim = range(&lattice.values);
        assert!(rim.0 < 6.0 && rim.1 > 11.0, "{rim:?}");
    }
}
