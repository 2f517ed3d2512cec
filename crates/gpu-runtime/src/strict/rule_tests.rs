//! Which operations the strict forms refuse, and what the marks allow.

use gpu_shaders::WgslModule;

use crate::translate::{FloatRule, ShaderCapabilities, Target, Translation};
use crate::{Form, KernelSource, ShaderFault};

const HEAD: &str = "
struct Params { count: u32, zero: u32, a: f32, b: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<vec4<f32>>;
";

/// A kernel whose function `work` has the given lines.
fn kernel(lines: &str) -> String {
    format!(
        "{HEAD}fn work(v: vec4<f32>) -> f32 {{
    var r = v.x;
{lines}
    return r;
}}
@compute @workgroup_size(64) fn k(@builtin(local_invocation_index) i: u32) {{ data[i].x = work(data[i]); }}
"
    )
}

fn translation(text: String, form: Form, capabilities: ShaderCapabilities) -> Result<Translation, ShaderFault> {
    // Modules are static in the program; a test makes its own and never frees them.
    let modules = [WgslModule { name: "work", source: text.leak() }];
    let source = KernelSource { name: "k", constants: &[], modules: &modules, trusted: false };
    Translation::new(&source, form, &Target { capabilities, ..Default::default() })
}

fn translate(text: String, form: Form) -> Result<Translation, ShaderFault> {
    translation(text, form, ShaderCapabilities { f64: true, int64: true, subgroups: true })
}

const REFUSED: [(&str, &str); 23] = [
    ("r = fma(v.x, v.y, v.z);", "fma"),
    ("r = dot(v, v);", "dot"),
    ("r = mix(v.x, v.y, v.z);", "mix"),
    ("r = v.x % v.y;", "%"),
    ("r = length(v);", "length"),
    ("r = distance(v, v.wzyx);", "distance"),
    ("r = normalize(v).x;", "normalize"),
    ("r = cross(v.xyz, v.zxy).x;", "cross"),
    ("r = exp(v.x);", "exp"),
    ("r = exp2(v.x);", "exp2"),
    ("r = sin(v.x);", "sin"),
    ("r = acos(v.x);", "acos"),
    ("r = pow(v.x, v.y);", "pow"),
    ("r = log2(v.x);", "log2"),
    ("r = fract(v.x);", "fract"),
    ("r = smoothstep(v.x, v.y, v.z);", "smoothstep"),
    ("r = degrees(v.x);", "degrees"),
    ("r = ldexp(v.x, 3);", "ldexp"),
    ("r = frexp(v.x).fract;", "frexp"),
    ("r = f32(pack4x8snorm(v));", "pack4x8snorm"),
    ("r = (mat2x2<f32>(v.xy, v.zw) * v.xy).x;", "matrix arithmetic"),
    ("r = (mat2x2<f32>(v.xy, v.zw) * 2.0)[0].x;", "matrix arithmetic"),
    ("r = subgroupAdd(v.x);", "a sum over a subgroup"),
];

#[test]
fn what_has_no_exact_form_is_refused_by_name() {
    for (line, operation) in REFUSED {
        for form in [Form::Decorated, Form::Guarded] {
            let Err(fault) = translate(kernel(line), form) else { panic!("{line} was not refused") };
            let expected = format!("function work uses {operation} on floats");
            assert!(fault.message.to_lowercase().contains(&expected), "{line}: {fault}");
            assert_eq!((fault.module.as_str(), fault.line, fault.excerpt.as_str()), ("work", 7, line), "{fault}");
        }
        assert!(translate(kernel(line), Form::Off).is_ok(), "{line}");
    }
}

#[test]
fn a_bound_may_use_anything() {
    for (line, _) in REFUSED {
        let marked = format!("{line} // bound only: for the test");
        let guarded = translate(kernel(&marked), Form::Guarded).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(guarded.findings().is_empty(), "{line}");
        guarded.spirv().unwrap();
        assert!(translate(kernel(&marked), Form::Decorated).unwrap().spirv().is_ok());
        // The mark of a neighbouring line does not help.
        let beside = format!("// bound only\n{line}\n// bound only");
        assert!(translate(kernel(&beside), Form::Guarded).is_err(), "{line}");
    }
}

#[test]
fn what_is_exact_is_not_refused() {
    let lines = "
    r = abs(v.x) + floor(v.y) - ceil(v.z) * trunc(v.w);
    r += round(v.x) * sign(v.y) + step(v.x, v.y);
    r += f32(u32(v.x)) - f32(i32(v.y)) + bitcast<f32>(bitcast<u32>(v.z) & 255u);
    r = select(r, -r, v.x < v.y && all(v.xy == v.zw));
    r += f32(dot(vec2<u32>(1u, params.count), vec2<u32>(params.count)) % 7u) * f32(countOneBits(params.count));
    r += f32(min(params.count, 7u) / 3u) + f32(subgroupAdd(params.count)) + subgroupBroadcastFirst(v.x);";
    let guarded = translate(kernel(lines), Form::Guarded).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(guarded.findings(), []);
    assert_eq!(guarded.guards(), 3 + 3 + 3 + 1 + 2 + 3);
    assert_eq!(guarded.msl().unwrap().matches("| strict_zero").count(), guarded.guards());
}

