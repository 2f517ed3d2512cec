//! Devices that are full, and devices that are lost in the middle of a call: errors that say so, and nothing else.

use std::thread;
use std::time::{Duration, Instant};

use conformance::adapters::{STRICT_FORMS, on_every_adapter, open_all};
use conformance::operations::OPERATIONS;
use gpu_runtime::{ContextOptions, Error};

/// Limits between nothing and what the call needs, each tried.
const LIMITS: u64 = 12;

#[test]
fn a_full_device_is_an_error_and_goes_on_afterwards() {
    on_every_adapter(|context| {
        for (number, operation) in OPERATIONS.iter().enumerate() {
            let (name, seed) = (operation.name, 40 + number as u64);
            let expected = (operation.ask)(None, seed).unwrap();
            // The first call compiles kernels and makes what stays.
            assert_eq!((operation.ask)(Some(context), seed).unwrap(), expected, "{name}");
            let held = context.held_bytes();
            context.take_peak_bytes();
            assert_eq!((operation.ask)(Some(context), seed).unwrap(), expected, "{name}");
            assert_eq!(context.held_bytes(), held, "{name}: buffers stay");
            let needed = context.take_peak_bytes() - held;
            assert!(needed > 0, "{name}");

            for part in 0..LIMITS {
                context.limit_memory(Some(held + needed * part / LIMITS));
                let error = (operation.ask)(Some(context), seed).expect_err(name);
                assert!(error.is_out_of_memory(), "{name}: {error}");
                assert_eq!(context.held_bytes(), held, "{name}: buffers stay after an error");
            }
            context.limit_memory(Some(held + needed));
            assert_eq!((operation.ask)(Some(context), seed).unwrap(), expected, "{name}: what it needed is enough");
            context.limit_memory(None);
        }
    });
}

#[test]
fn a_device_lost_in_the_middle_of_a_call_is_an_error() {
    for (number, operation) in OPERATIONS.iter().enumerate() {
        let (name, seed) = (operation.name, 70 + number as u64);
        let expected = (operation.ask)(None, seed).unwrap();
        for context in open_all(&ContextOptions::default(), &STRICT_FORMS) {
            assert_eq!((operation.ask)(Some(&context), seed).unwrap(), expected, "{name}");
            let error = thread::scope(|scope| {
                let asking = scope.spawn(|| {
                    loop {
                        match (operation.ask)(Some(&context), seed) {
                            Ok(words) => assert_eq!(words, expected, "{name}: words of a device that is being lost"),
                            Err(error) => break error,
                        }
                    }
                });
                thread::sleep(Duration::from_millis(3 + 5 * number as u64));
                context.destroy();
                let lost = Instant::now();
                let error = asking.join().unwrap();
                assert!(lost.elapsed() < Duration::from_secs(30), "{name}: {:?} after the loss", lost.elapsed());
                error
            });
            assert!(matches!(error.of_device(), Some(Error::DeviceLost { .. })), "{name}: {error}");
        }
    }
}
