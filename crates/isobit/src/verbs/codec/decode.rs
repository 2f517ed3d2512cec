//! `decode`: a compressed mesh, or some of its units, as a mesh or as raw arrays.

use input_text::token;
use mesh_decode::{Decoded, File, Format, Outputs, open};
use serde_json::json;

use super::{boxes, gltf};
use super::{damage, damage_failure, failed, launches, mesh_out, require_room, streams, with_ending, write_bytes};
use crate::cli::{Common, DecodeArgs};
use crate::console::{Console, Phases};
use crate::device::Engine;
use crate::failure::Failure;
use crate::output::OutputFile;
use crate::verbs::{counted, grouped, object};

/// Decodes and writes what was asked for.
pub(crate) fn run(args: &DecodeArgs, common: &Common, console: Console) -> Result<(), Failure> {
    check(args)?;
    let mut phases = Phases::default();
    let bytes = phases.time("read", || streams::read(args))?;
    // A file of that name may be damaged from its first byte on.
    let named = matches!(crate::options::extension(&args.file).as_str(), "gltf" | "glb");
    let is_gltf = named && Format::detect(&bytes).is_none() || mesh_decode::gltf::is_gltf(&bytes);
    if is_gltf && args.format.as_deref().is_none_or(|asked| asked == "gltf") {
        Engine::unused(common, console, "glTF")?;
        no_counts(args, "gltf")?;
        return gltf::run(args, &bytes, phases, console);
    }
    check_format(args, &bytes)?;
    if let Some(stream) = console.wait("decoding", || phases.time("decode", || streams::decode(args, &bytes)))? {
        Engine::unused(common, console, "a stream")?;
        return finish_stream(args, &stream, phases, console);
    }
    let file = phases.time("open", || open(&bytes)).map_err(|e| failed(&args.file, &e))?;
    no_counts(args, file.format().name())?;
    require_room(&args.file, &file)?;
    if args.out.is_some() && file.format() == Format::MeshoptMeshlets {
        let what = "a meshlet set holds connectivity alone, there are no positions to write (allowed: --dump)";
        return Err(Failure::file(&args.file, what));
    }
    if args.closed_box.is_some() || args.write_sidecar.is_some() {
        if args.closed_box.is_some() {
            Engine::unused(common, console, "decode --box")?;
        }
        let answer = console.wait("decoding", || boxes::run(args, &file, &bytes, &mut phases))?;
        if let Some(answer) = answer {
            return answer.finish(args, &file, phases, console);
        }
    }
    drop(bytes);
    let lists = launches::selections(args, &file)?;
    let outputs = if args.dump.is_some() { Outputs::ALL } else { Outputs::MESH };
    let engine = phases.time("device", || Engine::open(common, console))?;
    let (decoded, written) = console.wait("decoding", || {
        let run = || launches::run(args, &file, lists.as_deref(), outputs, &engine);
        let (decoded, csv) = phases.time("decode", run)?;
        let written = phases.time("write", || write(args, &decoded, &csv))?;
        Ok::<_, Failure>((decoded, written))
    })?;
    answer(args, &file, &decoded, written, (&engine, phases), console)?;
    decoded.iter().try_for_each(|decoded| damage_failure(&args.file, decoded))
}

/// What does not fit together, and places that cannot be written to, before any work.
fn check(args: &DecodeArgs) -> Result<(), Failure> {
    if args.units_batch.is_some() && (args.out.is_some() || args.dump.is_some()) {
        let text = "--units-batch: several selections do not go into one file (allowed: --dump-compact, --launch-csv)";
        return Err(Failure::Usage(text.to_owned()));
    }
    let out = args.out.as_ref().map(|out| out.path().to_owned());
    let dump = args.dump.as_ref().map(|prefix| with_ending(prefix, ".status.u32"));
    let compact = args.dump_compact.as_ref().map(|prefix| with_ending(prefix, "-0.units.bin"));
    let paths = [out, dump, compact, args.launch_csv.clone(), args.write_sidecar.clone()];
    paths.iter().flatten().try_for_each(|path| OutputFile::check(path).map(|_| ()))
}

/// `--count` and `--stride` are for what does not carry its counts.
fn no_counts(args: &DecodeArgs, format: &str) -> Result<(), Failure> {
    match [("--count", args.count), ("--stride", args.stride)].into_iter().find(|(_, value)| value.is_some()) {
        Some((name, _)) => {
            let what = format!("{}: {format} carries its counts", args.file.display());
            Err(Failure::Usage(format!("{name}: {what} (allowed for streams and filters of meshoptimizer)")))
        }
        None => Ok(()),
    }
}

