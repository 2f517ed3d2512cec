//! `decode --box`: the triangles that meet a closed box, found through the tree over the units.

use std::collections::HashMap;

use mesh_decode::{BoxAnswer, Decoded, File, UnitBvh};
use serde_json::json;

use super::{damage, damage_failure, failed, launches, mesh_out, read_bytes, write_bytes};
use crate::cli::DecodeArgs;
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::verbs::{grouped, object};

/// What the box holds.
pub(super) struct Boxed {
    answer: BoxAnswer,
    written: Vec<String>,
}

/// Writes the sidecar when asked, and answers the box when there is one.
pub(super) fn run(args: &DecodeArgs, file: &File, bytes: &[u8], phases: &mut Phases) -> Result<Option<Boxed>, Failure> {
    let bvh = phases.time("tree", || match &args.sidecar {
        Some(path) => UnitBvh::from_bytes(&read_bytes(path)?, bytes).map_err(|e| failed(path, &e)),
        None => UnitBvh::build(file, bytes).map_err(|e| failed(&args.file, &e)),
    })?;
    let mut written = Vec::new();
    if let Some(path) = &args.write_sidecar {
        written.push(write_bytes(path, &bvh.to_bytes())?);
    }
    let Some(closed_box) = args.closed_box else { return Ok(None) };
    let closed_box = bvh.frame().grid_box(closed_box.low, closed_box.high).map_err(|e| failed(&args.file, &e))?;
    let answer = phases.time("decode", || file.query_box_cpu(&bvh, &closed_box)).map_err(|e| failed(&args.file, &e))?;
    if let Some(out) = &args.out {
        mesh_out::write(out.path(), &kept(&answer))?;
        written.push(out.path().display().to_string());
    }
    if let Some(prefix) = &args.dump_compact {
        written.extend(launches::dump_compact(prefix, 0, &answer.decoded)?);
    }
    Ok(Some(Boxed { answer, written }))
}

/// The triangles of the answer alone, with the vertices that they use.
fn kept(answer: &BoxAnswer) -> Decoded {
    let mut numbers = HashMap::new();
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for place in &answer.places {
        triangles.push(answer.decoded.triangles[*place as usize].map(|vertex| {
            *numbers.entry(vertex).or_insert_with(|| {
                positions.push(answer.decoded.positions[vertex as usize]);
                positions.len() as u32 - 1
            })
        }));
    }
    Decoded { positions, triangles, grid: Vec::new(), units: Vec::new(), ..answer.decoded.clone() }
}

impl Boxed {
    /// Prints the answer; a damaged unit is a failure.
    pub(super) fn finish(
        self,
        args: &DecodeArgs,
        file: &File,
        phases: Phases,
        console: Console,
    ) -> Result<(), Failure> {
        let Self { answer, written } = self;
        let (units, returned) = (answer.decoded.units.len(), answer.triangles.len());
        let mut summary = format!(
            "{}: {}, {} of {} {}s meet the box, {} of their {} triangles",
            args.file.display(),
            file.format(),
            grouped(units as u64),
            grouped(u64::from(file.unit_count())),
            file.format().unit_name(),
            grouped(returned as u64),
            grouped(answer.decoded.triangles.len() as u64),
        );
        for name in &written {
            summary += &format!("\n  {name}");
        }
        let list: Vec<u32> = answer.decoded.units.iter().map(|range| range.unit).collect();
        let fields = json!({
            "file": args.file.display().to_string(),
            "format": file.format().name(),
            "units": units,
            "units_in_file": file.unit_count(),
            "unit_list": list,
            "triangles_decoded": answer.decoded.triangles.len(),
            "triangles": returned,
            "damaged": damage(&answer.decoded),
            "written": written,
        });
        console.answer(object("decode", Engine::Cpu.describe(), phases, fields), &summary)?;
        damage_failure(&args.file, &answer.decoded)
    }
}
