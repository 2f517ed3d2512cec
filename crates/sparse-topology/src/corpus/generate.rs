//! Inputs: stored, or made by a generator.

use serde::Deserialize;
use serde_json::Value;

use super::manifest::{Folder, Generator, Item};
use crate::{Error, GridBatch, Transform};

/// The splitmix64 generator.
pub(super) struct SplitMix64(pub(super) u64);

impl SplitMix64 {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The batch of an input.
pub(super) fn input(folder: &Folder, name: &str, items: &[Item]) -> Result<GridBatch, Error> {
    let list = |item: &Item| match (item.offset, &item.generator) {
        (_, Some(generator)) => generate(folder, generator),
        (Some(offset), None) => folder.coordinates(offset, item.count),
        (None, None) if item.count == 0 => Ok(Vec::new()),
        (None, None) => Err(folder.fault(format!("input {name} has neither an offset nor a generator"))),
    };
    let lists = items.iter().map(list).collect::<Result<Vec<_>, _>>()?;
    let slices: Vec<&[[i32; 3]]> = lists.iter().map(Vec::as_slice).collect();
    GridBatch::from_coordinates_cpu(&slices, &vec![Transform::default(); items.len()])
}

fn generate(folder: &Folder, generator: &Generator) -> Result<Vec<[i32; 3]>, Error> {
    let fault = |what: String| folder.fault(format!("generator {}: {what}", generator.r#gen));
    let args = Value::Array(generator.args.clone());
    match generator.r#gen.as_str() {
        "random" => {
            let (seed, count, lo, hi): (u64, u64, i64, i64) = parse(&args).map_err(fault)?;
            let mut draw = SplitMix64(seed);
            let side = (hi - lo + 1) as u64;
            Ok((0..count).map(|_| std::array::from_fn(|_| (lo + (draw.next() % side) as i64) as i32)).collect())
        }
        "shell" => {
            let (inner, outer, centre): (i64, i64, [i32; 3]) = parse(&args).map_err(fault)?;
            let reach = (outer as f64).sqrt() as i32 + 1;
            let shell = cube([-reach; 3], [reach; 3]).filter(|p| {
                let square: i64 = p.iter().map(|&v| i64::from(v) * i64::from(v)).sum();
                (inner..=outer).contains(&square)
            });
            Ok(shell.map(|p| std::array::from_fn(|k| p[k] + centre[k])).collect())
        }
        "box" => {
            let (lo, hi): ([i32; 3], [i32; 3]) = parse(&args).map_err(fault)?;
            Ok(cube(lo, hi).collect())
        }
        _ => Err(fault("unknown; random, shell and box are known".into())),
    }
}

fn parse<T: for<'a> Deserialize<'a>>(args: &Value) -> Result<T, String> {
    T::deserialize(args).map_err(|error| error.to_string())
}

/// All coordinates of an inclusive box.
fn cube(lo: [i32; 3], hi: [i32; 3]) -> impl Iterator<Item = [i32; 3]> {
    (lo[0]..=hi[0]).flat_map(move |x| (lo[1]..=hi[1]).flat_map(move |y| (lo[2]..=hi[2]).map(move |z| [x, y, z])))
}
