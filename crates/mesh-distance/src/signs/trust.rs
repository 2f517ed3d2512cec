//! Which signs the defects of a mesh allow, and the choice among them.

use crate::{MeshReport, Sign, Trust};

impl MeshReport {
    /// The sign for this mesh and why: pseudo-normals where they can be relied on, else winding numbers; where those cannot be relied on either but
    /// ray parity can (closed surfaces that face inward or both ways), ray parity.
    pub fn auto_sign(&self) -> (Sign, String) {
        let [normals, winding, rays] = [Sign::PseudoNormal, Sign::Winding, Sign::Rays].map(|sign| self.trust(sign));
        if normals.reliable {
            return (Sign::PseudoNormal, normals.reason);
        }
        let why = format!("pseudo-normals cannot be relied on: {}", normals.reason);
        if !winding.reliable && rays.reliable {
            return (Sign::Rays, format!("{why}; nor can winding numbers: {}", winding.reason));
        }
        (Sign::Winding, why)
    }

    /// What the defects mean for winding numbers.
    pub(crate) fn trust_winding(&self) -> Trust {
        verdict(
            &[
                (
                    self.boundary_edges,
                    "boundary edges (across a hole the sign follows the angle that the surface fills)",
                ),
                (self.inconsistent_edges, "inconsistently oriented edges (triangles the wrong way round subtract)"),
                (self.inward_components, "inward-oriented components (their inside counts as outside)"),
                (self.duplicate_triangles, "duplicate triangles (one that is reversed takes its original away)"),
            ],
            "closed and consistently oriented outward: the winding number is above 1/2 exactly inside",
        )
    }

    /// What the defects mean for ray parity.
    pub(crate) fn trust_rays(&self) -> Trust {
        verdict(
            &[
                (self.boundary_edges, "boundary edges (rays through a hole miscount)"),
                (self.multiple_edges, "edges with more than two triangles (an odd number of them is a hole to a ray)"),
                (self.duplicate_triangles, "duplicate triangles (counted twice, they are not there)"),
            ],
            "closed and manifold: every ray from inside meets an odd number of triangles",
        )
    }
}

fn verdict(defects: &[(usize, &str)], good: &str) -> Trust {
    let found: Vec<String> = defects.iter().filter(|(n, _)| *n > 0).map(|(n, text)| format!("{n} {text}")).collect();
    match found.is_empty() {
        true => Trust { reliable: true, reason: good.into() },
        false => Trust { reliable: false, reason: found.join("; ") },
    }
}
