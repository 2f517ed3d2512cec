//! Compiled pipelines on disk, so that the second run of a program starts fast.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::trusted;

/// First bytes of a cache file; the last digit is the version of its layout.
const MAGIC: &[u8; 8] = b"isobitP1";

/// The device's pipeline cache and the file it is kept in. Does nothing on devices without one.
pub(crate) struct PipelineStore {
    cache: Option<wgpu::PipelineCache>,
    file: Option<PathBuf>,
    dirty: AtomicBool,
    writing: Mutex<()>,
}

impl PipelineStore {
    pub(crate) fn open(device: &wgpu::Device, info: &wgpu::AdapterInfo, dir: Option<&Path>) -> Self {
        let mut store =
            PipelineStore { cache: None, file: None, dirty: AtomicBool::new(false), writing: Mutex::new(()) };
        let name = wgpu::util::pipeline_cache_key(info);
        let (Some(dir), Some(name)) = (dir, name) else { return store };
        if !device.features().contains(wgpu::Features::PIPELINE_CACHE) {
            return store;
        }
        // One file a driver version: data of another driver is never offered.
        let file = dir.join(format!("{name}_{:016x}", fnv1a(info.driver_info.as_bytes())));
        let data = std::fs::read(&file).ok().and_then(|bytes| unwrap(&bytes).map(<[u8]>::to_vec));
        store.cache = Some(trusted::pipeline_cache(device, data.as_deref()));
        store.file = Some(file);
        store
    }

    pub(crate) fn cache(&self) -> Option<&wgpu::PipelineCache> {
        self.cache.as_ref()
    }

    /// A pipeline was compiled since the last save.
    pub(crate) fn touch(&self) {
        self.dirty.store(true, Ordering::Relaxed);
    }

    /// Writes the file whole. A cache that cannot be written is no error: the next run compiles again.
    pub(crate) fn save(&self) {
        let (Some(cache), Some(file)) = (&self.cache, &self.file) else { return };
        if !self.dirty.swap(false, Ordering::Relaxed) {
            return;
        }
        let Some(data) = cache.get_data() else { return };
        let _one_at_a_time = self.writing.lock();
        let _ = write_whole(file, &wrap(&data));
    }
}

fn write_whole(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let dir = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(dir)?;
    let temporary = file.with_extension(format!("{}.tmp", std::process::id()));
    std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, file)).inspect_err(|_| {
        let _ = std::fs::remove_file(&temporary);
    })
}

fn wrap(data: &[u8]) -> Vec<u8> {
    [MAGIC.as_slice(), &fnv1a(data).to_le_bytes(), data].concat()
}

/// The driver's bytes, when the file is one of ours and whole.
fn unwrap(bytes: &[u8]) -> Option<&[u8]> {
    let (sum, data) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<8>()?;
    (u64::from_le_bytes(*sum) == fnv1a(data)).then_some(data)
}

/// FNV-1a, 64 bits: finds damage, not malice.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

/// `$ISOBIT_CACHE_DIR`, else the user's cache folder; `None` where neither is known or the variable is empty.
pub(crate) fn default_dir() -> Option<PathBuf> {
    if let Some(dir) = std::env::var_os("ISOBIT_CACHE_DIR") {
        return (!dir.is_empty()).then(|| dir.into());
    }
    let var = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        var("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        var("HOME").map(|h| h.join("Library/Caches"))
    } else {
        var("XDG_CACHE_HOME").or_else(|| var("HOME").map(|h| h.join(".cache")))
    };
    base.map(|b| b.join("isobit"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_files_are_not_offered_to_the_driver() {
        let file = wrap(b"pipelines");
        assert_eq!(unwrap(&file), Some(b"pipelines".as_slice()));
        for i in 0..file.len() {
            let mut bad = file.clone();
            bad[i] ^= 1;
            assert_eq!(unwrap(&bad), None, "byte {i}");
        }
        assert_eq!(unwrap(&file[..file.len() - 1]), None);
        assert_eq!(unwrap(b""), None);
    }
}
