//! Intervals and affine forms with guaranteed bounds, on CPU and GPU, bit for bit.
