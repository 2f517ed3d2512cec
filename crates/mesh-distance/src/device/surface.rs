//! A surface in the memory of a device.

use gpu_runtime::{Binding, Context, DeviceVec, Kernel, Recording};
use gpu_shaders::folded_grid;

use super::moving::Moving;
use super::params::Params;
use super::signs::SignData;
use crate::double::Precision;
use crate::tree::{NODE_WORDS, Tree, boxes};
use crate::update::Version;
use crate::{Error, Frame, Surface};

/// A surface uploaded to one device: ask it as often as you like. Dropping it frees the device's memory.
///
/// Its answers are the words of the CPU references of [`Surface`], in the same precision.
#[derive(Debug)]
pub struct DeviceSurface<R: Precision = f32> {
    pub(super) frame: Frame,
    pub(super) nodes: DeviceVec<u32>,
    pub(super) boxes: DeviceVec<u32>,
    pub(super) records: DeviceVec<R::Record>,
    pub(super) normal_vectors: DeviceVec<[R; 4]>,
    pub(super) normal_features: DeviceVec<[u32; 8]>,
    pub(super) signs: SignData<R>,
    pub(super) version: Version,
    pub(super) moving: Option<Box<Moving<R>>>,
}

impl<R: Precision> DeviceSurface<R> {
    /// Copies a surface to the device of `context`: one copy of each array.
    ///
    /// # Errors
    /// [`Error::Device`] with the bytes needed and allowed when the device cannot hold or bind an array, and with the bits of a number needed
    /// and allowed where the surface is of f64 and the device lacks 64-bit floats or integers, or fails the self-test of f64.
    pub fn upload(context: &Context, surface: &Surface<R>) -> Result<DeviceSurface<R>, Error> {
        require_numbers::<R>(context)?;
        let uploaded = DeviceSurface {
            frame: *surface.frame(),
            nodes: context.upload("nodes", &node_words(surface.tree()))?,
            boxes: context.upload("boxes", &boxes::words(surface.tree(), surface.boxes()))?,
            records: context.upload("records", surface.records())?,
            normal_vectors: context.upload("normal_vectors", &surface.normals().vectors)?,
            normal_features: context.upload("normal_features", &surface.normals().features)?,
            signs: SignData::default(),
            version: surface.version.copy(),
            moving: None,
        };
        uploaded.check_bindings()?;
        Ok(uploaded)
    }

    /// Fails when an array does not fit a binding.
    pub(super) fn check_bindings(&self) -> Result<(), Error> {
        let allowed = self.context().adapter().limits.max_binding_bytes;
        let sizes = [
            ("nodes", self.nodes.byte_len()),
            ("boxes", self.boxes.byte_len()),
            ("records", self.records.byte_len()),
            ("normal_vectors", self.normal_vectors.byte_len()),
            ("normal_features", self.normal_features.byte_len()),
        ];
        let Some((name, needed)) = sizes.into_iter().find(|(_, bytes)| *bytes > allowed) else { return Ok(()) };
        let what = format!("{name} of a surface of {} triangles", self.triangles());
        Err(gpu_runtime::Error::Limit { what, needed, allowed, unit: "bytes a binding" }.into())
    }

    /// Takes the positions of `surface`, of which it must be a copy, after [`Surface::update_positions`]: nothing is allocated.
    ///
    /// # Errors
    /// [`Error::Question`] for another surface; [`Error::Device`].
    pub fn update(&mut self, surface: &Surface<R>) -> Result<(), Error> {
        if !self.version.is_of(&surface.version) {
            let problem = "it is not the one that was uploaded".into();
            return Err(Error::Question { what: "surface", index: None, problem });
        }
        self.nodes.write(0, &node_words(surface.tree()))?;
        self.boxes.write(0, &boxes::words(surface.tree(), surface.boxes()))?;
        self.records.write(0, surface.records())?;
        self.normal_vectors.write(0, &surface.normals().vectors)?;
        self.normal_features.write(0, &surface.normals().features)?;
        self.signs = SignData::default();
        self.frame = *surface.frame();
        self.version = surface.version.copy();
        Ok(())
    }

    /// Whether the surface has not moved since it was copied.
    ///
    /// # Errors
    /// [`Error::Outdated`] with both versions when it has: every question does this check.
    pub fn check_current(&self) -> Result<(), Error> {
        self.version.check()
    }

    /// The context whose device holds it.
    pub fn context(&self) -> &Context {
        self.nodes.context()
    }

    pub(super) fn node_buffer(&self) -> &DeviceVec<u32> {
        &self.nodes
    }

    pub(super) fn record_buffer(&self) -> &DeviceVec<R::Record> {
        &self.records
    }

    /// Number of triangles.
    pub fn triangles(&self) -> usize {
        self.records.len()
    }

    /// Bytes on the device.
    pub fn bytes(&self) -> u64 {
        let normals = self.normal_vectors.byte_len() + self.normal_features.byte_len();
        let moving = self.moving.as_ref().map_or(0, |moving| moving.bytes());
        self.nodes.byte_len() + self.boxes.byte_len() + self.records.byte_len() + normals + moving
    }

    /// The records, for kernels that need nothing else.
    pub(super) fn records(&self) -> Binding<'_> {
        self.records.bind()
    }

    /// Nodes, records and pseudo-normals, by their names in kernels.
    pub(super) fn arrays(&self) -> [(&'static str, Binding<'_>); 4] {
        [
            ("nodes", self.nodes.bind()),
            ("records", self.records.bind()),
            ("normal_vectors", self.normal_vectors.bind()),
            ("normal_features", self.normal_features.bind()),
        ]
    }

    /// Adds a dispatch of one level; `params.group_count` workgroups, folded to the device's limit.
    pub(super) fn dispatch(
        &self,
        recording: &mut Recording,
        kernel: &Kernel,
        mut params: Params,
        seeds: Binding<'_>,
        results: Binding<'_>,
        listed: &[(&str, Binding<'_>)],
    ) -> Result<(), Error> {
        self.check_current()?;
        let limit = self.context().adapter().limits.max_workgroups_per_dimension;
        let groups = folded_grid::plan(params.group_count, limit);
        params.groups_x = groups[0];
        params.exponent = self.frame.exponent;
        let mut bindings = self.arrays().to_vec();
        bindings.extend([("seeds", seeds), ("results", results)]);
        bindings.extend_from_slice(listed);
        Ok(recording.dispatch(kernel, &bindings, &params, groups)?)
    }
}

/// The nodes as they lie on the device.
fn node_words(tree: &Tree) -> Vec<u32> {
    let mut words = Vec::with_capacity(tree.nodes.len() * NODE_WORDS);
    tree.nodes.iter().for_each(|node| words.extend_from_slice(&node.words()));
    words
}

/// Whether the device computes with these numbers, and as the CPU does.
pub(super) fn require_numbers<R: Precision>(context: &Context) -> Result<(), Error> {
    let (adapter, features) = (context.adapter(), context.adapter().features);
    if R::WORDS == 1 {
        return Ok(());
    }
    if features.f64 && features.int64 {
        context.doubles()?;
        return Ok(());
    }
    let lacking = if features.f64 { "integers" } else { "floats" };
    let what = format!("distances in {} on {}, {lacking}", R::NAME, adapter.name);
    Err(gpu_runtime::Error::Limit { what, needed: 64, allowed: 32, unit: "bits" }.into())
}
