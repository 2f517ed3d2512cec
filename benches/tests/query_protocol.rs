//! The protocol of box queries as a whole, small: every format, the codecs of whole files, resident and streamed, with its files.

use std::path::PathBuf;

use benches::query::report::{Options, start};
use benches::query::{COLUMNS, boxes};
use conformance::corpus::Device;

const FORMATS: [&str; 8] =
    ["dgf", "md1", "md1-fixed", "md1-offsets", "stride", "clusters", "meshopt-library", "meshopt-ours"];

/// Runs it in a folder of its own and returns the folder.
fn run(name: &str, streamed: bool, query_boxes: Option<PathBuf>) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("isobit-query-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let file = |name: &str| Some(folder.join(name));
    let options = Options {
        formats: FORMATS.map(str::to_owned).to_vec(),
        blob: None,
        sidecar: None,
        device: Device::Cpu,
        streamed,
        choose_on_device: false,
        triangles: 4_000,
        query_boxes,
        write_boxes: file("boxes.f64"),
        query_mode: None,
        query_warmup: 1,
        query_launches: 5,
        query_sequence_repeats: 2,
        query_csv: file("rows.csv"),
        query_answers: file("answers.u32"),
        out: file("report.md"),
    };
    start(&options).expect("the protocol runs");
    folder
}

#[test]
fn every_format_answers_the_protocol() {
    let resident = run("resident", false, None);
    let manifest = resident.join("boxes.f64");
    assert_eq!(boxes::read(&manifest).expect("a manifest").len(), boxes::COUNT);
    let streamed = run("streamed", true, Some(manifest));
    let read = |folder: &PathBuf, name: String| std::fs::read(folder.join(name)).expect("written");
    for format in FORMATS {
        let rows = String::from_utf8(read(&resident, format!("rows.{format}.csv"))).expect("text");
        // Three modes of six cells, growing twice.
        assert_eq!((rows.lines().next(), rows.lines().count()), (Some(COLUMNS), 1 + 4 * 6 * 5), "{format}");
        assert!(rows.lines().all(|row| row.split(',').count() == COLUMNS.split(',').count()), "{format}");
        let answers = |folder: &PathBuf| read(folder, format!("answers.{format}.u32"));
        assert!(answers(&resident).len() > 1_000 && answers(&resident) == answers(&streamed), "{format}");
    }
    let of = |format: &str| read(&resident, format!("answers.{format}.u32"));
    assert_eq!(of("meshopt-library"), of("meshopt-ours"));
    let report = String::from_utf8(read(&resident, "report.md".to_owned())).expect("text");
    assert!(FORMATS.iter().all(|format| report.contains(&format!("### {format}: "))), "{report}");
    for folder in [resident, streamed] {
        std::fs::remove_dir_all(folder).expect("a temporary folder");
    }
}
