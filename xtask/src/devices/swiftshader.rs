//! Google's software Vulkan driver, SwiftShader, out of an npm package.
//!
//! `@sparticuz/chromium` (MIT) carries SwiftShader (Apache-2.0) as a brotli-packed tar. It is fetched once, checked
//! against a known SHA-256 and unpacked under `target/swiftshader/`; nothing is installed and nothing is redistributed.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result, in_file};
use crate::{shell, workspace};

const PACKAGE: &str = "@sparticuz/chromium@147.0.0";
const ARCHIVE: &str = "package/bin/swiftshader.tar.br";
const ARCHIVE_SHA256: &str = "f957ea867313f9815b71dc2ed30cce301e01db4f3973fbdb31ffa5391b0ec45a";
const MANIFEST: &str = "vk_swiftshader_icd.json";
const LIBRARY: &str = "libvk_swiftshader.so";

/// The manifest of an unpacked SwiftShader, or a skip line that says why there is none.
pub(crate) fn provide(skips: &mut Vec<String>) -> Option<PathBuf> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        skips.push("SwiftShader: the package holds a library for 64-bit x86 Linux alone".into());
        return None;
    }
    let folder = workspace::target().join("swiftshader");
    let manifest = folder.join(MANIFEST);
    if manifest.is_file() && folder.join(LIBRARY).is_file() {
        return Some(manifest);
    }
    if !shell::exists("npm") {
        skips.push(format!("SwiftShader: npm is not on this machine, so {PACKAGE} cannot be fetched"));
        return None;
    }
    println!("fetching SwiftShader (Apache-2.0) out of the npm package {PACKAGE} (MIT) into {}", folder.display());
    match fetch(&folder) {
        Ok(()) => Some(manifest),
        Err(error) => {
            skips.push(format!("SwiftShader: {error}"));
            None
        }
    }
}

/// Fetches, checks and unpacks the package; the folder appears complete or not at all.
fn fetch(folder: &Path) -> Result<()> {
    let parent = folder.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(in_file(parent))?;
    let work = tempfile::tempdir_in(parent).map_err(in_file(parent))?;
    let mut pack = Command::new("npm");
    pack.args(["pack", "--silent", PACKAGE]).current_dir(work.path());
    let name = shell::output(&mut pack)?;
    let archive = read_member(&work.path().join(name.trim()), ARCHIVE)?;
    check_sum(&archive)?;
    let unpacked = work.path().join("unpacked");
    unpack(&archive, &unpacked).map_err(in_file(&unpacked))?;
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(in_file(folder))?;
    }
    fs::rename(&unpacked, folder).map_err(in_file(folder))
}

/// The bytes of one member of a `.tgz`.
fn read_member(archive: &Path, member: &str) -> Result<Vec<u8>> {
    let file = File::open(archive).map_err(in_file(archive))?;
    let mut tar = tar::Archive::new(GzDecoder::new(file));
    for entry in tar.entries().map_err(in_file(archive))? {
        let mut entry = entry.map_err(in_file(archive))?;
        if entry.path().is_ok_and(|path| path == Path::new(member)) {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(in_file(archive))?;
            return Ok(bytes);
        }
    }
    Err(Error::Unexpected {
        what: archive.display().to_string(),
        found: "no such member".into(),
        expected: member.into(),
    })
}

fn check_sum(archive: &[u8]) -> Result<()> {
    let sum: String = Sha256::digest(archive).iter().map(|byte| format!("{byte:02x}")).collect();
    if sum == ARCHIVE_SHA256 {
        return Ok(());
    }
    Err(Error::Unexpected { what: format!("SHA-256 of {ARCHIVE}"), found: sum, expected: ARCHIVE_SHA256.into() })
}

/// Unpacks the driver and its manifest, and leaves the rest of the archive.
fn unpack(archive: &[u8], folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut tar = tar::Archive::new(brotli_decompressor::Decompressor::new(archive, 1 << 16));
    for entry in tar.entries()? {
        let mut entry = entry?;
        let wanted = [MANIFEST, LIBRARY].into_iter().find(|name| entry.path().is_ok_and(|p| p.ends_with(name)));
        if let Some(name) = wanted {
            entry.unpack(folder.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_sum;

    #[test]
    fn another_archive_is_refused() {
        let error = check_sum(b"not the archive").expect_err("another sum");
        assert!(error.to_string().contains("expected f957ea86"), "{error}");
    }
}
