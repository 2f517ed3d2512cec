//! Visits the statements of a function and asks which of its expressions run.

use naga::{Block, Function, Span, Statement};

/// Calls `visit` for every statement of `block`, those of inner blocks included, in order.
pub(super) fn each_statement(block: &Block, visit: &mut dyn FnMut(&Statement, Span)) {
    for (statement, span) in block.span_iter() {
        visit(statement, *span);
        match statement {
            Statement::Block(inner) => each_statement(inner, visit),
            Statement::If { accept, reject, .. } => {
                each_statement(accept, visit);
                each_statement(reject, visit);
            }
            Statement::Switch { cases, .. } => cases.iter().for_each(|case| each_statement(&case.body, visit)),
            Statement::Loop { body, continuing, .. } => {
                each_statement(body, visit);
                each_statement(continuing, visit);
            }
            _ => {}
        }
    }
}

/// For each expression of `function` by index, whether it is evaluated at run time (covered by an `Emit`).
///
/// The others are literals, constants, arguments, variables and results of statements, or were folded by naga.
pub(super) fn emitted(function: &Function) -> Vec<bool> {
    let mut runs = vec![false; function.expressions.len()];
    each_statement(&function.body, &mut |statement, _| {
        if let Statement::Emit(range) = statement {
            range.clone().for_each(|handle| runs[handle.index()] = true);
        }
    });
    runs
}
