//! Animated level sets in a window: rays on the device that pass no surface, samples that add up while the scene is paused.
//!
//! `cargo run --release --manifest-path viewer/Cargo.toml -- metaballs`

mod benchmark;
mod painter;
mod still;
mod view;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;

use affine_arith::{Method, Shading};
use clap::{Parser, ValueEnum};
use gpu_runtime::AdapterSelector;

use crate::painter::Painter;

/// Most pixels of a row, and most rows.
const MOST_SIDE: u32 = 8192;

/// What can go wrong, to be printed.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// Draws a scene of the gallery, or an expression in x, y, z and the time t from 0 to 1.
///
/// ENTER rendering mode, M marching method, A samples per pixel, SPACE pause (samples add up while paused), + - UP DOWN speed, left button orbit,
/// right button look around, wheel zoom, Q ESC quit. Expressions that begin with a minus sign stand behind `--`.
#[derive(Debug, Parser)]
#[command(name = "viewer", version)]
pub(crate) struct Arguments {
    /// Scene, or expression that vanishes on the surface
    #[arg(default_value = "metaballs")]
    pub(crate) scene: String,
    /// The box is [-HALF, HALF] along every axis; left out: the scene's, 2 for an expression
    #[arg(long, value_name = "HALF")]
    pub(crate) half: Option<f64>,
    /// The device: `auto` = the best hardware adapter, `gpu` = the best of any kind, an index, a part of a name; left out: the variable ISOBIT_DEVICE
    #[arg(long, value_name = "auto|gpu|INDEX|NAME")]
    pub(crate) device: Option<AdapterSelector>,
    /// Width and height in pixels
    #[arg(long, value_name = "W,H", default_value = "1024,768", value_parser = size)]
    pub(crate) size: [u32; 2],
    /// What pixels show
    #[arg(long, value_enum, default_value_t = Mode::Shaded)]
    pub(crate) mode: Mode,
    /// How windows of a ray that may hold a zero are made shorter
    #[arg(long, value_enum, default_value_t = March::Window)]
    pub(crate) method: March,
    /// Rays a pixel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) samples: u32,
    /// Time to begin at, 0 to 1; of --output the time that is shown
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = time)]
    pub(crate) time: f64,
    /// No shadows
    #[arg(long)]
    pub(crate) no_shadows: bool,
    /// Rounding errors of rays are not counted: faster, NOT rigorous
    #[arg(long)]
    pub(crate) fast: bool,
    /// Draw one picture to a PNG file instead of opening a window
    #[arg(long, value_name = "FILE", conflicts_with = "benchmark")]
    pub(crate) output: Option<PathBuf>,
    /// Time the animation without a window: the median over its frames, for every mode
    #[arg(long)]
    pub(crate) benchmark: bool,
}

/// What pixels show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    Shaded,
    Normals,
    Steps,
}

impl Mode {
    pub(crate) fn shading(self) -> Shading {
        match self {
            Self::Shaded => Shading::Light,
            Self::Normals => Shading::Normals,
            Self::Steps => Shading::Steps,
        }
    }

    pub(crate) fn next(self) -> Self {
        match self {
            Self::Shaded => Self::Normals,
            Self::Normals => Self::Steps,
            Self::Steps => Self::Shaded,
        }
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Shaded => "shaded",
            Self::Normals => "normals",
            Self::Steps => "marching steps",
        }
    }
}

/// How windows are made shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum March {
    Sign,
    Window,
}

impl March {
    pub(crate) fn method(self) -> Method {
        match self {
            Self::Sign => Method::Sign,
            Self::Window => Method::Window,
        }
    }

    pub(crate) fn next(self) -> Self {
        if self == Self::Sign { Self::Window } else { Self::Sign }
    }

    pub(crate) fn label(self) -> &'static str {
        if self == Self::Sign { "sign test" } else { "root window" }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.output {
        Some(path) => still::write(Painter::new(arguments)?, arguments, path),
        None if arguments.benchmark => benchmark::run(Painter::new(arguments)?, arguments),
        None => window::open(arguments),
    }
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(',').map(|(width, height)| [width.trim().parse(), height.trim().parse()]);
    match sides {
        Some([Ok(width), Ok(height)]) if (1..=MOST_SIDE).contains(&width) && (1..=MOST_SIDE).contains(&height) => {
            Ok([width, height])
        }
        _ => Err(format!("two numbers from 1 to {MOST_SIDE} with a comma between them, like 640,480")),
    }
}

fn time(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(time) if (0.0..=1.0).contains(&time) => Ok(time),
        _ => Err("allowed: 0 to 1".to_owned()),
    }
}
