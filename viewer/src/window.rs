//! The window: events to commands, pictures to pixels.

use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

use crate::painter::Painter;
use crate::view::{Command, View};
use crate::{Arguments, Failure};

/// Samples of a pixel at which a paused picture is finished.
const MOST_SAMPLES: u32 = 1024;
/// The title of a moving picture is not written more often.
const TITLED: Duration = Duration::from_millis(250);

type Surface = softbuffer::Surface<Rc<Window>, Rc<Window>>;

/// Opens a window and runs until it is closed.
pub(crate) fn open(arguments: &Arguments) -> Result<(), Failure> {
    // First, so that a missing display is known before kernels are compiled.
    let events = event_loop()?;
    events.set_control_flow(ControlFlow::Poll);
    let mut viewer = Viewer {
        painter: Painter::new(arguments)?,
        view: View::new(arguments),
        drawn: None,
        samples: 0,
        shown: Vec::new(),
        surface: None,
        size: PhysicalSize::default(),
        pressed: None,
        pointer: [0.0; 2],
        last: Instant::now(),
        titled: Instant::now(),
        failure: None,
    };
    events.run_app(&mut viewer)?;
    match viewer.failure {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

/// The connection to the display.
fn event_loop() -> Result<EventLoop<()>, Failure> {
    // winit panics where the X server lacks an extension or a library of X11 is missing: silent here, an error below.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let made = std::panic::catch_unwind(EventLoop::new);
    std::panic::set_hook(hook);
    let failed = |what: &str| format!("no window: {what} (--output and --benchmark need none)").into();
    match made {
        Ok(Ok(events)) => Ok(events),
        Ok(Err(error)) => {
            // Without the place in winit's sources.
            let text = error.to_string();
            let cause = text.rsplit(".rs:").next().unwrap_or_default();
            let place = |c: char| c.is_ascii_digit() || c == ':' || c == ' ';
            Err(failed(cause.trim_start_matches(place).trim_end_matches('.')))
        }
        Err(_) => Err(failed("a library of X11 or an extension of the server is missing, such as libxkbcommon-x11")),
    }
}

struct Viewer {
    painter: Painter,
    view: View,
    /// The view of the picture so far.
    drawn: Option<View>,
    /// Samples that it holds.
    samples: u32,
    /// Its pixels, as the window takes them.
    shown: Vec<u32>,
    surface: Option<Surface>,
    /// Of the window, by its events: a window that somebody else destroyed cannot be asked.
    size: PhysicalSize<u32>,
    pressed: Option<MouseButton>,
    pointer: [f64; 2],
    last: Instant,
    titled: Instant,
    failure: Option<Failure>,
}

impl Viewer {
    fn made(&mut self, events: &ActiveEventLoop) -> Result<(), Failure> {
        let [width, height] = self.painter.size();
        let attributes = Window::default_attributes()
            .with_title(self.painter.title.clone())
            .with_inner_size(PhysicalSize::new(width, height));
        let window = Rc::new(events.create_window(attributes)?);
        self.size = window.inner_size();
        let display = softbuffer::Context::new(window.clone())?;
        self.surface = Some(softbuffer::Surface::new(&display, window)?);
        self.last = Instant::now();
        Ok(())
    }

    /// Draws what has changed, or more samples of what has not.
    fn draw(&mut self) -> Result<(), Failure> {
        let now = Instant::now();
        if self.painter.moves {
            self.view.advance(now.duration_since(self.last).as_secs_f64());
        }
        self.last = now;
        let Some(surface) = &mut self.surface else { return Ok(()) };
        let (Some(width), Some(height)) = (NonZeroU32::new(self.size.width), NonZeroU32::new(self.size.height)) else {
            return Ok(());
        };
        if self.painter.size() != [width.get(), height.get()] {
            self.painter.resize([width.get(), height.get()])?;
            self.drawn = None;
        }
        let first = if self.drawn.as_ref() == Some(&self.view) { self.samples } else { 0 };
        let mut seconds = None;
        if first < MOST_SAMPLES {
            let (picture, timed) = self.painter.draw(&self.view, first)?;
            seconds = timed;
            self.samples = first + self.view.samples;
            self.drawn = Some(self.view.clone());
            self.shown = picture.pixels.iter().map(|colour| xrgb(*colour)).collect();
        } else {
            // Finished; shown again all the same, since the window may have been covered.
            std::thread::sleep(Duration::from_millis(20));
        }
        surface.resize(width, height)?;
        let mut pixels = surface.buffer_mut()?;
        pixels.copy_from_slice(&self.shown);
        pixels.present()?;
        let still = self.view.paused || !self.painter.moves;
        if first < MOST_SAMPLES && (still || self.titled.elapsed() > TITLED) {
            self.titled = now;
            let time = seconds.map_or(String::new(), |seconds| format!(", {:.2} ms", seconds * 1e3));
            let state = match still {
                true => format!("still, {} samples", self.samples),
                false => format!("speed {:.2}", self.view.speed),
            };
            surface.window().set_title(&format!("{}: {}, {state}{time}", self.painter.title, self.view.label()));
        }
        Ok(())
    }

    fn moved(&mut self, to: PhysicalPosition<f64>) {
        let by = [to.x - self.pointer[0], to.y - self.pointer[1]];
        self.pointer = [to.x, to.y];
        match self.pressed {
            Some(MouseButton::Left) => self.view.orbit(by),
            Some(MouseButton::Right) => self.view.look(by),
            _ => {}
        }
    }

    fn check(&mut self, events: &ActiveEventLoop, result: Result<(), Failure>) {
        if let Err(failure) = result {
            self.failure = Some(failure);
            events.exit();
        }
    }
}

/// A pixel as windows take it, blue in the lowest byte, from one with red there.
fn xrgb(colour: u32) -> u32 {
    let [red, green, blue, _] = colour.to_le_bytes();
    u32::from_be_bytes([0, red, green, blue])
}

/// What a key asks for; None for others and for those that end the viewer.
fn command(key: &Key) -> Option<Command> {
    match key.as_ref() {
        Key::Named(NamedKey::Enter) => Some(Command::NextMode),
        Key::Named(NamedKey::Space) => Some(Command::Pause),
        Key::Named(NamedKey::ArrowUp) | Key::Character("+" | "=") => Some(Command::Faster),
        Key::Named(NamedKey::ArrowDown) | Key::Character("-" | "_") => Some(Command::Slower),
        Key::Character("m" | "M") => Some(Command::NextMethod),
        Key::Character("a" | "A") => Some(Command::NextSamples),
        _ => None,
    }
}

fn ends(key: &Key) -> bool {
    matches!(key.as_ref(), Key::Named(NamedKey::Escape) | Key::Character("q" | "Q"))
}

impl ApplicationHandler for Viewer {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.surface.is_none() {
            let made = self.made(events);
            self.check(events, made);
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => events.exit(),
            WindowEvent::Resized(size) => self.size = size,
            WindowEvent::RedrawRequested => {
                let drawn = self.draw();
                self.check(events, drawn);
            }
            WindowEvent::KeyboardInput {
                event: KeyEvent { logical_key, state: ElementState::Pressed, .. }, ..
            } => {
                if ends(&logical_key) {
                    events.exit();
                } else if let Some(command) = command(&logical_key) {
                    self.view.obey(command);
                }
            }
            WindowEvent::MouseInput { state, button, .. } => {
                self.pressed = (state == ElementState::Pressed).then_some(button);
            }
            WindowEvent::CursorMoved { position, .. } => self.moved(position),
            WindowEvent::MouseWheel { delta, .. } => self.view.zoom(match delta {
                MouseScrollDelta::LineDelta(_, lines) => f64::from(lines),
                MouseScrollDelta::PixelDelta(pixels) => pixels.y / 40.0,
            }),
            _ => {}
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if let Some(surface) = &self.surface {
            surface.window().request_redraw();
        }
    }
}
