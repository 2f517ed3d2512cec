//! `inspect` of a compressed mesh: its units.

use mesh_decode::{File, Outputs, open};
use serde_json::{Map, Value, json};

use super::super::{damage, failed, require_room};
use crate::cli::InspectArgs;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::output::OutputFile;
use crate::picture::histogram::{Histogram, draw};
use crate::verbs::{file_name, grouped, object};

/// Looks at the file and answers; draws when a picture is asked for.
pub(super) fn units(args: &InspectArgs, bytes: &[u8], mut phases: Phases, console: Console) -> Result<(), Failure> {
    let png = args.png.as_deref().map(OutputFile::picture).transpose()?;
    let file = phases.time("open", || open(bytes)).map_err(|e| failed(&args.file, &e))?;
    require_room(&args.file, &file)?;
    let (damaged, parts) = console.wait("decoding", || {
        // Every unit is decoded, so that damage is seen here too.
        let decoded = phases.time("decode", || file.decode_cpu(Outputs::MESH));
        let parts = phases.time("sizes", || file.body_parts());
        if let Some(png) = png {
            let canvas = phases.time("draw", || draw(&title(args, &file), &subtitle(&file), &histograms(&file)))?;
            phases.time("write", || png.write(|out| canvas.write_png(out)))?;
        }
        Ok::<_, Failure>((damage(&decoded), parts))
    })?;
    let summary = summary(args, &file, &parts, damaged.len());
    console.answer(object("inspect", Engine::Cpu.describe(), phases, fields(args, &file, &parts, damaged)), &summary)
}

fn bits_per(file: &File, count: u32) -> Option<f64> {
    (count > 0).then(|| 8.0 * file.length() as f64 / f64::from(count))
}

/// Bytes, vertices and triangles of every unit.
fn columns(file: &File) -> [Vec<u64>; 3] {
    let bytes = (0..file.unit_count()).map(|unit| file.unit_bytes(unit)).map(|range| range.end - range.start);
    let vertices = file.units().iter().map(|range| u64::from(range.vertex_count));
    let triangles = file.units().iter().map(|range| u64::from(range.triangle_count));
    [bytes.collect(), vertices.collect(), triangles.collect()]
}

fn histograms(file: &File) -> [Histogram; 3] {
    let unit = file.format().unit_name();
    let [bytes, vertices, triangles] = columns(file);
    [
        Histogram::new(&format!("bytes of a {unit}"), bytes),
        Histogram::new(&format!("vertices of a {unit}"), vertices),
        Histogram::new(&format!("triangles of a {unit}"), triangles),
    ]
}

fn title(args: &InspectArgs, file: &File) -> String {
    format!("{}, {}", file_name(&args.file), file.format())
}

fn subtitle(file: &File) -> String {
    let rate =
        bits_per(file, file.triangle_count()).map_or(String::new(), |bits| format!(", {bits:.2} bits a triangle"));
    let (units, name) = (grouped(u64::from(file.unit_count())), file.format().unit_name());
    let triangles = grouped(u64::from(file.triangle_count()));
    format!("{} bytes, {units} {name}s, {triangles} triangles{rate}", grouped(file.length()))
}

fn fields(args: &InspectArgs, file: &File, parts: &[(&'static str, u64)], damaged: Vec<Value>) -> Value {
    let header: Map<String, Value> =
        file.header_fields().into_iter().map(|(name, value)| (name.to_owned(), Value::from(value))).collect();
    let numbers = |list: &[(&'static str, u64)]| -> Map<String, Value> {
        list.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect()
    };
    let spread = |values: &[u64]| {
        let mean = values.iter().sum::<u64>() as f64 / values.len().max(1) as f64;
        json!({"min": values.iter().min(), "mean": mean, "max": values.iter().max()})
    };
    let [bytes, vertices, triangles] = columns(file);
    json!({
        "file": args.file.display().to_string(),
        "format": file.format().name(),
        "bytes": file.length(),
        "units": file.unit_count(),
        "unit": file.format().unit_name(),
        "vertices": file.vertex_count(),
        "triangles": file.triangle_count(),
        "bits_per_vertex": bits_per(file, file.vertex_count()),
        "bits_per_triangle": bits_per(file, file.triangle_count()),
        "header": header,
        "section_bytes": numbers(&file.section_sizes()),
        "body_bits": numbers(parts),
        "unit_bytes": spread(&bytes),
        "unit_vertices": spread(&vertices),
        "unit_triangles": spread(&triangles),
        "damaged": damaged,
    })
}

fn summary(args: &InspectArgs, file: &File, parts: &[(&'static str, u64)], damaged: usize) -> String {
    let mut text = format!("{}: {}", args.file.display(), file.format());
    let mut line = |name: &str, value: String| text += &format!("\n  {name:<28} {value}");
    for (name, value) in file.header_fields() {
        line(name, value);
    }
    line("bytes", grouped(file.length()));
    line(&format!("{}s", file.format().unit_name()), grouped(u64::from(file.unit_count())));
    for (name, count) in [("vertices", file.vertex_count()), ("triangles", file.triangle_count())] {
        let bits = bits_per(file, count).map_or(String::new(), |bits| format!(", {bits:.2} bits each"));
        line(name, format!("{}{bits}", grouped(u64::from(count))));
    }
    let share = |value: u64, all: u64| 100.0 * value as f64 / all.max(1) as f64;
    for (name, bytes) in file.section_sizes().into_iter().filter(|(_, bytes)| *bytes > 0) {
        line(name, format!("{} bytes, {:.1} %", grouped(bytes), share(bytes, file.length())));
    }
    for (name, bits) in parts.iter().filter(|(_, bits)| *bits > 0) {
        line(&format!("body: {name}"), format!("{} bits, {:.1} %", grouped(*bits), share(*bits, 8 * file.length())));
    }
    if damaged > 0 {
        line("damaged", format!("{damaged} (decode names them)"));
    }
    text
}
