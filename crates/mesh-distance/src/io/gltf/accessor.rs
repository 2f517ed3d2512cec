//! Accessors, checked before they are read: the crate believes counts, offsets and strides.

use gltf::accessor::{DataType, Dimensions, Item, Iter};

/// Whether an accessor is of a kind that is read here and its data lie in their views.
pub(super) fn check(accessor: &gltf::Accessor<'_>, dimensions: Dimensions, types: &[DataType]) -> Result<(), String> {
    let at = accessor.index();
    if accessor.dimensions() != dimensions || !types.contains(&accessor.data_type()) {
        return Err(format!(
            "accessor {at} holds {:?} of {:?}, allowed are {dimensions:?} of {types:?}",
            accessor.dimensions(),
            accessor.data_type()
        ));
    }
    let (count, size) = (accessor.count(), accessor.size());
    if count == 0 {
        return Err(format!("accessor {at} has 0 values, allowed are 1 or more"));
    }
    match (accessor.view(), accessor.sparse()) {
        (None, None) => Err(format!("accessor {at} has no data in the file")),
        (view, sparse) => {
            let base = view.map(|view| (view, accessor.offset(), count, size, "values"));
            let parts = sparse.map(|sparse| {
                let (indices, values, count) = (sparse.indices(), sparse.values(), sparse.count());
                [
                    (indices.view(), indices.offset(), count, indices.index_type().size(), "sparse indices"),
                    (values.view(), values.offset(), count, size, "sparse values"),
                ]
            });
            base.into_iter().chain(parts.into_iter().flatten()).try_for_each(|part| in_view(at, part))
        }
    }
}

/// Whether `count` values of `size` bytes from `offset` on lie in a view, and the view in its buffer.
fn in_view(
    at: usize,
    (view, offset, count, size, what): (gltf::buffer::View<'_>, usize, usize, usize, &str),
) -> Result<(), String> {
    let stride = view.stride().unwrap_or(size);
    let rows = count.checked_sub(1).ok_or_else(|| format!("accessor {at} has 0 {what}, allowed are 1 or more"))?;
    let end = stride.checked_mul(rows).and_then(|n| n.checked_add(size)?.checked_add(offset));
    let in_buffer = view.offset().checked_add(view.length()).is_some_and(|end| end <= view.buffer().length());
    if stride < size || end.is_none_or(|end| end > view.length()) || !in_buffer {
        return Err(format!("accessor {at}: {count} {what} pass the end of their view of {} bytes", view.length()));
    }
    Ok(())
}

/// The vectors of an accessor in f64: floats as they are, whole numbers as they are or, where they are normalized, over their largest.
///
/// # Errors
/// Those of [`check`]; data outside of their buffer.
pub(super) fn vectors<const N: usize>(
    accessor: &gltf::Accessor<'_>,
    dimensions: Dimensions,
    types: &[DataType],
    buffers: &[Vec<u8>],
) -> Result<Vec<[f64; N]>, String>
where
    [i8; N]: Item,
    [u8; N]: Item,
    [i16; N]: Item,
    [u16; N]: Item,
    [f32; N]: Item,
{
    check(accessor, dimensions, types)?;
    let scaled = |most: f64| move |x: f64| (x / most).max(-1.0);
    let values = match (accessor.data_type(), accessor.normalized()) {
        (DataType::I8, true) => read::<i8, N>(accessor, buffers, scaled(127.0)),
        (DataType::U8, true) => read::<u8, N>(accessor, buffers, scaled(255.0)),
        (DataType::I16, true) => read::<i16, N>(accessor, buffers, scaled(32767.0)),
        (DataType::U16, true) => read::<u16, N>(accessor, buffers, scaled(65535.0)),
        (DataType::I8, false) => read::<i8, N>(accessor, buffers, |x| x),
        (DataType::U8, false) => read::<u8, N>(accessor, buffers, |x| x),
        (DataType::I16, false) => read::<i16, N>(accessor, buffers, |x| x),
        (DataType::U16, false) => read::<u16, N>(accessor, buffers, |x| x),
        _ => read::<f32, N>(accessor, buffers, |x| x),
    };
    values.ok_or_else(|| format!("accessor {}: data that lie outside of their buffer", accessor.index()))
}

fn read<T: Copy + Into<f64>, const N: usize>(
    accessor: &gltf::Accessor<'_>,
    buffers: &[Vec<u8>],
    value: impl Fn(f64) -> f64,
) -> Option<Vec<[f64; N]>>
where
    [T; N]: Item,
{
    let bytes = |buffer: gltf::Buffer<'_>| buffers.get(buffer.index()).map(Vec::as_slice);
    Some(Iter::<[T; N]>::new(accessor.clone(), bytes)?.map(|v| v.map(|x| value(x.into()))).collect())
}
