//! The rules of kernels that need naga's types: which float operations a line may hold, and that every WGSL file of the
//! tree is reached. `cargo xtask tidy` runs this file too.

use std::fs;
use std::path::Path;

use conformance::kernels;
use gpu_runtime::translate::{FloatFinding, FloatRule, ShaderCapabilities, Target, Translation};
use gpu_runtime::{Form, KernelSource, WgslModule};

/// The mark of a line that takes a device's estimate and corrects it.
const ESTIMATE_MARK: &str = "// estimate: corrected below";

/// Everything a kernel of any crate may use.
const ALL_CAPABILITIES: ShaderCapabilities = ShaderCapabilities { f64: true, int64: true, subgroups: true };

/// Float operations on lines without the mark that would allow them.
fn unmarked(source: &KernelSource<'_>) -> Vec<FloatFinding> {
    let target = Target { capabilities: ALL_CAPABILITIES, ..Target::default() };
    let translation = Translation::new(source, Form::Off, &target).unwrap_or_else(|fault| panic!("{fault}"));
    let allowed = |f: &&FloatFinding| f.rule == FloatRule::Estimate && f.place.excerpt.contains(ESTIMATE_MARK);
    translation.findings().iter().filter(|finding| !allowed(finding)).cloned().collect()
}

#[test]
fn kernels_use_no_float_operation_without_its_mark() {
    let mut faults = Vec::new();
    for kernels::Entry { package, kernel } in kernels::all() {
        for FloatFinding { function, operation, rule, place } in unmarked(&kernel.source()) {
            let (module, line, text) = (&place.module, place.line, place.excerpt.trim());
            faults.push(format!(
                "{package} {module}.wgsl:{line}: {operation} on floats ({rule:?}) in {function}: {text}"
            ));
        }
    }
    // Kernels share modules.
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// A kernel with one line of code, to see the rules bite.
fn operations(line: &str) -> Vec<String> {
    let text = format!(
        "struct Params {{ zero: u32, x: f32, y: f32, n: u32 }}\n@group(0) @binding(0) var<uniform> params: Params;\n\
         @group(0) @binding(1) var<storage, read_write> out: array<f32>;\n\
         @compute @workgroup_size(1)\nfn probe() {{\n    let x = params.x;\n    let y = params.y;\n    {line}\n}}\n"
    );
    // The runtime's modules are part of the program, so their text lives as long as it does.
    let source: &'static str = Box::leak(text.into_boxed_str());
    let modules = [WgslModule { name: "probe", source }];
    let kernel = KernelSource { name: "probe", constants: &[], modules: &modules, trusted: false };
    unmarked(&kernel).into_iter().map(|finding| finding.operation).collect()
}

#[test]
fn each_banned_operation_is_found_and_its_mark_lifts_it() {
    let never = ["fma(x, y, x)", "mix(x, y, x)", "sin(x)", "exp(x)", "log2(x)", "pow(x, y)", "x % y"];
    for expression in never {
        assert_eq!(operations(&format!("out[0] = {expression};")).len(), 1, "{expression}");
        assert_eq!(operations(&format!("out[0] = {expression}; // zero free: why")).len(), 1, "{expression}");
    }
    assert_eq!(operations("out[0] = dot(vec2<f32>(x, y), vec2<f32>(y, x));"), ["dot"]);
    assert_eq!(operations("out[0] = length(vec2<f32>(x, y));"), ["length"]);
    for expression in ["min(x, y)", "max(x, y)", "clamp(x, y, y)"] {
        assert_eq!(operations(&format!("out[0] = {expression};")).len(), 1, "{expression}");
        assert!(operations(&format!("out[0] = {expression}; // zero free: why")).is_empty(), "{expression}");
    }
    for expression in ["x / y", "sqrt(x)", "inverseSqrt(x)"] {
        assert_eq!(operations(&format!("out[0] = {expression};")).len(), 1, "{expression}");
        assert!(operations(&format!("out[0] = {expression}; {ESTIMATE_MARK}")).is_empty(), "{expression}");
        assert!(operations(&format!("out[0] = {expression}; // bound only: why")).is_empty(), "{expression}");
    }
    assert!(operations("out[0] = abs(x) * y - floor(x);").is_empty());
    assert!(operations("out[0] = f32(min(params.n, 3u) % 2u);").is_empty(), "integers are free");
}

#[test]
fn every_wgsl_file_is_reached_by_a_kernel() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let reached: Vec<&str> =
        kernels::all().iter().flat_map(|e| &e.kernel.modules).map(|module| module.source).collect();
    // Texts that kernels take in parts; `affine_functions.rs` looks at the whole. Loops over few symbols are written out there, so with many.
    let library = affine_arith::wgsl(8) + &affine_arith::wgsl_double(8);
    let mut unreached = Vec::new();
    let folders = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter();
    // A bench's own kernels keep a device busy and decide nothing.
    let searched = folders.filter_entry(|entry| entry.file_name() != "target" && entry.file_name() != "benches");
    for entry in searched.filter_map(Result::ok) {
        if entry.path().extension().is_some_and(|extension| extension == "wgsl") {
            let text = fs::read_to_string(entry.path()).unwrap_or_else(|error| panic!("{:?}: {error}", entry.path()));
            let of_unit_test = text.starts_with("// Test kernel");
            if !of_unit_test && !reached.contains(&text.as_str()) && !library.contains(&text) {
                unreached.push(entry.path().strip_prefix(&root).unwrap_or(entry.path()).display().to_string());
            }
        }
    }
    assert!(
        unreached.is_empty(),
        "in no kernel of conformance::kernels::all(), so unchecked:\n{}",
        unreached.join("\n")
    );
}
