//! Everything a query can tell, chosen by the caller, with a maximum distance and a rigid motion of the mesh.

use crate::double::Precision;
use crate::kernels::Vec3;
use crate::kernels::query_answer::{AnswerWords, NO_FACET, query_answer, query_miss};
use crate::kernels::real::{Real, scale_pow2, sqrt_rn};
use crate::kernels::triangle_distance::closest_feature;
use crate::search::{self, Hit};
use crate::{Error, Feature, Frame, Rigid, Sign, Surface};
use input_text::number;
use rayon::prelude::*;

/// What a query returns; nothing is chosen by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Distance, negative inside when a sign is asked for.
    pub distance: bool,
    /// Its square, with the same sign.
    pub squared: bool,
    /// Index of the closest triangle.
    pub triangle: bool,
    /// Feature of the triangle that holds the closest point, and whether the query point is inside.
    pub feature: bool,
    /// Barycentric coordinates of the closest point.
    pub uv: bool,
    /// Closest point.
    pub point: bool,
    /// Unit pseudo-normal of the feature.
    pub normal: bool,
    /// Unit gradient of the distance.
    pub gradient: bool,
}

/// Entries of each output, in the order of the bits of [`Outputs::mask`].
const WIDTHS: [usize; 8] = [1, 1, 1, 1, 2, 3, 3, 3];

/// Words of each output: a triangle and a feature are one, whatever the numbers.
pub(crate) fn widths<R: Real>() -> [usize; 8] {
    std::array::from_fn(|output| if matches!(output, 2 | 3) { 1 } else { WIDTHS[output] * R::WORDS })
}

impl Outputs {
    /// Everything.
    pub const ALL: Outputs = Outputs {
        distance: true,
        squared: true,
        triangle: true,
        feature: true,
        uv: true,
        point: true,
        normal: true,
        gradient: true,
    };

    pub(crate) fn flags(self) -> [bool; 8] {
        let Outputs { distance, squared, triangle, feature, uv, point, normal, gradient } = self;
        [distance, squared, triangle, feature, uv, point, normal, gradient]
    }

    /// A bit an output, as query_answers.wgsl knows them.
    #[cfg(feature = "gpu")]
    pub(crate) fn mask(self) -> u32 {
        self.flags().iter().enumerate().fold(0, |mask, (bit, &on)| mask | u32::from(on) << bit)
    }

    /// Words of an answer.
    pub(crate) fn words<R: Real>(self) -> usize {
        self.flags().iter().zip(widths::<R>()).map(|(&on, width)| if on { width } else { 0 }).sum()
    }
}

/// The largest distance of interest; what is farther is a miss.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MaxDistance<'a> {
    /// None.
    #[default]
    Unlimited,
    /// The same for all queries.
    All(f64),
    /// One for each query.
    Each(&'a [f64]),
}

/// What is asked of listed points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Question<'a> {
    /// What to return.
    pub outputs: Outputs,
    /// How inside is decided.
    pub sign: Sign,
    /// Farther surfaces are misses.
    pub max_distance: MaxDistance<'a>,
    /// Where the mesh has been moved to; at rest without.
    pub motion: Option<Rigid>,
}

/// Answers, an array an output in the order of the queries; arrays of outputs that were not chosen are empty.
///
/// A query is a **miss** when its distance (the value that would be returned) is larger than its maximum distance. A miss has distance,
/// square and coordinates of the point +infinity, triangle `u32::MAX`, feature `Face`, and zeros else; it is not inside.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Answers<R = f32> {
    /// Distances, in the mesh's unit.
    pub distance: Vec<R>,
    /// Squared distances, with the sign of the distance.
    pub squared: Vec<R>,
    /// Triangles.
    pub triangle: Vec<u32>,
    /// Features of the triangles.
    pub feature: Vec<Feature>,
    /// Whether each query point is inside by the sign asked for (chosen with `feature`).
    pub inside: Vec<bool>,
    /// Coordinates of the closest points in their triangles: p1 + u (p2 - p1) + v (p3 - p1).
    pub uv: Vec<[R; 2]>,
    /// Closest points.
    pub point: Vec<[f64; 3]>,
    /// Unit pseudo-normals of the features; 0 where the feature has none (no triangle with area, or opposite ones that cancel).
    pub normal: Vec<[R; 3]>,
    /// Unit gradients of the (signed) distance; on the surface the pseudo-normal.
    ///
    /// Where the closest point lies in the interior of a triangle it is the triangle's unit normal, right to 2^-20 however near the
    /// surface is; at edges and vertices the direction from the closest point, whose error is that of the point over the distance.
    pub gradient: Vec<[R; 3]>,
}

