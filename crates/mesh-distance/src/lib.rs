//! Closest point and signed distance on triangle meshes, on CPU and GPU, bit for bit.
