//! Which signs the defects of a mesh allow, and the choice among them.

use crate::{MeshReport, Sign, Trust};

impl MeshReport {
    /// The sign for this mesh and why: pseudo-normals where they can be relied on, else winding numbers; where those cannot be relied on either but
    /// ray parity can (closed surfaces that face inward or both ways), ray parity.
    pub fn auto_sign(&self) -> (Sign, String) {
        let [normals, winding] = [Sign::PseudoNormal, Sign::Winding].map(|sign| self.trust(sign));
        if normals.reliable {
            return (Sign::PseudoNormal, normals.reason);
        }
        let why = format!("pseudo-normals cannot be relied on: {}", normals.reason);
        // Components that may share space are less of a doubt than those that face inward.
        let apart = MeshReport { overlapping_components: 0, ..self.clone() };
        if !winding.reliable && apart.trust(Sign::Rays).reliable {
            return (Sign::Rays, format!("{why}; nor can winding numbers: {}", winding.reason));
        }
        (Sign::Winding, why)
    }

    /// What the defects mean for pseudo-normals.
    pub(crate) fn trust_pseudo_normal(&self) -> Trust {
        verdict(
            &[
                (self.boundary_edges, BOUNDARY, "the surface is open: there is no inside, the sign tells the side"),
                (self.multiple_edges, MULTIPLE, "the sign beside them may be wrong"),
                (self.inconsistent_edges, INCONSISTENT, "the sign flips across them"),
                (self.inward_components - self.cavities, INWARD, "inside and outside change places"),
                (self.overlapping_components, OVERLAPPING, "the sign flips where one lies in another or they cross"),
                (self.folded_edges, FOLDED, "the sign beside them may be wrong"),
                (self.duplicate_triangles, DUPLICATE, "only the first of each kind counts for the sign"),
                (
                    self.flat_triangles,
                    "triangle/ without area or nearly so",
                    "neighbours across them do not know of each other",
                ),
            ],
            "closed, manifold, consistently oriented outward, components apart: pseudo-normals give the right sign unless a component crosses itself",
        )
    }

    /// What the defects mean for winding numbers.
    pub(crate) fn trust_winding(&self) -> Trust {
        verdict(
            &[
                (self.boundary_edges, BOUNDARY, "across a hole the sign follows the angle that the surface fills"),
                (self.inconsistent_edges, INCONSISTENT, "triangles the wrong way round subtract"),
                (self.inward_components - self.cavities, INWARD, "their inside counts as outside"),
                (self.duplicate_triangles, DUPLICATE, "one that is reversed takes its original away"),
            ],
            "closed and consistently oriented outward: the winding number is above 1/2 exactly inside",
        )
    }

    /// What the defects mean for ray parity.
    pub(crate) fn trust_rays(&self) -> Trust {
        verdict(
            &[
                (self.boundary_edges, BOUNDARY, "rays through a hole miscount"),
                (self.multiple_edges, MULTIPLE, "an odd number of them is a hole to a ray"),
                (self.overlapping_components, OVERLAPPING, "what lies in two of them counts as outside"),
                (self.duplicate_triangles, DUPLICATE, "counted twice, they are not there"),
            ],
            "closed and manifold, components apart: every ray from inside meets an odd number of triangles unless a component crosses itself",
        )
    }
}

// What is counted in the singular; the slash is where the plural has its s.
const BOUNDARY: &str = "boundary edge/";
const MULTIPLE: &str = "edge/ with more than two triangles";
const INCONSISTENT: &str = "inconsistently oriented edge/";
const INWARD: &str = "inward-oriented component/";
const OVERLAPPING: &str = "closed component/ whose box overlaps another's";
const FOLDED: &str = "edge/ at which the surface folds back on itself";
const DUPLICATE: &str = "duplicate triangle/";

fn verdict(defects: &[(usize, &str, &str)], good: &str) -> Trust {
    let text = |(n, what, means): &(usize, &str, &str)| {
        format!("{n} {} ({means})", what.replace('/', if *n == 1 { "" } else { "s" }))
    };
    let found: Vec<String> = defects.iter().filter(|(n, ..)| *n > 0).map(text).collect();
    match found.is_empty() {
        true => Trust { reliable: true, reason: good.into() },
        false => Trust { reliable: false, reason: found.join("; ") },
    }
}