impl Question<'_> {
    /// The maximum distances, none above what was asked; a single one for all queries, none without a limit.
    ///
    /// # Errors
    /// [`Error::Question`] for a NaN or negative distance and for a number of distances that is not that of the queries.
    pub(crate) fn limits<R: Real>(&self, count: usize) -> Result<Vec<R>, Error> {
        let what = "maximum distance";
        let checked = |(index, &x): (usize, &f64)| match x >= 0.0 {
            true => Ok(R::rounded_down(x)),
            false => {
                let problem = format!("{}, allowed are numbers from 0", number(x));
                Err(Error::Question { what, index: Some(index), problem })
            }
        };
        match self.max_distance {
            MaxDistance::Unlimited => Ok(Vec::new()),
            MaxDistance::All(x) => Ok(vec![checked((0, &x))?]),
            MaxDistance::Each(all) if all.len() == count => all.iter().enumerate().map(checked).collect(),
            MaxDistance::Each(all) => {
                let problem = format!("{} distances for {count} queries", all.len());
                Err(Error::Question { what, index: None, problem })
            }
        }
    }

    /// The points in working coordinates, where the mesh is at rest.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::TooFar`]; [`Error::Question`] for a motion that is not rigid.
    pub(crate) fn working<R: Real>(&self, frame: &Frame, points: &[[f64; 3]]) -> Result<Vec<Vec3<R>>, Error> {
        let Some(motion) = self.motion else {
            return points.par_iter().enumerate().map(|(i, p)| frame.point("point", i, p)).collect();
        };
        motion.check()?;
        points
            .par_iter()
            .enumerate()
            .map(|(i, p)| {
                crate::mesh::check_finite("point", i, p)?;
                frame.point("point", i, &motion.back(*p))
            })
            .collect()
    }
}

/// Squared distance, in working units, beyond which every returned distance exceeds `limit`.
pub(crate) fn reach2<R: Real>(limit: R, exponent: i32) -> f32 {
    // Distances below the smallest normal number are 0, which no limit misses; that of f32 is above that of f64.
    let reach = limit.to_f64().max(f64::from(f32::MIN_POSITIVE)) * 2f64.powi(-exponent);
    // Up by more than the rounding of the root and of this product.
    (reach * reach * (1.0 + 1e-6)).clamp(f64::from(f32::MIN_POSITIVE), f64::from(f32::MAX)) as f32
}

/// The words of one answer that were chosen.
pub(crate) fn chosen<R: Real>(outputs: Outputs, all: &AnswerWords, into: &mut Vec<u32>) {
    let mut at = 0;
    for (output, on) in outputs.flags().into_iter().enumerate() {
        let words = widths::<R>()[output] / WIDTHS[output];
        if on {
            all[at..at + WIDTHS[output]].iter().for_each(|entry| into.extend_from_slice(&entry[..words]));
        }
        at += WIDTHS[output];
    }
}

impl<R: Precision> Surface<R> {
    /// Everything that `question` chooses about the closest point of each point.
    ///
    /// # Errors
    /// As [`Surface::distance_cpu`]; [`Error::Question`] for maximum distances that are negative, NaN or of another number, and for a
    /// motion that is not rigid.
    pub fn query_cpu(&self, points: &[[f64; 3]], question: &Question<'_>) -> Result<Answers<R>, Error> {
        let limits = question.limits::<R>(points.len())?;
        let working = question.working(self.frame(), points)?;
        self.ready_for(question.sign);
        const CHUNK: usize = 1 << 10;
        let mut answers = Answers::room(question.outputs, points.len());
        let mut rest = answers.parts();
        let mut chunks = Vec::with_capacity(points.len().div_ceil(CHUNK));
        for (at, points) in working.chunks(CHUNK).enumerate() {
            let (own, others) = rest.split(points.len());
            rest = others;
            chunks.push((at, points, own));
        }
        chunks.into_par_iter().for_each(|(at, points, own)| {
            let mut hit = Hit::NONE;
            let mut words = Vec::with_capacity(points.len() * question.outputs.words::<R>());
            for (k, &p) in points.iter().enumerate() {
                let limit = limits.get(at * CHUNK + k).or(limits.first()).copied();
                hit = self.nearest_within(p, hit, limit);
                chosen::<R>(question.outputs, &self.answer_words(p, hit, question.sign, limit), &mut words);
            }
            own.fill(&words, question, self.frame());
        });
        Ok(answers)
    }

    /// Whether each point is inside by `sign`; a point on the surface is not.
    ///
    /// # Errors
    /// As [`Surface::distance_cpu`]; [`Error::Question`] without a sign.
    pub fn inside_cpu(&self, points: &[[f64; 3]], sign: Sign) -> Result<Vec<bool>, Error> {
        require_sign(sign)?;
        Ok(self.distance_cpu(points, sign, false)?.into_iter().map(|d| d < R::ZERO).collect())
    }

    /// The nearest triangle of a point, or any, or none, when it is farther than `limit`.
    pub(crate) fn nearest_within(&self, p: Vec3<R>, last: Hit<R>, limit: Option<R>) -> Hit<R> {
        let reach = limit.map_or(f32::MAX, |limit| reach2(limit, self.frame().exponent));
        search::nearest_within(self, p, last.slot, reach)
    }

    /// All words of the answer of a hit.
    pub(crate) fn answer_words(&self, p: Vec3<R>, hit: Hit<R>, sign: Sign, limit: Option<R>) -> AnswerWords {
        let exponent = self.frame().exponent;
        if limit.is_some_and(|limit| scale_pow2(sqrt_rn(hit.d2), exponent) > limit) {
            return query_miss::<R>();
        }
        let closest = closest_feature(&self.records()[hit.slot as usize], p);
        let normal = self.normals().vector(hit.slot, closest.feature);
        let inside = self.value(p, hit, sign, false) < R::ZERO;
        query_answer(&closest, hit.facet, normal, inside, exponent)
    }
}

/// Inside is a question about a sign.
pub(crate) fn require_sign(sign: Sign) -> Result<(), Error> {
    if sign == Sign::None {
        let problem = "the sign is none, needed is one that tells inside from outside".into();
        return Err(Error::Question { what: "inside", index: None, problem });
    }
    Ok(())
}

/// Whether a triangle index is that of a miss.
pub fn is_miss(triangle: u32) -> bool {
    triangle == NO_FACET
}
