//! One timed box.

use std::fmt::Write as _;
use std::time::Duration;

use super::boxes::CELLS;

/// One timed box.
#[derive(Debug, Clone, Default)]
pub struct Row {
    pub(super) mode: &'static str,
    pub(super) query: usize,
    pub(super) cell: usize,
    pub(super) repeat: usize,
    pub(super) launch: usize,
    pub(super) selected: usize,
    pub(super) decoded: usize,
    pub(super) bytes_accessed: u64,
    pub(super) tris_decoded: usize,
    pub(super) tris_examined: usize,
    pub(super) tris_returned: usize,
    pub(super) cache_bytes: usize,
    pub(super) lookup: Duration,
    pub(super) submit: Duration,
    pub(super) decode: Duration,
    pub(super) readback: Duration,
    pub(super) cache: Duration,
    pub(super) filter: Duration,
    pub(super) total: Duration,
    pub(super) gather: Duration,
    pub(super) upload: Duration,
    pub(super) upload_bytes: u64,
}

/// Columns of the CSV file.
pub const COLUMNS: &str = "mode,query,cell,repeat,launch,selected_units,units_decoded,cache_hits,bytes_accessed,tris_decoded,tris_examined,\
tris_returned,cache_bytes,lookup_us,submit_us,decode_us,readback_us,cache_us,filter_us,total_us,gather_us,upload_us,upload_bytes";

impl Row {
    pub(super) fn csv(&self, out: &mut String) {
        let counts = [
            self.repeat,
            self.launch,
            self.selected,
            self.decoded,
            self.selected - self.decoded,
            self.bytes_accessed as usize,
            self.tris_decoded,
            self.tris_examined,
            self.tris_returned,
            self.cache_bytes,
        ];
        let times = [
            self.lookup,
            self.submit,
            self.decode,
            self.readback,
            self.cache,
            self.filter,
            self.total,
            self.gather,
            self.upload,
        ];
        // Writing to a string cannot fail.
        let _ = write!(out, "{},{},{}", self.mode, self.query, CELLS[self.cell]);
        counts.iter().for_each(|count| {
            let _ = write!(out, ",{count}");
        });
        times.iter().for_each(|time| {
            let _ = write!(out, ",{:.2}", time.as_secs_f64() * 1e6);
        });
        let _ = writeln!(out, ",{}", self.upload_bytes);
    }
}
