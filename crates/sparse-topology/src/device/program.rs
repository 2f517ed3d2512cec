//! The kernels of the device half.

use std::collections::HashMap;
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
module!(GATHER_WORD, "", "gather_word");
module!(GATHER_LEAVES, "", "gather_leaves");
module!(FILTER_LEAVES, "", "filter_leaves");
module!(LEAF_ROWS, "", "leaf_rows");
module!(PRUNE_LEAVES, "", "prune_leaves");
module!(CLIP_LEAVES, "", "clip_leaves");

/// A kernel by what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Program {
    /// Marks lower nodes. `expand`: the source is the coarse side; `test`: voxels decide.
    ReachUpper {
        expand: bool,
        test: bool,
    },
    /// Marks leaves.
    ReachLower {
        expand: bool,
        test: bool,
    },
    SumUpper,
    RankUpper,
    SumLower,
    RankLower,
    /// Masks of the destination. `expand`: the destination is the coarse side; `add`: to what is there.
    Gather {
        expand: bool,
        add: bool,
    },
    /// Masks of a batch without the related words, or with them alone. `flip`: of the complement.
    Filter {
        expand: bool,
        flip: bool,
        keep: bool,
    },
    LeafRows,
    Prune,
    Clip,
}

/// Invocations of a workgroup of the scans.
const GROUP: u32 = 256;

impl Program {
    fn entry(self) -> KernelEntry {
        let flag = |name, value| (name, Constant::Bool(value));
        let reach = |expand, test, last| {
            let modules = vec![NODE_KEY, LEAF_WORD, RELATION_WALK, RELATION_PARAMS, REACH_LEAVES, last];
            (vec![flag("EXPAND", expand), flag("TEST", test)], modules)
        };
        let rank = |modules: &[WgslModule]| {
            (vec![("GROUP", Constant::U32(GROUP))], [&[RANK_PARAMS, GROUP_SCAN], modules].concat())
        };
        let gather = |expand, flip: bool, constant, last| {
            let modules = vec![NODE_KEY, LEAF_WORD, RELATION_WALK, RELATION_PARAMS, FIND_LEAF, GATHER_WORD, last];
            let flip = ("FLIP", Constant::U32(if flip { u32::MAX } else { 0 }));
            (vec![flag("EXPAND", expand), flip, constant], modules)
        };
        let (name, (constants, modules)) = match self {
            Self::ReachUpper { expand, test } => ("reach_upper", reach(expand, test, REACH_UPPER)),
            Self::ReachLower { expand, test } => ("reach_lower", reach(expand, test, REACH_LOWER)),
            Self::SumUpper => ("sum_upper", rank(&[SUM_UPPER])),
            Self::RankUpper => ("rank_upper", rank(&[RANK_UPPER])),
            Self::SumLower => ("sum_lower", rank(&[LOWER_SPAN, SUM_LOWER])),
            Self::RankLower => ("rank_lower", rank(&[LOWER_SPAN, RANK_LOWER])),
            Self::Gather { expand, add } => ("gather_leaves", gather(expand, false, flag("ADD", add), GATHER_LEAVES)),
            Self::Filter { expand, flip, keep } => {
                ("filter_leaves", gather(expand, flip, flag("KEEP", keep), FILTER_LEAVES))
            }
            Self::LeafRows => ("leaf_rows", (vec![("GROUP", Constant::U32(GROUP))], vec![GROUP_SCAN, LEAF_ROWS])),
            Self::Prune => ("prune_leaves", (vec![], vec![PRUNE_LEAVES])),
            Self::Clip => ("clip_leaves", (vec![], vec![NODE_KEY, LEAF_WORD, CLIP_LEAVES])),
        };
        KernelEntry { name, constants, modules, trusted: true }
    }
}

/// Compiled kernels by program.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    made: Mutex<HashMap<Program, Kernel>>,
}

impl Programs {
    pub(crate) fn get(&self, context: &Context, program: Program) -> Result<Kernel, Error> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = made.get(&program) {
            return Ok(kernel.clone());
        }
        let kernel = context.kernel(&program.entry().source())?;
        made.insert(program, kernel.clone());
        Ok(kernel)
    }
}

/// The kernels of this crate for linting and snapshots: every module and every form once.
pub fn kernels() -> Vec<KernelEntry> {
    let mut all: Vec<Program> = Vec::new();
    for expand in [false, true] {
        all.push(Program::ReachUpper { expand, test: expand });
        all.push(Program::ReachLower { expand, test: true });
        all.push(Program::Gather { expand, add: expand });
        all.push(Program::Filter { expand, flip: !expand, keep: expand });
    }
    use Program as P;
    all.extend([P::SumUpper, P::RankUpper, P::SumLower, P::RankLower, P::LeafRows, P::Prune, P::Clip]);
    all.into_iter().map(Program::entry).collect()
}
