// Twins: double_word.rs
// Double words: unevaluated sums of two floats. Twin of double_word.rs. Needs strict_float.

struct DoubleWord {
    high: f32,
    low: f32,
}

fn dw_new(x: f32) -> DoubleWord {
    return DoubleWord(x, 0.0);
}

// `yes` where the condition holds.
fn dw_select(no: DoubleWord, yes: DoubleWord, condition: bool) -> DoubleWord {
    return DoubleWord(select(no.high, yes.high, condition), select(no.low, yes.low, condition));
}

fn dw_fast_two_sum(a: f32, b: f32) -> DoubleWord {
    let high = a + b;
    return DoubleWord(high, b - (high - a));
}

fn dw_sum(a: f32, b: f32) -> DoubleWord {
    let s = two_sum(a, b);
    return DoubleWord(s.x, s.y);
}

fn dw_product(a: f32, b: f32) -> DoubleWord {
    let p = two_prod(a, b);
    return DoubleWord(p.x, p.y);
}

fn dw_add(x: DoubleWord, y: DoubleWord) -> DoubleWord {
    let high = two_sum(x.high, y.high);
    let low = two_sum(x.low, y.low);
    let first = dw_fast_two_sum(high.x, high.y + low.x);
    return dw_fast_two_sum(first.high, low.y + first.low);
}

fn dw_neg(x: DoubleWord) -> DoubleWord {
    return DoubleWord(-x.high, -x.low);
}

fn dw_sub(x: DoubleWord, y: DoubleWord) -> DoubleWord {
    return dw_add(x, dw_neg(y));
}

fn dw_mul(x: DoubleWord, y: DoubleWord) -> DoubleWord {
    let p = two_prod(x.high, y.high);
    let cross = x.high * y.low + x.low * y.high;
    return dw_fast_two_sum(p.x, p.y + cross);
}

fn dw_mul_real(x: DoubleWord, y: f32) -> DoubleWord {
    let p = two_prod(x.high, y);
    return dw_fast_two_sum(p.x, p.y + x.low * y);
}

fn dw_div(x: DoubleWord, y: DoubleWord) -> DoubleWord {
    let quotient = div_rn(x.high, y.high);
    let rest = dw_sub(x, dw_mul_real(y, quotient));
    return dw_fast_two_sum(quotient, div_rn(rest.high, y.high));
}

fn dw_sqrt(x: DoubleWord) -> DoubleWord {
    let root = sqrt_rn(x.high);
    let square = two_prod(root, root);
    let rest = ((x.high - square.x) - square.y) + x.low;
    return dw_select(dw_fast_two_sum(root, div_rn(rest, root + root)), DoubleWord(0.0, 0.0), root == 0.0);
}

fn dw_scale_pow2(x: DoubleWord, k: i32) -> DoubleWord {
    return DoubleWord(scale_pow2(x.high, k), scale_pow2(x.low, k));
}
