//! The bound on bytes between reader and writer.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes charged, and the batch that is next to be written. That batch is always admitted, so a bound however small
/// cannot bring the pipe to a halt.
pub struct Inflight {
    state: Mutex<State>,
    changed: Condvar,
    bound: u64,
}

struct State {
    bytes: u64,
    next: u64,
}

impl Inflight {
    pub fn new(bound: u64) -> Self {
        Self { state: Mutex::new(State { bytes: 0, next: 0 }), changed: Condvar::new(), bound }
    }

    /// Charges bytes of batch `seq`; waits until they fit, or the batch is the next to be written.
    pub fn charge(&self, bytes: usize, seq: u64) {
        let over = |state: &mut State| state.next != seq && state.bytes + bytes as u64 > self.bound;
        let mut state = self.changed.wait_while(self.lock(), over).unwrap_or_else(PoisonError::into_inner);
        state.bytes += bytes as u64;
    }

    /// Gives bytes back.
    pub fn release(&self, bytes: usize) {
        self.lock().bytes -= bytes as u64;
        self.changed.notify_all();
    }

    /// The batch after this one is the next to be written.
    pub fn written(&self, seq: u64) {
        self.lock().next = seq + 1;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    #[test]
    fn the_next_batch_is_admitted_and_others_wait() {
        let inflight = Arc::new(Inflight::new(10));
        inflight.charge(1000, 0);
        let (told, heard) = channel();
        let theirs = inflight.clone();
        let thread = std::thread::spawn(move || {
            theirs.charge(5, 1);
            told.send(()).unwrap();
        });
        assert!(heard.recv_timeout(Duration::from_millis(50)).is_err());
        inflight.charge(1000, 0);
        inflight.written(0);
        heard.recv_timeout(Duration::from_secs(5)).unwrap();
        thread.join().unwrap();
        inflight.release(2000);
        inflight.charge(5, 7);
    }
}
