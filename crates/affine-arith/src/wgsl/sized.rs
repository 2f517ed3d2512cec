//! The functions of standard forms: copies of those of affine forms for every number of symbols that a kernel meets.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::reach::{Item, items, reachable, words};
use super::{AFFINE, STANDARD, STANDARD_LINES, base, powers, unary_name, unrolled};
use crate::Error;
use crate::function::Unary;

/// Functions by the number of symbols of their forms, and lines of functions, that a text uses.
#[derive(Debug, Default)]
pub(crate) struct StandardRoots {
    sized: BTreeMap<usize, BTreeSet<String>>,
    lines: BTreeSet<Unary>,
}

/// The function that gives a line: (b, range) to Line, of sines and cosines (b, range, turn), `turn` quarter turns on.
pub(crate) struct LineName {
    pub(crate) name: String,
    pub(crate) turn: Option<u32>,
}

impl StandardRoots {
    /// The name of a function, or of the type of forms, for forms of `n` symbols.
    pub(crate) fn name(&mut self, name: &str, n: usize) -> String {
        self.sized.entry(n).or_default().insert(name.to_owned());
        sized_name(name, n)
    }

    /// The function that gives the line of a function.
    ///
    /// Errors: functions that the library lacks.
    pub(crate) fn line(&mut self, function: Unary) -> Result<LineName, Error> {
        let wave = match function {
            Unary::Sin | Unary::Cos => Some((Unary::Sin, "wave")),
            Unary::SinPi | Unary::CosPi => Some((Unary::SinPi, "wave_pi")),
            _ => None,
        };
        if let Some((sine, name)) = wave {
            self.lines.insert(sine);
            return Ok(LineName { name: format!("line_of_{name}"), turn: Some(u32::from(sine != function)) });
        }
        let absent = || Error::NotOnDevice { what: format!("{function:?}") };
        let name = unary_name::<f32>(function).ok_or_else(absent)?;
        // It is part of the library.
        if function != Unary::PositivePart {
            self.lines.insert(function);
        }
        Ok(LineName { name: format!("line_of_{name}"), turn: None })
    }

    /// The library for a text that uses these; without strict_float, which comes before it.
    pub(crate) fn library(&self, text: &str) -> String {
        let sources = [AFFINE, STANDARD].join("\n");
        let copies: String = self.sized.iter().map(|(n, names)| copies(&sources, *n, names)).collect();
        let lines: String = self.lines.iter().map(|function| line(*function)).collect();
        let functions: Vec<Unary> = self.lines.iter().copied().collect();
        // Lines are forms with one symbol.
        let whole = [base::<f32>(1), powers::<f32>(&functions), STANDARD_LINES.to_owned(), lines].concat();
        let roots: Vec<String> = words(&copies).chain(words(text)).map(str::to_owned).collect();
        reachable(&whole, &roots) + &copies
    }
}

fn sized_name(name: &str, n: usize) -> String {
    format!("{name}_of{n}")
}

/// `line_of_NAME`, as the form with one symbol gives it.
fn line(function: Unary) -> String {
    if let Unary::Sin | Unary::SinPi = function {
        let name = if function == Unary::Sin { "wave" } else { "wave_pi" };
        return format!(
            "\nfn line_of_{name}(b: f32, range: Interval, turn: u32) -> Line {{\n    \
             return line_of_form(affine_{name}_within(line_operand(b), range, turn));\n}}\n"
        );
    }
    let name = unary_name::<f32>(function).unwrap_or_default();
    let value = match function {
        Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round | Unary::Rint => {
            format!("line_of_range(interval_{name}(range))")
        }
        Unary::Fract => "line_of_form(affine_fraction(line_operand(b), 0u, range))".to_owned(),
        Unary::Modf => "line_of_form(affine_fraction(line_operand(b), 2u, range))".to_owned(),
        Unary::Tgamma | Unary::Lgamma => {
            format!("line_of_form(affine_gamma_within(line_operand(b), range, {}))", function == Unary::Lgamma)
        }
        _ => format!("line_of_form(affine_{name}_within(line_operand(b), range))"),
    };
    format!("\nfn line_of_{name}(b: f32, range: Interval) -> Line {{\n    return {value};\n}}\n")
}

/// The declarations that depend on the number of symbols, as far as `names` reach, renamed for `n` of them.
fn copies(sources: &str, n: usize, names: &BTreeSet<String>) -> String {
    let items = items(sources);
    let sized = sized_items(&items);
    let by_name: HashMap<&str, &Item<'_>> = items.iter().map(|item| (item.name, item)).collect();
    let (mut kept, mut open) = (HashSet::new(), names.iter().map(String::as_str).collect::<Vec<_>>());
    while let Some(name) = open.pop() {
        if !sized.contains(name) || !kept.insert(name) {
            continue;
        }
        if let Some(item) = by_name.get(name) {
            open.extend(words(item.text));
        }
    }
    let used = items.iter().filter(|item| kept.contains(item.name));
    unrolled(&used.map(|item| renamed(item.text, &sized, n)).collect::<String>(), n)
}

/// Names of the declarations that reach the number of symbols.
fn sized_items<'a>(items: &[Item<'a>]) -> HashSet<&'a str> {
    let mut sized = HashSet::from(["Affine"]);
    loop {
        let found: Vec<&str> = items
            .iter()
            .filter(|item| {
                !sized.contains(item.name) && words(item.text).any(|word| word == "N" || sized.contains(word))
            })
            .map(|item| item.name)
            .collect();
        if found.is_empty() {
            return sized;
        }
        sized.extend(found);
    }
}

/// A text with the names of sized declarations and the number of symbols replaced.
fn renamed(text: &str, sized: &HashSet<&str>, n: usize) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut result, mut rest) = (String::with_capacity(text.len()), text);
    while !rest.is_empty() {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        result += &match word {
            "N" => format!("{n}u"),
            _ if sized.contains(word) => sized_name(word, n),
            _ => word.to_owned(),
        };
        let gap = after.find(is_word).unwrap_or(after.len());
        result += &after[..gap];
        rest = &after[gap..];
    }
    result
}

#[cfg(test)]
mod tests {
    use super::StandardRoots;
    use crate::function::Unary;

    #[test]
    fn every_size_has_its_own_functions() {
        let mut roots = StandardRoots::default();
        let text = [
            roots.name("standard_mul", 2),
            roots.name("affine_interval", 7),
            roots.line(Unary::Exp).expect("there").name,
        ];
        let library = roots.library(&text.join(" "));
        for there in ["struct Affine_of2 {", "fn standard_mul_of2(", "fn bilinear_rest_of2(", "fn affine_interval_of7("]
        {
            assert!(library.contains(there), "{there}");
        }
        assert!(library.contains("fn line_of_exp(") && library.contains("fn exact_product("));
        for absent in ["standard_mul_of7", "fn interval_sin", "fn standard_mul(", "_of2_of2"] {
            assert!(!library.contains(absent), "{absent}");
        }
        assert_eq!(library.matches("fn exact_product(").count(), 1);
        // A name once in comments, too.
        assert!(roots.line(Unary::powf(2.0)).is_err());
    }
}
