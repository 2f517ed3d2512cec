//! Writing vertex streams.

use super::encode_indices::check_version;
use super::vertices::{GROUP, MAX_BLOCK, block_vertices, tail_bytes};
use crate::error::Error;

/// Blocks that the choice of a channel's mode looks at.
const SAMPLE: usize = 8;

/// Encodes `count` vertices of `stride` bytes as a vertex stream of version 0 or 1.
///
/// Version 1 takes for every four bytes of a vertex the cheapest of byte differences, 16-bit differences and xor with a rotation, and for every byte
/// column of a block the cheapest of two sets of widths, zeros and literal bytes. Cost: about 2 ns a byte.
///
/// # Errors
/// [`Error::Input`] for another version, a stride that is no multiple of 4 from 4 to 256, or bytes that are no whole number of vertices.
pub fn encode_vertices(bytes: &[u8], stride: usize, version: u8) -> Result<Vec<u8>, Error> {
    check_version(version)?;
    let wrong = |what, value: usize, allowed: &str| {
        Err(Error::Input { what, index: 0, value: value.to_string(), allowed: allowed.to_owned() })
    };
    if stride == 0 || stride > 256 || !stride.is_multiple_of(4) {
        return wrong("stride", stride, "multiples of 4 from 4 to 256");
    }
    if !bytes.len().is_multiple_of(stride) {
        return wrong("bytes of the vertices", bytes.len(), "multiples of the stride");
    }
    let block = block_vertices(stride) * stride;
    let first = bytes.get(..stride).map_or_else(|| vec![0; stride], <[u8]>::to_vec);
    let modes: Vec<u8> =
        if version == 0 { Vec::new() } else { (0..stride / 4).map(|group| best_mode(bytes, stride, group)).collect() };
    let mut out = vec![0xa0 | version];
    let mut last = first.clone();
    for vertices in bytes.chunks(block) {
        write_block(&mut out, vertices, stride, &last, &modes);
        last.copy_from_slice(&vertices[vertices.len() - stride..]);
    }
    let tail = tail_bytes(stride, modes.len(), usize::from(version));
    out.resize(out.len() + tail - stride - modes.len(), 0);
    out.extend(first);
    out.extend(modes);
    Ok(out)
}

/// Columns of one group of four bytes over a block, filled up with zeros to whole groups of 16.
type Columns = [[u8; MAX_BLOCK]; 4];

/// Four bytes of a vertex.
fn word(vertex: &[u8], group: usize) -> [u8; 4] {
    [0, 1, 2, 3].map(|k| vertex[4 * group + k])
}

/// The differences of a block in one mode; `last` are the four bytes before it.
fn differences(vertices: &[u8], stride: usize, group: usize, last: [u8; 4], mode: u8) -> Columns {
    let mut columns = [[0; MAX_BLOCK]; 4];
    let mut before = last;
    for (k, vertex) in vertices.chunks(stride).enumerate() {
        let value = word(vertex, group);
        let delta = match mode & 3 {
            0 => [0, 1, 2, 3].map(|lane| {
                let delta = value[lane].wrapping_sub(before[lane]);
                (delta << 1) ^ ((delta as i8 >> 7) as u8)
            }),
            1 => {
                let half = |bytes: [u8; 4], lane: usize| u16::from_le_bytes([bytes[lane], bytes[lane + 1]]);
                let zigzag = |lane: usize| {
                    let delta = half(value, lane).wrapping_sub(half(before, lane));
                    ((delta << 1) ^ ((delta as i16 >> 15) as u16)).to_le_bytes()
                };
                let (low, high) = (zigzag(0), zigzag(2));
                [low[0], low[1], high[0], high[1]]
            }
            _ => {
                let changed = u32::from_le_bytes(value) ^ u32::from_le_bytes(before);
                changed.rotate_left(u32::from(mode >> 4)).to_le_bytes()
            }
        };
        (0..4).for_each(|lane| columns[lane][k] = delta[lane]);
        before = value;
    }
    columns
}

/// The cheapest mode of a group of four bytes, by the first blocks of the stream.
fn best_mode(bytes: &[u8], stride: usize, group: usize) -> u8 {
    let block = block_vertices(stride) * stride;
    let cost = |mode: u8| -> usize {
        let mut last = bytes.get(..stride).map_or([0; 4], |vertex| word(vertex, group));
        let mut sum = 0;
        for vertices in bytes.chunks(block).take(SAMPLE) {
            let columns = differences(vertices, stride, group, last, mode);
            sum += columns.iter().map(|column| best_control(column, vertices.len() / stride).1).sum::<usize>();
            last = word(&vertices[vertices.len() - stride..], group);
        }
        sum
    };
    let modes = [0, 1].into_iter().chain((0..16).map(|rotation| 2 | rotation << 4));
    modes.min_by_key(|mode| cost(*mode)).unwrap_or(0)
}