/// `--format` names a format, and the file has it.
fn check_format(args: &DecodeArgs, bytes: &[u8]) -> Result<(), Failure> {
    let Some(asked) = args.format.as_deref() else { return Ok(()) };
    if streams::FILTERS.iter().any(|(name, _)| *name == asked) {
        return Ok(());
    }
    let families = [
        ("md1", &[Format::Md1][..]),
        ("dgf", &[Format::Dgfb, Format::DgfBlocks]),
        ("stride", &[Format::StrideBlob, Format::StrideContainer]),
        (
            "meshopt",
            &[
                Format::MeshoptClusters,
                Format::MeshoptMeshlets,
                Format::MeshoptVertices,
                Format::MeshoptIndices,
                Format::MeshoptSequence,
            ],
        ),
    ];
    let one = families.iter().flat_map(|(_, formats)| *formats).find(|format| format.name() == asked);
    let family = families.iter().find(|(name, _)| *name == asked);
    let allowed: Vec<Format> = match (one, family) {
        (Some(format), _) => vec![*format],
        (None, Some((_, formats))) => formats.to_vec(),
        (None, None) => {
            let singles = families.iter().flat_map(|(_, formats)| *formats).map(|format| format.name());
            let names = families.iter().map(|(name, _)| *name).chain(singles);
            let mut names: Vec<&str> = names.chain(streams::FILTERS.iter().map(|(name, _)| *name)).collect();
            let mut seen = std::collections::HashSet::new();
            names.retain(|name| seen.insert(*name));
            return Err(Failure::Usage(format!(
                "--format: unknown format ({}, allowed: {})",
                token(asked),
                names.join(", ")
            )));
        }
    };
    match Format::detect(bytes) {
        Some(found) if allowed.contains(&found) => Ok(()),
        Some(found) => Err(Failure::file(&args.file, format!("the file is {found} (asked: {asked})"))),
        // Opening says what the first bytes are.
        None => Ok(()),
    }
}

fn finish_stream(
    args: &DecodeArgs,
    stream: &streams::Stream,
    mut phases: Phases,
    console: Console,
) -> Result<(), Failure> {
    let only_dump = args.out.is_some() || args.units.is_some() || args.units_batch.is_some();
    if only_dump || args.dump_compact.is_some() || args.launch_csv.is_some() || args.streamed {
        return Err(Failure::file(&args.file, "a stream has neither units nor a mesh (allowed: --dump)"));
    }
    let written: Option<String> = match &args.dump {
        Some(prefix) => Some(phases.time("write", || stream.dump(prefix))?),
        None => None,
    };
    let mut fields = stream.fields.clone();
    fields["written"] = json!(written.iter().collect::<Vec<_>>());
    console.answer(object("decode", Engine::Cpu.describe(), phases, fields), &stream.summary)
}

fn write(args: &DecodeArgs, decoded: &[Decoded], csv: &str) -> Result<Vec<String>, Failure> {
    let mut written = Vec::new();
    for (k, decoded) in decoded.iter().enumerate() {
        if let Some(out) = &args.out {
            mesh_out::write(out.path(), decoded)?;
            written.push(out.path().display().to_string());
        }
        if let Some(prefix) = &args.dump {
            for (ending, bytes) in decoded.arrays() {
                written.push(write_bytes(&with_ending(prefix, ending), &bytes)?);
            }
        }
        if let Some(prefix) = &args.dump_compact {
            written.extend(launches::dump_compact(prefix, k, decoded)?);
        }
    }
    if let Some(path) = &args.launch_csv {
        written.push(write_bytes(path, csv.as_bytes())?);
    }
    Ok(written)
}

fn answer(
    args: &DecodeArgs,
    file: &File,
    decoded: &[Decoded],
    written: Vec<String>,
    (engine, phases): (&Engine, Phases),
    console: Console,
) -> Result<(), Failure> {
    let sum = |count: fn(&mesh_decode::UnitRange) -> u32| -> u64 {
        decoded.iter().flat_map(|decoded| &decoded.units).map(|range| u64::from(count(range))).sum()
    };
    let units: usize = decoded.iter().map(|decoded| decoded.units.len()).sum();
    let (vertices, triangles) = (sum(|range| range.vertex_count), sum(|range| range.triangle_count));
    let damaged: Vec<_> = decoded.iter().flat_map(damage).collect();
    let name = file.format().unit_name();
    let (chosen, all) = (grouped(units as u64), counted(u64::from(file.unit_count()), name, &format!("{name}s")));
    // Selections may share units.
    let units_said = match decoded.len() {
        1 => format!("{chosen} of {all}"),
        n => format!("{n} selections of together {chosen} units from {all}"),
    };
    let mut summary = format!(
        "{}: {}, {units_said}, {}, {}",
        args.file.display(),
        file.format(),
        counted(vertices, "vertex", "vertices"),
        counted(triangles, "triangle", "triangles"),
    );
    for name in &written {
        summary += &format!("\n  {name}");
    }
    let fields = json!({
        "file": args.file.display().to_string(),
        "format": file.format().name(),
        "units": units,
        "units_in_file": file.unit_count(),
        "selections": decoded.len(),
        "vertices": vertices,
        "triangles": triangles,
        "damaged": damaged,
        "written": written,
    });
    console.answer(object("decode", engine.describe(), phases, fields), &summary)
}
