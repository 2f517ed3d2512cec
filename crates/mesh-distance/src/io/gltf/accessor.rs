//! Checks of accessors: the crate believes counts, offsets and strides.

use gltf::accessor::{DataType, Dimensions};

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
