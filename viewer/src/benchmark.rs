//! Frames of the animation without a window, timed by the device's clock.

use std::time::Instant;

use crate::painter::Painter;
use crate::view::View;
use crate::{Arguments, Failure, Mode};

/// Frames of a round of the animation.
const FRAMES: u32 = 32;

/// Prints the median over the animation of every mode, and of the windows that a ray was looked at in.
pub(crate) fn run(mut painter: Painter, arguments: &Arguments) -> Result<(), Failure> {
    let [width, height] = painter.size();
    println!(
        "{} on {}: {width} x {height}, {} a pixel, {}, {FRAMES} frames{}",
        painter.title,
        painter.device(),
        arguments.samples,
        arguments.method.label(),
        if arguments.fast { ", rounding errors NOT counted" } else { "" },
    );
    let mut view = View::new(arguments);
    // Once untimed: clocks rise, pipelines are made.
    painter.draw(&view, 0)?;
    for mode in [Mode::Shaded, Mode::Normals, Mode::Steps] {
        view.mode = mode;
        let (mut device, mut wall, mut windows) = (Vec::new(), Vec::new(), 0.0);
        for frame in 0..FRAMES {
            view.time = f64::from(frame) / f64::from(FRAMES);
            let started = Instant::now();
            let (picture, seconds) = painter.draw(&view, 0)?;
            wall.push(started.elapsed().as_secs_f64() * 1e3);
            device.extend(seconds.map(|seconds| seconds * 1e3));
            windows += picture.windows as f64 / f64::from(width) / f64::from(height) / f64::from(FRAMES);
        }
        let clock = match device.is_empty() {
            true => "no device clock".to_owned(),
            false => format!("{:.3} ms device", median(&mut device)),
        };
        println!("{:>14}: {clock}, {:.3} ms wall, {windows:.1} windows a ray", mode.label(), median(&mut wall));
    }
    Ok(())
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
