//! A plot: its frame on the canvas and in space, axes with ticks and names, and two lines of text above.

use super::canvas::{Anchor, Canvas, GREY, INK};
use super::ticks::{label, multiples, offset, round_step, whole};
use crate::failure::Failure;

pub(super) const LEFT: f32 = 84.0;
pub(super) const TOP: f32 = 78.0;
const BOTTOM: f32 = 68.0;
/// Right of a plot that has nothing there.
pub(crate) const RIGHT: f32 = 36.0;
/// The smallest side: a flat plane is stretched rather than drawn as a hairline.
const SMALLEST: f64 = 150.0;
/// Labels of an axis wider than this would meet each other, or the name of the axis.
const ROOM: [f32; 2] = [76.0, 46.0];

/// Where a plot lies on the canvas and in space, and what its axes are.
pub(crate) struct Plot<'a> {
    /// Left, top, width, height in pixels; whole numbers.
    pub(crate) pixels: [f32; 4],
    /// Values at the left and at the lower edge.
    pub(crate) low: [f64; 2],
    /// Values at the right and at the upper edge.
    pub(crate) high: [f64; 2],
    /// Names of the axes.
    pub(crate) names: [&'a str; 2],
    /// What both are counted in; nothing when empty.
    pub(crate) unit: &'a str,
}

