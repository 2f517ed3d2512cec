//! Histograms of whole numbers, one panel below the other.

use super::canvas::{Anchor, Canvas, Colour, GREY, INK};
use super::ticks::{label, multiples, round_step};
use crate::failure::Failure;

const WIDTH: u32 = 960;
const PANEL: f32 = 230.0;
const TOP: f32 = 96.0;
const LEFT: f32 = 90.0;
const RIGHT: f32 = 30.0;
/// Room for a panel's axis and title.
const FOOT: f32 = 76.0;
const BAR: Colour = [75, 143, 201, 255];
/// Most bars of a panel.
const MOST_BARS: u64 = 64;

/// Counts of values in ranges of equal, whole width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Histogram {
    name: String,
    low: u64,
    /// Values of a bar: low + k * width up to the next.
    width: u64,
    counts: Vec<u64>,
}

impl Histogram {
    /// Counts the values; no values give an empty panel.
    pub(crate) fn new(name: &str, values: Vec<u64>) -> Self {
        let low = values.iter().copied().min().unwrap_or(0);
        let high = values.iter().copied().max().unwrap_or(0);
        // Sizes that are all multiples of some bytes: bars that are none would hold more of them and fewer in turn. A few values are no such sizes.
        let step = values.iter().fold(0, |step, value| common(step, value - low)).max(1);
        let step = if (high - low) / step < 8 { 1 } else { step };
        let width = ((high - low) / MOST_BARS + 1).div_ceil(step) * step;
        let mut counts = vec![0; ((high - low) / width + 1) as usize];
        values.iter().for_each(|value| counts[((value - low) / width) as usize] += 1);
        Self { name: name.to_owned(), low, width, counts }
    }

    fn draw(&self, canvas: &mut Canvas, top: f32) {
        let frame = [LEFT, top, WIDTH as f32 - LEFT - RIGHT, PANEL - FOOT];
        let [x, y, w, h] = frame;
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1) as f32;
        let step = w / self.counts.len() as f32;
        let bars = (0..).zip(&self.counts).filter(|(_, count)| **count > 0);
        for (k, count) in bars {
            let height = (h * *count as f32 / most).max(1.0);
            let (left, right) = (x + step * k as f32, x + step * (k + 1) as f32);
            let gap = if step >= 4.0 { 1.0 } else { 0.0 };
            let [red, green, blue, _] = BAR;
            let columns = (right - gap).round() as usize - left.round() as usize;
            let place =
                [left.round() as usize, (y + h - height).round() as usize, columns.max(1), height.round() as usize];
            canvas.fill_pixels(place, |_, _| [red, green, blue]);
        }
        canvas.frame(frame, 1.0, GREY);
        let end = self.low + self.width * self.counts.len() as u64;
        let place = |value: f64| x + w * ((value - self.low as f64) / (end - self.low) as f64) as f32;
        if let Some(tick) = round_step((end - self.low) as f64, 10.0).map(|tick| tick.max(1.0)) {
            for value in multiples(self.low as f64, end as f64, tick, 40) {
                let at = place(value);
                canvas.lines(&[[at, y + h, at, y + h + 5.0]], 1.0, GREY, None);
                canvas.text(&label(value, tick), [at, y + h + 20.0], 13.0, Anchor::Middle, GREY);
            }
        }
        if let Some(tick) = round_step(f64::from(most), 4.0).map(|tick| tick.max(1.0)) {
            for value in multiples(0.0, f64::from(most), tick, 12) {
                let at = y + h - h * value as f32 / most;
                canvas.lines(&[[x - 5.0, at, x, at]], 1.0, GREY, None);
                canvas.text(&label(value, tick), [x - 9.0, at + 4.0], 13.0, Anchor::End, GREY);
            }
        }
        canvas.text(&self.name, [x + 0.5 * w, y + h + 42.0], 15.0, Anchor::Middle, INK);
    }
}

/// The greatest common divisor.
fn common(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Draws the panels under a title and a line below it.
pub(crate) fn draw(title: &str, subtitle: &str, panels: &[Histogram]) -> Result<Canvas, Failure> {
    let height = TOP + PANEL * panels.len() as f32 + 10.0;
    let mut canvas = Canvas::new(WIDTH, height as u32)?;
    canvas.text(title, [LEFT, 40.0], 24.0, Anchor::Start, INK);
    canvas.text(subtitle, [LEFT, 66.0], 15.0, Anchor::Start, GREY);
    canvas.text_upwards("units", [24.0, TOP + 0.5 * (height - TOP)], 14.0, GREY);
    for (k, panel) in panels.iter().enumerate() {
        panel.draw(&mut canvas, TOP + PANEL * k as f32);
    }
    Ok(canvas)
}

#[cfg(test)]
mod tests {
    use super::{BAR, Histogram, draw};

    #[test]
    fn values_are_counted_once() {
        let histogram = Histogram::new("x", vec![3, 3, 4, 9]);
        assert_eq!((histogram.low, histogram.width, histogram.counts), (3, 1, vec![2, 1, 0, 0, 0, 0, 1]));
        let wide = Histogram::new("x", vec![0, 1, 1000]);
        assert_eq!((wide.width, wide.counts.len()), (16, 63));
        assert_eq!(wide.counts.iter().sum::<u64>(), 3);
        assert_eq!(Histogram::new("x", vec![]).counts, [0]);
    }

    #[test]
    fn bars_are_as_wide_as_the_steps_of_their_values() {
        for (count, width, each) in [(10, 4, 1), (100, 8, 2)] {
            let even = Histogram::new("x", (0..count).map(|i| 1000 + 4 * i).collect());
            assert_eq!((even.low, even.width), (1000, width));
            assert!(even.counts.iter().all(|&n| n == each), "no comb: {:?}", even.counts);
        }
    }

    #[test]
    fn two_values_are_two_thin_bars() {
        let two = Histogram::new("x", vec![224, 256, 256]);
        assert_eq!((two.width, two.counts.len()), (1, 33));
    }

    #[test]
    fn panels_show_bars() {
        let panels = [Histogram::new("x", vec![1, 2, 2, 5]), Histogram::new("none", vec![])];
        let canvas = draw("title", "subtitle", &panels).expect("a picture");
        let blue = canvas.rgb().filter(|pixel| pixel[..] == BAR[..3]).count();
        assert!(blue > 10_000, "{blue} pixels of bars");
    }
}
