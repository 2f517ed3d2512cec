//! The operation of a case.

use super::generate::SplitMix64;
use super::manifest::Case;
use crate::{Error, GridBatch, Neighbours};

/// Applies a case's operation to its input.
pub(super) fn apply(case: &Case, input: &GridBatch) -> Result<GridBatch, Error> {
    let p = &case.params;
    let factor = || p.factor.ok_or_else(|| fault(case, "factor"));
    let window = || p.kernel.zip(p.stride).ok_or_else(|| fault(case, "kernel or stride"));
    let corners = || match (p.min, p.max) {
        (Some(min), Some(max)) => Ok((min.axes(), max.axes())),
        _ => Err(fault(case, "min or max")),
    };
    match case.op.as_str() {
        "coarsen" => input.coarsen_cpu(factor()?),
        "subsample" => input.subsample_cpu(factor()?),
        "refine" => input.refine_cpu(factor()?),
        "refine_masked" => input.refine_masked_cpu(factor()?, &mask(case, input)?),
        "prune" => input.prune_cpu(&mask(case, input)?),
        "conv" => window().and_then(|(kernel, stride)| input.conv_cpu(kernel, stride)),
        "conv_transpose" => window().and_then(|(kernel, stride)| input.conv_transpose_cpu(kernel, stride)),
        "dilate" => {
            let neighbours = match p.neighbours {
                Some(6) => Neighbours::Face,
                Some(18) => Neighbours::Edge,
                Some(26) => Neighbours::Vertex,
                _ => return Err(fault(case, "neighbours (6, 18 or 26)")),
            };
            input.dilate_cpu(neighbours, p.iterations.unwrap_or(1))
        }
        "pad" => corners().and_then(|(min, max)| input.pad_cpu(min, max)),
        "erode" => corners().and_then(|(min, max)| input.erode_box_cpu(min, max)),
        "clip" => corners().and_then(|(min, max)| input.clip_cpu(min, max)),
        "dual" => input.dual_cpu(),
        "dual_exclude_border" => input.dual_without_border_cpu(),
        "merge" | "intersect" | "difference" => {
            let shift = p.shift.ok_or_else(|| fault(case, "shift"))?;
            let other = input.pad_cpu(shift, shift)?;
            match case.op.as_str() {
                "merge" => GridBatch::union_cpu(&[input, &other]),
                "intersect" => GridBatch::intersection_cpu(&[input, &other]),
                _ => GridBatch::difference_cpu(&[input, &other]),
            }
        }
        other => Err(fault(case, &format!("a known operation instead of {other:?}"))),
    }
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
