//! gpu-runtime on every adapter: arithmetic, primitives, the self-test, full and lost devices, sizes of kernels.

mod arithmetic;
mod failures;
mod kernel_sizes;
mod primitives;
mod self_test;
