// Schedule: what every decoder shares: jobs in, vertices, triangles and status words out.

// A vertex of three words: f32 bits or grid integers.
struct Vertex { x: u32, y: u32, z: u32 }
struct Triangle { a: u32, b: u32, c: u32 }

// x: unit, or 0xffffffff for a job that is left out; y, z: first vertex and triangle in the outputs; w: added to local vertices.
const NO_UNIT = 0xffffffffu;

// Parameters of every decoder; those of other formats are zeros.
struct Params {
    zero: u32,
    jobs: u32,
    groups_x: u32,
    // Not 0: job k decodes unit k, so that nobody waits for the job to find the unit.
    in_order: u32,
    bits: vec3<u32>,
    exponent: u32,
    origin: vec3<i32>,
    // Residuals are cut at this magnitude; what is cut leaves the range of codes anyhow.
    largest_residual: i32,
    // Three weights and a shift, by axis.
    predictor_x: vec4<i32>,
    predictor_y: vec4<i32>,
    predictor_z: vec4<i32>,
    low: vec3<f32>,
    scale: f32,
    step: vec3<f32>,
    // Places of a row of scratch words: the vertices of the file's largest meshlet, in steps.
    capacity: u32,
    centre: vec3<f32>,
    pad3: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> jobs: array<vec4<u32>>;

// The unit of a job; jobs past the last repeat it.
fn unit_of(index: u32) -> u32 {
    var unit = min(index, params.jobs - 1u);
    if params.in_order == 0u { unit = jobs[unit].x; }
    return unit;
}
