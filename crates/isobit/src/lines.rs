//! Lists of numbers as text: lines split at commas, and columns by their names.

use input_text::token;

use crate::verbs::numbers_given;

/// A list of numbers as text.
pub(crate) struct Lines<'a> {
    text: &'a str,
    /// The line of names before the first numbers, where there is one.
    names: Option<Vec<&'a str>>,
    /// The columns that are asked for, in that order; all of them where nothing is said.
    columns: Option<Vec<usize>>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(text: &'a str) -> Lines<'a> {
        let bare = |word: &'a str| word.trim_matches(['"', '\'']).trim();
        let is_name = |word: &&'a str| {
            let word = bare(word);
            word.starts_with(|c: char| c.is_alphabetic() || c == '_') && word.parse::<f64>().is_err()
        };
        let first = split_lines(text).next().map(|(_, words)| words);
        let names = first.filter(|words| words.iter().all(is_name));
        Lines { text, names: names.map(|words| words.into_iter().map(bare).collect()), columns: None }
    }

    /// Asks for the columns with the names of one of these lists: the first that the line of names has all of. Without such a line, or where it has none
    /// of the names of any list, columns stay as they are.
    pub(crate) fn choose(mut self, lists: &[Vec<String>]) -> Result<Lines<'a>, String> {
        let Some(names) = &self.names else { return Ok(self) };
        let places =
            |wanted: &str| (0..names.len()).filter(|&k| names[k].eq_ignore_ascii_case(wanted)).collect::<Vec<_>>();
        let place = |wanted: &String| <[usize; 1]>::try_from(places(wanted)).ok().map(|[k]| k);
        let columns = lists.iter().find_map(|list| list.iter().map(place).collect());
        if columns.is_none() && lists.iter().flatten().any(|name| !places(name).is_empty()) {
            let allowed = lists.first().map(|list| list.join(",")).unwrap_or_default();
            return Err(format!(
                "columns {} (allowed: each of {allowed} once, or other names)",
                token(&names.join(","))
            ));
        }
        self.columns = columns;
        Ok(self)
    }

    /// The lines of numbers with their positions, from 1.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Result<(usize, Vec<&'a str>), String>> {
        let given = self.names.as_ref().map_or(0, Vec::len);
        split_lines(self.text).skip(usize::from(self.names.is_some())).map(move |(number, words)| match &self.columns {
            None => Ok((number, words)),
            Some(_) if words.len() != given => {
                Err(format!("line {number}: {}", numbers_given(words.len(), &format!("{given}, as many as names"))))
            }
            Some(columns) => Ok((number, columns.iter().map(|&k| words[k]).collect())),
        })
    }
}

/// Lines with their positions, from 1, split at the commas; a byte-order mark, empty lines and lines that begin with `#` are left out.
fn split_lines(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| (number, line.split(',').map(str::trim).collect()))
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn names_remarks_and_empty_lines_are_no_numbers() {
        let lines = |text: &'static str| {
            let lines = Lines::of(text);
            let rows = lines.rows().map(|row| row.map(|(n, words)| (n, words.join("|"))));
            rows.collect::<Result<Vec<_>, _>>().expect("all columns")
        };
        let numbers = vec![(4, "1|2|3".to_owned()), (6, "inf|-1|nan".to_owned())];
        assert_eq!(lines("\u{feff}# by hand\n\nx, \"y\",z\n1, 2,3\n  # between\ninf,-1,nan\n"), numbers);
        assert_eq!(lines("1,2,3\nx,y,z\n").len(), 2, "names stand first or are an error");
        assert_eq!(lines("inf,nan,1\n").len(), 1, "numbers, not names");
        assert_eq!(lines("x,2,3\n").len(), 1, "a slip, not names");
    }

    #[test]
    fn columns_go_by_their_names() {
        let lists = [["x", "y", "z"], ["i", "j", "k"]].map(|list| list.map(str::to_owned).to_vec());
        let rows = |text: &'static str| {
            let lines = Lines::of(text).choose(&lists)?;
            lines.rows().map(|row| row.map(|(_, words)| words.join(","))).collect::<Result<Vec<_>, _>>()
        };
        let ok = |row: &str| Ok(vec![row.to_owned()]);
        assert_eq!(rows("z,y,x\n1,2,3"), ok("3,2,1"));
        assert_eq!(rows("id,\"X\",Y,z,name\n7,1,2,3,a"), ok("1,2,3"));
        assert_eq!(rows("k,i,j,distance\n1,2,3,4"), ok("2,3,1"));
        assert_eq!(rows("east,north,height\n1,2,3"), ok("1,2,3"), "unknown names: as they stand");
        assert_eq!(rows("1,2,3"), ok("1,2,3"));
        for (text, part) in [
            ("id,x,y\n1,2,3", "columns id,x,y (allowed: each of x,y,z once"),
            ("x,y,z,x\n1,2,3,4", "each of x,y,z once"),
            ("z,y,x\n1,2", "line 2: 2 numbers (allowed: 3, as many as names)"),
        ] {
            let found = rows(text).expect_err(text);
            assert!(found.contains(part), "{found}");
        }
    }
}
