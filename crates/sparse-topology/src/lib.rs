//! Topology of sparse voxel index grids, on CPU and GPU, bit for bit.
