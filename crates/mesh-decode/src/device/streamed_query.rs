//! Box queries of files that stay in host memory: only the bytes of the chosen units go up.

use std::time::Instant;

use gpu_runtime::Context;

use super::box_filter::{BoxFilter, DeviceAnswer, check};
use super::file::DeviceFile;
use crate::error::Error;
use crate::file::File;
use crate::query::{GridBox, UnitBvh};

/// A file on the host with its tree: asked for boxes as often as you like. The buffers for outputs grow to the largest selection.
#[derive(Debug)]
pub struct StreamedQuery<'a> {
    context: &'a Context,
    file: &'a File,
    bvh: &'a UnitBvh,
    filter: Option<BoxFilter>,
}

impl<'a> StreamedQuery<'a> {
    /// Takes a file with its tree; nothing goes to the device yet.
    ///
    /// # Errors
    /// As [`super::DeviceQuery::new`].
    pub fn new(context: &'a Context, file: &'a File, bvh: &'a UnitBvh) -> Result<Self, Error> {
        check(file.format(), file.units().len(), bvh)?;
        Ok(Self { context, file, bvh, filter: None })
    }

    /// The answer of [`super::DeviceQuery::ask`]: the tree is asked on the host, the chosen units' bytes are put together and go up in one copy, then one submission.
    ///
    /// # Errors
    /// Those of [`File::subset`], and [`Error::Device`].
    pub fn ask(&mut self, closed_box: &GridBox) -> Result<DeviceAnswer, Error> {
        let start = Instant::now();
        let mut answer = DeviceAnswer { units: self.bvh.units_in(closed_box), ..DeviceAnswer::default() };
        let times = &mut answer.times;
        times.lookup = start.elapsed();
        times.total = times.lookup;
        if answer.units.is_empty() {
            return Ok(answer);
        }
        let subset = self.file.subset(&answer.units)?;
        times.gather = start.elapsed() - times.lookup;
        let device = DeviceFile::upload(self.context, &subset)?;
        let selection = device.select_all()?;
        times.upload = start.elapsed() - times.lookup - times.gather;
        times.upload_bytes = device.bytes() + selection.jobs().byte_len();
        let kept = self.filter.take().filter(|filter| filter.holds(&selection));
        let filter = match kept {
            Some(filter) => filter,
            None => BoxFilter::new(self.context, &device, &selection)?,
        };
        let filter = self.filter.insert(filter);
        let ranges: Vec<_> = answer.units.iter().map(|unit| self.file.units()[*unit as usize]).collect();
        filter.ask(&device, &selection, closed_box, &ranges, (start, &mut answer))?;
        Ok(answer)
    }
}
