// Single words of a dilation: see dilate_word.rs.

fn rows_dilate(own: u32, before: u32, after: u32) -> u32 {
    // [1] four rows and the rows beside them: the last of the word before, the first of the word after
    return own | (own << 8u) | (own >> 8u) | (before >> 24u) | (after << 24u);
}

fn columns_dilate(own: u32, before: u32, after: u32) -> u32 {
    // [2] every column and the columns beside it, over the borders of the leaf
    let inside = own | ((own << 1u) & 0xfefefefeu) | ((own >> 1u) & 0x7f7f7f7fu);
    return inside | ((before >> 7u) & 0x01010101u) | ((after << 7u) & 0x80808080u);
}
