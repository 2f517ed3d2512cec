//! From the words of queries to arrays, an array an output: in parallel, each number written once.

use rayon::join;

use crate::answers::{Answers, Question, widths};
use crate::kernels::query_answer::INSIDE;
use crate::kernels::real::Real;
use crate::{Feature, Frame, Outputs, Rigid};

/// Answers that a thread converts at a time: their words, up to 28 each, stay in a core's cache while every output is written.
const BLOCK: usize = 1 << 12;

/// The answers of some queries in a row, to be written.
pub(crate) struct Parts<'a, R> {
    distance: &'a mut [R],
    squared: &'a mut [R],
    triangle: &'a mut [u32],
    feature: &'a mut [Feature],
    inside: &'a mut [bool],
    uv: &'a mut [[R; 2]],
    point: &'a mut [[f64; 3]],
    normal: &'a mut [[R; 3]],
    gradient: &'a mut [[R; 3]],
}

/// What conversions need to know.
#[derive(Clone, Copy)]
struct Meaning<'a> {
    outputs: Outputs,
    motion: Rigid,
    frame: &'a Frame,
}

impl<R: Real> Answers<R> {
    /// Room for the chosen outputs of so many queries.
    pub(crate) fn room(outputs: Outputs, queries: usize) -> Answers<R> {
        let n = |on: bool| if on { queries } else { 0 };
        Answers {
            distance: vec![R::ZERO; n(outputs.distance)],
            squared: vec![R::ZERO; n(outputs.squared)],
            triangle: vec![0; n(outputs.triangle)],
            feature: vec![Feature::Face; n(outputs.feature)],
            inside: vec![false; n(outputs.feature)],
            uv: vec![[R::ZERO; 2]; n(outputs.uv)],
            point: vec![[0.0; 3]; n(outputs.point)],
            normal: vec![[R::ZERO; 3]; n(outputs.normal)],
            gradient: vec![[R::ZERO; 3]; n(outputs.gradient)],
        }
    }

    pub(crate) fn parts(&mut self) -> Parts<'_, R> {
        Parts {
            distance: &mut self.distance,
            squared: &mut self.squared,
            triangle: &mut self.triangle,
            feature: &mut self.feature,
            inside: &mut self.inside,
            uv: &mut self.uv,
            point: &mut self.point,
            normal: &mut self.normal,
            gradient: &mut self.gradient,
        }
    }

    /// Takes the words of the chosen outputs, query by query.
    pub(crate) fn from_words(words: &[u32], question: &Question<'_>, frame: &Frame) -> Answers<R> {
        let stride = question.outputs.words::<R>();
        let mut answers = Answers::room(question.outputs, words.len().checked_div(stride).unwrap_or(0));
        answers.parts().fill(words, question, frame);
        answers
    }
}

/// The first `n` and the others; outputs that were not chosen are empty.
fn cut<T>(all: &mut [T], n: usize) -> (&mut [T], &mut [T]) {
    let n = n.min(all.len());
    all.split_at_mut(n)
}

impl<'a, R: Real> Parts<'a, R> {
    /// The first `n` queries and the others.
    pub(crate) fn split(self, n: usize) -> (Parts<'a, R>, Parts<'a, R>) {
        let (distance, squared) = (cut(self.distance, n), cut(self.squared, n));
        let (triangle, feature, inside) = (cut(self.triangle, n), cut(self.feature, n), cut(self.inside, n));
        let (uv, point, normal, gradient) =
            (cut(self.uv, n), cut(self.point, n), cut(self.normal, n), cut(self.gradient, n));
        let first = Parts {
            distance: distance.0,
            squared: squared.0,
            triangle: triangle.0,
            feature: feature.0,
            inside: inside.0,
            uv: uv.0,
            point: point.0,
            normal: normal.0,
            gradient: gradient.0,
        };
        let others = Parts {
            distance: distance.1,
            squared: squared.1,
            triangle: triangle.1,
            feature: feature.1,
            inside: inside.1,
            uv: uv.1,
            point: point.1,
            normal: normal.1,
            gradient: gradient.1,
        };
        (first, others)
    }

    /// Takes the words of the chosen outputs of these queries, query by query.
    pub(crate) fn fill(self, words: &[u32], question: &Question<'_>, frame: &Frame) {
        let motion = question.motion.unwrap_or(Rigid::REST);
        let stride = question.outputs.words::<R>();
        if stride > 0 {
            self.halves(words, stride, Meaning { outputs: question.outputs, motion, frame });
        }
    }

