//! The parameter block of the kernels that make and move surfaces: `Params` of move_params.wgsl.

use bytemuck::{Pod, Zeroable};

use crate::Frame;

/// Words in the order of the WGSL struct.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
pub(super) struct MoveParams {
    pub(super) centre_low: [u32; 3],
    pub(super) zero: u32,
    pub(super) centre_high: [u32; 3],
    pub(super) exponent: i32,
    pub(super) count: u32,
    pub(super) groups_x: u32,
    pub(super) first: u32,
    pub(super) base: u32,
    pub(super) vertices: u32,
    pub(super) triangles: u32,
    pub(super) mask: u32,
    pub(super) most: u32,
    pub(super) scale: f32,
    pub(super) pad: [u32; 3],
}

impl MoveParams {
    /// For so many items.
    pub(super) fn of(count: usize) -> MoveParams {
        MoveParams { count: count as u32, ..MoveParams::default() }
    }

    /// The same in a frame.
    pub(super) fn within(self, frame: &Frame) -> MoveParams {
        let bits = frame.centre.map(f64::to_bits);
        let (centre_low, centre_high) = (bits.map(|b| b as u32), bits.map(|b| (b >> 32) as u32));
        MoveParams { centre_low, centre_high, exponent: frame.exponent, ..self }
    }
}
