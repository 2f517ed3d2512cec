//! Constants that the host puts in front of a kernel.

/// The value of a `const` declaration that is generated in front of a kernel's modules.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// A `u32`.
    U32(u32),
    /// An `i32`.
    I32(i32),
    /// An `f32`: finite. The kernel sees the same bits, subnormals and the sign of zero included.
    F32(f32),
    /// A `bool`.
    Bool(bool),
}

impl Constant {
    /// `const NAME: TYPE = VALUE;`, or what is wrong with name or value.
    pub(super) fn declaration(self, name: &str) -> Result<String, String> {
        if !is_identifier(name) {
            return Err(format!("constant {name:?} is no WGSL identifier"));
        }
        Ok(match self {
            Constant::U32(value) => format!("const {name}: u32 = {value}u;"),
            // The smallest i32 has no literal: its minus sign is an operator on a literal that is one too large.
            Constant::I32(i32::MIN) => format!("const {name}: i32 = -2147483647i - 1i;"),
            Constant::I32(value) => format!("const {name}: i32 = {value}i;"),
            Constant::F32(value) if !value.is_finite() => {
                return Err(format!("constant {name} is {value} (bits {:#010x}); it must be finite", value.to_bits()));
            }
            // `{:?}` prints the shortest decimal that reads back to the same f32.
            Constant::F32(value) => format!("const {name}: f32 = {value:?}f;"),
            Constant::Bool(value) => format!("const {name}: bool = {value};"),
        })
    }
}

/// Names that start with two underscores and the lone underscore are reserved in WGSL.
fn is_identifier(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(letter)
        && name.chars().all(|c| letter(c) || c.is_ascii_digit())
        && name != "_"
        && !name.starts_with("__")
}

#[cfg(test)]
mod tests {
    use super::*;
    use naga::{Expression, Literal, UnaryOperator};

    /// The value that naga gives the constant `X` after the declaration is parsed.
    fn read_back(value: Constant) -> Literal {
        let text = value.declaration("X").unwrap();
        let module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|e| panic!("{}", e.emit_to_string(&text)));
        let (_, constant) = module.constants.iter().next().unwrap();
        match module.global_expressions[constant.init] {
            Expression::Literal(literal) => literal,
            Expression::Unary { op: UnaryOperator::Negate, .. } => panic!("{text} was not folded"),
            ref other => panic!("{text} became {other:?}"),
        }
    }

    #[test]
    fn f32_constants_read_back_to_the_same_bits() {
        let special = [0, 0x8000_0000, 1, 0x8000_0001, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0xff7f_ffff, 0x3f80_0000];
        let spread = (0..4000_u32).map(|i| i.wrapping_mul(0x9e37_79b9));
        for bits in special.into_iter().chain(spread) {
            let value = f32::from_bits(bits);
            if value.is_finite() {
                let Literal::F32(read) = read_back(Constant::F32(value)) else { panic!("{value:?} is no f32") };
                assert_eq!(read.to_bits(), bits, "{value:?}");
            }
        }
    }

    #[test]
    fn integers_and_booleans_read_back() {
        for value in [0, 1, i32::MAX, -1, i32::MIN] {
            assert_eq!(read_back(Constant::I32(value)), Literal::I32(value));
            assert_eq!(read_back(Constant::U32(value as u32)), Literal::U32(value as u32));
        }
        assert_eq!(read_back(Constant::Bool(true)), Literal::Bool(true));
        assert_eq!(read_back(Constant::Bool(false)), Literal::Bool(false));
    }

    #[test]
    fn names_that_are_no_identifiers_are_refused() {
        for name in ["", "_", "__x", "1x", "x y", "x;", "ä"] {
            assert!(Constant::U32(1).declaration(name).is_err(), "{name:?}");
        }
        assert!(Constant::U32(1).declaration("_x9").is_ok());
    }
}
