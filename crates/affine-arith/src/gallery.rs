//! Named scenes: expressions with a box round what is worth seeing.

/// An implicit surface or curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// Name, as verbs take it.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// The function in x, y, z (curves: x and y) and, where it moves, the time t from 0 to 1.
    pub text: &'static str,
    /// The box is [-half, half] along every axis.
    pub half: f64,
}

const fn scene(name: &'static str, half: f64, about: &'static str, text: &'static str) -> Scene {
    Scene { name, about, text, half }
}

/// All scenes.
pub const SCENES: [Scene; 16] = [
    scene("sphere", 1.5, "the unit sphere", "x^2 + y^2 + z^2 - 1"),
    scene(
        "tanglecube",
        3.0,
        "a quartic with eight lobes",
        "sqr(sqr(x))-5*sqr(x) + sqr(sqr(y))-5*sqr(y) + sqr(sqr(z))-5*sqr(z) + 11.8",
    ),
    scene("gyroid", 6.0, "a triply periodic surface", "sin(x)*cos(y) + sin(y)*cos(z) + sin(z)*cos(x)"),
    scene("schwarz-p", 6.0, "Schwarz' primitive surface", "cos(x) + cos(y) + cos(z)"),
    scene("torus", 2.0, "a ring with radii 1 and 0.4", "sqr(sqrt(x^2+y^2)-1) + z^2 - 0.16"),
    scene("heart", 1.5, "Taubin's heart", "(x^2+9/4*y^2+z^2-1)^3 - x^2*z^3 - 9/80*y^2*z^3"),
    scene(
        "barth-sextic",
        2.0,
        "65 double points, phi = 1.618..",
        "4*(2.618033988749895*x^2-y^2)*(2.618033988749895*y^2-z^2)*(2.618033988749895*z^2-x^2) \
         - 4.23606797749979*sqr(x^2+y^2+z^2-1)",
    ),
    scene(
        "metaballs",
        2.0,
        "four charges that move",
        "1/(0.05+sqr(x-0.9*cos(6.2831853*t))+sqr(y-0.9*sin(6.2831853*t))+z^2) \
         + 1/(0.05+sqr(x+0.7*cos(6.2831853*t))+y^2+sqr(z-0.7*sin(6.2831853*t))) \
         + 1/(0.05+x^2+sqr(y-0.5)+sqr(z+0.6*cos(6.2831853*t))) + 1/(0.05+x^2+y^2+z^2) - 5",
    ),
    scene(
        "smooth-union",
        1.6,
        "two balls and a bar, blended",
        "smooth_min(smooth_min(hypot(x-0.7,y,z)-0.5, hypot(x+0.7,y,z)-0.5, 0.2), max(hypot(y,z)-0.2, abs(x)-0.8), 0.2)",
    ),
    scene(
        "sphere-sponge",
        1.3,
        "a ball with a lattice of holes",
        "max(x^2+y^2+z^2-1.44, 0.55-sqrt(sqr(sin(4*x))+sqr(sin(4*y))+sqr(sin(4*z))))",
    ),
    scene("chmutov", 1.2, "Chmutov's surface of degree 4", "8*(x^4+y^4+z^4) - 8*(x^2+y^2+z^2) + 3"),
    scene("cassini", 2.0, "a solid of Cassini ovals", "sqr(x^2+y^2+z^2+0.9) - 4*0.9*x^2 - 1.1"),
    scene("ripple", 3.0, "rings on water that run outwards", "z - 0.3*cos(6*sqrt(x^2+y^2)-6.2831853*t)/(1+x^2+y^2)"),
    scene(
        "clebsch",
        2.0,
        "a cubic with 27 real lines",
        "81*(x^3+y^3+z^3) - 189*(x^2*y+x^2*z+y^2*x+y^2*z+z^2*x+z^2*y) + 54*x*y*z + 126*(x*y+x*z+y*z) - 9*(x^2+y^2+z^2) - 9*(x+y+z) + 1",
    ),
    scene("bean", 2.0, "a curve: vusvna's first quadtree", "x^2+y^2+x*y-(x*y)^2/2-1/4"),
    scene("flower", 2.0, "a curve with five petals", "sqrt(x^2+y^2) - 1 - 0.4*cos(5*atan2(y, x))"),
];

impl Scene {
    /// The scene of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SCENES.iter().find(|scene| scene.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::SCENES;
    use crate::{Expr, Model, Plan, Rounding, SubdivideOptions, subdivide_cpu};

    #[test]
    fn every_scene_has_something_in_its_box() {
        for scene in &SCENES {
            let expr: Expr = scene.text.parse().unwrap_or_else(|e| panic!("{}: {e}", scene.name));
            let at = expr.with_value("t", 0.25).expect("few variables");
            let options =
                SubdivideOptions { level: 4, model: Model::Affine, rounding: Rounding::Rigorous, capacity: 4096 };
            let bounds = [(-scene.half, scene.half); 3];
            let plan = Plan::new(&at, &["x", "y", "z"]).unwrap_or_else(|e| panic!("{}: {e}", scene.name));
            let cells = subdivide_cpu(&plan, bounds, options).unwrap_or_else(|e| panic!("{}: {e}", scene.name));
            assert!(cells.indices.len() > 8 && cells.indices.len() < 4096, "{}: {:?}", scene.name, cells.counts);
        }
    }
}
