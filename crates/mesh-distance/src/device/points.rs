//! Distances, closest points and chosen outputs of listed points.

use gpu_runtime::{DeviceVec, Timestamps};
use rayon::prelude::*;

use super::answers;
use super::point_search::{Order, PointSearch};
use super::program::Output;
use super::signs;
use super::surface::DeviceSurface;
use crate::answers::require_sign;
use crate::double::Precision;
use crate::kernels::Vec3;
use crate::query::Feature;
use crate::{Answers, Closest, Error, Question, Sign};

/// Points of one submission: the answers of so many fit into any device's binding.
const CHUNK: usize = 1 << 20;
/// Points of one submission to a software device, to keep within time limits.
const SOFTWARE_CHUNK: usize = 1 << 16;

/// Prepared points: uploaded once, to be asked as often as wanted without a new allocation; the distances stay on the device.
#[derive(Debug)]
pub struct PointQuery<'a, R: Precision = f32> {
    surface: &'a DeviceSurface<R>,
    search: PointSearch<R>,
    count: usize,
}

impl<R: Precision> PointQuery<'_, R> {
    /// Sorts and answers all points: one submission, nothing read back. Gives the device's seconds, as [`crate::GridQuery::run`].
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn run(&self, timestamps: Timestamps) -> Result<Vec<(String, f64)>, Error> {
        let mut recording = self.surface.context().record("point_distance").with_timestamps(timestamps);
        self.search.record(self.surface, &mut recording)?;
        Ok(recording.submit()?.timings().to_vec())
    }

    /// The words of the distances of the last run, in the order of the points; of f64 two each, the lower one first.
    pub fn distance_words(&self) -> &DeviceVec<u32> {
        self.search.results()
    }

    /// Reads the distances of the last run back.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn download(&self) -> Result<Vec<R>, Error> {
        let mut numbers = numbers(self.distance_words().download()?);
        numbers.truncate(self.count);
        Ok(numbers)
    }
}

impl<R: Precision> DeviceSurface<R> {
    /// Distance from each point to the surface: the words of [`crate::Surface::distance_cpu`].
    ///
    /// Points are sorted along a Morton curve first, so that a packet holds neighbours; the answers come in the order of
    /// the points.
    ///
    /// # Errors
    /// As [`crate::Surface::distance_cpu`], and [`Error::Device`].
    pub fn distance(&self, points: &[[f64; 3]], sign: Sign, squared: bool) -> Result<Vec<R>, Error> {
        Ok(numbers(self.answer(&self.working(points)?, Output::Distance { sign, squared })?))
    }

    /// Closest point, triangle, feature and distance for each point: what [`crate::Surface::closest_cpu`] gives.
    ///
    /// # Errors
    /// As [`DeviceSurface::distance`].
    pub fn closest(&self, points: &[[f64; 3]], sign: Sign) -> Result<Vec<Closest<R>>, Error> {
        let output = Output::Closest { sign };
        let words = self.answer(&self.working(points)?, output)?;
        let closest = |words: &[u32]| {
            // Distance, triangle, feature, then u, v and the point.
            let distance = R::of_words(words[0], words[R::WORDS - 1]);
            let number = |k: usize| {
                let at = R::WORDS * (k + 1) + 2;
                R::of_words(words[at], words[at + R::WORDS - 1])
            };
            Closest {
                distance,
                point: self.frame.restore([number(2), number(3), number(4)]),
                triangle: words[R::WORDS],
                uv: [number(0), number(1)],
                feature: Feature::from_kernel(words[R::WORDS + 1]),
            }
        };
        Ok(words.par_chunks_exact(output.words::<R>()).with_min_len(1 << 10).map(closest).collect())
    }

