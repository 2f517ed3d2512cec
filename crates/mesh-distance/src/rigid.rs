//! Rigid motions: a mesh that moves without changing its shape needs no new surface.

use crate::Error;
use crate::kernels::real::Real;
use input_text::number;

/// A rotation, then a translation: x -> R x + t.
///
/// Queries with a motion are carried back to where the mesh lies at rest, in f64, and their answers forward: a moved mesh costs
/// nothing more than one at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigid {
    /// Rows of R.
    pub rotation: [[f64; 3]; 3],
    /// t.
    pub translation: [f64; 3],
}

/// Largest |R R^T - 1| of a component.
const TOLERANCE: f64 = 1e-9;

impl Rigid {
    /// No motion.
    pub const REST: Rigid =
        Rigid { rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [0.0; 3] };

    /// Checks that all numbers are finite and R is a rotation (R R^T = 1 to 1e-9, determinant positive).
    ///
    /// # Errors
    /// [`Error::Question`] with the value that is off.
    pub fn check(&self) -> Result<(), Error> {
        let problem = |problem| Error::Question { what: "motion", index: None, problem };
        if let Some(x) = self.rotation.iter().flatten().chain(&self.translation).find(|x| !x.is_finite()) {
            return Err(problem(format!("{x}, allowed are finite numbers")));
        }
        for (i, row) in self.rotation.iter().enumerate() {
            for (j, other) in self.rotation.iter().enumerate() {
                let (product, wanted) = (dot(*row, *other), if i == j { 1.0 } else { 0.0 });
                if (product - wanted).abs() > TOLERANCE {
                    let product = number(product);
                    return Err(problem(format!("rows {i} and {j} have the product {product}, a rotation {wanted}")));
                }
            }
        }
        let [a, b, c] = self.rotation;
        let determinant = dot(a, [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]]);
        if determinant < 0.0 {
            return Err(problem(format!("the determinant is {}, a rotation has 1", number(determinant))));
        }
        Ok(())
    }

    /// Where a point of the mesh at rest goes.
    pub fn point(&self, p: [f64; 3]) -> [f64; 3] {
        if *self == Rigid::REST {
            return p;
        }
        std::array::from_fn(|k| dot(self.rotation[k], p) + self.translation[k])
    }

    /// Where a point comes from.
    pub fn back(&self, p: [f64; 3]) -> [f64; 3] {
        let d: [f64; 3] = std::array::from_fn(|k| p[k] - self.translation[k]);
        std::array::from_fn(|k| self.rotation[0][k] * d[0] + self.rotation[1][k] * d[1] + self.rotation[2][k] * d[2])
    }

    /// Where a direction goes, rounded to its numbers.
    pub fn direction<R: Real>(&self, v: [R; 3]) -> [R; 3] {
        if self.rotation == Rigid::REST.rotation {
            return v;
        }
        self.rotation.map(|row| R::from_f64(dot(row, v.map(R::to_f64))))
    }
}

fn dot(u: [f64; 3], v: [f64; 3]) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}