    fn halves(self, words: &[u32], stride: usize, meaning: Meaning<'_>) {
        let queries = words.len() / stride;
        if queries <= BLOCK {
            return self.block(words, stride, meaning);
        }
        let half = queries / 2;
        let (first, others) = self.split(half);
        let (a, b) = words.split_at(half * stride);
        join(|| first.halves(a, stride, meaning), || others.halves(b, stride, meaning));
    }

    /// Output by output.
    fn block(self, words: &[u32], stride: usize, Meaning { outputs, motion, frame }: Meaning<'_>) {
        let widths = widths::<R>();
        let mut at = 0;
        let mut next = |output: usize, on: bool| {
            let own = at;
            at += if on { widths[output] } else { 0 };
            own
        };
        let number = |own: &[u32], k: usize| R::of_words(own[R::WORDS * k], own[R::WORDS * (k + 1) - 1]);
        let three = |own: &[u32]| [number(own, 0), number(own, 1), number(own, 2)];
        each(self.distance, words, stride, next(0, outputs.distance), |own| number(own, 0));
        each(self.squared, words, stride, next(1, outputs.squared), |own| number(own, 0));
        each(self.triangle, words, stride, next(2, outputs.triangle), |own| own[0]);
        let feature = next(3, outputs.feature);
        each(self.feature, words, stride, feature, |own| Feature::from_kernel(own[0] & (INSIDE - 1)));
        each(self.inside, words, stride, feature, |own| own[0] & INSIDE != 0);
        each(self.uv, words, stride, next(4, outputs.uv), |own| [number(own, 0), number(own, 1)]);
        each(self.point, words, stride, next(5, outputs.point), |own| match number(own, 0).words() == R::FAR {
            true => [f64::INFINITY; 3],
            false => motion.point(frame.restore(three(own))),
        });
        each(self.normal, words, stride, next(6, outputs.normal), |own| motion.direction(three(own)));
        each(self.gradient, words, stride, next(7, outputs.gradient), |own| motion.direction(three(own)));
    }
}

/// Writes an output of every query from its words, which begin at `at`.
fn each<T>(values: &mut [T], words: &[u32], stride: usize, at: usize, value: impl Fn(&[u32]) -> T) {
    for (out, own) in values.iter_mut().zip(words.chunks_exact(stride)) {
        *out = value(&own[at..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every output chosen and not, split anywhere: the words of each query at its place.
    #[test]
    fn parts_take_the_words_of_their_queries() {
        let frame = Frame { centre: [1.0, 2.0, 3.0], exponent: 1 };
        let queries = 3 * BLOCK + 5;
        for mask in 0..256u32 {
            let on = |bit: u32| mask >> bit & 1 == 1;
            let outputs = Outputs {
                distance: on(0),
                squared: on(1),
                triangle: on(2),
                feature: on(3),
                uv: on(4),
                point: on(5),
                normal: on(6),
                gradient: on(7),
            };
            let question = Question { outputs, ..Question::default() };
            let stride = outputs.words::<f32>();
            let queries = if mask == 255 { queries } else { 9 };
            // A feature is below 7; its bits as a float are as good as any.
            let words: Vec<u32> = (0..queries * stride).map(|k| k as u32 % 7).collect();
            let found = Answers::<f32>::from_words(&words, &question, &frame);
            let first = |i: usize, output: usize| {
                let before = outputs.flags().into_iter().zip(widths::<f32>()).take(output);
                words[i * stride + before.map(|(on, width)| if on { width } else { 0 }).sum::<usize>()]
            };
            let count = |on: bool| if on { queries } else { 0 };
            assert_eq!((found.distance.len(), found.point.len()), (count(on(0)), count(on(5))));
            for i in 0..queries {
                let float = |output: usize| f32::from_bits(first(i, output));
                assert!(!on(0) || found.distance[i] == float(0));
                assert!(!on(1) || found.squared[i] == float(1));
                assert!(!on(2) || found.triangle[i] == first(i, 2));
                assert!(!on(3) || found.feature[i] == Feature::from_kernel(first(i, 3)));
                assert!(!on(4) || found.uv[i][0] == float(4));
                assert!(!on(5) || found.point[i][0] == 1.0 + 2.0 * f64::from(float(5)));
                assert!(!on(6) || found.normal[i][0] == float(6));
                assert!(!on(7) || found.gradient[i][0] == float(7));
            }
        }
    }
}
