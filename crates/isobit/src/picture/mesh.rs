//! The picture of a mesh: a shaded parallel projection from above the front left corner, by a small z-buffer rasteriser.
//! Front faces are blue-grey, back faces orange, so that inward orientation and holes are seen.

use super::canvas::{Anchor, Canvas, GREY, INK};
use super::plot::fitted;
use super::ticks::short;
use crate::failure::Failure;

const WIDTH: usize = 1000;
const HEIGHT: usize = 760;
/// Title above, scale below.
const TOP: usize = 70;
const BOTTOM: usize = 50;
/// Samples a pixel along each axis.
const SAMPLES: usize = 3;
/// Edges are drawn on meshes up to this size.
const MAX_EDGED: usize = 4000;
/// Front faces: the first colour, or one for each part in turn.
const PARTS: [[f64; 3]; 6] = [
    [0.56, 0.68, 0.82],
    [0.47, 0.74, 0.62],
    [0.62, 0.58, 0.84],
    [0.50, 0.76, 0.82],
    [0.72, 0.62, 0.80],
    [0.60, 0.72, 0.60],
];
const BACK: [f64; 3] = [0.93, 0.60, 0.34];

type Vector = [f64; 3];

/// What to draw and what to write beside it.
pub(crate) struct MeshFigure<'a> {
    /// Vertices.
    pub(crate) vertices: &'a [[f64; 3]],
    /// Vertex indices of the triangles.
    pub(crate) triangles: &'a [[u32; 3]],
    /// First line.
    pub(crate) title: &'a str,
    /// Second line.
    pub(crate) subtitle: &'a str,
    /// What a length of 1 is, in the singular, as the scale bar says it.
    pub(crate) unit: &'a str,
    /// First triangles of parts that are told apart by colour, each seen through the others; one colour when empty.
    pub(crate) parts: &'a [usize],
    /// Names of the parts, for a legend.
    pub(crate) names: &'a [String],
    /// Triangles come in pairs that share the edge from the third to the first corner, which is not drawn.
    pub(crate) quads: bool,
}

/// View axes: right, up and towards the viewer; orthonormal.
struct Camera {
    axes: [Vector; 3],
    centre: Vector,
    /// Samples a unit of length.
    scale: f64,
}

/// Depth and colour of every sample.
struct Samples {
    depth: Vec<f64>,
    colour: Vec<[f32; 3]>,
    /// Of several parts: what is seen through.
    behind: Option<Behind>,
}

/// The part of every sample, and the nearest triangle of another part behind it.
struct Behind {
    front: Vec<u16>,
    depth: Vec<f32>,
    colour: Vec<[f32; 3]>,
}

/// How much of a sample is its front, where another part is behind it.
const COVER: f32 = 0.6;
/// Most names of a legend.
const MOST_NAMES: usize = 12;

