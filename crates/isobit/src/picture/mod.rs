//! Pictures: a slice of a volume with iso-lines and a shaded mesh, drawn with tiny-skia and written as PNG.

mod canvas;
mod colours;
mod contour;
pub(crate) mod histogram;
pub(crate) mod mesh;
pub(crate) mod plot;
pub(crate) mod slice;
#[cfg(test)]
mod tests;
mod ticks;
pub(crate) mod voxels;

pub(crate) use canvas::Canvas;
pub(crate) use ticks::short;
