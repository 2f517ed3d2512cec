//! Whole files or none: a file is written inside a temporary folder beside it, and the files of a run are renamed together when all of
//! them are complete. An interrupt removes the temporary folders and ends the program with 130.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use crate::failure::Failure;

/// Exit code after SIGINT, SIGTERM or SIGHUP.
const INTERRUPTED: i32 = 130;

/// Temporary folders that exist now. Creating one and renaming out of one hold this lock, and so does the interrupt from
/// its clean-up to the exit: nothing can appear after the clean-up.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    // The list stays meaningful when a writer panicked while it held the lock.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whole files of this run that wait for the others.
static WHOLE: Mutex<Vec<Prepared>> = Mutex::new(Vec::new());

fn whole() -> Vec<Prepared> {
    std::mem::take(&mut WHOLE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Renames the files of this run into their places, before its answer says that they are there.
///
/// # Errors
/// [`Failure::Input`] with the file that cannot be renamed; those before it are in their places.
pub(crate) fn place_all() -> Result<(), Failure> {
    let files = whole();
    // An interrupt waits until all are there; dropping a file takes the list again, so it is given back first.
    let list = unfinished();
    let placed = files.iter().try_for_each(Prepared::place);
    drop(list);
    placed
}

/// Removes, when it is dropped, what a run has not put into its place.
pub(crate) struct Waiting;

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(whole());
    }
}

/// Files that this run reads, and files that it writes: where each is, and as the user wrote it.
static FILES: Mutex<[Vec<(PathBuf, PathBuf)>; 2]> = Mutex::new([Vec::new(), Vec::new()]);

/// Notes a file that is read; it may not be one that is written.
///
/// # Errors
/// [`Failure::Usage`] with both names: the result would replace what it comes from.
pub(crate) fn input(path: &Path) -> Result<(), Failure> {
    match fs::canonicalize(path) {
        Ok(place) if is_endless(&place) => Err(Failure::file(path, "a device (allowed: files and pipes)")),
        Ok(place) => note_file(0, place, path),
        // Reading says what is wrong.
        Err(_) => Ok(()),
    }
}

/// Whether reading a place may have no end.
#[cfg(unix)]
fn is_endless(place: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(place).is_ok_and(|meta| meta.file_type().is_char_device() || meta.file_type().is_block_device())
}

#[cfg(not(unix))]
fn is_endless(_: &Path) -> bool {
    false
}

/// Notes a file under its role, 0 read or 1 written, and looks for it under the other.
fn note_file(role: usize, place: PathBuf, asked: &Path) -> Result<(), Failure> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, other)) = files[1 - role].iter().find(|(found, _)| *found == place) {
        let (read, written) = if role == 0 { (asked, other.as_path()) } else { (other.as_path(), asked) };
        let what =
            format!("{}: would replace {}, which is read (allowed: another file)", written.display(), read.display());
        return Err(Failure::Usage(what));
    }
    if !files[role].iter().any(|(found, _)| *found == place) {
        files[role].push((place, asked.to_owned()));
    }
    Ok(())
}

/// Where the bytes of a file go that may be a symbolic link, also to a file that is not there yet.
fn behind_links(path: &Path) -> PathBuf {
    let mut place = path.to_owned();
    // As many links as Linux follows.
    for _ in 0..40 {
        if let Ok(found) = fs::canonicalize(&place) {
            return found;
        }
        let Ok(next) = fs::read_link(&place) else { break };
        place = place.parent().map_or(next.clone(), |folder| folder.join(&next));
    }
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::canonicalize(folder), place.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => place,
    }
}

/// Makes an interrupt leave nothing behind: removes unfinished files and exits with 130 at once, also in the middle of
/// a long computation. Without a handler (the system refuses one) the default action stays.
pub(crate) fn clean_up_on_interrupt() {
    let _ = ctrlc::set_handler(|| {
        let list = unfinished();
        for folder in list.iter() {
            // The writer still runs: a file it makes while the folder is emptied takes another round.
            for _ in 0..100 {
                let _ = fs::remove_dir_all(folder);
                if !folder.exists() {
                    break;
                }
            }
        }
        eprintln!("error: interrupted");
        exit_at_once();
    });
}

/// Exits without what libraries have registered for the end of a program: drivers tear down there what their own
/// threads still use (a crash of lavapipe's compiler instead of the exit code).
#[cfg(unix)]
fn exit_at_once() -> ! {
    signal_hook::low_level::exit(INTERRUPTED)
}

#[cfg(not(unix))]
fn exit_at_once() -> ! {
    std::process::exit(INTERRUPTED)
}

