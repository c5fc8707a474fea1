//! One file of a release: the columns that every file has, and the ends of lines.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The day on which everything takes effect.
const DATE: &str = "20250101";
/// The module of the international edition.
const MODULE: u64 = 900_000_000_000_207_008;

/// One file being written.
pub(crate) struct Table {
    name: String,
    file: BufWriter<File>,
    rows: u64,
}

impl Table {
    pub(crate) fn create(folder: &Path, name: &str, columns: &str) -> io::Result<Self> {
        let name = format!("{name}_INT_{DATE}.txt");
        let path = folder.join("Snapshot").join(&name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
        let columns = format!("id effectiveTime active moduleId {columns}").replace(' ', "\t");
        write!(file, "{columns}\r\n")?;
        Ok(Self { name, file, rows: 0 })
    }

    pub(crate) fn row(&mut self, id: &str, active: bool, cells: &[String]) -> io::Result<()> {
        self.rows += 1;
        let (active, module, cells) = (u8::from(active), MODULE, cells.join("\t"));
        write!(self.file, "{id}\t{DATE}\t{active}\t{module}\t{cells}\r\n")
    }

    pub(crate) fn finish(mut self) -> io::Result<(String, u64)> {
        self.file.flush()?;
        Ok((self.name, self.rows))
    }
}
