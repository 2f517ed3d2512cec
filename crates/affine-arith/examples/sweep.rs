//! Compares the point enclosures of f32 with f64 references, over every STEP-th of all words:
//!
//! `cargo run --release -p affine-arith --example sweep -- 101`; 1 is exhaustive and takes hours on one core.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let step = std::env::args().nth(1).unwrap_or_else(|| "1009".to_owned()).parse()?;
    println!(
        "| function | compared | outside | widest (floats) | at | single floats or neighbours |\n|---|---|---|---|---|---|"
    );
    for (function, found) in affine_arith::sweep_all(step) {
        let share = 100.0 * found.tightest as f64 / found.compared.max(1) as f64;
        let at = f32::from_bits(found.widest_word);
        println!("| {function:?} | {} | {} | {} | {at:e} | {share:.3} % |", found.compared, found.missed, found.widest);
    }
    Ok(())
}
