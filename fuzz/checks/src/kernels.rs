//! Every kernel on the same bytes.

use crate::both::{CONVERSIONS, Convert, Outcome, lenient};
use jmdx_engine::{Builder, Kernel, Order, Transcoder};

/// Every conversion gives the same bytes or the same error on every kernel, wherever in memory the input stands: alone in
/// an allocation of its size, or behind other bytes; into an output without room, and into one with some.
pub fn kernels_agree(data: &[u8]) {
    let shifts = [0, 1 + data.len() % 63];
    let places = shifts.map(|shift| [&vec![b'"'; shift], data].concat().into_boxed_slice());
    for builder in [lenient(), Transcoder::builder().order(Order::Grouped).ascii(true).pretty(true)] {
        for (name, convert) in CONVERSIONS {
            let want = on(Kernel::Scalar, &builder, convert, data, 0);
            for &kernel in Kernel::available() {
                for (place, shift) in places.iter().zip(shifts) {
                    let got = on(kernel, &builder, convert, &place[shift..], shift * 5);
                    assert_eq!(shown(&got), shown(&want), "{name}, {kernel:?}, behind {shift} bytes");
                }
            }
        }
    }
}

fn on(kernel: Kernel, builder: &Builder, convert: Convert, text: &[u8], room: usize) -> Outcome {
    let mut out = Vec::with_capacity(room);
    convert(&mut builder.clone().kernel(kernel).build(), text, &mut out).map(|()| out)
}

fn shown(outcome: &Outcome) -> Result<String, String> {
    outcome.as_ref().map(|out| out.escape_ascii().to_string()).map_err(|error| error.to_json())
}
