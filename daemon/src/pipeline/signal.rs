//! Signals: what SIGTERM, SIGINT, SIGHUP and SIGUSR1 do.

use super::Common;
use super::log::Level;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Answers signals from now on, on a thread of its own.
///
/// A file that has reached the size limit of the process (SIGXFSZ) is an error of that write, not the end.
pub fn answer(common: Common) -> io::Result<()> {
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP, SIGUSR1])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            match signal {
                SIGHUP => reopen(&common),
                SIGUSR1 => {
                    common.log.tell("counters").object("counters", &common.snapshot().to_json()).send()
                }
                _ => end(&common, signal),
            }
        }
    })?;
    Ok(())
}

/// The first asks the run to end, the second ends the program as if it had never been caught.
fn end(common: &Common, signal: i32) {
    if common.stop.ask() {
        let name = low_level::signal_name(signal).unwrap_or_default();
        common.log.line(Level::Info, "draining").text("signal", name).send();
    } else {
        let _ = low_level::emulate_default_handler(signal);
    }
}

fn reopen(common: &Common) {
    common.log.reopen();
    let tell = |file: &str, error: io::Error| {
        let line = common.log.line(Level::Error, "reopen_failed");
        line.text("file", file).text("error", &error.to_string()).send();
    };
    if let Some(quarantine) = &common.quarantine {
        quarantine.reopen().unwrap_or_else(|error| tell(&quarantine.name(), error));
    }
    if let Some(target) = &common.target {
        target.reopen().unwrap_or_else(|error| tell(&target.name(), error));
    }
}
