//! Skins: where the joints put the vertices of a mesh, as the nodes stand in the file.
//!
//! Files of quantized positions keep the way back to their size in the inverse bind matrices, so that without its skin such a mesh is of another size than the rest.

use gltf::Semantic::{Joints, Weights};
use gltf::accessor::{DataType, Dimensions, Iter};
use gltf::json::Value;

use super::accessor::{check, vectors};
use super::document::list;
use super::place::{IDENTITY, Matrix, local, product};

/// A matrix a joint: joint * inverse bind matrix.
pub(super) struct Skin(Vec<Matrix>);

/// Joints and weights of the vertices of a primitive, four a set.
pub(super) struct Blend<'a> {
    skin: &'a Skin,
    sets: Vec<[Vec<[f64; 4]>; 2]>,
}

/// Every skin of the document.
///
/// # Errors
/// A joint that is no node, a node that is reached twice, matrices that are not 4 x 4 floats, as many as there are joints or more.
pub(super) fn skins(
    whole: &[Value],
    nodes: &[Value],
    file: &gltf::Gltf,
    buffers: &[Vec<u8>],
) -> Result<Vec<Skin>, String> {
    if whole.is_empty() {
        return Ok(Vec::new());
    }
    let worlds = worlds(nodes, file)?;
    let skin = |(k, skin): (usize, &Value)| {
        let joints: Vec<Matrix> = list(skin, "joints")
            .iter()
            .map(|joint| {
                let world = joint.as_u64().and_then(|node| *worlds.get(node as usize)?);
                world.ok_or_else(|| {
                    format!("skin {k}: joint {}, which is no node of a tree", input_text::token(&joint.to_string()))
                })
            })
            .collect::<Result<_, _>>()?;
        let Some(value) = skin.get("inverseBindMatrices") else { return Ok(Skin(joints)) };
        let inverse = value.as_u64().and_then(|index| file.accessors().nth(index as usize));
        let inverse = inverse.ok_or_else(|| {
            format!(
                "skin {k}: inverseBindMatrices is accessor {}, there is none",
                input_text::token(&value.to_string())
            )
        })?;
        let inverse = matrices(&inverse, buffers).map_err(|what| format!("skin {k}: {what}"))?;
        if inverse.len() < joints.len() {
            return Err(format!("skin {k}: {} inverse bind matrices, it has {} joints", inverse.len(), joints.len()));
        }
        Ok(Skin(joints.iter().zip(&inverse).map(|(joint, inverse)| product(joint, inverse)).collect()))
    };
    whole.iter().enumerate().map(skin).collect()
}

/// Where every node of a tree stands; none for those of a circle.
fn worlds(nodes: &[Value], file: &gltf::Gltf) -> Result<Vec<Option<Matrix>>, String> {
    let mut child = vec![false; nodes.len()];
    file.nodes().flat_map(|node| node.children()).for_each(|node| child[node.index()] = true);
    let mut worlds = vec![None; nodes.len()];
    let mut todo: Vec<_> = file.nodes().filter(|node| !child[node.index()]).map(|node| (node, IDENTITY)).collect();
    while let Some((node, parent)) = todo.pop() {
        let at = node.index();
        let own = product(&parent, &local(&nodes[at]).map_err(|what| format!("node {at}: {what}"))?);
        if worlds[at].replace(own).is_some() {
            return Err(format!("node {at} is reached twice, allowed are trees of nodes"));
        }
        todo.extend(node.children().map(|child| (child, own)));
    }
    Ok(worlds)
}

fn matrices(accessor: &gltf::Accessor<'_>, buffers: &[Vec<u8>]) -> Result<Vec<Matrix>, String> {
    check(accessor, Dimensions::Mat4, &[DataType::F32])?;
    let bytes = |buffer: gltf::Buffer<'_>| buffers.get(buffer.index()).map(Vec::as_slice);
    let read = Iter::<[[f32; 4]; 4]>::new(accessor.clone(), bytes);
    let read = read.ok_or_else(|| format!("accessor {}: data that lie outside of their buffer", accessor.index()))?;
    Ok(read.map(|m| m.map(|column| column.map(f64::from))).collect())
}

impl Skin {
    /// Joints and weights of a primitive; none where it has no joints.
    ///
    /// # Errors
    /// Those of the accessors; other counts than that of the vertices, a joint that the skin does not have, weights that are no finite numbers.
    pub(super) fn blend(
        &self,
        primitive: &gltf::Primitive<'_>,
        vertices: usize,
        buffers: &[Vec<u8>],
    ) -> Result<Option<Blend<'_>>, String> {
        let whole = [DataType::U8, DataType::U16];
        let fractions = [DataType::F32, DataType::U8, DataType::U16];
        let mut sets = Vec::new();
        while let Some(joints) = primitive.get(&Joints(sets.len() as u32)) {
            let weights = primitive.get(&Weights(sets.len() as u32));
            let weights = weights.ok_or_else(|| format!("JOINTS_{0} without WEIGHTS_{0}", sets.len()))?;
            let set = [
                vectors::<4>(&joints, Dimensions::Vec4, &whole, buffers)?,
                vectors::<4>(&weights, Dimensions::Vec4, &fractions, buffers)?,
            ];
            for (values, accessor) in set.iter().zip([&joints, &weights]) {
                if values.len() != vertices {
                    let (at, count) = (accessor.index(), values.len());
                    return Err(format!("accessor {at}: joints or weights of {count} vertices, there are {vertices}"));
                }
            }
            if let Some(joint) = set[0].as_flattened().iter().find(|joint| **joint >= self.0.len() as f64) {
                return Err(format!("accessor {}: joint {joint}, the skin has {}", joints.index(), self.0.len()));
            }
            if let Some(weight) = set[1].as_flattened().iter().find(|weight| !weight.is_finite()) {
                return Err(format!("accessor {}: weight {weight}, allowed are finite numbers", weights.index()));
            }
            sets.push(set);
        }
        Ok((!sets.is_empty()).then_some(Blend { skin: self, sets }))
    }
}

impl Blend<'_> {
    /// The mean of the joints' matrices by the weights of a vertex; where all are 0, its first joint's.
    pub(super) fn matrix(&self, vertex: usize) -> Matrix {
        let mut sum = [[0.0; 4]; 4];
        let mut total = 0.0;
        for [joints, weights] in &self.sets {
            for (joint, weight) in joints[vertex].iter().zip(weights[vertex]) {
                let matrix = self.skin.0[*joint as usize];
                (0..4).for_each(|column| (0..4).for_each(|row| sum[column][row] += weight * matrix[column][row]));
                total += weight;
            }
        }
        if total == 0.0 {
            self.skin.0[self.sets[0][0][vertex][0] as usize]
        } else {
            sum.map(|column| column.map(|x| x / total))
        }
    }
}
