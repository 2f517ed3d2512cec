//! Batches that live on a device, on their way there and back.

use std::ops::Range;
use std::sync::Arc;

use super::arena::Purpose;
use super::resident::{Capacity, Counts, Resident, STATUS_WORDS, Status, Structure, take_masks};
use super::room::lower_node_too_large;
use super::session::TopologyDevice;
use super::tiles::TileTable;
use crate::grid::Nodes;
use crate::{Error, GridBatch, Tile, Transform};

/// A batch of grids in device memory. Cheap to clone; the memory goes back to the device's arena with the last handle.
#[derive(Debug, Clone)]
pub struct DeviceGrid {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    device: TopologyDevice,
    transforms: Arc<Vec<Transform>>,
    /// One after the other in canonical order; one at least.
    pages: Vec<Page>,
}

/// Lower nodes of a batch that follow each other, as a batch of all items in which only they hold voxels: every array fits a binding.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) resident: Resident,
    pub(crate) counts: Counts,
}

impl DeviceGrid {
    pub(crate) fn of(device: &TopologyDevice, resident: Resident, counts: Counts) -> Self {
        Self::of_pages(device, resident.transforms.clone(), vec![Page::new(resident, counts)])
    }

    pub(crate) fn of_pages(device: &TopologyDevice, transforms: Arc<Vec<Transform>>, pages: Vec<Page>) -> Self {
        Self { inner: Arc::new(Inner { device: device.clone(), transforms, pages }) }
    }

    /// Copies a batch to the device: in pages where an array is larger than a binding.
    ///
    /// # Errors
    /// [`Error::Memory`]; [`Error::Device`].
    pub fn upload(device: &TopologyDevice, batch: &GridBatch) -> Result<Self, Error> {
        let limit = device.page_limit();
        let [tiles, lower, leaves] = [limit.tiles, limit.lower, limit.leaves].map(|n| n as usize);
        let ranges = batch.lower_ranges(tiles, lower, leaves);
        let most = |range: &Range<usize>| batch.nodes().leaves(range.start).len();
        if ranges.iter().any(|range| range.len() == 1 && most(range) > leaves) {
            return Err(lower_node_too_large(limit));
        }
        if ranges.len() < 2 {
            return Ok(Self::of_pages(
                device,
                Arc::new(batch.transforms().to_vec()),
                vec![Page::upload(device, batch)?],
            ));
        }
        let page = |range| Page::upload(device, &batch.of_lower_nodes(range)?);
        let pages = ranges.into_iter().map(page).collect::<Result<_, _>>()?;
        Ok(Self::of_pages(device, Arc::new(batch.transforms().to_vec()), pages))
    }

    /// Copies the batch back: one wait a page.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn download(&self) -> Result<GridBatch, Error> {
        let Inner { device, pages, .. } = &*self.inner;
        let mut batches = Vec::with_capacity(pages.len());
        for page in pages {
            batches.push(page.download(device)?);
        }
        match batches.len() {
            1 => Ok(batches.swap_remove(0)),
            _ => GridBatch::of_pages(self.transforms().to_vec(), batches),
        }
    }

    /// Number of items.
    pub fn items(&self) -> usize {
        self.inner.transforms.len()
    }

    /// Number of leaves of all items.
    pub fn leaves(&self) -> usize {
        self.inner.pages.iter().map(|page| page.counts.leaves as usize).sum()
    }

    /// Number of voxels of all items.
    pub fn voxels(&self) -> u64 {
        self.inner.pages.iter().map(|page| page.counts.voxels).sum()
    }

    /// Number of pages: 1, unless an array would be larger than a binding of the device, or has more tiles than a dispatch has groups.
    pub fn page_count(&self) -> usize {
        self.inner.pages.len()
    }

    /// The transform of every item.
    pub fn transforms(&self) -> &[Transform] {
        &self.inner.transforms
    }

    /// The device that holds it.
    pub fn device(&self) -> &TopologyDevice {
        &self.inner.device
    }

    pub(crate) fn shared_transforms(&self) -> &Arc<Vec<Transform>> {
        &self.inner.transforms
    }

    pub(crate) fn pages(&self) -> &[Page] {
        &self.inner.pages
    }

    /// Every page as a batch of its own.
    pub(crate) fn page_batches(&self) -> impl Iterator<Item = Self> {
        self.inner.pages.iter().map(|page| Self::of(&self.inner.device, page.resident.clone(), page.counts))
    }

    /// The first page's, which is all of a batch of one page.
    pub(crate) fn counts(&self) -> Counts {
        self.inner.pages[0].counts
    }

    /// The first page, which is all of a batch of one page.
    pub(crate) fn resident(&self) -> &Resident {
        &self.inner.pages[0].resident
    }
}

impl Page {
    /// What was expected is known now.
    pub(crate) fn new(mut resident: Resident, counts: Counts) -> Self {
        resident.expected = [f64::from(counts.leaves), f64::from(counts.lower)];
        Self { resident, counts }
    }

