// Schedule: queries at the cell centres of a grid. Needs sign_params, grid_point.

fn query_point(at: u32) -> vec3<real> {
    return grid_point(params.first + cell_of(at), grid_lo(), grid_h());
}
