//! The start-up self-test on every adapter: it passes in each strict form, and says so of the form that was asked for.
//!
//! Kernels: `strict_float_self_test`, `strict_double_self_test`, `subgroup_lanes`.

use conformance::adapters::{contexts, has_f64, open_all};
use gpu_runtime::{ContextOptions, Error, Form, FormOutcome, NumericsChoice};

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
fn f64_is_tested_where_the_device_has_it() {
    for context in contexts() {
        let name = &context.adapter().name;
        match context.doubles() {
            Ok(FormOutcome::Passed(report)) => {
                assert!(has_f64(context), "{name}");
                assert!(report.patterns >= 10 && report.words == 2 * 1024 * report.patterns, "{name}: {report}");
            }
            Ok(outcome) => panic!("{name}: {outcome}"),
            Err(Error::Limit { needed: 64, allowed: 32, what, .. }) => {
                assert!(!has_f64(context) && what.contains("arithmetic in f64"), "{name}: {what}");
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

#[test]
fn without_a_strict_form_f64_is_not_tested() {
    for context in open_all(&ContextOptions::default(), &[NumericsChoice::Off]) {
        if has_f64(&context) {
            assert_eq!(context.doubles().unwrap(), &FormOutcome::NotTried);
        }
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
