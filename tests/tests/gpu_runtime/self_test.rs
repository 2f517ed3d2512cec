//! The start-up self-test on every adapter: it passes in each strict form, and says so of the form that was asked for.
//!
//! Kernels: `strict_float_self_test`, `subgroup_lanes`.

use conformance::adapters::{contexts, open_all};
use gpu_runtime::{ContextOptions, Form, FormOutcome, NumericsChoice};

#[test]
fn every_context_has_passed_in_its_form() {
    for context in contexts() {
        let numerics = context.numerics();
        let (mine, other) = match numerics.form {
            Form::Decorated => (&numerics.decorated, &numerics.guarded),
            Form::Guarded => (&numerics.guarded, &numerics.decorated),
            form => panic!("{}: form {form} is not strict", context.adapter().name),
        };
        let FormOutcome::Passed(report) = mine else { panic!("{}: {mine}", context.adapter().name) };
        assert!(report.patterns >= 5 && report.words >= 1_000 * report.patterns, "{report}");
        assert_eq!(*other, FormOutcome::NotTried, "only the form that was asked for is tried");
    }
}

#[test]
fn lanes_are_confirmed_where_the_device_has_subgroups_of_one_size() {
    for context in contexts() {
        let adapter = context.adapter();
        if let (true, Some(sizes)) = (adapter.features.subgroups, context.subgroups()) {
            assert_eq!((sizes.min_size, sizes.max_size), adapter.limits.subgroup_size, "{}", adapter.name);
        } else {
            println!("{}: no subgroups, or lanes in another order", adapter.name);
            assert!(context.subgroups().is_none());
        }
    }
    let without = ContextOptions { subgroups: false, ..ContextOptions::default() };
    for context in open_all(&without, &[NumericsChoice::Auto]) {
        assert_eq!(context.subgroups(), None, "{}: they were not allowed", context.adapter().name);
    }
}
