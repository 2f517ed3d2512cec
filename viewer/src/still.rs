//! One picture to a file.

use std::io::{BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::painter::Painter;
use crate::view::View;
use crate::{Arguments, Failure};

/// Draws the view of the arguments and writes it as PNG.
pub(crate) fn write(mut painter: Painter, arguments: &Arguments, path: &Path) -> Result<(), Failure> {
    let view = View::new(arguments);
    let (picture, _) = painter.draw(&view, 0)?;
    save(path, painter.size(), &picture.pixels).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{}: {}, {} rays met the surface, on {}", path.display(), view.label(), picture.hits, painter.device());
    Ok(())
}

/// Writes the file beside its place and renames it: whole or not at all.
fn save(path: &Path, [width, height]: [u32; 2], pixels: &[u32]) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    let mut out = BufWriter::new(&mut file);
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let bytes: Vec<u8> = pixels.iter().flat_map(|pixel| pixel.to_le_bytes()).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    out.flush()?;
    drop(out);
    file.persist(path)?;
    Ok(())
}