/// Widths of a group's values by the code in its header: version 0, and version 1 with control 0 and 1.
const WIDTHS: [[u32; 4]; 3] = [[0, 2, 4, 8], [0, 1, 2, 4], [1, 2, 4, 8]];

/// Bytes of a group of 16 values at a width, or none when they do not fit.
fn group_bytes(group: &[u8], width: u32) -> Option<usize> {
    match width {
        0 => group.iter().all(|value| *value == 0).then_some(0),
        8 => Some(GROUP),
        _ => {
            let escape = (1_u32 << width) - 1;
            let escapes = group.iter().filter(|value| u32::from(**value) >= escape).count();
            Some(2 * width as usize + escapes)
        }
    }
}

/// The cheapest code of a group.
fn best_width(group: &[u8], widths: [u32; 4]) -> (usize, usize) {
    let sizes = (0..4).filter_map(|code| group_bytes(group, widths[code]).map(|size| (size, code)));
    sizes.min().map_or((3, GROUP), |(size, code)| (code, size))
}

/// Bytes of a column at a set of widths.
fn column_bytes(column: &[u8; MAX_BLOCK], count: usize, widths: [u32; 4]) -> usize {
    let groups = count.div_ceil(GROUP);
    let data = column.as_chunks::<GROUP>().0[..groups].iter();
    groups.div_ceil(4) + data.map(|group| best_width(group, widths).1).sum::<usize>()
}

/// Version 1: the cheapest control of a column (0, 1 sets of widths, 2 zeros, 3 literal bytes), and its bytes.
fn best_control(column: &[u8; MAX_BLOCK], count: usize) -> (u8, usize) {
    if column[..count].iter().all(|value| *value == 0) {
        return (2, 0);
    }
    let sizes = [(column_bytes(column, count, WIDTHS[1]), 0), (column_bytes(column, count, WIDTHS[2]), 1), (count, 3)];
    sizes.into_iter().min().map_or((3, count), |(size, control)| (control, size))
}

fn write_block(out: &mut Vec<u8>, vertices: &[u8], stride: usize, last: &[u8], modes: &[u8]) {
    let count = vertices.len() / stride;
    let controls_at = out.len();
    out.resize(controls_at + modes.len(), 0);
    for group in 0..stride / 4 {
        let mode = modes.get(group).copied().unwrap_or(0);
        let columns = differences(vertices, stride, group, word(last, group), mode);
        for (k, column) in columns.iter().enumerate() {
            if modes.is_empty() {
                write_column(out, column, count, WIDTHS[0]);
                continue;
            }
            let (control, _) = best_control(column, count);
            out[controls_at + group] |= control << (2 * k);
            match control {
                2 => {}
                3 => out.extend(&column[..count]),
                _ => write_column(out, column, count, WIDTHS[1 + usize::from(control)]),
            }
        }
    }
}

fn write_column(out: &mut Vec<u8>, column: &[u8; MAX_BLOCK], count: usize, widths: [u32; 4]) {
    let groups = &column.as_chunks::<GROUP>().0[..count.div_ceil(GROUP)];
    let header = out.len();
    out.resize(header + groups.len().div_ceil(4), 0);
    for (index, group) in groups.iter().enumerate() {
        let (code, _) = best_width(group, widths);
        out[header + index / 4] |= (code as u8) << (2 * (index % 4));
        write_group(out, group, widths[code]);
    }
}

fn write_group(out: &mut Vec<u8>, group: &[u8; GROUP], width: u32) {
    match width {
        0 => return,
        8 => return out.extend(group),
        _ => {}
    }
    let escape = (1_u8 << width) - 1;
    let values = 8 / width as usize;
    for packed in group.chunks(values) {
        let byte = packed.iter().enumerate().fold(0, |byte, (k, value)| {
            // One-bit values lie from the lowest bit up, wider ones from the highest down.
            let place = if width == 1 { k as u32 } else { 8 - width * (k as u32 + 1) };
            byte | (*value).min(escape) << place
        });
        out.push(byte);
    }
    out.extend(group.iter().filter(|value| **value >= escape));
}
