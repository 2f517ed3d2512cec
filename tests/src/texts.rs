//! `texts`: the translated text of every kernel, for compilers that are not in this repository.

use std::path::{Path, PathBuf};

use gpu_runtime::Form;
use gpu_runtime::translate::{ShaderCapabilities, Target, Translation};

use crate::error::Error;
use crate::kernels::{all, distinct, snapshot_names};

/// Options of `texts`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Folder for NAME.wgsl and NAME.hlsl of the guarded form, made when it is not there.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Leave out the kernels that need subgroup operations.
    #[arg(long)]
    pub without_subgroups: bool,
}

/// Writes the texts: one set of constants for each list of modules, as the snapshots.
///
/// # Errors
/// [`Error::File`] for a folder or file that cannot be written, [`Error::Translation`] for a kernel that has no translation.
pub fn run(options: &Options) -> Result<(), Error> {
    std::fs::create_dir_all(&options.out).map_err(|source| io(&options.out, source))?;
    let entries = distinct(all());
    let capabilities = ShaderCapabilities { f64: false, int64: false, subgroups: true };
    let target = Target { capabilities, ..Target::default() };
    let mut written = 0;
    for (name, entry) in snapshot_names(&entries).into_iter().zip(&entries) {
        if entry.kernel.modules.contains(&gpu_shaders::STRICT_DOUBLE) {
            // The compilers of those texts have no f64.
            continue;
        }
        let fault = |fault: gpu_runtime::ShaderFault| Error::Translation { name: name.clone(), fault: Box::new(fault) };
        let translation = Translation::new(&entry.kernel.source(), Form::Guarded, &target).map_err(fault)?;
        let wgsl = translation.wgsl().map_err(fault)?;
        if options.without_subgroups && wgsl.contains("subgroup") {
            continue;
        }
        let hlsl = translation.hlsl().map_err(fault)?;
        for (ending, text) in [("wgsl", wgsl), ("hlsl", hlsl)] {
            let path = options.out.join(format!("{name}.{ending}"));
            std::fs::write(&path, text).map_err(|source| io(&path, source))?;
        }
        written += 1;
    }
    println!("{written} kernels in {}", options.out.display());
    Ok(())
}

fn io(path: &Path, source: std::io::Error) -> Error {
    Error::File { path: path.to_path_buf(), source }
}
