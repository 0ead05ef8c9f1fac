//! Many pipes at once: each connection is one of its own, with threads of its own, so that none holds up another.
//!
//! Threads are bounded by the number of connections; each has a writer, a reader and its workers. A connection that is
//! over is closed gently: the answers, the end, and then what the other side still sends is thrown away for a while,
//! because closing a socket that has unread bytes would take the answers with it.

use super::descriptor::Input;
use super::log::Level;
use super::socket::{Listener, Stream};
use super::{Common, Outcome, Plan, log_end, run};
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use rustix::event::{PollFd, PollFlags, poll};
use std::convert::Infallible;
use std::io;
use std::net::Shutdown;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a connection that is over is still listened to.
const LINGER: Duration = Duration::from_millis(500);

/// Pause after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);

/// What the connections have in common.
struct House {
    plan: Plan,
    common: Common,
    most: u64,
    /// How all connections ended, until now.
    outcome: Mutex<Outcome>,
}

/// Takes connections until somebody asks to stop, then waits for them to end, for as long as is given.
pub fn serve(plan: Plan, common: &Common, listeners: Vec<Listener>, most: u64) -> Outcome {
    let house = Arc::new(House { plan, common: common.clone(), most, outcome: Mutex::default() });
    for listener in &listeners {
        common.log.line(Level::Info, "listening").text("address", listener.name()).send();
    }
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
    let (alive, ended) = bounded::<Infallible>(0);
    let failed = house.take_connections(&listeners, &alive);
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Stopping]);
    drop((listeners, alive));
    common.stop.ask();
    let late = ended.recv_deadline(common.stop.writes_until().unwrap_or_else(Instant::now));
    let mut outcome = std::mem::take(&mut *house.outcome());
    if let Some(error) = failed {
        outcome = Outcome { tally: outcome.tally, ..Outcome::broken("listen", error) };
    } else if late == Err(RecvTimeoutError::Timeout) && outcome.broken.is_none() {
        let error = io::Error::other("output was not taken in time");
        outcome = Outcome { tally: outcome.tally, ..Outcome::broken("connections", error) };
    }
    outcome
}

impl House {
    /// Until somebody asks to stop, or the sockets fail.
    fn take_connections(
        self: &Arc<Self>,
        listeners: &[Listener],
        alive: &Sender<Infallible>,
    ) -> Option<io::Error> {
        while !self.common.stop.is_asked() {
            let mut fds: Vec<PollFd<'_>> =
                listeners.iter().map(|listener| PollFd::new(listener, PollFlags::IN)).collect();
            fds.push(PollFd::new(&*self.common.stop, PollFlags::IN));
            match poll(&mut fds, None) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Some(error.into()),
            }
            for listener in listeners {
                match listener.accept() {
                    Ok(None) => {}
                    Ok(Some(stream)) => self.admit(stream, alive),
                    Err(error) => {
                        self.tell("accept_failed", &error);
                        thread::sleep(PAUSE);
                    }
                }
            }
        }
        None
    }

    fn admit(self: &Arc<Self>, stream: Stream, alive: &Sender<Infallible>) {
        let connections = &self.common.ledger.connections;
        if connections.open.load(Ordering::Relaxed) >= self.most {
            connections.refused.fetch_add(1, Ordering::Relaxed);
            let line = self.common.log.line(Level::Warn, "connection_refused");
            return line.number("max_connections", self.most).send();
        }
        let number = connections.accepted.fetch_add(1, Ordering::Relaxed) + 1;
        connections.open.fetch_add(1, Ordering::Relaxed);
        let (house, alive) = (self.clone(), alive.clone());
        let started = thread::Builder::new().name(format!("connection-{number}")).spawn(move || {
            house.connection(&stream, number);
            house.common.ledger.connections.open.fetch_sub(1, Ordering::Relaxed);
            drop(alive);
        });
        if let Err(error) = started {
            connections.open.fetch_sub(1, Ordering::Relaxed);
            connections.broken.fetch_add(1, Ordering::Relaxed);
            self.tell("connection_failed", &error);
        }
    }

    fn connection(&self, stream: &Stream, number: u64) {
        self.common.log.line(Level::Info, "connection_opened").number("connection", number).send();
        let plan = Plan { connection: Some(number), ..self.plan.clone() };
        let outcome = match stream.ends(plan.idle) {
            Ok((input, output)) => run(&plan, &self.common, input, output),
            Err(error) => Outcome::broken("connection", error),
        };
        stream.shut(Shutdown::Write);
        if outcome.broken.is_none() {
            linger(stream);
        }
        stream.shut(Shutdown::Both);
        self.conclude(outcome, number);
    }

    /// A client that went away is told by the log and the counters; what is wrong on this side ends the program.
    fn conclude(&self, outcome: Outcome, number: u64) {
        log_end(&self.common.log, Level::Warn, Some(number), &outcome);
        let tally = &outcome.tally;
        let mut line = self.common.log.line(Level::Info, "connection_closed").number("connection", number);
        for (name, count) in
            [("frames_in", tally.frames_in), ("frames_out", tally.frames_out), ("failed", tally.failed)]
        {
            line = line.number(name, count);
        }
        if let Some((_, error)) = &outcome.broken {
            line = line.text("error", &error.to_string());
            self.common.ledger.connections.broken.fetch_add(1, Ordering::Relaxed);
        }
        line.send();
        let mut all = self.outcome();
        all.tally.add(tally);
        all.spent |= outcome.spent;
        all.lost_connections += u64::from(outcome.broken.is_some());
        let quarantine = self.common.quarantine.as_ref().map(|quarantine| quarantine.name());
        if outcome.broken.as_ref().is_some_and(|(what, _)| Some(what) == quarantine.as_ref()) {
            all.broken = outcome.broken;
            self.common.stop.ask();
        }
    }

    fn tell(&self, event: &str, error: &io::Error) {
        self.common.log.line(Level::Error, event).text("error", &error.to_string()).send();
    }

    fn outcome(&self) -> MutexGuard<'_, Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Throws away what comes until the other side closes, or for long enough.
fn linger(stream: &Stream) {
    let until = Instant::now() + LINGER;
    let Ok(mut input) = stream.copy().map(Input::of) else { return };
    let mut bytes = [0; 4096];
    while Instant::now() < until && matches!(input.read_within(&mut bytes, until), Ok(Some(1..))) {}
}
