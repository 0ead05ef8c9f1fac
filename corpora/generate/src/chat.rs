//! Chat training records: messages, tool calls whose arguments are JSON in a string, reasoning before the answer.

use crate::json::{self, Open};
use crate::rng::Rng;
use crate::words;

const MODELS: &[&str] = &["tutor-7b", "tutor-70b", "chat-2024-05", "coder-mini"];

pub(crate) fn append(rng: &mut Rng, nth: u64, out: &mut String) {
    json::object(out, |o| {
        o.str("id", &format!("chat-{nth:08}"));
        o.str("model", rng.pick(MODELS));
        o.array("messages", |m| messages(rng, m));
        if rng.chance(30) {
            o.object("reasoning", |r| reasoning(rng, r));
            o.str("answer", &words::markdown(rng, 1));
        }
        usage(rng, o);
        o.raw("quality", words::decimal(rng, 1, 2));
    });
}

fn messages(rng: &mut Rng, m: &mut Open<'_>) {
    if rng.chance(60) {
        message(m, "system", &words::markdown(rng, 1));
    }
    for _ in 0..rng.few(1, 4) {
        let blocks = rng.few(1, 3);
        message(m, "user", &words::markdown(rng, blocks));
        if rng.chance(25) {
            tool_turn(rng, m);
        }
        let blocks = rng.range(1, 3);
        message(m, "assistant", &words::markdown(rng, blocks));
    }
}

fn message(m: &mut Open<'_>, role: &str, content: &str) {
    m.object("", |o| {
        o.str("role", role);
        o.str("content", content);
    });
}

fn tool_turn(rng: &mut Rng, m: &mut Open<'_>) {
    let id = format!("call_{}", words::hex(rng, 12));
    m.object("", |o| {
        o.str("role", "assistant");
        o.null("content");
        o.array("tool_calls", |calls| calls.object("", |call| tool_call(rng, &id, call)));
    });
    let result = format!(r#"{{"temp":{},"city":"{}"}}"#, words::decimal(rng, 35, 1), words::city(rng));
    m.object("", |o| {
        o.str("role", "tool");
        o.str("tool_call_id", &id);
        o.str("content", &result);
    });
}

fn tool_call(rng: &mut Rng, id: &str, call: &mut Open<'_>) {
    let arguments = format!(r#"{{"city":"{}","days":{}}}"#, words::city(rng), rng.range(1, 7));
    call.str("id", id);
    call.str("type", "function");
    call.object("function", |f| {
        f.str("name", rng.pick(&["get_weather", "search", "run_code"]));
        f.str("arguments", &arguments);
    });
}

fn reasoning(rng: &mut Rng, r: &mut Open<'_>) {
    r.array("steps", |steps| {
        for _ in 0..rng.range(1, 4) {
            let mut step = String::new();
            words::sentence(rng, &mut step);
            steps.str("", &step);
        }
    });
    r.raw("confidence", words::decimal(rng, 1, 3));
}

fn usage(rng: &mut Rng, o: &mut Open<'_>) {
    o.object("usage", |u| {
        u.raw("prompt_tokens", rng.range(20, 900));
        u.raw("completion_tokens", rng.range(20, 900));
    });
}
