//! What is shown: the time, the viewer, modes; and what keys and mice do to it.

use affine_arith::Camera;

use crate::{Arguments, March, Mode};

/// Rounds of the animation a second.
const SPEED: f64 = 0.1;
/// What a key does to the speed.
const FASTER: f64 = 1.25;
/// Samples per pixel that A goes through.
const SAMPLES: [u32; 4] = [1, 2, 4, 8];
/// Radians a pixel.
const TURN: f64 = 0.008;

/// The state of the viewer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct View {
    pub(crate) mode: Mode,
    pub(crate) march: March,
    pub(crate) samples: u32,
    /// From 0 to 1.
    pub(crate) time: f64,
    pub(crate) paused: bool,
    pub(crate) speed: f64,
    /// The place of the viewer, as `Camera::round` has it.
    turn: f64,
    lift: f64,
    distance: f64,
    /// The view turned away from the middle of the box: to the left, up.
    aside: [f64; 2],
}

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    NextMode,
    NextMethod,
    NextSamples,
    Pause,
    Faster,
    Slower,
}

impl View {
    pub(crate) fn new(arguments: &Arguments) -> Self {
        Self {
            mode: arguments.mode,
            march: arguments.method,
            samples: arguments.samples,
            time: arguments.time,
            paused: false,
            speed: SPEED,
            turn: -1.05,
            lift: 0.49,
            distance: 1.3,
            aside: [0.0; 2],
        }
    }

    pub(crate) fn obey(&mut self, command: Command) {
        match command {
            Command::NextMode => self.mode = self.mode.next(),
            Command::NextMethod => self.march = self.march.next(),
            Command::NextSamples => {
                self.samples = SAMPLES.into_iter().find(|samples| *samples > self.samples).unwrap_or(SAMPLES[0]);
            }
            Command::Pause => self.paused = !self.paused,
            Command::Faster => self.speed *= FASTER,
            Command::Slower => self.speed /= FASTER,
        }
    }

    /// Time goes on by these seconds.
    pub(crate) fn advance(&mut self, seconds: f64) {
        if !self.paused {
            self.time = (self.time + seconds * self.speed).fract();
        }
    }

    /// Round the scene, by pixels to the right and down.
    pub(crate) fn orbit(&mut self, [right, down]: [f64; 2]) {
        self.turn -= TURN * right;
        self.lift = (self.lift + TURN * down).clamp(-1.5, 1.5);
    }

    /// The view to another side, from the same place: what is seen follows the mouse, as in [`Self::orbit`].
    pub(crate) fn look(&mut self, [right, down]: [f64; 2]) {
        self.aside[0] += TURN * right;
        self.aside[1] = (self.aside[1] + TURN * down).clamp(-1.2, 1.2);
    }

    /// Nearer, by turns of the wheel.
    pub(crate) fn zoom(&mut self, turns: f64) {
        self.distance = (self.distance * 0.9f64.powf(turns)).clamp(0.05, 50.0);
    }

    /// The viewer of a box [-half, half].
    pub(crate) fn camera(&self, half: f64) -> Camera {
        let camera = Camera::round([-half; 3], [half; 3], self.turn, self.lift, self.distance);
        let (azimuth, height) = (self.turn + self.aside[0], (self.lift - self.aside[1]).clamp(-1.55, 1.55));
        let back = [azimuth.cos() * height.cos(), azimuth.sin() * height.cos(), height.sin()];
        Camera { forward: back.map(|x| -x as f32), ..camera }
    }

    /// What is shown, for people.
    pub(crate) fn label(&self) -> String {
        let (mode, march, samples) = (self.mode.label(), self.march.label(), self.samples);
        format!("{mode}, {march}, {samples} a pixel, t = {:.3}", self.time)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::{Command, View};
    use crate::{Arguments, March, Mode};

    fn view() -> View {
        View::new(&Arguments::parse_from(["viewer"]))
    }

    #[test]
    fn keys_go_through_modes_methods_and_samples() {
        let mut view = view();
        let modes = [0; 3].map(|_| {
            view.obey(Command::NextMode);
            view.mode
        });
        assert_eq!(modes, [Mode::Normals, Mode::Steps, Mode::Shaded]);
        view.obey(Command::NextMethod);
        assert_eq!(view.march, March::Sign);
        let samples = [0; 4].map(|_| {
            view.obey(Command::NextSamples);
            view.samples
        });
        assert_eq!(samples, [2, 4, 8, 1]);
    }

    #[test]
    fn time_stands_still_while_paused() {
        let mut view = view();
        view.advance(1.0);
        assert!((view.time - 0.1).abs() < 1e-12);
        view.obey(Command::Pause);
        view.advance(5.0);
        assert!((view.time - 0.1).abs() < 1e-12);
        view.obey(Command::Pause);
        view.obey(Command::Faster);
        view.advance(8.0);
        assert!((view.time - 0.1).abs() < 1e-12, "a round later: {}", view.time);
    }

    #[test]
    fn looking_aside_keeps_the_place() {
        let mut view = view();
        let before = view.camera(2.0);
        view.look([100.0, -20.0]);
        let after = view.camera(2.0);
        assert_eq!(before.eye, after.eye);
        // Up, since the mouse went up: what is seen goes up, the view down.
        assert!(after.forward[2] < before.forward[2]);
        view.orbit([10.0, 0.0]);
        assert_ne!(view.camera(2.0).eye, before.eye);
        view.zoom(3.0);
        let far = |eye: [f32; 3]| eye.iter().map(|x| x * x).sum::<f32>();
        assert!(far(view.camera(2.0).eye) < far(before.eye));
    }
}
