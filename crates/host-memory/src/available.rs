//! The machine's memory and the limit of the control group.

use std::path::Path;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Files of a control group: its limit, its usage, its statistics, and the name there of what can be reclaimed. Version 2, then version 1.
const GROUPS: [[&str; 4]; 2] = [
    ["memory.max", "memory.current", "memory.stat", "inactive_file"],
    ["memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat", "total_inactive_file"],
];

/// Bytes that this process may still take: what the machine can give without swapping, or what the limit of its control group leaves (Linux, versions 1 and 2).
///
/// `u64::MAX` where the system does not say (a browser). It reads the system's tables: ask before large allocations, not before every one.
pub fn available() -> u64 {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let machine = match System::new_with_specifics(kind).available_memory() {
        0 => u64::MAX,
        bytes => bytes,
    };
    group(Path::new("/sys/fs/cgroup")).map_or(machine, |group| machine.min(group))
}

/// Bytes that the limit of the control group under `root` leaves; none without a limit. The usage counts pages of files, which the kernel drops
/// when memory is asked for: they are free.
fn group(root: &Path) -> Option<u64> {
    GROUPS.iter().find_map(|[limit, usage, statistics, reclaimable]| {
        let text = |name: &str| std::fs::read_to_string(root.join(name)).ok();
        // `max` is no limit; version 1 has a number beyond every machine.
        let limit: u64 = text(limit)?.trim().parse().ok()?;
        let usage: u64 = text(usage)?.trim().parse().ok()?;
        let statistics = text(statistics)?;
        let line = statistics.lines().find_map(|line| line.strip_prefix(reclaimable)?.trim().parse::<u64>().ok());
        Some(limit.saturating_sub(usage.saturating_sub(line.unwrap_or(0))))
    })
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, available, group};

    #[test]
    fn pages_of_files_are_free_in_a_control_group() {
        for ([limit, usage, statistics, _], text) in
            GROUPS.into_iter().zip(["anon 60\ninactive_file 700\n", "cache 700\ntotal_inactive_file 700\n"])
        {
            let root = tempfile::tempdir().expect("a folder");
            std::fs::create_dir_all(root.path().join("memory")).expect("a folder");
            let write = |name: &str, text: &str| std::fs::write(root.path().join(name), text).expect("a file");
            assert_eq!(group(root.path()), None, "no group, no limit");
            write(limit, "1000\n");
            write(usage, "900\n");
            write(statistics, text);
            assert_eq!(group(root.path()), Some(800), "{limit}");
            write(usage, "2000\n");
            assert_eq!(group(root.path()), Some(0), "{limit}");
            write(limit, "max\n");
            assert_eq!(group(root.path()), None, "{limit}");
        }
        assert!(available() > 0);
    }
}