    /// Everything that `question` chooses about the closest point of each point: what [`crate::Surface::query_cpu`] gives.
    ///
    /// # Errors
    /// As [`crate::Surface::query_cpu`], and [`Error::Device`].
    pub fn query(&self, points: &[[f64; 3]], question: &Question<'_>) -> Result<Answers<R>, Error> {
        let limits = question.limits::<R>(points.len())?;
        let working = question.working::<R>(&self.frame, points)?;
        let hardware = self.context().adapter().is_hardware();
        let most =
            (self.chunk() as u64).min(signs::most_queries::<R>(question.sign, self.triangles(), hardware)) as usize;
        let mut answers = Answers::room(question.outputs, points.len());
        let mut rest = answers.parts();
        for (i, chunk) in working.chunks(most).enumerate() {
            let first = i * most;
            let own = if limits.len() > 1 { &limits[first..first + chunk.len()] } else { &limits[..] };
            let reaches: Vec<f32> =
                own.iter().map(|&limit| crate::answers::reach2(limit, self.frame.exponent)).collect();
            let search = PointSearch::new(self, chunk, None, self.order(), &reaches)?;
            let plan = answers::Plan::new(self, chunk.len(), question, own)?;
            let mut recording = self.context().record("point_query");
            search.record(self, &mut recording)?;
            plan.record_listed(self, &mut recording, &search)?;
            let read = recording.download(plan.results());
            let words = recording.submit()?.take(read)?;
            let (own, others) = rest.split(chunk.len());
            own.fill(&words, question, &self.frame);
            rest = others;
        }
        Ok(answers)
    }

    /// Whether each point is inside by `sign`: what [`crate::Surface::inside_cpu`] gives.
    ///
    /// # Errors
    /// As [`crate::Surface::inside_cpu`], and [`Error::Device`].
    pub fn inside(&self, points: &[[f64; 3]], sign: Sign) -> Result<Vec<bool>, Error> {
        require_sign(sign)?;
        Ok(self.distance(points, sign, false)?.into_iter().map(|d| d < R::ZERO).collect())
    }

    /// Prepares points whose distances stay on the device (see [`PointQuery`]).
    ///
    /// # Errors
    /// As [`DeviceSurface::distance`]; [`Error::Device`] also when the points do not fit into one binding.
    pub fn point_query(&self, points: &[[f64; 3]], sign: Sign, squared: bool) -> Result<PointQuery<'_, R>, Error> {
        let (needed, allowed) =
            (points.len() as u64 * 3 * size_of::<R>() as u64, self.context().adapter().limits.max_binding_bytes);
        if needed > allowed {
            let what = "points that stay on the device".to_owned();
            return Err(gpu_runtime::Error::Limit { what, needed, allowed, unit: "bytes a binding" }.into());
        }
        let mut working = self.working(points)?;
        if working.is_empty() {
            // Nothing may be searched for nothing; the answer of this one is never handed out.
            working.push([R::ZERO; 3]);
        }
        let search = PointSearch::new(self, &working, Some(Output::Distance { sign, squared }), Order::Device, &[])?;
        Ok(PointQuery { surface: self, search, count: points.len() })
    }

    fn working(&self, points: &[[f64; 3]]) -> Result<Vec<Vec3<R>>, Error> {
        points.par_iter().enumerate().map(|(i, p)| self.frame.point("point", i, p)).collect()
    }

    fn chunk(&self) -> usize {
        if self.context().adapter().is_hardware() { CHUNK } else { SOFTWARE_CHUNK }
    }

    /// A software device sorts no faster than the host.
    fn order(&self) -> Order {
        if self.context().adapter().is_hardware() { Order::Device } else { Order::Host }
    }

    fn answer(&self, working: &[Vec3<R>], output: Output) -> Result<Vec<u32>, Error> {
        let mut words = Vec::new();
        let hardware = self.context().adapter().is_hardware();
        let most = signs::most_queries::<R>(output.sign().0, self.triangles(), hardware);
        for chunk in working.chunks((self.chunk() as u64).min(most) as usize) {
            let search = PointSearch::new(self, chunk, Some(output), self.order(), &[])?;
            let mut recording = self.context().record("point_distance");
            search.record(self, &mut recording)?;
            let read = recording.download(search.results());
            let own = recording.submit()?.take(read)?;
            if chunk.len() == working.len() {
                return Ok(own);
            }
            words.extend_from_slice(&own);
        }
        Ok(words)
    }
}

/// Numbers from their words; those of f32 are the same memory.
fn numbers<R: Precision>(words: Vec<u32>) -> Vec<R> {
    if R::WORDS == 1 {
        return words.into_iter().map(|word| R::of_words(word, 0)).collect();
    }
    words.par_chunks_exact(R::WORDS).with_min_len(1 << 12).map(|own| R::of_words(own[0], own[R::WORDS - 1])).collect()
}
