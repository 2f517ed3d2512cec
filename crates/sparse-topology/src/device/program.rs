//! The kernels of the device half.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use gpu_runtime::{Constant, Context, Kernel, KernelEntry, WgslModule};

use crate::Error;

macro_rules! module {
    ($name:ident, $path:literal, $file:literal) => {
        const $name: WgslModule =
            WgslModule { name: $file, source: include_str!(concat!($path, "kernels/", $file, ".wgsl")) };
    };
}
module!(NODE_KEY, "../", "node_key");
module!(LEAF_WORD, "../", "leaf_word");
module!(RELATION_WALK, "../", "relation_walk");
module!(RELATION_PARAMS, "", "relation_params");
module!(REACH_LEAVES, "", "reach_leaves");
module!(REACH_UPPER, "", "reach_upper");
module!(REACH_LOWER, "", "reach_lower");
module!(RANK_PARAMS, "", "rank_params");
module!(GROUP_SCAN, "", "group_scan");
module!(SUM_UPPER, "", "sum_upper");
module!(RANK_UPPER, "", "rank_upper");
module!(LOWER_SPAN, "", "lower_span");
module!(SUM_LOWER, "", "sum_lower");
module!(RANK_LOWER, "", "rank_lower");
module!(FIND_LEAF, "", "find_leaf");
module!(DILATE_WORD, "../", "dilate_word");
module!(RELATED_LEAVES, "", "related_leaves");
module!(GATHER_WORD, "", "gather_word");
module!(GATHER_COARSEN, "", "gather_coarsen");
module!(GATHER_DILATE, "", "gather_dilate");
module!(GATHER_REFINE, "", "gather_refine");
module!(GATHER_LEAVES, "", "gather_leaves");
module!(FILTER_LEAVES, "", "filter_leaves");
module!(LEAF_ROWS, "", "leaf_rows");
module!(PRUNE_LEAVES, "", "prune_leaves");
module!(CLIP_LEAVES, "", "clip_leaves");
module!(DENSE_LEAVES, "", "dense_leaves");

/// How leaves mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Reach {
    /// The source is the coarse side.
    pub(crate) expand: bool,
    /// Voxels decide.
    pub(crate) test: bool,
    /// Lower nodes stand for their leaves.
    pub(crate) nodes: bool,
    /// How many coordinates of a related leaf may differ.
    pub(crate) most: u32,
}

/// How words are gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Word {
    /// By the tables of any relation.
    Any,
    /// Blocks of leaves joined to one.
    Coarsen([u32; 3]),
    /// Voxels made blocks.
    Refine([u32; 3]),
    /// With neighbours of which so many coordinates differ.
    Dilate(u32),
}

/// A kernel by what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Program {
    /// Marks lower nodes.
    ReachUpper(Reach),
    /// Marks leaves.
    ReachLower(Reach),
    SumUpper,
    RankUpper,
    SumLower,
    RankLower,
    /// Masks of the destination. `expand`: the destination is the coarse side; `add`: to what is there.
    Gather {
        word: Word,
        expand: bool,
        add: bool,
    },
    /// Masks of a batch without the related words, or with them alone. `flip`: of the complement.
    Filter {
        word: Word,
        expand: bool,
        flip: bool,
        keep: bool,
    },
    LeafRows,
    Prune,
    Clip,
    Dense,
}

/// Invocations of a workgroup of the scans.
const GROUP: u32 = 256;

impl Program {
    fn entry(self) -> KernelEntry {
        let group = vec![("GROUP", Constant::U32(GROUP))];
        let rank = |modules: &[WgslModule]| (group.clone(), [&[RANK_PARAMS, GROUP_SCAN], modules].concat());
        let (name, (constants, modules)) = match self {
            Self::ReachUpper(reach) => ("reach_upper", reach.parts(REACH_UPPER)),
            Self::ReachLower(reach) => ("reach_lower", reach.parts(REACH_LOWER)),
            Self::SumUpper => ("sum_upper", rank(&[SUM_UPPER])),
            Self::RankUpper => ("rank_upper", rank(&[RANK_UPPER])),
            Self::SumLower => ("sum_lower", rank(&[LOWER_SPAN, SUM_LOWER])),
            Self::RankLower => ("rank_lower", rank(&[LOWER_SPAN, RANK_LOWER])),
            Self::Gather { word, expand, add } => {
                ("gather_leaves", word.parts(expand, false, flag("ADD", add), GATHER_LEAVES))
            }
            Self::Filter { word, expand, flip, keep } => {
                ("filter_leaves", word.parts(expand, flip, flag("KEEP", keep), FILTER_LEAVES))
            }
            Self::LeafRows => ("leaf_rows", (group.clone(), vec![GROUP_SCAN, LEAF_ROWS])),
            Self::Prune => ("prune_leaves", (vec![], vec![PRUNE_LEAVES])),
            Self::Clip => ("clip_leaves", (vec![], vec![NODE_KEY, LEAF_WORD, CLIP_LEAVES])),
            Self::Dense => ("dense_leaves", (vec![], vec![NODE_KEY, DENSE_LEAVES])),
        };
        KernelEntry { name, constants, modules, trusted: true }
    }
}

