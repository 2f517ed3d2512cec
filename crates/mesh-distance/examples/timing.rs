use mesh_distance::*;
use std::ops::ControlFlow;
use std::time::Instant;
fn cpu() -> f64 {
    let mut t = 0.0;
    for e in std::fs::read_dir("/proc/self/task").unwrap() {
        let s = std::fs::read_to_string(e.unwrap().path().join("schedstat")).unwrap_or_default();
        t += s.split_whitespace().next().and_then(|x| x.parse::<f64>().ok()).unwrap_or(0.0) * 1e-9;
    }
    t
}
fn main() {
    for arg in std::env::args().skip(1) {
        let t = Instant::now();
        let mesh = match arg.strip_prefix("knot:") {
            Some(n) => make::knot(n.parse().unwrap()),
            None => read_mesh(&arg).unwrap(),
        };
        println!("{arg}: load {:.3}", t.elapsed().as_secs_f64());
        let t = Instant::now();
        let r = mesh.report();
        println!("report {:.3}", t.elapsed().as_secs_f64());
        for t in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(t);
            let u: [f64; 3] = std::array::from_fn(|k| b[k] - a[k]);
            let w: [f64; 3] = std::array::from_fn(|k| c[k] - a[k]);
            let n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
            let d = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            let sine = (d(n, n) / (d(u, u) * d(w, w))).sqrt();
            if sine.is_nan() || sine < 1e-6 {
                println!("sine {t} {sine:e} {:?}", mesh.triangles[t]);
            }
        }
        println!("{:?}", r.trust(Sign::PseudoNormal));
        for _ in 0..2 {
            let (t, c) = (Instant::now(), cpu());
            let s = Surface::build(&mesh).unwrap();
            println!(
                "build {:.3} cpu {:.3} nodes {} depth {}",
                t.elapsed().as_secs_f64(),
                cpu() - c,
                s.tree().nodes.len(),
                s.tree().depth
            );
        }
        let s = Surface::build(&mesh).unwrap();
        for n in [32, 48, 128] {
            let g = Grid::around(&mesh.bounds().unwrap(), [n; 3], 0.25).unwrap();
            for sign in [Sign::None, Sign::PseudoNormal] {
                let mut best = f64::INFINITY;
                let mut v = vec![];
                for _ in 0..if n > 100 { 1 } else { 5 } {
                    let t = cpu();
                    v = s.grid_distance_cpu(&g, sign, false, &|_, _| ControlFlow::Continue(())).unwrap();
                    best = best.min(cpu() - t);
                }
                println!(
                    "{n} {sign:?}: {:.0} ns/query, inside {}",
                    best * 1e9 / v.len() as f64,
                    v.iter().filter(|x| **x < 0.0).count()
                );
            }
        }
    }
}