impl MeshFigure<'_> {
    /// Draws the figure. Triangles without area have no picture; a mesh of only such triangles shows its edges.
    pub(crate) fn draw(&self) -> Result<Canvas, Failure> {
        let mut canvas = Canvas::new(WIDTH as u32, HEIGHT as u32)?;
        let camera = self.camera();
        let mut samples = Samples::new(self.parts.len() > 1);
        let edged = self.triangles.len() <= MAX_EDGED;
        let edges = if self.quads { [true, false, true] } else { [true; 3] };
        let mut part = 0;
        for (index, corners) in self.corners().enumerate() {
            while self.parts.get(part + 1).is_some_and(|&first| first <= index) {
                part += 1;
            }
            let front = PARTS[part % PARTS.len()];
            let paint =
                Paint { colour: camera.shade(corners, front), edges: edges.map(|e| e && edged), part: part as u16 };
            samples.triangle(corners.map(|c| camera.project(c)), &paint);
        }
        samples.resolve(&mut canvas);
        if samples.depth.iter().all(|&d| d == f64::NEG_INFINITY) {
            self.edges(&mut canvas, &camera);
        }
        fitted(&mut canvas, self.title, [28.0, 34.0], 20.0, WIDTH as f32 - 56.0, INK);
        // Back faces are the warm ones: the legend stands there when it is needed.
        let back = samples.colour.iter().any(|[red, _, blue]| red > blue);
        let subtitle = format!("{}{}", self.subtitle, if back { "; orange: back faces" } else { "" });
        fitted(&mut canvas, &subtitle, [28.0, 56.0], 14.0, WIDTH as f32 - 56.0, GREY);
        self.legend(&mut canvas);
        camera.triad(&mut canvas);
        camera.scale_bar(&mut canvas, self.unit);
        Ok(canvas)
    }

    /// Colours and names of the parts, in the upper right corner.
    fn legend(&self, canvas: &mut Canvas) {
        if self.parts.len() < 2 {
            return;
        }
        let right = WIDTH as f32 - 28.0;
        for (part, name) in self.names.iter().take(MOST_NAMES).enumerate() {
            let y = TOP as f32 + 16.0 + 20.0 * part as f32;
            let [red, green, blue] = PARTS[part % PARTS.len()].map(|c| (c * 255.0) as u8);
            canvas.fill_pixels([right as usize - 14, y as usize - 11, 14, 12], |_, _| [red, green, blue]);
            let kept: String = name.chars().take(40).collect();
            canvas.text(&kept, [right - 22.0, y], 14.0, Anchor::End, INK);
        }
        if self.names.len() > MOST_NAMES {
            let y = TOP as f32 + 16.0 + 20.0 * MOST_NAMES as f32;
            let text = format!("and {} more", self.names.len() - MOST_NAMES);
            canvas.text(&text, [right, y], 14.0, Anchor::End, GREY);
        }
    }

    fn corners(&self) -> impl Iterator<Item = [Vector; 3]> + '_ {
        let vertex = |i: u32| self.vertices.get(i as usize).copied();
        self.triangles.iter().filter_map(move |&[a, b, c]| Some([vertex(a)?, vertex(b)?, vertex(c)?]))
    }

    fn camera(&self) -> Camera {
        let (azimuth, elevation) = ((-55.0f64).to_radians(), 28.0f64.to_radians());
        let towards = [elevation.cos() * azimuth.cos(), elevation.cos() * azimuth.sin(), elevation.sin()];
        let right = unit(cross([0.0, 0.0, 1.0], towards));
        let axes = [right, cross(towards, right), towards];
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        for p in self.corners().flatten() {
            for (axis, direction) in axes.iter().enumerate() {
                let x = dot(p, *direction);
                low[axis] = low[axis].min(x);
                high[axis] = high[axis].max(x);
            }
        }
        let middle = [0, 1, 2].map(|i| 0.5 * (low[i] + high[i]));
        let room = [(WIDTH - 80) as f64, (HEIGHT - TOP - BOTTOM - 40) as f64];
        let scale = (room[0] / (high[0] - low[0])).min(room[1] / (high[1] - low[1])) * SAMPLES as f64;
        let scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
        let centre = [0, 1, 2].map(|i| (0..3).map(|a| axes[a][i] * middle[a]).sum());
        Camera { axes, centre, scale }
    }

    /// Edges alone, for a mesh whose triangles are all points or segments.
    fn edges(&self, canvas: &mut Canvas, camera: &Camera) {
        let pixel = |c: Vector| {
            let [x, y, _] = camera.project(c);
            [(x / SAMPLES as f64) as f32, (y / SAMPLES as f64) as f32]
        };
        let segments: Vec<[f32; 4]> = self
            .corners()
            .flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)])
            .map(|(p, q)| (pixel(p), pixel(q)))
            .map(|([x0, y0], [x1, y1])| [x0, y0, x1 + 0.01, y1])
            .collect();
        canvas.lines(&segments, 2.0, INK, None);
    }
}

impl Camera {
    /// Sample column, sample row and height towards the viewer.
    fn project(&self, p: Vector) -> Vector {
        let d = minus(p, self.centre);
        let x = (WIDTH * SAMPLES) as f64 * 0.5 + dot(d, self.axes[0]) * self.scale;
        let middle = (TOP + (HEIGHT - TOP - BOTTOM) / 2) * SAMPLES;
        [x, middle as f64 - dot(d, self.axes[1]) * self.scale, dot(d, self.axes[2]) * self.scale]
    }

    /// The colour of a triangle: a strong light from the upper left, a weak one from the right, and some from everywhere.
    fn shade(&self, [a, b, c]: [Vector; 3], front: [f64; 3]) -> [f32; 3] {
        let normal = unit(cross(minus(b, a), minus(c, a)));
        let facing = dot(normal, self.axes[2]);
        let (base, normal) = if facing >= 0.0 { (front, normal) } else { (BACK, normal.map(|x| -x)) };
        let light = |x: f64, y: f64, z: f64| {
            let direction = unit([0, 1, 2].map(|i| x * self.axes[0][i] + y * self.axes[1][i] + z * self.axes[2][i]));
            dot(normal, direction).max(0.0)
        };
        let strength = 0.30 + 0.66 * light(-0.5, 0.75, 0.6) + 0.26 * light(0.7, -0.3, 0.6);
        base.map(|c| (c * strength).min(1.0) as f32)
    }

    /// The directions of x, y and z in the lower left corner.
    fn triad(&self, canvas: &mut Canvas) {
        let origin = [58.0f32, HEIGHT as f32 - 48.0];
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let along = [self.axes[0][axis] as f32 * 34.0, self.axes[1][axis] as f32 * -34.0];
            let tip = [origin[0] + along[0], origin[1] + along[1]];
            canvas.lines(&[[origin[0], origin[1], tip[0], tip[1]]], 1.6, INK, None);
            let place = [origin[0] + along[0] * 1.3, origin[1] + along[1] * 1.3 + 4.0];
            canvas.text(name, place, 14.0, Anchor::Middle, INK);
        }
    }

    /// A bar of a round length in the lower right corner.
    fn scale_bar(&self, canvas: &mut Canvas, unit: &str) {
        let pixels_a_unit = self.scale / SAMPLES as f64;
        let Some(length) = super::ticks::round_step(180.0 / pixels_a_unit, 2.0) else { return };
        let (right, y) = (WIDTH as f32 - 30.0, HEIGHT as f32 - 26.0);
        let left = right - (length * pixels_a_unit) as f32;
        let segments = [[left, y, right, y], [left, y - 5.0, left, y + 5.0], [right, y - 5.0, right, y + 5.0]];
        canvas.lines(&segments, 1.4, INK, None);
        let text = format!("{} {unit}{}", short(length), if length == 1.0 { "" } else { "s" });
        canvas.text(&text, [(left + right) * 0.5, y - 9.0], 13.0, Anchor::Middle, INK);
    }
}

