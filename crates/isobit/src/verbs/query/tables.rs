//! The table of `query` as .csv, .npy, .ply and .vtp. Numbers in text read back to the same bits.

use std::io::{Result, Write};

use mesh_distance::Answers;

use super::columns::{Numbers, Output, OutputList};
use crate::signed_grid::Column;

/// Points of a block that is written at once.
const BLOCK: usize = 1 << 12;

/// The outputs of points with their numbers.
pub(super) struct Table<'a, R> {
    points: &'a [[f64; 3]],
    outputs: Vec<(Output, Numbers<'a, R>)>,
}

impl<'a, R: Column> Table<'a, R> {
    pub(super) fn new(
        points: &'a [[f64; 3]],
        outputs: &OutputList,
        answers: &'a Answers<R>,
        winding: &'a [f64],
    ) -> Table<'a, R> {
        let outputs = outputs.0.iter().map(|output| (*output, Numbers::of(*output, answers, winding)));
        Table { points, outputs: outputs.collect() }
    }

    /// Writes the table in the form of a file's extension.
    pub(super) fn write(&self, extension: &str, out: &mut dyn Write) -> Result<()> {
        match extension {
            "csv" => self.csv(out),
            "npy" => self.npy(out),
            "ply" => self.ply(out),
            _ => self.vtp(out),
        }
    }

    /// Numbers and index of every cell of row `i`.
    fn cells(&self, i: usize) -> impl Iterator<Item = (&Numbers<'a, R>, usize)> {
        self.outputs.iter().flat_map(move |(output, numbers)| {
            let width = output.columns().len();
            (0..width).map(move |k| (numbers, i * width + k))
        })
    }

    /// Writes the bytes that `row` appends for each point.
    fn rows(&self, out: &mut dyn Write, mut row: impl FnMut(usize, &mut Vec<u8>)) -> Result<()> {
        let mut bytes = Vec::new();
        for first in (0..self.points.len()).step_by(BLOCK) {
            bytes.clear();
            (first..self.points.len().min(first + BLOCK)).for_each(|i| row(i, &mut bytes));
            out.write_all(&bytes)?;
        }
        Ok(())
    }

    fn csv(&self, out: &mut dyn Write) -> Result<()> {
        let names: Vec<&str> = self.outputs.iter().flat_map(|(output, _)| output.columns()).copied().collect();
        writeln!(out, "{}", names.join(","))?;
        self.rows(out, |i, bytes| {
            let line: Vec<String> = self.cells(i).map(|(numbers, at)| numbers.text(at)).collect();
            bytes.extend(line.join(",").into_bytes());
            bytes.push(b'\n');
        })
    }

    /// A row a point, f64: every column fits exactly.
    fn npy(&self, out: &mut dyn Write) -> Result<()> {
        let width: usize = self.outputs.iter().map(|(output, _)| output.columns().len()).sum();
        crate::table::write_header("'<f8'", &[self.points.len() as u64, width as u64], out)?;
        self.rows(out, |i, bytes| {
            self.cells(i).for_each(|(numbers, at)| bytes.extend(numbers.double(at).to_le_bytes()));
        })
    }

    /// A point cloud of the query points, the columns as properties.
    fn ply(&self, out: &mut dyn Write) -> Result<()> {
        write!(out, "ply\nformat binary_little_endian 1.0\nelement vertex {}\n", self.points.len())?;
        write!(out, "property double x\nproperty double y\nproperty double z\n")?;
        for (output, numbers) in &self.outputs {
            let kind = numbers.types().0;
            output.properties().iter().try_for_each(|name| writeln!(out, "property {kind} {name}"))?;
        }
        writeln!(out, "end_header")?;
        self.rows(out, |i, bytes| {
            bytes.extend_from_slice(self.points[i].map(f64::to_le_bytes).as_flattened());
            self.cells(i).for_each(|(numbers, at)| numbers.bytes(at, bytes));
        })
    }

    /// VTK XML PolyData of one vertex a point, the columns as PointData, appended raw.
    fn vtp(&self, out: &mut dyn Write) -> Result<()> {
        let n = self.points.len();
        let arrays: Vec<(&str, &str, usize, Vec<u8>)> =
            self.outputs.iter().map(|(output, numbers)| array(*output, numbers, n)).collect();
        let scalars = arrays.first().map_or("", |(name, ..)| name);
        let coordinates: Vec<u8> = self.points.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        let connectivity: Vec<u8> = (0..n as i64).flat_map(i64::to_le_bytes).collect();
        let offsets: Vec<u8> = (1..=n as i64).flat_map(i64::to_le_bytes).collect();
        write!(
            out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
             <PolyData>\n<Piece NumberOfPoints=\"{n}\" NumberOfVerts=\"{n}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n\
             <PointData Scalars=\"{scalars}\">\n"
        )?;
        let mut at = 0;
        let mut declare = |out: &mut dyn Write, name: &str, kind: &str, parts: usize, bytes: &[u8]| {
            let line = writeln!(
                out,
                "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{parts}\" format=\"appended\" offset=\"{at}\"/>"
            );
            at += 8 + bytes.len();
            line
        };
        for (name, kind, parts, bytes) in &arrays {
            declare(out, name, kind, *parts, bytes)?;
        }
        out.write_all(b"</PointData>\n<Points>\n")?;
        declare(out, "points", "Float64", 3, &coordinates)?;
        out.write_all(b"</Points>\n<Verts>\n")?;
        declare(out, "connectivity", "Int64", 1, &connectivity)?;
        declare(out, "offsets", "Int64", 1, &offsets)?;
        out.write_all(b"</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_")?;
        let blocks = arrays.iter().map(|(.., bytes)| bytes).chain([&coordinates, &connectivity, &offsets]);
        for bytes in blocks {
            out.write_all(&(bytes.len() as u64).to_le_bytes())?;
            out.write_all(bytes)?;
        }
        out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
    }
}

/// Name, type, components and bytes of an array of VTK.
fn array<R: Column>(
    output: Output,
    numbers: &Numbers<'_, R>,
    points: usize,
) -> (&'static str, &'static str, usize, Vec<u8>) {
    let parts = output.columns().len();
    let mut bytes = Vec::new();
    (0..points * parts).for_each(|at| numbers.bytes(at, &mut bytes));
    (output.array(), numbers.types().1, parts, bytes)
}
