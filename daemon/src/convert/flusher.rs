//! Gives a file to the disk while more of it is made, so that little is left to sync at its end.

use crossbeam_channel::{Receiver, Sender, bounded};
use std::fs::File;
use std::io;
use std::thread::{self, JoinHandle};

/// Bytes between two syncs.
const FLUSH: usize = 32 << 20;

/// Syncs a file now and then, on a thread that is there once the file is large.
pub struct Flusher {
    file: Option<File>,
    waiting: usize,
    thread: Option<(Sender<()>, JoinHandle<io::Result<()>>)>,
}

impl Flusher {
    pub fn new(file: File) -> Self {
        Self { file: Some(file), waiting: 0, thread: None }
    }

    /// So many bytes more have been written.
    pub fn written(&mut self, bytes: usize) -> io::Result<()> {
        self.waiting += bytes;
        if self.waiting < FLUSH {
            return Ok(());
        }
        if let Some(file) = self.file.take() {
            let (ask, asked) = bounded(1);
            let run = move || sync(&file, &asked);
            self.thread = Some((ask, thread::Builder::new().name("flusher".to_owned()).spawn(run)?));
        }
        if self.thread.as_ref().is_some_and(|(ask, _)| ask.try_send(()).is_ok()) {
            self.waiting = 0;
        }
        Ok(())
    }

    /// Ends the thread. An error of a sync is told once, so it must not get lost.
    pub fn finish(self) -> io::Result<()> {
        let Some((ask, thread)) = self.thread else { return Ok(()) };
        drop(ask);
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn sync(file: &File, asked: &Receiver<()>) -> io::Result<()> {
    asked.iter().try_for_each(|()| file.sync_data())
}
