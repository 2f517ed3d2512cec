//! A drawing surface in pixels: filled and stroked shapes, and text from the outlines of a bundled font.

use std::io::Write;

use ab_glyph::{Font, FontRef, OutlineCurve};
use tiny_skia::{
    FillRule, LineCap, Mask, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Rect, Stroke, Transform,
};

use crate::failure::Failure;

/// Red, green, blue, opacity; 0 to 255.
pub(crate) type Colour = [u8; 4];

/// Black with full opacity.
pub(crate) const INK: Colour = [24, 24, 27, 255];
/// A quieter ink for what only explains.
pub(crate) const GREY: Colour = [82, 82, 90, 255];

/// Where a text's given point lies on its line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Anchor {
    /// At the left end.
    Start,
    /// In the middle.
    Middle,
    /// At the right end.
    End,
}

/// A picture in the making.
pub(crate) struct Canvas {
    pixels: Pixmap,
    font: FontRef<'static>,
}

impl Canvas {
    /// A white canvas of `width` x `height` pixels.
    pub(crate) fn new(width: u32, height: u32) -> Result<Self, Failure> {
        let mut pixels = Pixmap::new(width, height)
            .ok_or_else(|| Failure::Limit(format!("picture: no room for {width} x {height} pixels")))?;
        pixels.fill(tiny_skia::Color::WHITE);
        let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT)
            .map_err(|e| Failure::Input(format!("picture: the bundled font cannot be read ({e})")))?;
        Ok(Self { pixels, font })
    }

    /// Sets the pixels of a rectangle from `colour(column, row)`, both counted from its top left corner.
    pub(crate) fn fill_pixels(
        &mut self,
        [left, top, width, height]: [usize; 4],
        mut colour: impl FnMut(usize, usize) -> [u8; 3],
    ) {
        let stride = self.pixels.width() as usize;
        let rows = self.pixels.height() as usize;
        let pixels = self.pixels.pixels_mut();
        for row in 0..height.min(rows.saturating_sub(top)) {
            for column in 0..width.min(stride.saturating_sub(left)) {
                let [r, g, b] = colour(column, row);
                if let Some(c) = PremultipliedColorU8::from_rgba(r, g, b, 255) {
                    pixels[(top + row) * stride + left + column] = c;
                }
            }
        }
    }

    /// Strokes the outline of a rectangle.
    pub(crate) fn frame(&mut self, [x, y, w, h]: [f32; 4], width: f32, colour: Colour) {
        let [r, b] = [x + w, y + h];
        self.lines(&[[x, y, r, y], [r, y, r, b], [r, b, x, b], [x, b, x, y]], width, colour, None);
    }

    /// Strokes segments (x0, y0, x1, y1) as one shape with round ends, inside `clip` (x, y, w, h) when given.
    pub(crate) fn lines(&mut self, segments: &[[f32; 4]], width: f32, colour: Colour, clip: Option<[f32; 4]>) {
        let mut builder = PathBuilder::new();
        for &[x0, y0, x1, y1] in segments {
            builder.move_to(x0, y0);
            builder.line_to(x1, y1);
        }
        let Some(path) = builder.finish() else { return };
        let mask = clip.and_then(|clip| self.mask(clip));
        let stroke = Stroke { width, line_cap: LineCap::Round, ..Stroke::default() };
        self.pixels.stroke_path(&path, &paint(colour), &stroke, Transform::identity(), mask.as_ref());
    }

    fn mask(&self, [x, y, w, h]: [f32; 4]) -> Option<Mask> {
        let mut mask = Mask::new(self.pixels.width(), self.pixels.height())?;
        let path = PathBuilder::from_rect(Rect::from_xywh(x, y, w, h)?);
        mask.fill_path(&path, FillRule::Winding, false, Transform::identity());
        Some(mask)
    }

    /// Width of a text in pixels.
    pub(crate) fn text_width(&self, text: &str, size: f32) -> f32 {
        let scale = size / self.units_per_em();
        text.chars().map(|c| self.font.h_advance_unscaled(self.font.glyph_id(c)) * scale).sum()
    }

    /// Writes a text with its base line at (x, y).
    pub(crate) fn text(&mut self, text: &str, [x, y]: [f32; 2], size: f32, anchor: Anchor, colour: Colour) {
        self.place_text(text, size, anchor, colour, Transform::from_translate(x, y));
    }

    /// Writes a text that reads upwards, centred on (x, y).
    pub(crate) fn text_upwards(&mut self, text: &str, [x, y]: [f32; 2], size: f32, colour: Colour) {
        let turn = Transform::from_row(0.0, -1.0, 1.0, 0.0, x, y);
        self.place_text(text, size, Anchor::Middle, colour, turn);
    }

    fn place_text(&mut self, text: &str, size: f32, anchor: Anchor, colour: Colour, place: Transform) {
        let start = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -0.5 * self.text_width(text, size),
            Anchor::End => -self.text_width(text, size),
        };
        if let Some(path) = self.outline(text, size, start) {
            self.pixels.fill_path(&path, &paint(colour), FillRule::Winding, place, None);
            // The font is a light one: a hairline round it makes small sizes readable.
            let stroke = Stroke { width: 0.03 * size, ..Stroke::default() };
            self.pixels.stroke_path(&path, &paint(colour), &stroke, place, None);
        }
    }

    fn units_per_em(&self) -> f32 {
        self.font.units_per_em().unwrap_or(1000.0)
    }

    /// The outlines of a text's glyphs, base line at y = 0, starting at x = `start`.
    fn outline(&self, text: &str, size: f32, start: f32) -> Option<Path> {
        let scale = size / self.units_per_em();
        let mut builder = PathBuilder::new();
        let mut pen = start;
        for c in text.chars() {
            let id = self.font.glyph_id(c);
            let at = |p: ab_glyph::Point| (pen + p.x * scale, -p.y * scale);
            let mut current = None;
            for curve in self.font.outline(id).map(|o| o.curves).unwrap_or_default() {
                let (OutlineCurve::Line(from, to)
                | OutlineCurve::Quad(from, _, to)
                | OutlineCurve::Cubic(from, _, _, to)) = curve;
                if current != Some(from) {
                    let (x, y) = at(from);
                    builder.move_to(x, y);
                }
                let (x, y) = at(to);
                match curve {
                    OutlineCurve::Line(..) => builder.line_to(x, y),
                    OutlineCurve::Quad(_, b, _) => builder.quad_to(at(b).0, at(b).1, x, y),
                    OutlineCurve::Cubic(_, b, c, _) => {
                        builder.cubic_to(at(b).0, at(b).1, at(c).0, at(c).1, x, y);
                    }
                }
                current = Some(to);
            }
            pen += self.font.h_advance_unscaled(id) * scale;
        }
        builder.finish()
    }

    /// The pixels, row by row.
    pub(crate) fn rgb(&self) -> impl Iterator<Item = [u8; 3]> + '_ {
        self.pixels.pixels().iter().map(|p| [p.red(), p.green(), p.blue()])
    }

    /// Pixels in a row.
    pub(crate) fn width(&self) -> usize {
        self.pixels.width() as usize
    }

    /// Writes the picture as PNG, 8-bit RGB.
    pub(crate) fn write_png(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.pixels.width(), self.pixels.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(cause)?;
        let bytes: Vec<u8> = self.rgb().flatten().collect();
        writer.write_image_data(&bytes).map_err(cause)?;
        writer.finish().map_err(cause)
    }
}

/// What writing failed of, so that a full disk is one here too.
fn cause(error: png::EncodingError) -> std::io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        other => std::io::Error::other(other),
    }
}

fn paint([r, g, b, a]: Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, a);
    paint.anti_alias = true;
    paint
}