impl<'a> Plot<'a> {
    /// A plot of the rectangle with the same scale along both axes, as large as `largest` pixels allow.
    pub(crate) fn of_equal_scales(
        low: [f64; 2],
        high: [f64; 2],
        largest: [f64; 2],
        names: [&'a str; 2],
        unit: &'a str,
    ) -> Self {
        let side = |i: usize| {
            let length = (high[i] - low[i]).abs();
            if length.is_finite() && length > 0.0 { length } else { 0.0 }
        };
        let scale = (largest[0] / side(0)).min(largest[1] / side(1));
        let pixels = |i: usize| {
            let length = side(i) * scale;
            if length.is_finite() { length.clamp(SMALLEST, largest[i]).round() as f32 } else { largest[i] as f32 }
        };
        Self { pixels: [LEFT, TOP, pixels(0), pixels(1)], low, high, names, unit }
    }

    /// A canvas with room for the plot, its axes, and `right` pixels beside it.
    pub(crate) fn canvas(&self, right: f32) -> Result<Canvas, Failure> {
        let [left, top, width, height] = self.pixels;
        Canvas::new((left + width + right) as u32, (top + height + BOTTOM) as u32)
    }

    /// Columns and rows of pixels.
    pub(crate) fn size(&self) -> [usize; 2] {
        [self.pixels[2] as usize, self.pixels[3] as usize]
    }

    /// Sets the pixels from `colour(column, row)`, the row counted from the lower edge.
    pub(crate) fn fill(&self, canvas: &mut Canvas, mut colour: impl FnMut(usize, usize) -> [u8; 3]) {
        let [columns, rows] = self.size();
        let place = [self.pixels[0] as usize, self.pixels[1] as usize, columns, rows];
        canvas.fill_pixels(place, |column, row| colour(column, rows - 1 - row));
    }

    /// The frame, ticks with round values, and the names of the axes.
    pub(crate) fn axes(&self, canvas: &mut Canvas) {
        canvas.frame(self.pixels, 1.2, INK);
        let [left, top, width, height] = self.pixels;
        let bottom = top + height;
        let names = [0, 1].map(|i| self.axis(canvas, i));
        canvas.text(&names[0], [left + width * 0.5, bottom + 50.0], 15.0, Anchor::Middle, INK);
        canvas.text_upwards(&names[1], [22.0, top + height * 0.5], 15.0, INK);
    }

    /// Ticks of an axis; its name, with what was taken off the values to make their labels short.
    fn axis(&self, canvas: &mut Canvas, i: usize) -> String {
        let [left, top, width, height] = self.pixels;
        let (low, high, length, bottom) = (self.low[i], self.high[i], [width, height][i], top + height);
        let unit = if self.unit.is_empty() { String::new() } else { format!(" ({})", self.unit) };
        let name = self.names[i];
        // A short axis may hold only one multiple of the step that its length suggests: then a finer one.
        let parts = (f64::from(length) / 95.0).max(3.0);
        let steps = [parts, 2.0 * parts, 4.0 * parts].map(|parts| round_step(high - low, parts));
        let ticks = steps.into_iter().flatten().map(|step| (step, multiples(low, high, step, 50)));
        let Some((step, values)) = ticks.into_iter().find(|(_, values)| values.len() > 1) else {
            return format!("{name}{unit}");
        };
        let widest = |canvas: &Canvas, from: f64| {
            let texts = values.iter().map(|value| label(whole(value - from, step), step));
            texts.map(|text| canvas.text_width(&text, 14.0)).fold(0.0, f32::max)
        };
        let (plain, taken) = (widest(canvas, 0.0), offset(low, high));
        let from = if plain > ROOM[i] && widest(canvas, taken) < plain { taken } else { 0.0 };
        for value in values {
            let t = ((value - low) / (high - low)) as f32;
            let text = label(whole(value - from, step), step);
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
        match from {
            0.0 => format!("{name}{unit}"),
            from if from < 0.0 => format!("{name} + {}{unit}", -from),
            from => format!("{name} \u{2212} {from}{unit}"),
        }
    }

    /// The line that names the picture, and the one that explains it.
    pub(crate) fn titles(&self, canvas: &mut Canvas, title: &str, line: &str) {
        let room = canvas.width() as f32 - LEFT - 12.0;
        fitted(canvas, title, [LEFT, 30.0], 20.0, room, INK);
        fitted(canvas, line, [LEFT, 51.0], 14.0, room, GREY);
    }
}

/// The cells that a pixel shows: the one in its middle, or all that it covers where there are more cells than pixels.
pub(crate) fn covered(pixel: usize, pixels: usize, cells: usize) -> std::ops::Range<usize> {
    if pixels >= cells {
        let cell = ((2 * pixel + 1) * cells / (2 * pixels.max(1))).min(cells.saturating_sub(1));
        return cell..cell + 1;
    }
    pixel * cells / pixels..((pixel + 1) * cells).div_ceil(pixels).min(cells)
}

/// A line of text, set smaller when it is too long, and cut when it is far too long.
pub(super) fn fitted(canvas: &mut Canvas, text: &str, at: [f32; 2], size: f32, room: f32, colour: [u8; 4]) {
    let (text, size) = cut(text, size, room, |text, size| canvas.text_width(text, size));
    canvas.text(&text, at, size, Anchor::Start, colour);
}

/// Most characters that are measured: more than a line has room for.
const MOST_MEASURED: usize = 1024;

/// The text and the size in which it is no wider than `room`: smaller, and cut where that is not enough. Measures a few times, however long the text is.
fn cut(text: &str, size: f32, room: f32, mut width: impl FnMut(&str, f32) -> f32) -> (String, f32) {
    let short: String = text.chars().take(MOST_MEASURED).collect();
    let size = size * (room / width(&short, size)).clamp(0.7, 1.0);
    if short.len() == text.len() && width(text, size) <= room {
        return (short, size);
    }
    let with = |kept: usize| short.chars().take(kept).chain(['\u{2026}']).collect::<String>();
    // The most characters that fit, at least one.
    let (mut fits, mut over) = (1, short.chars().count());
    while over - fits > 1 {
        let middle = fits + (over - fits) / 2;
        if width(&with(middle), size) <= room { fits = middle } else { over = middle }
    }
    (with(fits), size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(low: [f64; 2], high: [f64; 2]) -> Plot<'static> {
        Plot::of_equal_scales(low, high, [720.0, 720.0], ["x", "y"], "units")
    }

    #[test]
    fn long_titles_are_measured_a_few_times() {
        for length in [3, 40, 100, 1000, 20_000] {
            let (text, mut measured) = ("sin(x)+".repeat(length), 0);
            let (cut, size) = cut(&text, 20.0, 400.0, |text, size| {
                measured += text.len();
                text.chars().count() as f32 * size * 0.5
            });
            let width = cut.chars().count() as f32 * size * 0.5;
            assert!(width <= 400.0 && (width > 380.0 || cut == text), "{length}: {width}");
            assert!(measured < 12 * MOST_MEASURED, "{length}: {measured}");
            assert_eq!(cut.ends_with('\u{2026}'), length > 3, "{cut}");
        }
    }

    #[test]
    fn a_box_keeps_its_aspect() {
        assert_eq!(plot([-1.0, -1.0], [3.0, 1.0]).size(), [720, 360]);
        assert_eq!(plot([0.0, 0.0], [1.0, 4.0]).size(), [180, 720]);
        assert_eq!(plot([0.0, 0.0], [1.0, 1000.0]).size(), [150, 720], "no hairlines");
    }

    #[test]
    fn every_cell_is_under_some_pixel() {
        for (pixels, cells) in [(720, 512), (512, 512), (150, 512), (7, 7), (1, 9)] {
            let mut seen = vec![false; cells];
            (0..pixels).for_each(|pixel| seen[covered(pixel, pixels, cells)].fill(true));
            assert!(seen.iter().all(|seen| *seen), "{pixels} {cells}");
        }
    }

    #[test]
    fn labels_of_large_values_are_short() {
        let far = plot([1e6, -3e7], [1e6 + 2.0, -3e7 + 2.0]);
        let mut canvas = far.canvas(RIGHT).expect("a canvas");
        assert_eq!(far.axis(&mut canvas, 0), "x \u{2212} 1000000 (units)");
        assert_eq!(far.axis(&mut canvas, 1), "y + 30000000 (units)");
        assert_eq!(plot([-1.0, -1.0], [1.0, 1.0]).axis(&mut canvas, 1), "y (units)");
        // Nothing is drawn left of the name of the axis.
        let white = canvas.rgb().enumerate().filter(|(at, _)| at % canvas.width() < 30).all(|(_, c)| c == [255; 3]);
        assert!(white, "no label is cut");
    }
}