    fn upload(device: &TopologyDevice, batch: &GridBatch) -> Result<Self, Error> {
        let counts =
            Counts { lower: batch.nodes().lower_nodes() as u32, leaves: batch.leaves() as u32, voxels: batch.voxels() };
        let arena = device.arena();
        let status = Status { buffer: Arc::new(arena.take(Purpose::Grid, STATUS_WORDS as u64)?), slot: 0 };
        let capacity = Capacity { lower: counts.lower, leaves: counts.leaves };
        let structure = Structure::new(arena, batch.tiles().len(), capacity, 0, status)?;
        let masks = take_masks(arena, Purpose::Grid, counts.leaves)?;
        structure.upper.write(0, batch.nodes().upper().as_flattened())?;
        structure.lower_keys.write(0, bytemuck::cast_slice(batch.nodes().lower_keys()))?;
        structure.lower.write(0, batch.nodes().lower().as_flattened())?;
        structure.leaf_keys.write(0, bytemuck::cast_slice(batch.leaf_keys()))?;
        structure.rows.write(0, bytemuck::cast_slice(batch.first_rows()))?;
        let voxels = counts.voxels;
        structure.status.buffer.write(0, &[counts.lower, counts.leaves, voxels as u32, (voxels >> 32) as u32])?;
        masks.write(0, batch.masks.as_flattened())?;
        let resident = Resident {
            transforms: Arc::new(batch.transforms().to_vec()),
            tiles: Arc::new(TileTable::of(batch)),
            structure: Arc::new(structure),
            masks,
            filtered: false,
            expected: [f64::from(counts.leaves), f64::from(counts.lower)],
        };
        Ok(Self { resident, counts })
    }

    fn download(&self, device: &TopologyDevice) -> Result<GridBatch, Error> {
        let Self { resident, counts } = self;
        let structure = &resident.structure;
        let (leaves, lower_nodes) = (counts.leaves as usize, counts.lower as usize);
        let mut recording = device.context().record("download");
        let mut read = |buffer, words| recording.download_range(buffer, 0..words);
        let upper = read(&structure.upper, 2048 * resident.tiles.len());
        let lower_keys = read(&structure.lower_keys, 2 * lower_nodes);
        let lower = read(&structure.lower, 256 * lower_nodes);
        let leaf_keys = read(&structure.leaf_keys, 2 * leaves);
        let rows = read(&structure.rows, if leaves == 0 { 0 } else { 2 * (leaves + 1) });
        let masks = read(&resident.masks, 16 * leaves);
        let mut done = recording.submit()?;
        let (upper, lower) = (pairs(&done.take(upper)?), pairs(&done.take(lower)?));
        let mut keys = longs(&done.take(leaf_keys)?);
        let mut lower_keys = longs(&done.take(lower_keys)?);
        let (tiles, upper) = self.drop_empty_tiles(&upper, &mut lower_keys, &mut keys);
        let mut masks: Vec<[u32; 16]> = done.take(masks)?.as_chunks().0.to_vec();
        masks.push([0; 16]);
        let mut first_rows = longs(&done.take(rows)?);
        if first_rows.is_empty() {
            first_rows.push(0);
        }
        let items = resident.transforms.len();
        let item_tiles: Vec<u32> =
            (0..=items).map(|item| tiles.partition_point(|t: &Tile| (t.item as usize) < item) as u32).collect();
        let first_leaf = |&tile: &u32| keys.partition_point(|&key| key >> 32 < u64::from(tile)) as u32;
        Ok(GridBatch {
            transforms: resident.transforms.to_vec(),
            item_leaves: item_tiles.iter().map(first_leaf).collect(),
            tiles,
            item_tiles,
            nodes: Nodes::of_words(upper, lower_keys, lower, leaves),
            leaf_keys: keys,
            masks,
            first_rows,
        })
    }

    /// The tiles that hold a voxel, with their words; keys are changed to the new ranks.
    fn drop_empty_tiles(
        &self,
        upper: &[[u32; 2]],
        lower_keys: &mut [u64],
        keys: &mut [u64],
    ) -> (Vec<Tile>, Vec<[u32; 2]>) {
        let mut tiles = Vec::new();
        let mut words = Vec::new();
        let mut ranks = Vec::new();
        for (tile, children) in self.resident.tiles.tiles.iter().zip(upper.chunks(1024)) {
            ranks.push(tiles.len() as u64);
            if children.iter().any(|word| word[0] != 0) {
                tiles.push(*tile);
                words.extend_from_slice(children);
            }
        }
        for key in lower_keys.iter_mut().chain(keys) {
            *key = (ranks[(*key >> 32) as usize] << 32) | (*key & 0xffff_ffff);
        }
        (tiles, words)
    }
}

fn pairs(words: &[u32]) -> Vec<[u32; 2]> {
    words.as_chunks().0.to_vec()
}

fn longs(words: &[u32]) -> Vec<u64> {
    words.as_chunks().0.iter().map(|[low, high]| u64::from(*low) | (u64::from(*high) << 32)).collect()
}