#[test]
fn selections_and_estimates_are_reported_where_no_mark_allows_them() {
    let lines = "
    r = min(v.x, v.y);
    r += max(v.x, v.y); // zero free
    r += clamp(v.x, v.y, v.z); // bound only
    r += sqrt(v.x); // zero free
    r += v.x / v.y;
    r += inverseSqrt(v.z); // bound only";
    let guarded = translate(kernel(lines), Form::Guarded).unwrap_or_else(|fault| panic!("{fault}"));
    let found: Vec<_> = guarded.findings().iter().map(|f| (f.rule, f.operation.as_str(), f.place.line)).collect();
    let expected =
        [(FloatRule::Selection, "min", 8), (FloatRule::Estimate, "sqrt", 11), (FloatRule::Estimate, "/", 12)];
    assert_eq!(found, expected);
    assert!(guarded.findings().iter().all(|f| f.function == "work"));
    // Estimates are guarded, selections are not.
    assert_eq!(guarded.guards(), 5 + 3);
}

#[test]
fn constants_are_folded_and_cost_no_guard() {
    let lines = "    const C = 2.0 * 3.0 + 1.0; r = v.x * C; var t = 1.0 - 0.5; r += t;";
    assert_eq!(translate(kernel(lines), Form::Guarded).unwrap().guards(), 2);
}

#[test]
fn integers_alone_need_no_zero() {
    let text = "@group(0) @binding(1) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(1) fn k() { data[0] = data[1] * 3u; }";
    let translation = translate(text.to_owned(), Form::Guarded).unwrap();
    assert_eq!(translation.guards(), 0);
}

#[test]
fn float_arithmetic_without_the_zero_is_an_error() {
    let text = "@group(0) @binding(1) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(1) fn k() { data[0] = data[1] * 3.0; }";
    let fault = translate(text.to_owned(), Form::Guarded).unwrap_err();
    assert!(fault.to_string().contains("kernel k: float arithmetic needs a member `zero: u32`"), "{fault}");
    assert!(translate(text.to_owned(), Form::Decorated).is_ok());
}

#[test]
fn f64_is_guarded_with_a_wide_zero_and_has_no_msl() {
    let text = HEAD.replace("vec4<f32>", "vec2<f64>")
        + "@compute @workgroup_size(1) fn k() { data[0] = data[1] * data[2] + data[3].yx; data[1].x -= data[2].y; }";
    let guarded = translate(text.clone(), Form::Guarded).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(guarded.guards(), 3);
    assert_eq!(guarded.hlsl().unwrap().matches("| strict_zero_wide").count(), 3);
    assert!(guarded.msl().unwrap_err().message.contains("Metal has no f64"));
    let narrow = ShaderCapabilities { f64: true, ..Default::default() };
    let fault = translation(text.clone(), Form::Guarded, narrow).unwrap_err();
    assert!(fault.message.contains("needs 64-bit integers"), "{fault}");
    let fault = translation(text, Form::Off, ShaderCapabilities::default()).unwrap_err();
    assert!(fault.message.contains("FLOAT64"), "{fault}");
}

#[test]
fn faults_name_module_line_and_excerpt() {
    let fault = translate(kernel("    r = v.x +;"), Form::Off).unwrap_err();
    assert_eq!((fault.line, fault.module.as_str()), (7, "work"), "{fault}");
    assert!(fault.to_string().starts_with("kernel k: work:7:"), "{fault}");
    assert!(fault.to_string().ends_with("in `r = v.x +;`"), "{fault}");
    let line = "    r = f32(pack2x16float(v.xy));";
    let fault = translate(kernel(line), Form::Off).unwrap_err();
    assert_eq!((fault.line, fault.column, fault.excerpt.as_str()), (7, 13, line), "{fault}");
    let fault = translate("fn other() {}".to_owned(), Form::Off).unwrap_err();
    assert!(fault.message.contains("no @compute entry point"), "{fault}");
}

#[test]
fn overrides_are_refused_in_favour_of_constants() {
    let fault = translate(kernel("    r = r * WIDTH;") + "override WIDTH: f32 = 3.0;\n", Form::Guarded).unwrap_err();
    assert!(fault.message.contains("override WIDTH"), "{fault}");
    assert!(fault.excerpt.contains("override WIDTH: f32 = 3.0"), "{fault}");
}
