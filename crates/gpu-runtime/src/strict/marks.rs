//! Marks that a kernel's author puts on a line of WGSL to state a proof about its float operations.

use naga::Span;

/// What a line is marked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Mark {
    /// `// bound only`: a padded, proven bound that decides no bit of a result.
    pub(super) bound_only: bool,
    /// `// zero free`: operands are never NaN nor subnormal, and the sign of a zero cannot reach a result.
    pub(super) zero_free: bool,
}

/// The marks of a text, by line.
pub(super) struct Marks {
    /// Byte offset at which each line starts, ascending.
    starts: Vec<usize>,
    marks: Vec<Mark>,
}

impl Marks {
    /// Reads the marks of `text`. A mark is a comment that begins with the words; more may follow them.
    pub(super) fn of(text: &str) -> Marks {
        let mut marks = Marks { starts: Vec::new(), marks: Vec::new() };
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let comment = line.split_once("//").map_or("", |(_, comment)| comment.trim_start());
            marks.starts.push(start);
            marks.marks.push(Mark {
                bound_only: comment.starts_with("bound only"),
                zero_free: comment.starts_with("zero free"),
            });
            start += line.len();
        }
        marks
    }

    /// The mark of the line on which `span` begins; none where the span is unknown.
    pub(super) fn at(&self, span: Span) -> Mark {
        let Some(range) = span.to_range() else { return Mark::default() };
        let after = self.starts.partition_point(|start| *start <= range.start);
        after.checked_sub(1).map_or(Mark::default(), |line| self.marks[line])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_belongs_to_its_line() {
        let text = "a // bound only: pad 2^-15\nb // only bound\nc //zero free\n";
        let marks = Marks::of(text);
        let at = |what: char| {
            let start = text.find(what).unwrap() as u32;
            marks.at(Span::new(start, start + 1))
        };
        assert_eq!(at('a'), Mark { bound_only: true, zero_free: false });
        assert_eq!(marks.at(Span::new(27, 28)), Mark::default());
        assert_eq!(
            marks.at(Span::new(text.find("c //").unwrap() as u32, 99)),
            Mark { bound_only: false, zero_free: true }
        );
        assert_eq!(marks.at(Span::UNDEFINED), Mark::default());
        assert_eq!(Marks::of("").at(Span::new(3, 4)), Mark::default());
    }
}