/// A place where a file may be written: its folder exists and takes new files.
#[derive(Debug, Clone)]
pub(crate) struct OutputFile {
    /// As the user wrote it, for messages.
    asked: PathBuf,
    /// Where the bytes go: symbolic links of the file itself resolved.
    target: PathBuf,
}

impl OutputFile {
    /// Checks `path` before any work is done: the folder must exist and be writable, and what is there now (if
    /// anything) must be an ordinary, writable file.
    pub(crate) fn check(path: &Path) -> Result<Self, Failure> {
        if path.file_name().is_none() {
            return Err(Failure::file(path, "not a file name"));
        }
        let target = behind_links(path);
        match fs::metadata(&target) {
            Ok(meta) if meta.is_dir() => return Err(Failure::file(path, "is a folder, not a file")),
            Ok(meta) if !meta.is_file() => return Err(Failure::file(path, "is not an ordinary file")),
            Ok(meta) if meta.permissions().readonly() => return Err(Failure::file(path, "is read-only")),
            _ => {}
        }
        note_file(1, target.clone(), path)?;
        let output = Self { asked: path.to_owned(), target };
        let folder = output.folder();
        match fs::metadata(&folder) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => {
                return Err(Failure::file(path, format_args!("not inside a folder ({} is a file)", folder.display())));
            }
            Err(e) => {
                return Err(Failure::file(path, format_args!("no folder {} to write to ({e})", folder.display())));
            }
        }
        // A trial: a run of an hour must not end at a folder that takes no files.
        drop(output.create()?);
        Ok(output)
    }

    /// As [`OutputFile::check`], for a picture: the extension must be .png.
    pub(crate) fn picture(path: &Path) -> Result<Self, Failure> {
        match crate::options::extension(path).as_str() {
            "png" => Self::check(path),
            _ => Err(crate::options::refuse_extension(path, ".png")),
        }
    }

    fn folder(&self) -> PathBuf {
        match self.target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        }
    }

    fn create(&self) -> Result<Unfinished, Failure> {
        let prefix = format!(".{}.", self.target.file_name().unwrap_or_default().to_string_lossy());
        let mut list = unfinished();
        let folder = tempfile::Builder::new().prefix(&prefix).suffix(".part").tempdir_in(self.folder());
        let folder = folder.map_err(|e| Failure::io(&self.asked, "create a file there", &e))?;
        list.push(folder.path().to_owned());
        Ok(Unfinished(Some(folder)))
    }

    /// Writes the whole file with `fill` beside its place, where [`place_all`] puts it; on any error nothing is left behind and what was there
    /// before stays.
    pub(crate) fn write(&self, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
        self.write_at(|path| self.fill(path, fill))
    }

    /// As [`OutputFile::write`], and in its place at once: for one of many files that are each of use.
    pub(crate) fn write_now(&self, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
        let file = self.prepare(|path| self.fill(path, fill))?;
        let list = unfinished();
        let placed = file.place();
        drop(list);
        placed
    }

    /// Lets `save` write the file at a path that it is given, for writers that choose by the extension or open their file
    /// themselves; otherwise as [`OutputFile::write`].
    pub(crate) fn write_at(&self, save: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
        let file = self.prepare(save)?;
        let mut waiting = WHOLE.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.iter().any(|other| other.target == file.target) {
            drop(waiting);
            let what = format!("{}: would be written twice (allowed: a file for each output)", self.asked.display());
            return Err(Failure::Usage(what));
        }
        waiting.push(file);
        Ok(())
    }

    fn fill(&self, path: &Path, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
        let failed = |e: std::io::Error| Failure::io(&self.asked, "write", &e);
        let mut writer = BufWriter::with_capacity(1 << 20, File::create_new(path).map_err(failed)?);
        fill(&mut writer).map_err(failed)?;
        writer.into_inner().map_err(|e| failed(e.into_error()))?.sync_all().map_err(failed)
    }

    fn prepare(&self, save: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<Prepared, Failure> {
        let folder = self.create()?;
        let path = folder.path().join(self.target.file_name().unwrap_or_default());
        save(&path)?;
        Ok(Prepared { asked: self.asked.clone(), target: self.target.clone(), path, _folder: folder })
    }
}

/// A whole file beside its place; gone when it is dropped.
struct Prepared {
    asked: PathBuf,
    target: PathBuf,
    path: PathBuf,
    _folder: Unfinished,
}

impl Prepared {
    /// Renames it into its place; the caller holds the list of unfinished files.
    fn place(&self) -> Result<(), Failure> {
        fs::rename(&self.path, &self.target).map_err(|e| Failure::io(&self.asked, "write", &e))
    }
}

/// A temporary folder on the list; both end when it is dropped.
struct Unfinished(Option<TempDir>);

