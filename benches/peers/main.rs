//! medterm's side of `benches/peers/run.py`, which measures other engines in turns with it.
//!
//! `cargo bench --bench peers -- STORE FOLDER` writes what the others need into a folder (rows, names,
//! and the vectors of `queries.txt`), and then answers lines of questions with the nanoseconds that
//! each answer took and what was found. Run without a folder it has nothing to do.

#[path = "../common/mod.rs"]
mod common;

use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use common::AnyError;
use half::f16;
use medterm::catalog::{Catalog, Embedders, SearchMode, SearchRequest};
use medterm::dense::{DENSE_FORMAT, Embedder, Matrix, MatrixRows, f16_row, write_matrix};
use medterm::disk::{Part, PartKind};
use medterm::index::{StoreLayout, TerminologyIndex};
use medterm::lexical::{LexicalIndex, WeightedTerm};
use medterm::terminology::DesignationOrd;
use medterm::text::tokens;

fn main() -> Result<(), AnyError> {
    let arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let arguments: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let [store, folder] = arguments.as_slice() else {
        println!("not measured: run benches/peers/run.py");
        return Ok(());
    };
    let mut side = Side::new(store, folder)?;
    println!("ready");
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        println!("{}", side.answer(&words)?);
    }
    Ok(())
}

struct Side {
    store: PathBuf,
    folder: PathBuf,
    catalog: Catalog,
    words: LexicalIndex,
    embedder: Arc<dyn Embedder>,
    texts: Vec<String>,
    queries: Vec<Vec<f32>>,
    matrix: Option<(Matrix, Part)>,
}

impl Side {
    fn new(store: &Path, folder: &Path) -> Result<Self, AnyError> {
        let embedder = common::embedder()?;
        let versions = StoreLayout::new(store).versions()?;
        let first = versions.first().ok_or("the store has no index")?;
        let index = TerminologyIndex::open(&first.folder)?;
        let matrix = index.matrix().ok_or("the index has no matrix")?;
        let rows = 0..u32::try_from(matrix.rows())?;
        let rows: Vec<Vec<f32>> = rows.filter_map(|row| matrix.row(row)).collect();
        write_npy(&folder.join("rows.npy"), &rows)?;
        let mut names = BufWriter::new(File::create(folder.join("names.txt"))?);
        for ord in 0..u32::try_from(index.records().designation_count())? {
            writeln!(names, "{}", index.records().designation(DesignationOrd(ord)).value)?;
        }
        names.flush()?;
        let texts = std::fs::read_to_string(folder.join("queries.txt"))?;
        let texts: Vec<String> = texts.lines().map(str::to_owned).collect();
        let queries = texts.iter().map(|text| embedder.embed_query(text));
        let queries = queries.collect::<Result<Vec<_>, _>>()?;
        write_npy(&folder.join("queries.npy"), &queries)?;
        let catalog = Catalog::open_with(store, Embedders::new(Arc::clone(&embedder)))?;
        let words = LexicalIndex::open(&index.folder().join("lexical.bin"))?;
        let (store, folder) = (store.to_owned(), folder.to_owned());
        Ok(Self { store, folder, catalog, words, embedder, texts, queries, matrix: None })
    }

