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
    frames: u64,
    next: u64,
    /// Nothing is written any more.
    over: bool,
}

/// What is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    pub bytes: u64,
    /// Units that are split off and not answered yet.
    pub frames: u64,
}

impl Inflight {
    pub fn new(bound: u64) -> Self {
        let state = State { bytes: 0, frames: 0, next: 0, over: false };
        Self { state: Mutex::new(state), changed: Condvar::new(), bound }
    }

    /// Charges bytes of batch `seq`; waits until they fit, or the batch is the next to be written.
    pub fn charge(&self, bytes: usize, seq: u64) {
        let full =
            |state: &mut State| !state.over && state.next != seq && state.bytes + bytes as u64 > self.bound;
        let mut state = self.changed.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner);
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

    /// Units have been split off.
    pub fn queued(&self, frames: usize) {
        self.lock().frames += frames as u64;
    }

    /// Units have been answered.
    pub fn answered(&self, frames: u64) {
        self.lock().frames -= frames;
    }

    pub fn depth(&self) -> Depth {
        let State { bytes, frames, .. } = *self.lock();
        Depth { bytes, frames }
    }

    /// The writer is gone: nobody waits any more.
    pub fn close(&self) {
        self.lock().over = true;
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

    #[test]
    fn nobody_waits_once_the_writer_is_gone() {
        let inflight = Inflight::new(10);
        inflight.close();
        inflight.charge(1000, 5);
        inflight.queued(3);
        inflight.answered(1);
        assert_eq!(inflight.depth(), Depth { bytes: 1000, frames: 2 });
    }
}
