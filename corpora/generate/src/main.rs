//! `generate chat|logs|api --size 100MB --seed 1`: records of that kind, one a line, on stdout.

use generate::{Kind, parse_size};
use std::io::{self, ErrorKind};
use std::process::ExitCode;

const USAGE: &str = "usage: generate chat|logs|api [--size 1MB] [--seed 1]";

struct Order {
    kind: Kind,
    size: u64,
    seed: u64,
}

fn main() -> ExitCode {
    let Some(order) = parse(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match generate::write(order.kind, order.seed, order.size, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("generate: {error}");
            ExitCode::from(3)
        }
    }
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Option<Order> {
    let kind = Kind::from_name(&arguments.next()?)?;
    let mut order = Order { kind, size: 1_000_000, seed: 1 };
    while let Some(option) = arguments.next() {
        let value = arguments.next()?;
        match option.as_str() {
            "--size" => order.size = parse_size(&value)?,
            "--seed" => order.seed = value.parse().ok()?,
            _ => return None,
        }
    }
    Some(order)
}
