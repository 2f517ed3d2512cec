//! Selections of units, compact dumps, and the timed launches of `decode --launch-csv`.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use mesh_decode::{Decoded, File, Outputs, check_units, read_unit_batch, read_unit_list};

#[cfg(feature = "gpu")]
use super::on_device::OnDevice;
use super::{failed, with_ending, write_bytes};
use crate::cli::DecodeArgs;
use crate::device::Engine;
use crate::failure::Failure;
use crate::options::unit_list;

/// The columns of the CSV file.
const COLUMNS: &str = "selection,repeat,launch,units,verts,tris,empty,submit_us,decode_us,readback_us,total_us,gather_us,upload_us,upload_bytes";

/// The unit lists that the options name; `None` for the whole file. All are checked before any work.
pub(super) fn selections(args: &DecodeArgs, file: &File) -> Result<Option<Vec<Vec<u32>>>, Failure> {
    let read = super::read_bytes;
    let (lists, named) = match (&args.units, &args.units_batch) {
        (Some(text), _) => match unit_list(text) {
            Some(list) => {
                let list =
                    list.map_err(|what| Failure::Usage(format!("--units {}: {what}", input_text::token(text))))?;
                (vec![list], Path::new("--units"))
            }
            None => {
                let path = Path::new(text);
                (vec![read_unit_list(&read(path)?).map_err(|e| failed(path, &e))?], path)
            }
        },
        (None, Some(path)) => (read_unit_batch(&read(path)?).map_err(|e| failed(path, &e))?, path.as_path()),
        (None, None) => return Ok(None),
    };
    for (k, list) in lists.iter().enumerate() {
        let place = if lists.len() > 1 { format!("{}:{k}", named.display()) } else { named.display().to_string() };
        check_units(list, file.unit_count()).map_err(|e| Failure::Input(format!("{place}: {e}")))?;
    }
    Ok(Some(lists))
}

/// What one launch took; on the CPU nothing is submitted, uploaded or read back.
///
/// By the host's clock: gathering (streamed: the chosen units' bytes put together), the upload of them and of the list, everything until the work
/// is handed over, the total. By the device's clock, where it has one: the decode. What is left of the total is the read-back.
#[derive(Clone, Copy, Default)]
pub(super) struct Times {
    pub(super) submit: Duration,
    pub(super) decode: Duration,
    pub(super) readback: Duration,
    pub(super) gather: Duration,
    pub(super) upload: Duration,
    pub(super) total: Duration,
    pub(super) upload_bytes: u64,
}

/// Decodes one selection, or the whole file.
fn launch(
    file: &File,
    list: Option<&[u32]>,
    outputs: Outputs,
    streamed: bool,
) -> Result<(Decoded, Times), mesh_decode::Error> {
    let start = Instant::now();
    let Some(list) = list else {
        let decoded = file.decode_cpu(outputs);
        let total = start.elapsed();
        return Ok((decoded, Times { decode: total, total, ..Times::default() }));
    };
    if !streamed {
        let decoded = file.decode_units_cpu(list, outputs)?;
        let total = start.elapsed();
        return Ok((decoded, Times { decode: total, total, ..Times::default() }));
    }
    let subset = file.subset(list)?;
    let gather = start.elapsed();
    let mut decoded = subset.decode_cpu(outputs);
    let total = start.elapsed();
    // The subset counts its units from 0.
    decoded.units.iter_mut().zip(list).for_each(|(range, unit)| range.unit = *unit);
    decoded.faults.iter_mut().for_each(|(unit, _)| *unit = list[*unit as usize]);
    Ok((decoded, Times { decode: total - gather, gather, total, upload_bytes: subset.length(), ..Times::default() }))
}

/// Decodes each selection once, or as often as the options say; returns the first decode of each and the CSV text.
pub(super) fn run(
    args: &DecodeArgs,
    file: &File,
    lists: Option<&[Vec<u32>]>,
    outputs: Outputs,
    engine: &Engine,
) -> Result<(Vec<Decoded>, String), Failure> {
    #[cfg(feature = "gpu")]
    let device = match engine {
        Engine::Cpu => None,
        Engine::Gpu(context) => {
            Some(OnDevice::new(context, file, args.streamed).map_err(|error| failed(&args.file, &error))?)
        }
    };
    #[cfg(not(feature = "gpu"))]
    let _ = engine;
    let one = |list: Option<&[u32]>| {
        #[cfg(feature = "gpu")]
        if let Some(device) = &device {
            return device.launch(list, outputs).map_err(|error| failed(&args.file, &error));
        }
        launch(file, list, outputs, args.streamed).map_err(|error| failed(&args.file, &error))
    };
    let selections: Vec<Option<&[u32]>> = match lists {
        Some(lists) => lists.iter().map(|list| Some(&list[..])).collect(),
        None => vec![None],
    };
    let mut csv = format!("{COLUMNS}\n");
    let mut first = Vec::with_capacity(selections.len());
    for (k, list) in selections.into_iter().enumerate() {
        if args.launch_csv.is_none() {
            first.push(one(list)?.0);
            continue;
        }
        for _ in 0..args.warmup {
            one(list)?;
        }
        for repeat in 0..args.repeats {
            for number in 0..args.launches {
                let (decoded, times) = one(list)?;
                push_row(&mut csv, [k, repeat as usize, number as usize], &decoded, &times);
                if repeat == 0 && number == 0 {
                    first.push(decoded);
                }
            }
        }
    }
    Ok((first, csv))
}

fn push_row(csv: &mut String, [selection, repeat, launch]: [usize; 3], decoded: &Decoded, times: &Times) {
    let us = |time: Duration| time.as_secs_f64() * 1e6;
    let (verts, tris) = decoded
        .units
        .last()
        .map_or((0, 0), |last| (last.vertex_offset + last.vertex_count, last.triangle_offset + last.triangle_count));
    let units = decoded.units.len();
    // Writing to a string cannot fail.
    let _ = writeln!(
        csv,
        "{selection},{repeat},{launch},{units},{verts},{tris},{},{:.3},{:.3},{:.3},{:.3},{:.3},{:.3},{}",
        u32::from(units == 0),
        us(times.submit),
        us(times.decode),
        us(times.readback),
        us(times.total),
        us(times.gather),
        us(times.upload),
        times.upload_bytes
    );
}

/// Writes a selection as `PREFIX-k.units.bin`, `.verts.bin`, `.tris.bin`; returns the names.
pub(super) fn dump_compact(prefix: &Path, k: usize, decoded: &Decoded) -> Result<Vec<String>, Failure> {
    let vertices: Vec<u8> = decoded.positions.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let triangles: Vec<u8> = decoded.triangles.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
    let files = [("units", decoded.unit_records()), ("verts", vertices), ("tris", triangles)];
    let write = |(name, bytes): (&str, Vec<u8>)| write_bytes(&with_ending(prefix, &format!("-{k}.{name}.bin")), &bytes);
    files.into_iter().map(write).collect()
}
