//! Decodes a compressed mesh on a device and hands its buffers to a kernel of one's own: only the answer is read back.
//!
//! `cargo run --release -p mesh-decode --example decode_on_device -- part.md1`; without an argument, a height field.
//! The kernel counts the triangles that face up, on grid points, so that the CPU finds the same number.

use gpu_runtime::{AdapterSelector, Context, ContextOptions, KernelSource, WgslModule};
use mesh_decode::{DeviceFile, Md1Options, Outputs, VertexOutput, encode_md1, open};

const COUNT_UP: WgslModule = WgslModule {
    name: "count_up",
    source: "
struct Params { zero: u32, triangles: u32, groups_x: u32, pad: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> grid: array<i32>;
@group(0) @binding(2) var<storage, read> corners: array<u32>;
@group(0) @binding(3) var<storage, read_write> count: array<atomic<u32>>;

fn point(corner: u32) -> vec2<i32> {
    let vertex = corners[corner];
    return vec2<i32>(grid[3u * vertex], grid[3u * vertex + 1u]);
}

@compute @workgroup_size(64)
fn count_up(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let triangle = (group.y * params.groups_x + group.x) * 64u + lane;
    if triangle >= params.triangles { return; }
    let a = point(3u * triangle);
    let e = point(3u * triangle + 1u) - a;
    let f = point(3u * triangle + 2u) - a;
    if e.x * f.y - e.y * f.x > 0 { atomicAdd(&count[0], 1u); }
}
",
};

/// A height field over 300 x 300 vertices.
fn waves() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let n = 300;
    let position = |k: u32| {
        let (x, y) = ((k % n) as f32 / n as f32, (k / n) as f32 / n as f32);
        [x, y, 0.05 * (20.0 * x).sin() * (30.0 * y).cos()]
    };
    let quad = |k: u32| {
        let a = k / (n - 1) * n + k % (n - 1);
        [[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]
    };
    ((0..n * n).map(position).collect(), (0..(n - 1) * (n - 1)).flat_map(quad).collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => {
            let (positions, triangles) = waves();
            encode_md1(&positions, &triangles, &Md1Options::default())?.bytes
        }
    };
    let file = open(&bytes)?;
    let decoded = file.decode_cpu(Outputs::ALL);
    let up = |t: &&[u32; 3]| {
        let [a, b, c] = t.map(|v| decoded.grid[v as usize]);
        let (e, f) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        e[0].wrapping_mul(f[1]).wrapping_sub(e[1].wrapping_mul(f[0])) > 0
    };
    let expected = decoded.triangles.iter().filter(up).count();
    println!("cpu: {expected} of {} triangles face up", file.triangle_count());

    let options = ContextOptions { selector: AdapterSelector::from_env(), ..ContextOptions::default() };
    let context = match Context::new(&options) {
        Ok(context) => context,
        Err(error) => {
            println!("no device: {error}");
            return Ok(());
        }
    };
    let device = DeviceFile::upload(&context, &file)?;
    let selection = device.select_all()?;
    let mesh = device.allocate(&selection, VertexOutput::Grid)?;
    let count = context.zeroed::<u32>("count", 1)?;
    let kernel =
        context.kernel(&KernelSource { name: "count_up", constants: &[], modules: &[COUNT_UP], trusted: false })?;
    // One submission: the decode, then the kernel that reads what it left.
    let mut recording = context.record("decode and count");
    device.record(&mut recording, &selection, &mesh)?;
    let groups = selection.triangle_count().div_ceil(64);
    let groups = [groups.min(1024), groups.div_ceil(1024).max(1), 1];
    let bindings = [("grid", mesh.grid.bind()), ("corners", mesh.triangles.bind()), ("count", count.bind())];
    recording.dispatch(&kernel, &bindings, &[0, selection.triangle_count(), groups[0], 0], groups)?;
    let download = recording.download(&count);
    let found = recording.submit()?.take(download)?[0];
    println!("{}: {found}", context.adapter().name);
    assert_eq!(found as usize, expected);
    Ok(())
}
