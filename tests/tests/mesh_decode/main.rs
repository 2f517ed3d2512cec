//! mesh-decode on every adapter: the words of the CPU.

mod box_query;
mod decode;
mod decode_streams;
mod stride_faults;
