//! Decoders and encoders of compressed meshlet formats, on CPU and GPU, bit for bit.
