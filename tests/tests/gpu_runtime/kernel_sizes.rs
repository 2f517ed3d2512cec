//! What compilers are given: SPIR-V instructions of kernels that are written from expressions, with every function counted once for each place that
//! calls it, as drivers copy it there. Bounds, so that a function that comes to be copied shows.
//!
//! Kernels: `march_rays`, `octree_expand`, written from expressions.

use std::collections::HashMap;

use affine_arith::gallery::Scene;
use affine_arith::{CellQuery, Model, Plan, RenderQuery, Rounding, SubdivideOptions};
use gpu_runtime::translate::{Target, Translation};
use gpu_runtime::{Form, KernelEntry};

const FUNCTION: u32 = 54;
const FUNCTION_END: u32 = 56;
const FUNCTION_CALL: u32 = 57;

/// Instructions in the text, and with callees in place of their calls.
fn sizes(entry: &KernelEntry) -> [usize; 2] {
    let translation = Translation::new(&entry.source(), Form::Decorated, &Target::default());
    let words = translation.unwrap_or_else(|fault| panic!("{fault}")).spirv().expect("SPIR-V");
    let (mut functions, mut current, mut at) = (Vec::<(u32, usize, Vec<u32>)>::new(), None, 5);
    while at < words.len() {
        let (op, length) = (words[at] & 0xffff, (words[at] >> 16) as usize);
        if op == FUNCTION {
            functions.push((words[at + 2], 0, Vec::new()));
            current = Some(functions.len() - 1);
        }
        if let Some(k) = current {
            functions[k].1 += 1;
            if op == FUNCTION_CALL {
                functions[k].2.push(words[at + 3]);
            }
        }
        current = current.filter(|_| op != FUNCTION_END);
        at += length;
    }
    // naga writes callees before their callers.
    let mut inlined: HashMap<u32, usize> = HashMap::new();
    for (id, own, calls) in &functions {
        inlined.insert(*id, own + calls.iter().map(|callee| inlined[callee]).sum::<usize>());
    }
    let entry_point = functions.last().map_or(0, |(id, ..)| inlined[id]);
    [functions.iter().map(|(_, own, _)| own).sum(), entry_point]
}

fn plan(scene: &str, variables: &[&str]) -> Plan {
    let text = Scene::named(scene).map_or(scene, |scene| scene.text);
    Plan::new(&text.parse().expect("an expression"), variables).expect("its variables")
}

#[test]
fn kernels_of_rays_are_short() {
    // Scene, kind of numbers, and most instructions of the march.
    let rows = [
        ("sphere", Model::Affine, Rounding::Rigorous, MARCH[0]),
        ("metaballs", Model::Affine, Rounding::Rigorous, MARCH[1]),
        ("metaballs", Model::Affine, Rounding::Ignore, MARCH[2]),
        ("torus", Model::Affine, Rounding::Rigorous, MARCH[3]),
        ("torus", Model::Mixed, Rounding::Rigorous, MARCH[4]),
        ("gyroid", Model::Affine, Rounding::Rigorous, MARCH[5]),
    ];
    let mut faults = Vec::new();
    for (scene, model, rounding, most) in rows {
        let plan = plan(scene, &["x", "y", "z", "t"]);
        let kernels = RenderQuery::kernels(&plan, model, rounding).expect("kernels");
        let march = sizes(&kernels[1]);
        println!("{scene}, {model:?}, {rounding:?}: march {march:?}");
        if march[1] > most {
            faults.push(format!("{scene}, {model:?}, {rounding:?}: {} instructions, at most {most}", march[1]));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Most instructions of the marches above.
const MARCH: [usize; 6] = [6_200, 11_800, 11_400, 17_600, 25_000, 26_500];

#[test]
fn kernels_of_octrees_are_short() {
    let rows = [
        ("tanglecube", Model::Affine, EXPAND[0]),
        ("gyroid", Model::Affine, EXPAND[1]),
        ("torus", Model::Affine, EXPAND[2]),
        ("torus", Model::Mixed, EXPAND[3]),
        ("heart", Model::Mixed, EXPAND[4]),
        ("heart", Model::Intervals, EXPAND[5]),
    ];
    let mut faults = Vec::new();
    for (scene, model, most) in rows {
        let plan = plan(scene, &["x", "y", "z"]);
        let options = SubdivideOptions { level: 3, model, rounding: Rounding::Rigorous, capacity: 1000 };
        let kernels = CellQuery::<3>::kernels(&plan, [(-2.0, 2.0); 3], options).expect("kernels");
        let expand = sizes(&kernels[1]);
        println!("{scene}, {model:?}: expand {expand:?}");
        if expand[1] > most {
            faults.push(format!("{scene}, {model:?}: {} instructions, at most {most}", expand[1]));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Most instructions of the kernels above.
const EXPAND: [usize; 6] = [770, 1_300, 13_000, 23_500, 45_000, 11_000];