impl Unfinished {
    fn path(&self) -> &Path {
        self.0.as_ref().map_or(Path::new(""), TempDir::path)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let path = self.path().to_owned();
        let mut list = unfinished();
        drop(self.0.take());
        list.retain(|p| *p != path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("read the folder");
        entries.map(|e| e.expect("entry").file_name().to_string_lossy().into_owned()).collect()
    }

    /// The files that wait are those of the program: tests that use them take turns.
    static TURN: Mutex<()> = Mutex::new(());

    #[test]
    fn files_of_a_run_are_put_into_their_places_together_or_not_at_all() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("folder");
        let (a, b) = (folder.path().join("a.bin"), folder.path().join("b.bin"));
        fs::write(&a, b"old").expect("write");
        let outputs = [&a, &b].map(|path| OutputFile::check(path).expect("check"));
        let write_both = || outputs.iter().for_each(|output| output.write(|w| w.write_all(b"new")).expect("write"));
        write_both();
        assert!(outputs[0].write(|w| w.write_all(b"twice")).is_err(), "two outputs of one name");
        assert_eq!((fs::read(&a).expect("read"), b.exists()), (b"old".to_vec(), false));
        drop(Waiting);
        assert_eq!((fs::read(&a).expect("read"), names(folder.path())), (b"old".to_vec(), vec!["a.bin".to_owned()]));
        write_both();
        place_all().expect("place");
        assert_eq!([&a, &b].map(|path| fs::read(path).expect("read")), [b"new", b"new"]);
        assert_eq!(names(folder.path()).len(), 2);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.bin");
        fs::write(&path, b"old").expect("write");
        let output = OutputFile::check(&path).expect("check");
        let result = output.write_now(|w| {
            w.write_all(b"new")?;
            Err(std::io::Error::other("stop"))
        });
        assert_eq!(result.expect_err("must fail").exit_code(), 1);
        assert_eq!(fs::read(&path).expect("read"), b"old");
        assert_eq!(names(folder.path()), ["a.bin"]);
    }

    #[test]
    fn a_written_file_replaces_the_old_one() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.bin");
        fs::write(&path, b"old").expect("write");
        OutputFile::check(&path).expect("check").write_now(|w| w.write_all(b"new")).expect("write");
        assert_eq!(fs::read(&path).expect("read"), b"new");
        assert_eq!(names(folder.path()), ["a.bin"]);
        assert!(unfinished().iter().all(|p| !p.starts_with(folder.path())));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_written_through() {
        let folder = tempfile::tempdir().expect("folder");
        std::fs::create_dir(folder.path().join("far")).expect("folder");
        let (there, new) = (folder.path().join("far/there.bin"), folder.path().join("far/new.bin"));
        fs::write(&there, b"old").expect("write");
        for (name, target) in [("a", "far/there.bin"), ("b", "far/new.bin")] {
            let link = folder.path().join(name);
            std::os::unix::fs::symlink(target, &link).expect("link");
            OutputFile::check(&link).expect("check").write_now(|w| w.write_all(b"bytes")).expect("write");
            assert!(fs::symlink_metadata(&link).expect("there").is_symlink(), "{name} is still a link");
        }
        assert_eq!(
            (fs::read(there).expect("read"), fs::read(new).expect("read")),
            (b"bytes".to_vec(), b"bytes".to_vec())
        );
        std::os::unix::fs::symlink("round", folder.path().join("round")).expect("link");
        assert!(
            OutputFile::check(&folder.path().join("round")).expect("check").write_now(|w| w.write_all(b"x")).is_ok()
        );
    }

    #[test]
    fn a_file_is_not_read_and_written() {
        let folder = tempfile::tempdir().expect("folder");
        let (a, b) = (folder.path().join("a.bin"), folder.path().join("b.bin"));
        fs::write(&a, b"a").expect("write");
        fs::write(&b, b"b").expect("write");
        input(&a).expect("read alone");
        let text = OutputFile::check(&folder.path().join("./a.bin")).expect_err("both").to_string();
        assert!(text.matches("a.bin").count() == 2, "{text}");
        OutputFile::check(&b).expect("written alone");
        assert_eq!(input(&b).expect_err("both").exit_code(), 2);
    }

    #[test]
    fn a_missing_folder_and_a_folder_are_refused() {
        let folder = tempfile::tempdir().expect("folder");
        let missing = OutputFile::check(&folder.path().join("no/such/a.bin")).expect_err("missing").to_string();
        assert!(missing.contains("no folder"), "{missing}");
        let itself = OutputFile::check(folder.path()).expect_err("folder").to_string();
        assert!(itself.contains("is a folder"), "{itself}");
    }
}