    fn answer(&mut self, question: &[&str]) -> Result<String, AnyError> {
        let number = |at: usize| -> Result<usize, AnyError> {
            Ok(question.get(at).ok_or("a number is missing")?.parse()?)
        };
        match *question {
            ["matrix", path] => return self.take(Path::new(path)),
            ["open"] => return timed(|| Ok((Catalog::open(&self.store)?, String::new()))),
            ["read"] => {
                let (_, part) = self.matrix.as_ref().ok_or("no matrix")?;
                let copy = part.section::<u64>("head_i8")?;
                return timed(|| Ok((read(black_box(&copy)), (copy.len() * 8).to_string())));
            }
            ["batch", ..] => {
                let (from, count, k) = (number(1)?, number(2)?, number(3)?);
                let (matrix, _) = self.matrix.as_ref().ok_or("no matrix")?;
                let queries = self.queries.iter().cycle().skip(from).take(count);
                let queries: Vec<&[f32]> = queries.map(Vec::as_slice).collect();
                return timed(|| Ok((matrix.top_k_batch(&queries, k, None)?, String::new())));
            }
            _ => {}
        }
        let at = number(1)? % self.texts.len();
        let (text, vector) = (&self.texts[at], &self.queries[at]);
        match question.first().copied().unwrap_or_default() {
            "scan" => {
                let k = number(2)?;
                let (matrix, _) = self.matrix.as_ref().ok_or("no matrix")?;
                timed(|| {
                    let found = matrix.top_k(vector, k, None)?;
                    let rows = found.iter().map(|one| one.row.to_string());
                    let rows = rows.collect::<Vec<_>>().join(" ");
                    Ok((found, rows))
                })
            }
            "words" => {
                let tokens = tokens(text).into_iter();
                let terms: Vec<WeightedTerm> =
                    tokens.map(|token| WeightedTerm { stem: token.stem, weight: 1.0 }).collect();
                timed(|| Ok((self.words.search(&terms, 10)?, String::new())))
            }
            "embed" => timed(|| Ok((self.embedder.embed_query(text)?, String::new()))),
            "hybrid" => self.search(text, SearchMode::Hybrid),
            "lexical" => self.search(text, SearchMode::Lexical),
            // Words that no query before had, so that nothing is remembered.
            "new" => self.search(&format!("{text} {}", number(2)?), SearchMode::Hybrid),
            "embednew" => {
                let text = format!("{text} {}", number(2)?);
                timed(|| Ok((self.embedder.embed_query(&text)?, String::new())))
            }
            other => Err(format!("unknown question {other}").into()),
        }
    }

    fn search(&self, text: &str, mode: SearchMode) -> Result<String, AnyError> {
        let request = SearchRequest::new(text)?.mode(mode);
        timed(|| Ok((self.catalog.search(&request)?, String::new())))
    }

    /// Makes a matrix of the rows of a file, each the only one of its concept.
    fn take(&mut self, path: &Path) -> Result<String, AnyError> {
        let (rows, dim) = read_npy(path)?;
        let concepts = rows.len() / dim;
        let owners: Vec<u32> = (0..u32::try_from(concepts)?).collect();
        let owners_at: Vec<u32> = (0..=u32::try_from(concepts)?).collect();
        let input = MatrixRows {
            dim,
            concepts,
            rows: &rows,
            owners_at: &owners_at,
            owners: &owners,
            borrowed_from: concepts,
        };
        let file = self.folder.join(format!("{concepts}.dense.bin"));
        let began = Instant::now();
        write_matrix(&file, &input)?;
        let took = began.elapsed().as_nanos();
        let matrix = Matrix::open(&file)?;
        let bytes = matrix.disk_len();
        self.matrix = Some((matrix, Part::open(&file, PartKind::Dense, DENSE_FORMAT)?));
        Ok(format!("{took} {bytes}"))
    }
}

/// Nanoseconds, and what the answer says.
fn timed<R>(work: impl FnOnce() -> Result<(R, String), AnyError>) -> Result<String, AnyError> {
    let began = Instant::now();
    let (result, told) = work()?;
    let took = began.elapsed().as_nanos();
    black_box(result);
    Ok(format!("{took} {told}"))
}

/// Reads all of a slice, as quickly as it can be read.
fn read(values: &[u64]) -> u64 {
    let mut sums = [0u64; 32];
    let (chunks, _) = values.as_chunks::<32>();
    for chunk in chunks {
        sums.iter_mut().zip(chunk).for_each(|(sum, value)| *sum ^= value);
    }
    sums.iter().fold(0, |all, sum| all ^ sum)
}

fn write_npy(path: &Path, rows: &[Vec<f32>]) -> Result<(), AnyError> {
    let shape = format!("({}, {})", rows.len(), rows.first().map_or(0, Vec::len));
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&u16::try_from(header.len())?.to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    for row in rows {
        file.write_all(bytemuck::cast_slice(row))?;
    }
    Ok(file.flush()?)
}

/// The numbers of a file that NumPy wrote, rounded to f16, and how many are in a row.
fn read_npy(path: &Path) -> Result<(Vec<f16>, usize), AnyError> {
    let bytes = std::fs::read(path)?;
    let len = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..10 + len])?;
    let shape = header.split('(').nth(1).and_then(|rest| rest.split(')').next()).unwrap_or("");
    let dim = shape.split(',').nth(1).ok_or("no shape")?.trim().parse()?;
    let values = bytes[10 + len..].as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b));
    Ok((f16_row(&values.collect::<Vec<_>>()), dim))
}
