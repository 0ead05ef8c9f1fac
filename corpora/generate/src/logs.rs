//! Application logs: mostly flat, a request or an error nested one level down.

use crate::json::{self, Open};
use crate::rng::Rng;
use crate::words;

const SERVICES: &[&str] = &["gateway", "orders", "billing", "search", "mail", "auth"];
const LEVELS: &[&str] = &["DEBUG", "INFO", "INFO", "INFO", "INFO", "INFO", "WARN", "ERROR"];

pub(crate) fn append(rng: &mut Rng, nth: u64, out: &mut String) {
    let level = rng.pick(LEVELS);
    json::object(out, |o| {
        o.str("timestamp", &words::moment(rng, nth / 3));
        o.str("level", level);
        let service = rng.pick(SERVICES);
        o.str("service", service);
        o.str("host", &format!("{service}-{}", rng.range(1, 40)));
        o.str("trace_id", &words::hex(rng, 32));
        o.str("span_id", &words::hex(rng, 16));
        o.str("message", &message(rng));
        if rng.chance(75) {
            o.object("http", |h| request(rng, h));
        }
        match rng.chance(20) {
            true => o.null("user_id"),
            false => o.raw("user_id", rng.bits() >> 1),
        }
        if level == "ERROR" {
            o.object("error", |e| error(rng, e));
        }
        o.raw("sampled", rng.chance(10));
    });
}

fn message(rng: &mut Rng) -> String {
    let mut text = String::new();
    let words = rng.range(4, 11);
    words::phrase(rng, words, &mut text);
    if rng.chance(20) {
        text.push_str(&format!(": {}", rng.range(1, 5_000)));
    }
    text
}

fn request(rng: &mut Rng, h: &mut Open<'_>) {
    h.str("method", rng.pick(&["GET", "GET", "GET", "POST", "PUT", "DELETE"]));
    h.str("path", &format!("/v1/{}/{}", rng.pick(SERVICES), rng.range(1, 1_000_000)));
    h.raw("status", rng.pick(&[200, 200, 200, 201, 204, 301, 404, 500]));
    h.raw("duration_ms", words::decimal(rng, 900, 3));
}

fn error(rng: &mut Rng, e: &mut Open<'_>) {
    e.str("type", rng.pick(&["TimeoutError", "ValueError", "ConnectionReset"]));
    let mut stack = message(rng);
    for _ in 0..rng.range(2, 6) {
        let (file, line) = (rng.pick(SERVICES), rng.range(1, 900));
        stack.push_str(&format!("\n    at call (/app/{file}.js:{line}:{})", rng.range(1, 80)));
    }
    e.str("stack", &stack);
}
