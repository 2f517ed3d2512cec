//! Runs the built program and makes the files it is fed.

use std::process::{Command, Output};

/// What a finished run left.
#[derive(Debug)]
pub(crate) struct Run {
    /// Exit code; -1 after a signal.
    pub(crate) code: i32,
    /// All of stdout.
    pub(crate) stdout: String,
    /// All of stderr.
    pub(crate) stderr: String,
}

impl Run {
    /// stdout as the one JSON object that it must be.
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.code, 0, "{self:?}");
        let value: serde_json::Value = serde_json::from_str(&self.stdout).expect("stdout is one JSON value");
        assert!(value.is_object(), "{value}");
        value
    }

    /// The run failed with `code`, one line on stderr that starts with `error: ` and holds `parts`, nothing on stdout.
    #[track_caller]
    pub(crate) fn refused(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "one line: {self:?}");
        assert!(self.stderr.starts_with("error: "), "{self:?}");
        for part in parts {
            assert!(self.stderr.contains(part), "{part} is missing: {self:?}");
        }
    }
}

/// The program with `args`, on the CPU.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobit"));
    // A layer of Mesa writes to stderr when it looks for a desktop session in vain; these tests count lines.
    command.args(args).env("ISOBIT_DEVICE", "cpu").env("NODEVICE_SELECT", "1");
    command
}

/// Runs the program on the CPU.
pub(crate) fn isobit(args: &[&str]) -> Run {
    finished(command(args).output().expect("the program starts"))
}

/// The parts of a finished run.
pub(crate) fn finished(output: Output) -> Run {
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
    }
}

/// A folder that goes away with the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// A new, empty folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A path inside, as text for the command line.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("write");
        path
    }

    /// The names of what is inside, sorted; hidden files too.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("read the folder");
        let mut names: Vec<String> =
            entries.map(|e| e.expect("entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }
}

/// A binary STL file.
pub(crate) fn stl(triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = vec![0u8; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for corners in triangles {
        bytes.extend([0u8; 12]);
        bytes.extend(corners.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0u8; 2]);
    }
    bytes
}

/// The box [-1, 1] x [-2, 2] x [-3, 3], oriented outward, as text of an OBJ file.
pub(crate) const BOX_OBJ: &str = "\
v -1 -2 -3\nv 1 -2 -3\nv 1 2 -3\nv -1 2 -3\nv -1 -2 3\nv 1 -2 3\nv 1 2 3\nv -1 2 3\n\
f 1 4 3\nf 1 3 2\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";

/// A tetrahedron, oriented outward.
pub(crate) fn tetrahedron() -> Vec<[[f32; 3]; 3]> {
    let [o, x, y, z] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    vec![[o, y, x], [o, x, z], [o, z, y], [x, y, z]]
}

/// The float32 values and the shape of a .npy file.
pub(crate) fn read_npy(path: &str) -> (Vec<u64>, Vec<f32>) {
    let file = std::fs::File::open(path).expect("the .npy file exists");
    let npy = npyz::NpyFile::new(std::io::BufReader::new(file)).expect("a .npy file");
    let shape = npy.shape().to_vec();
    (shape, npy.into_vec().expect("float32 values"))
}

/// A .npy file with a head as NumPy writes it.
pub(crate) fn npy(descr: &str, shape: &str, values: &[u8]) -> Vec<u8> {
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    text.push_str(&" ".repeat(127 - 10 - text.len()));
    text.push('\n');
    [b"\x93NUMPY\x01\x00", &118u16.to_le_bytes()[..], text.as_bytes(), values].concat()
}
