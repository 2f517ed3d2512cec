//! Batches from lists of coordinates that are on the device.
//!
//! Nothing is sorted: coordinates mark lower nodes, then leaves, then voxels; between the passes the marks are ranked as in a relation step.

use std::ops::Range;

use gpu_runtime::{Binding, DeviceVec, Recording};

use super::arena::Purpose;
use super::build::{Level, Marking, build};
use super::grid::DeviceGrid;
use super::list_params::VoxelParams;
use super::list_program::ListProgram;
use super::session::TopologyDevice;
use crate::{Error, GridBatch, Tile, Transform};

/// voxel_tiles.wgsl
const SLOTS: u64 = 131_072;
/// Tiles that come back with their number; more take a second read-back.
const FIRST_TILES: usize = 1024;
/// Invocations of a workgroup.
const GROUP: u32 = 64;

impl DeviceGrid {
    /// As [`GridBatch::from_coordinates_cpu`]: uploads the lists and calls [`from_coordinates_on`](Self::from_coordinates_on).
    ///
    /// # Errors
    /// As [`from_coordinates_on`](Self::from_coordinates_on).
    pub fn from_coordinates(
        device: &TopologyDevice,
        items: &[&[[i32; 3]]],
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        let counts: Vec<u64> = items.iter().map(|list| list.len() as u64).collect();
        let words: Vec<i32> = items.iter().flat_map(|list| list.as_flattened()).copied().collect();
        Self::from_coordinates_on(device, &device.context().upload("coordinates", &words)?, &counts, transforms)
    }

    /// The set of the coordinates of every item: three words a coordinate (x, y, z), item by item, `counts` coordinates each. Any order, repetitions allowed.
    ///
    /// # Errors
    /// [`Error::Length`] for another number of transforms and a list shorter than the counts; [`Error::TooMany`] above 2^32 - 2 coordinates;
    /// [`Error::Memory`]; [`Error::Device`].
    ///
    /// Cost: four passes over the list and four waits (tiles, lower nodes, leaves, voxels); scratch of half a mebibyte and half a byte a leaf.
    pub fn from_coordinates_on(
        device: &TopologyDevice,
        coordinates: &DeviceVec<i32>,
        counts: &[u64],
        transforms: &[Transform],
    ) -> Result<Self, Error> {
        if counts.len() != transforms.len() {
            return Err(length("transforms", counts.len(), transforms.len()));
        }
        let list = List::new(device, coordinates, counts)?;
        if list.range.is_empty() {
            return Self::upload(device, &GridBatch::empty(transforms));
        }
        build(&list, transforms)
    }
}

pub(crate) fn length(what: &'static str, needed: usize, found: usize) -> Error {
    Error::Length { what, needed: needed as u64, found: found as u64 }
}

/// End of every item in a list of `counts`; checked against the words at hand.
pub(crate) fn item_ends(counts: &[u64], words: usize) -> Result<Vec<u32>, Error> {
    let mut end = 0_u64;
    let mut ends = Vec::with_capacity(counts.len());
    for &count in counts {
        end = end.saturating_add(count);
        ends.push(end.min(u64::from(u32::MAX)) as u32);
    }
    let allowed = u64::from(u32::MAX) - 1;
    if end > allowed {
        return Err(Error::TooMany { what: "coordinates", needed: end, allowed });
    }
    if words as u64 / 3 < end {
        return Err(Error::Length { what: "coordinates of all items", needed: end, found: words as u64 / 3 });
    }
    Ok(ends)
}

/// Parts of a list that a binding holds: position of the first, number. Bindings begin at multiples of 256 bytes: 64 triples are three of those.
pub(crate) fn pages(device: &TopologyDevice, range: Range<u32>) -> Vec<(u32, u32)> {
    let most = device.context().adapter().limits.max_binding_bytes / 12 / 64 * 64;
    let most = most.clamp(64, u64::from(u32::MAX / 64 * 64)) as u32;
    range.clone().step_by(most as usize).map(|first| (first, most.min(range.end - first))).collect()
}

/// Item, x, y, z of every tile.
pub(crate) fn tile_words(tiles: &[Tile]) -> Vec<i32> {
    tiles.iter().flat_map(|t| [t.item as i32, t.position[0], t.position[1], t.position[2]]).collect()
}

