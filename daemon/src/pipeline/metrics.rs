//! Counters and health over HTTP, for Prometheus and for whoever looks whether the program lives.
//!
//! Few requests at once, each with little time and little room: this is for a few clients that mean well, and
//! must be no way to hold up or bloat the program.

use super::ledger::Snapshot;
use super::{Common, log::Level};
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time for a request, and again for its answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Bytes of a request's head.
const HEAD_BYTES: usize = 8 << 10;

/// Requests at once; one more is closed as soon as it comes.
const REQUESTS: usize = 16;

/// Header lines of a request.
const HEADERS: usize = 64;

/// Answers requests from now on, on a thread of its own.
pub fn serve(address: SocketAddr, common: Common) -> io::Result<()> {
    let listener = TcpListener::bind(address)?;
    let bound = listener.local_addr()?.to_string();
    common.log.line(Level::Info, "metrics_listening").text("address", &bound).send();
    std::thread::Builder::new().name("metrics".to_owned()).spawn(move || {
        let alive = Arc::new(());
        for stream in listener.incoming() {
            match stream {
                Ok(_) if Arc::strong_count(&alive) > REQUESTS => {}
                Ok(stream) => {
                    let (common, alive) = (common.clone(), alive.clone());
                    // Where there is no thread for it, the connection is closed.
                    let _ = std::thread::Builder::new().name("request".to_owned()).spawn(move || {
                        let _ = answer(stream, &common);
                        drop(alive);
                    });
                }
                // Out of descriptors, perhaps: the next try should not come at once.
                Err(_) => std::thread::sleep(PATIENCE / 10),
            }
        }
    })?;
    Ok(())
}

fn answer(mut stream: TcpStream, common: &Common) -> io::Result<()> {
    let until = Instant::now() + PATIENCE;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut head = Vec::with_capacity(HEAD_BYTES);
    let request = loop {
        match parse(&head) {
            Parsed::Partial if head.len() < HEAD_BYTES => read_more(&mut stream, &mut head, until)?,
            Parsed::Partial => break Err("431 Request Header Fields Too Large"),
            Parsed::Request(request) => break Ok(request),
            Parsed::Garbage => break Err("400 Bad Request"),
        }
    };
    let Answer { status, body } = match &request {
        Ok(request) => Answer::to(request, common),
        Err(status) => Answer::short(status),
    };
    let mut text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    if !request.is_ok_and(|request| request.method == "HEAD") {
        text.push_str(&body);
    }
    stream.write_all(text.as_bytes())
}

fn read_more(stream: &mut TcpStream, head: &mut Vec<u8>, until: Instant) -> io::Result<()> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut bytes = [0; 1024];
    let read = stream.read(&mut bytes)?;
    head.extend_from_slice(&bytes[..read]);
    if read == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

/// What matters of a request.
struct Request {
    method: String,
    path: String,
}

enum Parsed {
    Partial,
    Request(Request),
    Garbage,
}

fn parse(head: &[u8]) -> Parsed {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match (request.parse(head), request.method, request.path) {
        (Ok(httparse::Status::Partial), ..) => Parsed::Partial,
        (Ok(httparse::Status::Complete(_)), Some(method), Some(path)) => {
            let path = path.split('?').next().unwrap_or_default();
            Parsed::Request(Request { method: method.to_owned(), path: path.to_owned() })
        }
        _ => Parsed::Garbage,
    }
}

struct Answer {
    status: &'static str,
    body: String,
}

impl Answer {
    fn to(request: &Request, common: &Common) -> Self {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET" | "HEAD", "/metrics") => Self { status: "200 OK", body: text(&common.snapshot()) },
            ("GET" | "HEAD", "/healthz") if common.stop.is_asked() => {
                Self { status: "503 Service Unavailable", body: "draining\n".to_owned() }
            }
            ("GET" | "HEAD", "/healthz") => Self { status: "200 OK", body: "ok\n".to_owned() },
            ("GET" | "HEAD", _) => Self::short("404 Not Found"),
            _ => Self::short("405 Method Not Allowed"),
        }
    }

    fn short(status: &'static str) -> Self {
        Self { status, body: format!("{status}\n") }
    }
}

/// The text that Prometheus reads.
fn text(snapshot: &Snapshot) -> String {
    let mut text = String::new();
    for (name, value) in snapshot.tally.fields().iter().chain(&snapshot.counters) {
        let _ = writeln!(text, "# TYPE jmdx_{name}_total counter\njmdx_{name}_total {value}");
    }
    let _ = writeln!(text, "# TYPE jmdx_errors_total counter");
    for (kind, count) in &snapshot.tally.errors {
        let _ = writeln!(text, "jmdx_errors_total{{kind=\"{kind}\"}} {count}");
    }
    for (name, value) in &snapshot.gauges {
        let _ = writeln!(text, "# TYPE jmdx_{name} gauge\njmdx_{name} {value}");
    }
    let _ = writeln!(text, "# TYPE jmdx_latency_seconds histogram");
    for (end, count) in snapshot.latency.buckets() {
        let _ = writeln!(text, "jmdx_latency_seconds_bucket{{le=\"{end}\"}} {count}");
    }
    let (count, sum) = (snapshot.latency.count(), snapshot.latency.sum());
    let _ = writeln!(text, "jmdx_latency_seconds_sum {sum}\njmdx_latency_seconds_count {count}");
    text
}

#[cfg(test)]
mod tests {
    use super::super::ledger::Ledger;
    use super::super::tally::Tally;
    use super::*;

    #[test]
    fn the_text_has_every_counter() {
        let ledger = Ledger::default();
        let mut tally = Tally { frames_in: 3, ..Tally::default() };
        tally.failed("invalid_json");
        ledger.add(&tally, Duration::from_micros(70));
        let text = text(&ledger.snapshot(4));
        for line in [
            "jmdx_frames_in_total 3",
            "jmdx_errors_total{kind=\"invalid_json\"} 1",
            "jmdx_log_lines_dropped_total 4",
            "jmdx_queue_frames 0",
            "jmdx_latency_seconds_bucket{le=\"0.0001\"} 3",
            "jmdx_latency_seconds_sum 0.00021",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
    }

    #[test]
    fn requests() {
        assert!(matches!(parse(b"GET /metrics HTT"), Parsed::Partial));
        assert!(matches!(parse(b"\0\0\0\0"), Parsed::Garbage));
        let Parsed::Request(request) = parse(b"GET /metrics?x=1 HTTP/1.1\r\nHost: a\r\n\r\n") else {
            panic!()
        };
        assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/metrics"));
    }
}
