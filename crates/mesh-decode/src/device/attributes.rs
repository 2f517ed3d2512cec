//! Attributes of decoded units on a device.

use gpu_runtime::{Constant, DeviceVec, KernelEntry, Recording};
use gpu_shaders::folded_grid::{self, FOLDED_GRID};

use super::file::DeviceFile;
use super::mesh::DeviceMesh;
use super::program::{ATTRIBUTES_DGF, DECODE_JOB, DGF_BLOCKS, Params, status_constants};
use super::selection::Selection;
use crate::error::Error;
use crate::format::Format;
use crate::kernels::dgf_block::DGF_BLOCK;

/// What DGF files say of triangles and blocks beside the geometry, in device buffers: the words of [`crate::Decoded`]. All are empty for other formats.
#[derive(Debug)]
pub struct DeviceAttributes {
    /// Geometry id of each triangle.
    pub geometry_ids: DeviceVec<u32>,
    /// 1 for each opaque triangle, a word each.
    pub opaque: DeviceVec<u32>,
    /// Primitive id of each triangle.
    pub primitive_ids: DeviceVec<u32>,
    /// User word of each unit, 0 where a block has none.
    pub user_words: DeviceVec<u32>,
}

/// The kernel, with one workgroup of 64 lanes for as many blocks as the decoder's.
pub(super) fn entry() -> KernelEntry {
    let constants = [status_constants(), vec![("BLOCKS", Constant::U32(DGF_BLOCKS))]].concat();
    let modules = vec![FOLDED_GRID, DECODE_JOB, DGF_BLOCK, ATTRIBUTES_DGF];
    KernelEntry { name: "attributes_dgf", constants, modules, trusted: true }
}

impl DeviceFile {
    /// Buffers for the attributes of a selection.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn allocate_attributes(&self, selection: &Selection) -> Result<DeviceAttributes, Error> {
        let has = matches!(self.format(), Format::Dgfb | Format::DgfBlocks);
        let count = |number: usize| if has { number } else { 0 };
        let triangles = count(selection.triangles as usize);
        let context = self.context();
        Ok(DeviceAttributes {
            geometry_ids: context.zeroed("geometry ids", triangles)?,
            opaque: context.zeroed("opaque", triangles)?,
            primitive_ids: context.zeroed("primitive ids", triangles)?,
            user_words: context.zeroed("user words", count(selection.jobs.len()))?,
        })
    }

    /// Adds the attributes of a selection to a recording, behind the decode of the same selection into `mesh`, whose status words say which units are good. One
    /// dispatch, none for formats without attributes. `attributes` is of [`DeviceFile::allocate_attributes`] for this or a larger selection.
    ///
    /// # Errors
    /// [`Error::Device`], also for buffers that are too small.
    pub fn record_attributes(
        &self,
        recording: &mut Recording,
        selection: &Selection,
        mesh: &DeviceMesh,
        attributes: &DeviceAttributes,
    ) -> Result<(), Error> {
        if !matches!(self.format(), Format::Dgfb | Format::DgfBlocks) {
            return Ok(());
        }
        let (jobs, triangles) = (selection.jobs.len(), selection.triangles as usize);
        let of_triangles = [&attributes.geometry_ids, &attributes.opaque, &attributes.primitive_ids];
        let of_units = [&mesh.statuses, &attributes.user_words];
        let rooms = of_triangles.map(|buffer| (triangles, buffer)).into_iter();
        for (needed, buffer) in rooms.chain(of_units.map(|buffer| (jobs, buffer))) {
            if buffer.len() < needed {
                let what = format!("attributes into buffers: {}", buffer.label());
                return Err(gpu_runtime::Error::Length { what, needed, given: buffer.len() }.into());
            }
        }
        let context = self.context();
        let kernel = context.kernel(&entry().source())?;
        let limit = context.adapter().limits.max_workgroups_per_dimension;
        let groups = folded_grid::plan((jobs as u32).div_ceil(DGF_BLOCKS), limit);
        let in_order = u32::from(selection.in_order);
        let params = Params { jobs: jobs as u32, groups_x: groups[0], in_order, ..Params::default() };
        let bindings = [
            ("jobs", selection.jobs.bind()),
            ("body", self.bind_body()?),
            ("statuses", mesh.statuses.bind()),
            ("geometry_ids", attributes.geometry_ids.bind()),
            ("opaque", attributes.opaque.bind()),
            ("primitive_ids", attributes.primitive_ids.bind()),
            ("user_words", attributes.user_words.bind()),
        ];
        Ok(recording.dispatch(&kernel, &bindings, &params, groups)?)
    }

    /// The attributes of a selection that was decoded into `mesh`: one submission.
    ///
    /// # Errors
    /// As [`DeviceFile::record_attributes`].
    pub fn attributes(&self, selection: &Selection, mesh: &DeviceMesh) -> Result<DeviceAttributes, Error> {
        let attributes = self.allocate_attributes(selection)?;
        let mut recording = self.context().record("attributes");
        self.record_attributes(&mut recording, selection, mesh, &attributes)?;
        recording.submit()?;
        Ok(attributes)
    }
}
