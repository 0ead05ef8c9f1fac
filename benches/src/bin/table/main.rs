//! The engine beside its peers, in one interleaved run on one thread; what `scripts/bench.sh` runs.
//!
//! Times on a shared machine come out too long, never too short, and not evenly: so every contender has its turn in every
//! round, its processor time is taken, and its best round counts. The column that counts is the ratio.

mod child;
mod contender;
mod machine;
mod measure;
mod report;

use child::Child;
use contender::Direction;
use jmdx_benches::{Load, loads, transcoder};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const LEGEND: &str = "
Column jmdx: GB/s of input. Other cells: how many times as long as jmdx the contender needs (its GB/s of input). For the
portable build it is the share of the native build's speed that it reaches. **Bold** is below the target that follows it.
`cannot`: a document is refused, or comes back changed. toon-format writes TOON; it and JSON -> JSON are for comparison.
";

const USAGE: &str =
    "usage: table FOLDER [--rounds 60] [--portable COMMAND] [--toon COMMAND] [--python COMMAND] [--also TEXT]
       table serve FOLDER
FOLDER takes the corpora, for the commands, which answer requests. TEXT goes to the list of versions.";

#[derive(Default)]
struct Order {
    folder: PathBuf,
    rounds: usize,
    portable: Option<String>,
    toon: Option<String>,
    python: Option<String>,
    also: Option<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let result = match arguments.as_slice() {
        [serve, folder] if serve == "serve" => child::serve(Path::new(folder)),
        _ => match parse(arguments.into_iter()) {
            Some(order) => run(&order),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("table: {error}");
            ExitCode::from(3)
        }
    }
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Option<Order> {
    let mut order = Order { folder: arguments.next()?.into(), rounds: 60, ..Order::default() };
    while let Some(option) = arguments.next() {
        let value = arguments.next()?;
        match option.as_str() {
            "--rounds" => order.rounds = value.parse().ok().filter(|&rounds| rounds > 0)?,
            "--portable" => order.portable = Some(value),
            "--toon" => order.toon = Some(value),
            "--python" => order.python = Some(value),
            "--also" => order.also = Some(value),
            _ => return None,
        }
    }
    Some(order)
}

fn run(order: &Order) -> io::Result<()> {
    let before = machine::load();
    std::fs::create_dir_all(&order.folder)?;
    // Saved and read back, so that the documents lie in memory as they do in the other processes, one after the other.
    let again = |load: Load| load.save(&order.folder).and_then(|()| Load::open(&order.folder, &load.name));
    let loads = loads().into_iter().map(again).collect::<io::Result<Vec<_>>>()?;
    let commands =
        [("portable build", &order.portable), ("toon-format", &order.toon), ("jmd-format", &order.python)];
    let children = commands
        .into_iter()
        .filter_map(|(name, command)| Some(Child::start(name, command.as_deref()?, &order.folder)))
        .collect::<io::Result<Vec<_>>>()?;
    let mut rows = Vec::new();
    for direction in Direction::ALL {
        for load in &loads {
            eprintln!("{} {}", direction.as_str(), load.name);
            rows.push(measure::row(direction, load, &children, order.rounds));
        }
    }
    drop(children);
    print(order, &rows, &before);
    Ok(())
}

fn print(order: &Order, rows: &[measure::Row], before: &str) {
    println!("# {}\n", machine::said("date -u +%F"));
    print!("{}", machine::describe(transcoder().kernel().as_str(), before));
    if let Some(also) = &order.also {
        println!("* {also}");
    }
    println!("* one thread, processor time, {} rounds, the best of each contender\n{LEGEND}", order.rounds);
    println!("## JSON -> JMD\n\n{}", report::table(rows, Direction::JsonToJmd));
    println!("## JMD -> JSON\n\n{}", report::table(rows, Direction::JmdToJson));
    println!("## JSON -> JSON\n\n{}", report::table(rows, Direction::JsonToJson));
    print!("## In all\n\n{}{}", report::targets(rows), report::small(rows));
}
