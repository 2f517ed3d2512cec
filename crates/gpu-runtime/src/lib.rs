//! Strict-float GPU compute runtime on wgpu: the same bits on every adapter.
