//! Expressions from text: `sqr(sqrt(x^2+y^2)-1)+z^2-0.16`.

use input_text::token;

use super::Expr;
use super::number::enclose_decimal;
use crate::error::Error;
use crate::function::{Binary, Unary};
use crate::scalar::Scalar;

// As typesetting programs write them too.
const MINUS: [char; 2] = ['-', '−'];
const TIMES: [char; 4] = ['*', '·', '⋅', '×'];
const DIVIDED: [char; 2] = ['/', '÷'];
const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻";

/// Nesting of parentheses, signs and powers that is read.
const MAX_DEPTH: usize = 200;

/// `+ - * / ^`, signs, parentheses, decimal numbers, `pi`, `e`, the names of [`Unary`] (and `ln`) and [`Binary`], `hypot`, `rhypot`, `clamp`, `lerp`,
/// `smoothstep`, `smooth_min`, `smooth_max`; any other name is a variable. `^` binds tightest and to the right: -x^2 = -(x^2);
/// `x**2` and `x²` are x^2, and the signs − · × ÷ and π are those of typesetting. A product needs its sign.
///
/// Errors: [`Error::Parse`] with the column, counted in characters from 1.
impl std::str::FromStr for Expr {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut parser = Parser { text: text.chars().collect(), at: 0, depth: 0 };
        let expr = parser.sum()?;
        match parser.peek() {
            None => Ok(expr),
            Some(found) => {
                let hint = if is_word(found) || found == '(' { ": a product needs its `*`" } else { "" };
                Err(parser.error(format!("expected an operator or the end, found `{found}`{hint}")))
            }
        }
    }
}

struct Parser {
    text: Vec<char>,
    at: usize,
    depth: usize,
}

