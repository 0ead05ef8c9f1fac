//! Small bounds on everything.

use crate::both::{CONVERSIONS, Convert, lenient};
use crate::control::Control;
use jmdx_engine::{Error, Limit, Limits};

const BEFORE: &[u8] = b"before";
const FREE: Limits = Limits {
    depth: 1000,
    line_bytes: u64::MAX,
    document_bytes: Limits::MAX_DOCUMENT,
    output_bytes: u64::MAX,
    keys: u32::MAX,
};

/// What is accepted within bounds is what is accepted without them, and keeps them: bytes in and out, the room taken for
/// the output, the lines and the depth. A refusal names a bound that is in the way, and leaves the output as it was.
pub fn limits(data: &[u8]) {
    let (text, mut control) = Control::split(data);
    let limits = Limits {
        depth: u32::from(control.byte() % 12),
        line_bytes: u64::from(control.byte()),
        document_bytes: u64::from(control.byte()) * 4,
        output_bytes: u64::from(control.byte()) * 2,
        keys: u32::from(control.byte() % 16),
    };
    for (name, convert) in CONVERSIONS {
        match (within(limits, text, convert), within(FREE, text, convert)) {
            (Ok(out), free) => {
                assert_eq!(free.as_ref(), Ok(&out), "{name}");
                kept(name, &limits, text, &out);
            }
            (Err(error), free) => match error.limit() {
                Some(limit) => in_the_way(name, limits, limit, text, convert),
                None => assert!(free.is_err(), "{name}: accepted without bounds, else {}", error.to_json()),
            },
        }
    }
}

fn within(limits: Limits, text: &[u8], convert: Convert) -> Result<Vec<u8>, Error> {
    let mut out = BEFORE.to_vec();
    let result = convert(&mut lenient().limits(limits).build(), text, &mut out);
    assert!(out.starts_with(BEFORE));
    assert!(result.is_ok() || out == BEFORE, "an error leaves the output as it was");
    // A vector may double, and conversions round what they ask for up to their widest store.
    let most = limits.output_bytes.saturating_mul(2).saturating_add(1024);
    assert!(out.capacity() as u64 <= most, "room for {} bytes, {most} at most", out.capacity());
    result.map(|()| out.split_off(BEFORE.len()))
}

fn kept(name: &str, limits: &Limits, text: &[u8], out: &[u8]) {
    assert!(text.len() as u64 <= limits.document_bytes, "{name}: {} bytes in", text.len());
    assert!(out.len() as u64 <= limits.output_bytes, "{name}: {} bytes out", out.len());
    if name.starts_with("jmd") {
        let longest = text.split(|byte| *byte == b'\n').map(<[u8]>::len).max().unwrap_or(0);
        // A byte order mark and a carriage return are not part of a line.
        assert!(longest as u64 <= limits.line_bytes + 4, "{name}: a line of {longest} bytes");
    } else if name.starts_with("json") {
        let deep = depth(text);
        assert!(deep <= limits.depth, "{name}: {deep} levels");
    }
}

/// Without the bound that was named, no refusal names it.
fn in_the_way(name: &str, limits: Limits, limit: Limit, text: &[u8], convert: Convert) {
    let without = match limit {
        Limit::Depth => Limits { depth: FREE.depth, ..limits },
        Limit::LineBytes => Limits { line_bytes: FREE.line_bytes, ..limits },
        Limit::DocumentBytes => Limits { document_bytes: FREE.document_bytes, ..limits },
        Limit::OutputBytes => Limits { output_bytes: FREE.output_bytes, ..limits },
        Limit::Keys => Limits { keys: FREE.keys, ..limits },
        other => panic!("{name}: no such bound was set: {other:?}"),
    };
    let again = within(without, text, convert).err().and_then(|error| error.limit());
    assert_ne!(again, Some(limit), "{name}");
}

/// The JMD depth of valid JSON: an object in an array is as deep as the array.
fn depth(json: &[u8]) -> u32 {
    let (mut open, mut deepest): (Vec<(u8, u32)>, u32) = (Vec::new(), 0);
    let (mut in_string, mut escaped) = (false, false);
    for &byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                let (around, level) = open.last().copied().unwrap_or((0, 0));
                let level = level + u32::from(!(around == b'[' && byte == b'{'));
                open.push((byte, level));
                deepest = deepest.max(level);
            }
            b']' | b'}' => drop(open.pop()),
            _ => {}
        }
    }
    deepest
}
