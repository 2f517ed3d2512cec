//! An interrupt in the middle of a long run: exit code 130, nothing left behind.

use crate::support;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Folder, command, finished, isobit};

/// Sends SIGINT by the shell's own `kill`: a minimal system has no program of that name.
fn interrupt(child: &Child) {
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().expect("sh");
    assert!(sent.success());
}

/// Starts `arguments`, waits `before`, interrupts, and returns the finished run.
fn interrupted(arguments: &[&str], before: Duration) -> support::Run {
    // One thread: long enough on machines of many cores too.
    let mut child = command(arguments)
        .env("RAYON_NUM_THREADS", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    sleep(before);
    assert!(child.try_wait().expect("its state").is_none(), "the run must be long enough to interrupt");
    interrupt(&child);
    let start = Instant::now();
    let run = finished(child.wait_with_output().expect("ends"));
    assert!(start.elapsed() < Duration::from_secs(20), "ends soon: {:?}", start.elapsed());
    run
}

#[test]
fn a_long_run_leaves_nothing() {
    let folder = Folder::new();
    let mesh = folder.path("knot.stl");
    assert_eq!(isobit(&["make", "knot", "--triangles", "20000", "--out", &mesh]).code, 0);
    let (out, png) = (folder.path("out.vti"), folder.path("out.png"));
    let arguments = ["sdf", &mesh, "--grid", "500", "--out", &out, "--png", &png];
    let run = interrupted(&arguments, Duration::from_millis(1500));
    assert_eq!((run.code, run.stdout.as_str()), (130, ""), "{run:?}");
    assert_eq!(run.stderr, "error: interrupted\n");
    assert_eq!(folder.names(), ["knot.stl"]);
}

#[test]
fn an_interrupt_while_a_file_is_written_leaves_nothing() {
    let folder = Folder::new();
    let mesh = folder.path("box.obj");
    std::fs::write(&mesh, support::BOX_OBJ).expect("write");
    // A mesh of a hundred million bytes takes a while to write; the temporary folder says when that has begun.
    let out = folder.path("big.obj");
    let mut child = command(&["make", "terrain", "--triangles", "3000000", "--out", &out])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let start = Instant::now();
    let writing = || {
        let name = folder.names().into_iter().find(|name| name.ends_with(".part"));
        name.is_some_and(|name| std::fs::read_dir(folder.path(&name)).is_ok_and(|d| d.count() > 0))
    };
    while !writing() {
        assert!(start.elapsed() < Duration::from_secs(60), "writing begins");
        assert!(child.try_wait().expect("its state").is_none(), "the run must be long enough to interrupt");
        sleep(Duration::from_millis(2));
    }
    interrupt(&child);
    assert_eq!(finished(child.wait_with_output().expect("ends")).code, 130);
    assert_eq!(folder.names(), ["box.obj"]);
}

/// A grid of 729 million voxels, of which it takes a while to make a fingerprint.
fn a_large_grid_is_interrupted(device: &str) {
    let folder = Folder::new();
    let out = folder.path("out.nvdb");
    let arguments = ["topology", "from-dense", "--size", "900", "--out", &out, "--device", device];
    let run = interrupted(&arguments, Duration::from_millis(1500));
    assert_eq!((run.code, run.stdout.as_str()), (130, ""), "{run:?}");
    assert_eq!(run.stderr, "error: interrupted\n");
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn a_topology_operation_leaves_nothing() {
    a_large_grid_is_interrupted("cpu");
}

/// The same while a device computes; skipped where there is no adapter.
#[test]
fn a_topology_operation_on_a_device_leaves_nothing() {
    let adapters = isobit(&["adapters", "--json"]).json();
    if adapters["adapters"].as_array().is_none_or(Vec::is_empty) {
        println!("skipped: no adapter");
        return;
    }
    a_large_grid_is_interrupted("gpu");
}
