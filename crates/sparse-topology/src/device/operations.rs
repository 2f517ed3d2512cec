//! The operations of a chain.

use std::sync::Arc;

use super::axis::split;
use super::chain::{Chain, Filter, Input, RangeCheck, Step, StepId, Term};
use crate::ops::{AxisRelation, Relation, boxes, check_box, check_positive, neighbourhood, pad};
use crate::{Error, Neighbours, Selection, Transform};

type Result<T> = std::result::Result<T, Error>;

impl Chain {
    /// See [`GridBatch::coarsen_cpu`](crate::GridBatch::coarsen_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn coarsen(&mut self, source: impl Into<Input>, factor: [u32; 3]) -> Result<StepId> {
        check_positive("factor", factor)?;
        self.image(source.into(), factor.map(AxisRelation::coarsen), |t| t.coarsened(factor))
    }

    /// See [`GridBatch::subsample_cpu`](crate::GridBatch::subsample_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn subsample(&mut self, source: impl Into<Input>, factor: [u32; 3]) -> Result<StepId> {
        check_positive("factor", factor)?;
        self.image(source.into(), factor.map(AxisRelation::subsample), |t| t.strided(factor))
    }

    /// See [`GridBatch::refine_cpu`](crate::GridBatch::refine_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn refine(&mut self, source: impl Into<Input>, factor: [u32; 3]) -> Result<StepId> {
        check_positive("factor", factor)?;
        self.image(source.into(), factor.map(AxisRelation::refine), |t| t.refined(factor))
    }

    /// See [`GridBatch::refine_masked_cpu`](crate::GridBatch::refine_masked_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn refine_masked(&mut self, source: impl Into<Input>, factor: [u32; 3], mask: &[bool]) -> Result<StepId> {
        check_positive("factor", factor)?;
        let pruned = self.prune(source, mask)?;
        self.refine(pruned, factor)
    }

    /// See [`GridBatch::conv_cpu`](crate::GridBatch::conv_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn conv(&mut self, source: impl Into<Input>, kernel: [u32; 3], stride: [u32; 3]) -> Result<StepId> {
        check_positive("kernel", kernel)?;
        check_positive("stride", stride)?;
        if (kernel, stride) == ([3; 3], [1; 3]) {
            return self.dilate(source, Neighbours::Vertex, 1);
        }
        let relation = std::array::from_fn(|k| AxisRelation::conv(kernel[k], stride[k]));
        self.image(source.into(), relation, |t| t.strided(stride))
    }

    /// See [`GridBatch::conv_transpose_cpu`](crate::GridBatch::conv_transpose_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn conv_transpose(&mut self, source: impl Into<Input>, kernel: [u32; 3], stride: [u32; 3]) -> Result<StepId> {
        check_positive("kernel", kernel)?;
        check_positive("stride", stride)?;
        let relation = std::array::from_fn(|k| AxisRelation::conv_transpose(kernel[k], stride[k]));
        self.image(source.into(), relation, |t| t.unstrided(stride))
    }

    /// See [`GridBatch::pad_cpu`](crate::GridBatch::pad_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn pad(&mut self, source: impl Into<Input>, min: [i32; 3], max: [i32; 3]) -> Result<StepId> {
        check_box(min, max)?;
        self.image(source.into(), pad(min, max), |t| *t)
    }

    /// See [`GridBatch::dual_cpu`](crate::GridBatch::dual_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn dual(&mut self, source: impl Into<Input>) -> Result<StepId> {
        self.image(source.into(), pad([0; 3], [1; 3]), Transform::dual)
    }

    /// See [`GridBatch::dual_without_border_cpu`](crate::GridBatch::dual_without_border_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn dual_without_border(&mut self, source: impl Into<Input>) -> Result<StepId> {
        self.erode_by(source.into(), [-1; 3], [0; 3], Transform::dual)
    }

    /// See [`GridBatch::dual_without_border_fvdb_cpu`](crate::GridBatch::dual_without_border_fvdb_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn dual_without_border_fvdb(&mut self, source: impl Into<Input>) -> Result<StepId> {
        self.erode_by(source.into(), [0; 3], [1; 3], Transform::dual)
    }

    /// See [`GridBatch::erode_box_cpu`](crate::GridBatch::erode_box_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn erode_box(&mut self, source: impl Into<Input>, min: [i32; 3], max: [i32; 3]) -> Result<StepId> {
        check_box(min, max)?;
        self.erode_by(source.into(), min, max, |t| *t)
    }

    /// See [`GridBatch::dilate_cpu`](crate::GridBatch::dilate_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn dilate(&mut self, source: impl Into<Input>, neighbours: Neighbours, steps: u32) -> Result<StepId> {
        let source = source.into();
        let transforms = self.transforms(&source)?;
        let mut last = source.clone();
        for step in 1..=steps {
            self.checks.push(RangeCheck { source: last.clone(), relations: neighbourhood(neighbours) });
            let mut term = Term::new(last, pad([-1; 3], [1; 3]));
            term.neighbours = Some(neighbours);
            let reach = i32::try_from(step).unwrap_or(i32::MAX);
            let within = Some((source.clone(), pad([-reach; 3], [reach; 3])));
            last = self.push(Step::Relate { terms: vec![term], transforms: transforms.clone(), within }).into();
        }
        match last {
            Input::Step(step) if steps > 0 => Ok(step),
            other => self.copy(other, transforms),
        }
    }

    /// See [`GridBatch::erode_cpu`](crate::GridBatch::erode_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn erode(&mut self, source: impl Into<Input>, neighbours: Neighbours, steps: u32) -> Result<StepId> {
        let source = source.into();
        let transforms = self.transforms(&source)?;
        let mut last = source;
        for _ in 0..steps {
            let mut tree = Term::new(last.clone(), pad([-1; 3], [1; 3]));
            tree.neighbours = Some(neighbours);
            let filter = Filter::Related { tree, flip: true, keep: false };
            let masked = self.push(Step::Filter { base: last, filter });
            last = self.copy(masked.into(), transforms.clone())?.into();
        }
        match last {
            Input::Step(step) if steps > 0 => Ok(step),
            other => self.copy(other, transforms),
        }
    }

    /// See [`GridBatch::dilate_stencil_cpu`](crate::GridBatch::dilate_stencil_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn dilate_stencil(&mut self, source: impl Into<Input>, offsets: &[[i32; 3]]) -> Result<StepId> {
        let source = source.into();
        let transforms = self.transforms(&source)?;
        let relations = boxes(offsets);
        self.checks.push(RangeCheck { source: source.clone(), relations: relations.clone() });
        let mut terms = Vec::new();
        for relation in relations {
            let term = match split(&relation)?.as_slice() {
                [_] => Term::new(source.clone(), relation),
                _ => {
                    // A large box of its own, then a copy of it.
                    let large = self.axis_by_axis(&source, &relation, transforms.clone())?;
                    Term::new(large.into(), pad([0; 3], [0; 3]))
                }
            };
            terms.push(term);
        }
        Ok(self.push(Step::Relate { terms, transforms, within: None }))
    }

    /// See [`GridBatch::prune_cpu`](crate::GridBatch::prune_cpu). A mask of another length is an error of [`Chain::finish`].
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn prune(&mut self, source: impl Into<Input>, mask: &[bool]) -> Result<StepId> {
        let source = source.into();
        let transforms = self.transforms(&source)?;
        let filter = Filter::Prune { bits: Arc::new(packed(mask)), rows: mask.len() as u64 };
        let masked = self.push(Step::Filter { base: source, filter });
        self.copy(masked.into(), transforms)
    }

    /// See [`GridBatch::clip_cpu`](crate::GridBatch::clip_cpu).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn clip(&mut self, source: impl Into<Input>, min: [i32; 3], max: [i32; 3]) -> Result<StepId> {
        let source = source.into();
        let transforms = self.transforms(&source)?;
        let masked = self.push(Step::Filter { base: source, filter: Filter::Clip { min, max } });
        self.copy(masked.into(), transforms)
    }

    /// See [`GridBatch::union_cpu`](crate::GridBatch::union_cpu).
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Parameter`].
    pub fn union(&mut self, batches: &[Input]) -> Result<StepId> {
        let transforms = self.common_items(batches)?;
        let terms = batches.iter().map(|source| Term::new(source.clone(), pad([0; 3], [0; 3]))).collect();
        Ok(self.push(Step::Relate { terms, transforms, within: None }))
    }

    /// See [`GridBatch::intersection_cpu`](crate::GridBatch::intersection_cpu).
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Parameter`].
    pub fn intersection(&mut self, batches: &[Input]) -> Result<StepId> {
        self.combine(batches, true)
    }

    /// See [`GridBatch::difference_cpu`](crate::GridBatch::difference_cpu).
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::Parameter`].
    pub fn difference(&mut self, batches: &[Input]) -> Result<StepId> {
        self.combine(batches, false)
    }

    /// See [`GridBatch::select`](crate::GridBatch::select).
    ///
    /// # Errors
    /// As [`Selection::resolve`]; [`Error::Parameter`].
    pub fn select(&mut self, source: impl Into<Input>, selection: &Selection) -> Result<StepId> {
        let source = source.into();
        let old = self.transforms(&source)?;
        let chosen = selection.resolve(old.len())?;
        let transforms = Arc::new(chosen.iter().map(|&item| old[item]).collect());
        // A source item has one place a term; repetitions need further terms.
        let mut maps: Vec<Vec<Option<u32>>> = vec![vec![None; old.len()]];
        for (place, &item) in chosen.iter().enumerate() {
            let free = maps.iter().position(|map| map[item].is_none()).unwrap_or_else(|| {
                maps.push(vec![None; old.len()]);
                maps.len() - 1
            });
            maps[free][item] = Some(place as u32);
        }
        let term = |items| Term { items: Some(items), ..Term::new(source.clone(), pad([0; 3], [0; 3])) };
        let terms = maps.into_iter().map(term).collect();
        Ok(self.push(Step::Relate { terms, transforms, within: None }))
    }

    /// See [`GridBatch::concatenate`](crate::GridBatch::concatenate).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn concatenate(&mut self, batches: &[Input]) -> Result<StepId> {
        let mut transforms = Vec::new();
        let mut terms = Vec::new();
        for source in batches {
            let own = self.transforms(source)?;
            let places = (0..own.len()).map(|item| Some((transforms.len() + item) as u32)).collect();
            terms.push(Term { items: Some(places), ..Term::new(source.clone(), pad([0; 3], [0; 3])) });
            transforms.extend_from_slice(&own);
        }
        Ok(self.push(Step::Relate { terms, transforms: Arc::new(transforms), within: None }))
    }

    /// The image under one relation.
    fn image(&mut self, source: Input, relation: Relation, rule: impl Fn(&Transform) -> Transform) -> Result<StepId> {
        let transforms: Arc<Vec<Transform>> = Arc::new(self.transforms(&source)?.iter().map(rule).collect());
        self.checks.push(RangeCheck { source: source.clone(), relations: vec![relation] });
        self.axis_by_axis(&source, &relation, transforms)
    }

    /// One step, or one an axis where a leaf is related to many.
    fn axis_by_axis(&mut self, source: &Input, relation: &Relation, transforms: Arc<Vec<Transform>>) -> Result<StepId> {
        let parts = split(relation)?;
        let mut last = source.clone();
        let mut done = None;
        for relation in parts {
            let terms = vec![Term::new(last.clone(), relation)];
            let step = self.push(Step::Relate { terms, transforms: transforms.clone(), within: None });
            last = step.into();
            done = Some(step);
        }
        match done {
            Some(step) => Ok(step),
            None => self.copy(last, transforms),
        }
    }

    /// The same voxels without empty leaves.
    fn copy(&mut self, source: Input, transforms: Arc<Vec<Transform>>) -> Result<StepId> {
        let terms = vec![Term::new(source, pad([0; 3], [0; 3]))];
        Ok(self.push(Step::Relate { terms, transforms, within: None }))
    }

    fn erode_by(
        &mut self,
        source: Input,
        min: [i32; 3],
        max: [i32; 3],
        rule: impl Fn(&Transform) -> Transform,
    ) -> Result<StepId> {
        let transforms: Arc<Vec<Transform>> = Arc::new(self.transforms(&source)?.iter().map(rule).collect());
        let mut base = source.clone();
        if (0..3).any(|k| min[k] > 0 || max[k] < 0) {
            // Without 0 in the box the result is no subset of S, but of S - min.
            let back: Relation = std::array::from_fn(|k| AxisRelation::pad(-i64::from(min[k]), -i64::from(min[k])));
            self.checks.push(RangeCheck { source: source.clone(), relations: vec![back] });
            base = self.axis_by_axis(&source, &back, transforms.clone())?.into();
        }
        // c is refused when c + o is missing for an offset o: c lies in the complement's sum with [-max, -min].
        let spread: Relation = std::array::from_fn(|k| AxisRelation::pad(-i64::from(max[k]), -i64::from(min[k])));
        let filter = Filter::Related { tree: Term::new(source, spread), flip: true, keep: false };
        let masked = self.push(Step::Filter { base, filter });
        self.copy(masked.into(), transforms)
    }

    fn combine(&mut self, batches: &[Input], keep: bool) -> Result<StepId> {
        let transforms = self.common_items(batches)?;
        let mut last = batches[0].clone();
        for tree in &batches[1..] {
            let tree = Term::new(tree.clone(), pad([0; 3], [0; 3]));
            let filter = Filter::Related { tree, flip: false, keep };
            last = self.push(Step::Filter { base: last, filter }).into();
        }
        self.copy(last, transforms)
    }

    /// The transforms of the first batch; all have as many items.
    fn common_items(&self, batches: &[Input]) -> Result<Arc<Vec<Transform>>> {
        let Some(first) = batches.first() else {
            return Err(Error::Length { what: "batches", needed: 1, found: 0 });
        };
        let transforms = self.transforms(first)?;
        for other in batches {
            let found = self.transforms(other)?.len() as u64;
            if found != transforms.len() as u64 {
                let needed = transforms.len() as u64;
                return Err(Error::Length { what: "items of a batch", needed, found });
            }
        }
        Ok(transforms)
    }
}

/// A bit an entry, and a word behind them.
pub(crate) fn packed(mask: &[bool]) -> Vec<u32> {
    let pack = |bits: &[bool]| bits.iter().enumerate().fold(0, |word, (i, &bit)| word | u32::from(bit) << i);
    mask.chunks(32).map(pack).chain([0]).collect()
}
