// Schedule: the sign of a query's distance. Needs sign_params and a kernel with `results`.

fn write_side(at: u32, inside: bool) {
    let upper = at * params.stride + params.upper;
    let bits = results[upper];
    if inside && (bits & 0x7fffffffu) != 0u { results[upper] = bits | NEGATIVE; }
}
