// Single words of a leaf and of its images: see leaf_word.rs.

fn spread_bits(bits: u32) -> u32 {
    return (bits * 0x00204081u) & 0x01010101u;
}

fn map_byte(low: u32, high: u32, k: u32) -> u32 {
    return (select(low, high, k >= 4u) >> (8u * (k & 3u))) & 255u;
}

fn slice_columns(slice: vec2<u32>, rows: u32) -> u32 {
    // [1] the rows asked for, as bytes
    let low = slice.x & (spread_bits(rows & 15u) * 255u);
    let high = slice.y & (spread_bits(rows >> 4u) * 255u);
    // [2] the OR of all bytes
    var columns = low | high;
    columns |= columns >> 16u;
    columns |= columns >> 8u;
    return columns & 255u;
}

fn rows_image(slice: vec2<u32>, map_low: u32, map_high: u32, half: u32) -> u32 {
    // [3] every row to the rows of its map in one half
    var image = 0u;
    for (var y = 0u; y < 4u; y++) {
        let low = (map_low >> (8u * y + 4u * half)) & 15u;
        let high = (map_high >> (8u * y + 4u * half)) & 15u;
        image |= ((slice.x >> (8u * y)) & 255u) * spread_bits(low);
        image |= ((slice.y >> (8u * y)) & 255u) * spread_bits(high);
    }
    return image;
}

fn columns_image(rows: u32, map_low: u32, map_high: u32) -> u32 {
    // [4] every column to the columns of its map
    var image = 0u;
    for (var z = 0u; z < 4u; z++) {
        image |= ((rows >> z) & 0x01010101u) * ((map_low >> (8u * z)) & 255u);
        image |= ((rows >> (z + 4u)) & 0x01010101u) * ((map_high >> (8u * z)) & 255u);
    }
    return image;
}

fn box_word(word: u32, x_bits: u32, y_bits: u32, z_bits: u32) -> u32 {
    // [5] a slice of the box has its rows, each with its columns
    let rows = spread_bits((y_bits >> (4u * (word & 1u))) & 15u);
    return rows * z_bits * ((x_bits >> (word >> 1u)) & 1u);
}