/// How a triangle is drawn: darker near the edges (opposite to corner 0, 1, 2) that `edges` names.
struct Paint {
    colour: [f32; 3],
    edges: [bool; 3],
    part: u16,
}

impl Samples {
    fn new(several: bool) -> Self {
        let count = WIDTH * HEIGHT * SAMPLES * SAMPLES;
        let behind =
            || Behind { front: vec![0; count], depth: vec![f32::NEG_INFINITY; count], colour: vec![[1.0; 3]; count] };
        let behind = several.then(behind);
        Self { depth: vec![f64::NEG_INFINITY; count], colour: vec![[1.0; 3]; count], behind }
    }

    /// Puts a piece of a triangle at a sample.
    fn put(&mut self, at: usize, depth: f64, colour: [f32; 3], part: u16) {
        let nearer = depth > self.depth[at];
        if let Some(behind) = &mut self.behind
            && behind.front[at] != part
        {
            // The front of another part goes behind the new one, or the new one behind it.
            let (below, shown) = if nearer { (self.depth[at], self.colour[at]) } else { (depth, colour) };
            if below as f32 > behind.depth[at] {
                (behind.depth[at], behind.colour[at]) = (below as f32, shown);
            }
        }
        if nearer {
            (self.depth[at], self.colour[at]) = (depth, colour);
            if let Some(behind) = &mut self.behind {
                behind.front[at] = part;
            }
        }
    }

    /// What is seen at a sample.
    fn seen(&self, at: usize) -> [f32; 3] {
        match &self.behind {
            Some(behind) if behind.depth[at] > f32::NEG_INFINITY => {
                std::array::from_fn(|k| COVER * self.colour[at][k] + (1.0 - COVER) * behind.colour[at][k])
            }
            _ => self.colour[at],
        }
    }

    /// Draws one triangle.
    fn triangle(&mut self, [a, b, c]: [Vector; 3], paint: &Paint) {
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if !area.is_finite() || area.abs() < 1e-9 {
            return;
        }
        let (columns, rows) = (WIDTH * SAMPLES, HEIGHT * SAMPLES);
        let span = |i: usize, count: usize| {
            let low = a[i].min(b[i]).min(c[i]).floor().clamp(0.0, count as f64) as usize;
            low..(a[i].max(b[i]).max(c[i]).ceil() + 1.0).clamp(0.0, count as f64) as usize
        };
        // Heights of the triangle over its edges, in samples: a weight times a height is a distance to an edge.
        let over = |p: Vector, q: Vector| area.abs() / (q[0] - p[0]).hypot(q[1] - p[1]);
        let heights = [over(b, c), over(c, a), over(a, b)];
        for row in span(1, rows) {
            for column in span(0, columns) {
                let p = [column as f64 + 0.5, row as f64 + 0.5];
                let weight =
                    |q: Vector, r: Vector| ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / area;
                let weights = [weight(b, c), weight(c, a), weight(a, b)];
                if weights.iter().any(|&w| w < 0.0) {
                    continue;
                }
                let depth = weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2];
                let near_edge = (0..3).any(|i| paint.edges[i] && weights[i] * heights[i] < 0.45 * SAMPLES as f64);
                let colour = if near_edge { paint.colour.map(|x| x * 0.45) } else { paint.colour };
                self.put(row * columns + column, depth, colour, paint.part);
            }
        }
    }

    /// Averages the samples into the pixels, in linear light.
    fn resolve(&self, canvas: &mut Canvas) {
        let stride = WIDTH * SAMPLES;
        canvas.fill_pixels([0, 0, WIDTH, HEIGHT], |column, row| {
            let mut sum = [0.0f32; 3];
            for sample in 0..SAMPLES * SAMPLES {
                let y = row * SAMPLES + sample / SAMPLES;
                let colour = self.seen(y * stride + column * SAMPLES + sample % SAMPLES);
                for (total, part) in sum.iter_mut().zip(colour) {
                    *total += part.powi(2);
                }
            }
            sum.map(|s| ((s / (SAMPLES * SAMPLES) as f32).sqrt() * 255.0).round() as u8)
        });
    }
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector at length 1; zero stays zero.
fn unit(a: Vector) -> Vector {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|x| x / length) } else { a }
}
