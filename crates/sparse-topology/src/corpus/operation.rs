//! The operation of a case.

use super::generate::SplitMix64;
use super::manifest::Case;
use crate::{Error, GridBatch, Neighbours};

/// The operation of a case, with its parameters: what a runner of [`run_with`](super::run_with) applies.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Operation {
    /// By a factor.
    Coarsen([u32; 3]),
    /// By a factor.
    Subsample([u32; 3]),
    /// By a factor.
    Refine([u32; 3]),
    /// By a factor, of the rows with a true entry.
    RefineMasked([u32; 3], Vec<bool>),
    /// The rows with a true entry.
    Prune(Vec<bool>),
    /// Kernel and stride.
    Conv([u32; 3], [u32; 3]),
    /// Kernel and stride.
    ConvTranspose([u32; 3], [u32; 3]),
    /// Neighbours and steps.
    Dilate(Neighbours, u32),
    /// Smallest and largest offset.
    Pad([i32; 3], [i32; 3]),
    /// Smallest and largest offset.
    Erode([i32; 3], [i32; 3]),
    /// Smallest and largest coordinate.
    Clip([i32; 3], [i32; 3]),
    /// All corners.
    Dual,
    /// The inner corners.
    DualExcludeBorder,
    /// With a copy moved by an offset.
    Merge([i32; 3]),
    /// With a copy moved by an offset.
    Intersect([i32; 3]),
    /// A copy moved by an offset taken away.
    Difference([i32; 3]),
}

impl Operation {
    /// The CPU reference.
    ///
    /// # Errors
    /// Those of the operation.
    pub fn apply_cpu(&self, input: &GridBatch) -> Result<GridBatch, Error> {
        let moved = |shift: &[i32; 3]| input.pad_cpu(*shift, *shift);
        match self {
            Self::Coarsen(factor) => input.coarsen_cpu(*factor),
            Self::Subsample(factor) => input.subsample_cpu(*factor),
            Self::Refine(factor) => input.refine_cpu(*factor),
            Self::RefineMasked(factor, mask) => input.refine_masked_cpu(*factor, mask),
            Self::Prune(mask) => input.prune_cpu(mask),
            Self::Conv(kernel, stride) => input.conv_cpu(*kernel, *stride),
            Self::ConvTranspose(kernel, stride) => input.conv_transpose_cpu(*kernel, *stride),
            Self::Dilate(neighbours, steps) => input.dilate_cpu(*neighbours, *steps),
            Self::Pad(min, max) => input.pad_cpu(*min, *max),
            Self::Erode(min, max) => input.erode_box_cpu(*min, *max),
            Self::Clip(min, max) => input.clip_cpu(*min, *max),
            Self::Dual => input.dual_cpu(),
            Self::DualExcludeBorder => input.dual_without_border_cpu(),
            Self::Merge(shift) => GridBatch::union_cpu(&[input, &moved(shift)?]),
            Self::Intersect(shift) => GridBatch::intersection_cpu(&[input, &moved(shift)?]),
            Self::Difference(shift) => GridBatch::difference_cpu(&[input, &moved(shift)?]),
        }
    }

