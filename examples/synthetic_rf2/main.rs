//! Writes a synthetic release of SNOMED CT's size in its release format 2, to measure a build with.
//!
//! ```text
//! cargo run --release --example synthetic_rf2 -- OUT_DIR --concepts 350000 --descriptions 1500000 --seed 1
//! ```
//!
//! Every concept, term and code in it is invented; the identifiers are valid ones of a namespace that
//! nobody has. The same numbers give the same bytes.

mod ids;
mod release;
mod table;
mod words;

use std::error::Error;
use std::path::PathBuf;

use release::{Size, write_release};

const USAGE: &str =
    "usage: synthetic_rf2 OUT_DIR [--concepts 350000] [--descriptions 1500000] [--seed 1]";

fn main() -> Result<(), Box<dyn Error>> {
    let mut size = Size { concepts: 350_000, descriptions: 1_500_000, seed: 1 };
    let mut folder: Option<PathBuf> = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse::<u64>().ok()).ok_or(USAGE);
        match argument.as_str() {
            "--concepts" => size.concepts = number()?,
            "--descriptions" => size.descriptions = number()?,
            "--seed" => size.seed = number()?,
            _ if argument.starts_with('-') => return Err(USAGE.into()),
            path => folder = Some(path.into()),
        }
    }
    let written = write_release(&folder.ok_or(USAGE)?, size)?;
    for (file, rows) in written {
        println!("{rows:>9}  {file}");
    }
    Ok(())
}
