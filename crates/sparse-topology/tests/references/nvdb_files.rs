//! `.nvdb` files on disk are written whole or not at all.

use sparse_topology::nvdb::{WriteOptions, read_file, write_file};
use sparse_topology::{Error, GridBatch, Transform};

#[test]
fn a_file_is_replaced_and_nothing_else_is_left() {
    let folder = std::env::temp_dir().join(format!("isobit-nvdb-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("grid.nvdb");
    std::fs::write(&path, b"old").unwrap();
    let batch = GridBatch::from_coordinates_cpu(&[&[[1, -2, 3]]], &[Transform::default()]).unwrap();
    write_file(&path, &batch, &["one"], &WriteOptions::default()).unwrap();
    assert_eq!(read_file(&path).unwrap().batch, batch);
    // A folder stands where the file should be: an error, and no temporary file.
    let taken = folder.join("taken.nvdb");
    std::fs::create_dir_all(&taken).unwrap();
    let refused = write_file(&taken, &batch, &["one"], &WriteOptions::default());
    assert!(matches!(refused, Err(Error::Io { .. })), "{refused:?}");
    let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["grid.nvdb", "taken.nvdb"]);
    std::fs::remove_dir_all(&folder).unwrap();
}