impl Parser {
    /// The next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn accept(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn accept_twice(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted) && self.text.get(self.at + 1) == Some(&wanted);
        self.at += 2 * usize::from(found);
        found
    }

    fn accept_any(&mut self, wanted: &[char]) -> bool {
        wanted.iter().any(|c| self.accept(*c))
    }

    fn expect(&mut self, wanted: char) -> Result<(), Error> {
        if self.accept(wanted) {
            return Ok(());
        }
        let found = self.found();
        Err(self.error(format!("expected `{wanted}`, found {found}")))
    }

    fn found(&mut self) -> String {
        self.peek().map_or_else(|| "the end".to_owned(), |c| format!("`{c}`"))
    }

    fn error(&self, message: String) -> Error {
        Error::Parse { column: self.at + 1, message }
    }

    fn deeper(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("nested more than {MAX_DEPTH} deep")));
        }
        Ok(())
    }

    fn sum(&mut self) -> Result<Expr, Error> {
        let mut sum = self.product()?;
        loop {
            if self.accept('+') {
                sum = sum + self.product()?;
            } else if self.accept_any(&MINUS) {
                sum = sum - self.product()?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Expr, Error> {
        let mut product = self.sign()?;
        loop {
            if self.accept_any(&TIMES) {
                product = product * self.sign()?;
            } else if self.accept_any(&DIVIDED) {
                product = product / self.sign()?;
            } else {
                return Ok(product);
            }
        }
    }

    fn sign(&mut self) -> Result<Expr, Error> {
        let negative = self.accept_any(&MINUS);
        if !negative && !self.accept('+') {
            return self.power();
        }
        self.deeper()?;
        let operand = self.sign()?;
        self.depth -= 1;
        Ok(if negative { -operand } else { operand })
    }

    fn power(&mut self) -> Result<Expr, Error> {
        let base = self.atom()?;
        if let Some(exponent) = self.superscript()? {
            return Ok(base.binary(Binary::Pow, &exponent));
        }
        if !self.accept('^') && !self.accept_twice('*') {
            return Ok(base);
        }
        self.deeper()?;
        let exponent = self.sign()?;
        self.depth -= 1;
        Ok(base.binary(Binary::Pow, &exponent))
    }

    /// A whole number in superscript digits, with a sign or not: x², x⁻¹⁰.
    fn superscript(&mut self) -> Result<Option<Expr>, Error> {
        let Some(first) = self.peek() else { return Ok(None) };
        if !SUPERSCRIPTS.contains(first) {
            return Ok(None);
        }
        let start = self.at;
        let end =
            self.text[start..].iter().position(|c| !SUPERSCRIPTS.contains(*c)).map_or(self.text.len(), |n| start + n);
        let plain = |c: &char| SUPERSCRIPTS.chars().zip("0123456789+-".chars()).find(|(s, _)| s == c).map(|(_, p)| p);
        let text: String = self.text[start..end].iter().filter_map(plain).collect();
        match text.parse::<i32>() {
            Ok(exponent) => {
                self.at = end;
                Ok(Some(Expr::constant(f64::from(exponent))))
            }
            Err(_) => Err(self.error(format!("`{}` is not a whole number that can be a power", token(&text)))),
        }
    }

    fn atom(&mut self) -> Result<Expr, Error> {
        match self.peek() {
            Some('(') => {
                self.deeper()?;
                self.at += 1;
                let inner = self.sum()?;
                self.expect(')')?;
                self.depth -= 1;
                Ok(inner)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            _ => {
                let found = self.found();
                Err(self.error(format!("expected a number, a name or `(`, found {found}")))
            }
        }
    }

    fn number(&mut self) -> Result<Expr, Error> {
        let start = self.at;
        let mut text = String::new();
        while let Some(&c) = self.text.get(self.at) {
            let after_exponent = text.ends_with(['e', 'E']);
            let exponent = matches!(c, 'e' | 'E') && !text.contains(['e', 'E']) && self.exponent_follows();
            if c.is_ascii_digit() || c == '.' || exponent || matches!(c, '+' | '-') && after_exponent {
                text.push(c);
                self.at += 1;
            } else {
                break;
            }
        }
        match enclose_decimal(&text) {
            Some((lo, hi)) => Ok(Expr::constant_between(lo, hi)),
            None => {
                self.at = start;
                Err(self.error(format!("`{}` is not a finite number", token(&text))))
            }
        }
    }

    /// Whether an `e` here is followed by an exponent, so that it is not the constant e.
    fn exponent_follows(&self) -> bool {
        let next = |i: usize| self.text.get(self.at + i).copied().unwrap_or(' ');
        next(1).is_ascii_digit() || matches!(next(1), '+' | '-') && next(2).is_ascii_digit()
    }

    fn name(&mut self) -> Result<Expr, Error> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|c| is_word(*c)) {
            self.at += 1;
        }
        let name: String = self.text[start..self.at].iter().collect();
        if self.peek() != Some('(') {
            return Ok(constant_named(&name).unwrap_or_else(|| Expr::variable(&name)));
        }
        self.deeper()?;
        self.at += 1;
        let mut arguments = vec![self.sum()?];
        while self.accept(',') {
            arguments.push(self.sum()?);
        }
        self.expect(')')?;
        self.depth -= 1;
        call(&name, &arguments).map_err(|message| Error::Parse { column: start + 1, message })
    }
}

/// Whether a name may hold it. Superscripts are numeric characters too, but powers.
fn is_word(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit() || matches!(c, '_' | '₀'..='₉')
}

/// The column of the first place of a text, counted in characters from 1, where a name stands as a variable.
pub fn variable_column(text: &str, name: &str) -> Option<usize> {
    let text: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < text.len() {
        let length = text[at..].iter().take_while(|c| is_word(**c)).count();
        let word = &text[at..at + length];
        // Numbers hold letters, and functions are no variables.
        let called = text[at + length..].iter().find(|c| !c.is_whitespace()) == Some(&'(');
        if length > 0 && !called && word.iter().copied().eq(name.chars()) {
            return Some(at + 1);
        }
        at += length.max(1);
    }
    None
}

/// pi and e, between neighbouring f64: both f64 are below the constants.
fn constant_named(name: &str) -> Option<Expr> {
    let below = match name {
        "pi" | "π" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        _ => return None,
    };
    Some(Expr::constant_between(below, below.next_up()))
}

fn call(name: &str, arguments: &[Expr]) -> Result<Expr, String> {
    let unary = if name == "ln" { Some(Unary::Log) } else { Unary::named(name) };
    match (arguments, unary, Binary::named(name)) {
        ([x], Some(function), _) => return Ok(x.unary(function)),
        ([x, y], _, Some(function)) => return Ok(x.binary(function, y)),
        ([x, more @ ..], _, Some(function @ (Binary::Min | Binary::Max))) if !more.is_empty() => {
            return Ok(more.iter().fold(x.clone(), |so_far, y| so_far.binary(function, y)));
        }
        _ => {}
    }
    let expr = match (name, arguments) {
        ("hypot", [x, y]) => x.hypot(y),
        ("hypot", [x, y, z]) => x.hypot3(y, z),
        ("rhypot", [x, y]) => x.rhypot(y),
        ("clamp", [x, lo, hi]) => x.clamp(lo, hi),
        ("lerp", [a, b, t]) => a.lerp(b, t),
        ("smoothstep", [e0, e1, x]) => x.smoothstep(e0, e1),
        ("smooth_min", [x, y, k]) => x.smooth_min(y, k),
        ("smooth_max", [x, y, k]) => x.smooth_max(y, k),
        _ => return Err(wrong_call(name, arguments.len(), unary.is_some())),
    };
    Ok(expr)
}

fn wrong_call(name: &str, got: usize, unary: bool) -> String {
    let needed = match name {
        _ if unary => "1",
        "hypot" => "2 or 3",
        "rhypot" => "2",
        "clamp" | "lerp" | "smoothstep" | "smooth_min" | "smooth_max" => "3",
        "min" | "max" => "2 or more",
        _ if Binary::named(name).is_some() => "2",
        _ => return format!("unknown function `{}`", token(name)),
    };
    format!("`{name}` takes {needed} arguments, got {got}")
}