/// Constants and modules of a kernel.
type Parts = (Vec<(&'static str, Constant)>, Vec<WgslModule>);

fn flag(name: &'static str, value: bool) -> (&'static str, Constant) {
    (name, Constant::Bool(value))
}

impl Reach {
    fn parts(self, last: WgslModule) -> Parts {
        let constants = vec![
            flag("EXPAND", self.expand),
            flag("TEST", self.test),
            flag("NODES", self.nodes),
            ("MOST", Constant::U32(self.most)),
        ];
        (constants, vec![NODE_KEY, LEAF_WORD, RELATION_WALK, RELATION_PARAMS, REACH_LEAVES, last])
    }
}

impl Word {
    fn parts(self, expand: bool, flip: bool, constant: (&'static str, Constant), last: WgslModule) -> Parts {
        let flip = ("FLIP", Constant::U32(if flip { u32::MAX } else { 0 }));
        let mut constants = vec![flag("EXPAND", expand), flip, constant];
        let mut modules = vec![NODE_KEY, RELATION_WALK, RELATION_PARAMS, FIND_LEAF, RELATED_LEAVES];
        match self {
            Self::Any => modules.extend([LEAF_WORD, GATHER_WORD]),
            Self::Coarsen(factor) | Self::Refine(factor) => {
                modules.push(if matches!(self, Self::Coarsen(_)) { GATHER_COARSEN } else { GATHER_REFINE });
                constants.extend(["FX", "FY", "FZ"].into_iter().zip(factor.map(Constant::U32)));
            }
            Self::Dilate(most) => {
                modules.extend([DILATE_WORD, GATHER_DILATE]);
                constants.push(("MOST", Constant::U32(most)));
            }
        }
        modules.push(last);
        (constants, modules)
    }
}

impl From<Program> for KernelEntry {
    fn from(program: Program) -> KernelEntry {
        program.entry()
    }
}

/// Compiled kernels by program.
#[derive(Debug)]
pub(crate) struct Programs<P> {
    made: Mutex<HashMap<P, Kernel>>,
}

impl<P> Default for Programs<P> {
    fn default() -> Self {
        Self { made: Mutex::default() }
    }
}

impl<P: Copy + Eq + Hash + Into<KernelEntry>> Programs<P> {
    pub(crate) fn get(&self, context: &Context, program: P) -> Result<Kernel, Error> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = made.get(&program) {
            return Ok(kernel.clone());
        }
        let entry: KernelEntry = program.into();
        let kernel = context.kernel(&entry.source())?;
        made.insert(program, kernel.clone());
        Ok(kernel)
    }
}

/// The kernels of this crate for linting and snapshots: every module and every form once.
pub fn kernels() -> Vec<KernelEntry> {
    let mut all: Vec<Program> = Vec::new();
    for expand in [false, true] {
        let reach = Reach { expand, test: true, nodes: false, most: 3 };
        all.push(Program::ReachUpper(Reach { test: expand, nodes: !expand, ..reach }));
        all.push(Program::ReachLower(Reach { most: 1, ..reach }));
    }
    for word in [Word::Any, Word::Coarsen([2, 3, 4]), Word::Refine([3, 2, 1]), Word::Dilate(2)] {
        all.push(Program::Gather { word, expand: true, add: false });
        all.push(Program::Filter { word, expand: false, flip: true, keep: false });
    }
    use Program as P;
    all.extend([P::SumUpper, P::RankUpper, P::SumLower, P::RankLower, P::LeafRows, P::Prune, P::Clip, P::Dense]);
    all.into_iter().map(Program::entry).chain(super::list_program::list_kernels()).collect()
}
