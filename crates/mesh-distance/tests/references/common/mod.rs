//! Meshes and points that the tests share.

use mesh_distance::{Mesh, read_mesh};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A small deterministic generator (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Uniform in [-1, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.word() >> 33) as usize % n
    }

    pub(crate) fn vector(&mut self) -> [f64; 3] {
        [self.unit(), self.unit(), self.unit()]
    }
}

/// The shared test meshes that are there, by name; says in one line when they are not.
pub(crate) fn shared_meshes() -> Vec<(String, Mesh)> {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("ISOBIT_SHARED").map_or(default, PathBuf::from).join("meshes");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: no shared meshes at {}", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "stl" || e == "obj"));
    paths.sort();
    paths.into_iter().map(|p| (p.file_name().unwrap().to_string_lossy().into(), read_mesh(&p).unwrap())).collect()
}

pub(crate) fn add(p: [f64; 3], q: [f64; 3], t: f64) -> [f64; 3] {
    std::array::from_fn(|k| p[k] + q[k] * t)
}

/// Points of many kinds round a mesh: in and round its box, near and on triangles, edges and vertices, beyond vertices, far away.
pub(crate) fn points(mesh: &Mesh, count: usize, seed: u64) -> Vec<[f64; 3]> {
    let mut random = Random::new(seed);
    let bounds = mesh.bounds().unwrap();
    let centre: [f64; 3] = std::array::from_fn(|k| 0.5 * (bounds.lo[k] + bounds.hi[k]));
    let half: [f64; 3] = std::array::from_fn(|k| 0.5 * (bounds.hi[k] - bounds.lo[k]));
    let extent = half.iter().fold(0.0f64, |m, x| m.max(*x));
    let extent = if extent > 0.0 { extent } else { 1.0 };
    let one = |i: usize| {
        let [a, b, c] = mesh.corners(random.below(mesh.triangles.len()));
        let (u, v) = (0.5 + 0.5 * random.unit(), 0.5 + 0.5 * random.unit());
        let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        let inside: [f64; 3] = std::array::from_fn(|k| a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]));
        let away = random.vector();
        match i % 10 {
            0..=2 => std::array::from_fn(|k| centre[k] + 1.5 * half[k].max(0.1 * extent) * away[k]),
            3 => inside,
            4 => add(inside, away, 1e-4 * extent),
            5 => add(inside, away, 1e-1 * extent),
            6 => a,
            7 => std::array::from_fn(|k| 0.5 * (a[k] + b[k])),
            8 => add(b, away, 0.3 * extent),
            _ => add(centre, away, extent * 10f64.powi((i / 10 % 16) as i32)),
        }
    };
    (0..count).map(one).collect()
}

/// A folder of its own that vanishes at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        // Tests run side by side, in one process or in several.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let unique = format!("{name}-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(unique);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The corners of the triangles of such a file.
    #[track_caller]
    pub(crate) fn corners(&self, name: &str, bytes: impl AsRef<[u8]>) -> Vec<[[f64; 3]; 3]> {
        let mesh = read_mesh(self.file(name, bytes)).unwrap_or_else(|e| panic!("{e}"));
        (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect()
    }

    /// The error of reading such a file, after the folder's name.
    #[track_caller]
    pub(crate) fn error(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let error = read_mesh(self.file(name, bytes)).unwrap_err().to_string();
        error.strip_prefix(&format!("{}/", self.0.display())).expect("the error names the file").to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}
