// Schedule: where winding numbers are 0 by definition. Needs solid_angle.

// Beyond 4096 (f64: 2^26) half extents nothing is inside.
fn is_far_away(p: vec3<real>) -> bool {
    return abs(p.x) > FAR_AWAY || abs(p.y) > FAR_AWAY || abs(p.z) > FAR_AWAY;
}
