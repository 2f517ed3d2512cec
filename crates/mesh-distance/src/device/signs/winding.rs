//! Winding numbers of listed points.

use super::params::SignParams;
use super::program::{Task, kernel};
use super::{LIST_GROUPS, dispatch, most_queries};
use crate::device::program::Source;
use crate::device::surface::DeviceSurface;
use crate::double::Precision;
use crate::kernels::Vec3;
use crate::kernels::solid_angle::Fixed;
use crate::signs::{WindingOptions, to_f64};
use crate::{Error, Sign};

impl<R: Precision> DeviceSurface<R> {
    /// Winding number of the surface round each point: the numbers of [`crate::Surface::winding_cpu`].
    ///
    /// # Errors
    /// As [`crate::Surface::winding_cpu`]; [`Error::Question`] for expansions on a surface that was built on the device; [`Error::Device`].
    pub fn winding(&self, points: &[[f64; 3]], options: WindingOptions) -> Result<Vec<f64>, Error> {
        self.require_tree(options)?;
        let working = points.iter().enumerate().map(|(i, p)| self.frame.point("point", i, p));
        let working = working.collect::<Result<Vec<Vec3<R>>, Error>>()?;
        let hardware = self.context().adapter().is_hardware();
        let most = match options.is_exact() {
            true => most_queries::<R>(Sign::SolidAngle, self.triangles(), hardware),
            false if hardware => 1 << 20,
            false => 1 << 14,
        };
        let mut values = Vec::with_capacity(points.len());
        for chunk in working.chunks(most.min(1 << 20) as usize) {
            values.extend(self.winding_chunk(chunk, options)?.into_iter().map(to_f64::<R>));
        }
        Ok(values)
    }

    /// Expansions depend on the tree; numbers by another one than the host's would be others.
    fn require_tree(&self, options: WindingOptions) -> Result<(), Error> {
        if options.is_exact() || self.moving.as_ref().is_none_or(|moving| moving.has_the_hosts_tree()) {
            return Ok(());
        }
        let problem = format!("expansions (beta {}) need a surface built on the host, allowed is EXACT", options.beta);
        Err(Error::Question { what: "winding number on a surface built on the device", index: None, problem })
    }

    fn winding_chunk(&self, chunk: &[Vec3<R>], options: WindingOptions) -> Result<Vec<Fixed<R>>, Error> {
        let context = self.context();
        let (points, results) = (context.upload("points", chunk)?, context.zeroed::<Fixed<R>>("winding", chunk.len())?);
        let (list, counters) = (context.zeroed::<u32>("sign_list", 1)?, context.zeroed::<u32>("sign_counters", 8)?);
        let total = chunk.len() as u32;
        let triangles = self.triangles() as u32;
        let mut params = SignParams { counts: [total, 1, 1], total, triangles, ..SignParams::default() };
        let mut bindings = vec![("points", points.bind()), ("records", self.records()), ("results", results.bind())];
        let task = if options.is_exact() {
            params.group_count = total.min(LIST_GROUPS as u32);
            bindings.extend([("list_in", list.bind()), ("counters", counters.bind())]);
            Task::Sum { source: Source::Points, values: true }
        } else {
            params.group_count = total.div_ceil(64);
            params.beta2 = options.beta2();
            bindings.extend([("nodes", self.node_buffer().bind()), ("moments", self.moments(options.criterion)?)]);
            Task::Value
        };
        let mut recording = context.record("winding");
        dispatch(self, &mut recording, &kernel::<R>(context, task)?, params, &bindings)?;
        let read = recording.download(&results);
        Ok(recording.submit()?.take(read)?)
    }
}