/// A list of coordinates on its way to a batch.
struct List<'a> {
    device: &'a TopologyDevice,
    voxels: &'a DeviceVec<i32>,
    ends: Vec<u32>,
    /// The coordinates that count; begins at a multiple of 64.
    range: Range<u32>,
}

impl<'a> List<'a> {
    fn new(device: &'a TopologyDevice, voxels: &'a DeviceVec<i32>, counts: &[u64]) -> Result<Self, Error> {
        let ends = item_ends(counts, voxels.len())?;
        let range = 0..ends.last().copied().unwrap_or(0);
        Ok(Self { device, voxels, ends, range })
    }

    /// Records a pass over the parts `pages`.
    fn pass(
        &self,
        recording: &mut Recording,
        program: ListProgram,
        params: VoxelParams,
        pages: &[(u32, u32)],
        more: &[(&str, Binding<'_>)],
    ) -> Result<(), Error> {
        let kernel = self.device.list_kernel(program)?;
        let ends = recording.data(&self.ends);
        for &(first, count) in pages {
            let range = 3 * first as usize..3 * (first + count) as usize;
            let groups = self.device.list_groups(count, GROUP);
            let params = VoxelParams { count, before: first, items: self.ends.len() as u32, groups, ..params };
            let mut bindings = vec![("voxels", self.voxels.bind_range(range)?), ("item_ends", ends.bind())];
            bindings.extend_from_slice(more);
            recording.dispatch(&kernel, &bindings, &params, [groups, 1, 1])?;
        }
        Ok(())
    }
}

impl Marking for List<'_> {
    type Ready = ();

    fn device(&self) -> &TopologyDevice {
        self.device
    }

    fn ready(&self, _: &[Tile]) -> Result<(), Error> {
        Ok(())
    }

    fn mark(
        &self,
        recording: &mut Recording,
        (): &(),
        level: Level,
        params: VoxelParams,
        bindings: &[(&str, Binding<'_>)],
    ) -> Result<(), Error> {
        let program = match level {
            Level::Upper => ListProgram::VoxelUpper,
            Level::Lower => ListProgram::VoxelLower,
            Level::Masks => ListProgram::VoxelMasks,
        };
        self.pass(recording, program, params, &pages(self.device, self.range.clone()), bindings)
    }

    fn halves(&self) -> (u64, Option<[Self; 2]>) {
        let Range { start, end } = self.range;
        let middle = start + ((end - start) / 2).next_multiple_of(64);
        let half = |range| Self { ends: self.ends.clone(), range, ..*self };
        (u64::from(end - start), (middle < end).then(|| [half(start..middle), half(middle..end)]))
    }

    fn tiles(&self) -> Result<Option<Vec<Tile>>, Error> {
        let arena = self.device.arena();
        let most = self.device.page_limit().tiles as usize;
        let slots = arena.take(Purpose::Scratch, SLOTS)?;
        let found = arena.take(Purpose::Scratch, 4 + 4 * most.max(FIRST_TILES) as u64)?;
        let mut tiles = Vec::new();
        for page in pages(self.device, self.range.clone()) {
            let mut recording = self.device.context().record("tiles of coordinates");
            recording.clear_range(&slots, 0..SLOTS as usize)?;
            recording.clear_range(&found, 0..4)?;
            let more = [("slots", slots.words()?), ("found", found.words()?)];
            self.pass(&mut recording, ListProgram::VoxelTiles, VoxelParams::default(), &[page], &more)?;
            let first = recording.download_range(&found, 0..4 + 4 * FIRST_TILES);
            let mut words = recording.submit()?.take(first)?;
            let (count, full) = (words[0] as usize, words[1] != 0);
            if full || count > most {
                return Ok(None);
            }
            if count > FIRST_TILES {
                let mut recording = self.device.context().record("tiles of coordinates");
                let rest = recording.download_range(&found, 4 + 4 * FIRST_TILES..4 + 4 * count);
                words.extend(recording.submit()?.take(rest)?);
            }
            let tile = |w: &[u32]| Tile { item: w[0], position: [w[1] as i32, w[2] as i32, w[3] as i32] };
            tiles.extend(words[4..4 + 4 * count].chunks_exact(4).map(tile));
        }
        tiles.sort_unstable();
        tiles.dedup();
        Ok((tiles.len() <= most).then_some(tiles))
    }
}