    /// On a device: up, one chain with one read-back of numbers, down.
    ///
    /// # Errors
    /// Those of the operation; [`Error::Device`].
    #[cfg(feature = "gpu")]
    pub fn apply_device(&self, device: &crate::device::TopologyDevice, input: &GridBatch) -> Result<GridBatch, Error> {
        let source = &crate::device::DeviceGrid::upload(device, input)?;
        let mut chain = device.chain();
        let step = match self {
            Self::Coarsen(factor) => chain.coarsen(source, *factor)?,
            Self::Subsample(factor) => chain.subsample(source, *factor)?,
            Self::Refine(factor) => chain.refine(source, *factor)?,
            Self::RefineMasked(factor, mask) => chain.refine_masked(source, *factor, mask)?,
            Self::Prune(mask) => chain.prune(source, mask)?,
            Self::Conv(kernel, stride) => chain.conv(source, *kernel, *stride)?,
            Self::ConvTranspose(kernel, stride) => chain.conv_transpose(source, *kernel, *stride)?,
            Self::Dilate(neighbours, steps) => chain.dilate(source, *neighbours, *steps)?,
            Self::Pad(min, max) => chain.pad(source, *min, *max)?,
            Self::Erode(min, max) => chain.erode_box(source, *min, *max)?,
            Self::Clip(min, max) => chain.clip(source, *min, *max)?,
            Self::Dual => chain.dual(source)?,
            Self::DualExcludeBorder => chain.dual_without_border(source)?,
            Self::Merge(shift) | Self::Intersect(shift) | Self::Difference(shift) => {
                let moved = chain.pad(source, *shift, *shift)?;
                let both = [source.into(), moved.into()];
                match self {
                    Self::Merge(_) => chain.union(&both)?,
                    Self::Intersect(_) => chain.intersection(&both)?,
                    _ => chain.difference(&both)?,
                }
            }
        };
        let [result] = chain.finish([step])?;
        result.download()
    }
}

/// The operation that a case names.
pub(super) fn parse(case: &Case, input: &GridBatch) -> Result<Operation, Error> {
    let p = &case.params;
    let factor = || p.factor.ok_or_else(|| fault(case, "factor"));
    let window = || p.kernel.zip(p.stride).ok_or_else(|| fault(case, "kernel or stride"));
    let corners = || match (p.min, p.max) {
        (Some(min), Some(max)) => Ok((min.axes(), max.axes())),
        _ => Err(fault(case, "min or max")),
    };
    let shift = || p.shift.ok_or_else(|| fault(case, "shift"));
    Ok(match case.op.as_str() {
        "coarsen" => Operation::Coarsen(factor()?),
        "subsample" => Operation::Subsample(factor()?),
        "refine" => Operation::Refine(factor()?),
        "refine_masked" => Operation::RefineMasked(factor()?, mask(case, input)?),
        "prune" => Operation::Prune(mask(case, input)?),
        "conv" => window().map(|(kernel, stride)| Operation::Conv(kernel, stride))?,
        "conv_transpose" => window().map(|(kernel, stride)| Operation::ConvTranspose(kernel, stride))?,
        "dilate" => {
            let neighbours = match p.neighbours {
                Some(6) => Neighbours::Face,
                Some(18) => Neighbours::Edge,
                Some(26) => Neighbours::Vertex,
                _ => return Err(fault(case, "neighbours (6, 18 or 26)")),
            };
            Operation::Dilate(neighbours, p.iterations.unwrap_or(1))
        }
        "pad" => corners().map(|(min, max)| Operation::Pad(min, max))?,
        "erode" => corners().map(|(min, max)| Operation::Erode(min, max))?,
        "clip" => corners().map(|(min, max)| Operation::Clip(min, max))?,
        "dual" => Operation::Dual,
        "dual_exclude_border" => Operation::DualExcludeBorder,
        "merge" => Operation::Merge(shift()?),
        "intersect" => Operation::Intersect(shift()?),
        "difference" => Operation::Difference(shift()?),
        other => return Err(fault(case, &format!("a known operation instead of {other:?}"))),
    })
}

/// The mask of a case: bit 0 of output i of splitmix64(seed + item) for row i of an item.
fn mask(case: &Case, input: &GridBatch) -> Result<Vec<bool>, Error> {
    let seed = case.params.mask_seed.ok_or_else(|| fault(case, "mask_seed"))?;
    let mut mask = Vec::new();
    for item in 0..input.items() {
        let mut draw = SplitMix64(seed.wrapping_add(item as u64));
        mask.extend(input.item_rows(item)?.map(|_| draw.next() & 1 == 1));
    }
    Ok(mask)
}

fn fault(case: &Case, needs: &str) -> Error {
    Error::Corpus { path: "manifest.json".into(), what: format!("case {} needs {needs}", case.id) }
}
