//! How long does the exact search for the nearest rows take, by rows and dimensions?
//!
//! `cargo bench --bench scan`
//!
//! Beside it in the same run, on one thread: every f32 row multiplied by the query, the best kept in
//! a heap, in the instructions that every x86-64 has. medterm takes the quickest instructions of the
//! machine; `all threads` is what a search gets. The answers are first compared with sums in f64.
//! Other engines are measured by `benches/peers/run.py`.
//!
//! - `titles`: rows of real titles, embedded once and kept under `target/`;
//!   `MEDTERM_BENCH_ROWS` of them, 20,000 where it is not set (half a minute, once).
//! - `store`: the rows of the first index in `MEDTERM_STORE`, where that is set.
//! - `clustered`: made-up rows in 2,000 clusters. Real rows have fewer directions, so a search of
//!   them skips more: compare such a time only with another one of the same kind.

mod common;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::{AnyError, Contender, QUERIES};
use criterion::{Criterion, Throughput};
use half::f16;
use medterm::dense::{Matrix, MatrixRows, Nearest, f16_row, write_matrix};
use medterm::index::{StoreLayout, TerminologyIndex};

fn main() -> Result<(), AnyError> {
    let mut criterion = common::criterion();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let folder = tempfile::tempdir_in(common::kept_folder()?)?;
    let path = folder.path().join("dense.bin");

    let embedder = common::embedder()?;
    let queries =
        QUERIES.iter().map(|text| embedder.embed_query(text)).collect::<Result<Vec<_>, _>>()?;
    let n = std::env::var("MEDTERM_BENCH_ROWS").ok().map_or(Ok(20_000), |n| n.parse())?;
    let (_, concepts) = common::concepts()?;
    let titles = common::titles(&concepts, n);
    let rows = common::embedded(&titles, &*embedder)?;
    let case = Case::new("titles", &path, &rows, &queries)?;
    case.measure(&mut criterion, &one_thread)?;

    if let Some(store) = std::env::var_os("MEDTERM_STORE").map(PathBuf::from) {
        let versions = StoreLayout::new(&store).versions()?;
        let first = versions.first().ok_or("MEDTERM_STORE has no index")?;
        let index = TerminologyIndex::open(&first.folder)?;
        let matrix = index.matrix().ok_or("the first index of MEDTERM_STORE has no matrix")?;
        let case = Case::of("store", matrix.clone(), queries.clone());
        case.measure(&mut criterion, &one_thread)?;
    }

    for (rows, dim) in [(100_000, 384), (100_000, 128), (20_000, 768)] {
        let (rows, queries) = clustered(rows, dim);
        let case = Case::new("clustered", &path, &rows, &queries)?;
        case.measure(&mut criterion, &one_thread)?;
    }
    criterion.final_summary();
    Ok(())
}

/// A matrix, the same rows as f32, and what to look for.
struct Case {
    name: String,
    matrix: Matrix,
    wide: Vec<f32>,
    queries: Vec<Vec<f32>>,
}

impl Case {
    /// Rows of unit length, each the only one of its concept.
    fn new(name: &str, path: &Path, rows: &[f16], queries: &[Vec<f32>]) -> Result<Self, AnyError> {
        let dim = queries.first().map_or(0, Vec::len);
        let concepts = rows.len() / dim;
        let owners: Vec<u32> = (0..u32::try_from(concepts)?).collect();
        let owners_at: Vec<u32> = (0..=u32::try_from(concepts)?).collect();
        // Another case may have its file mapped: it keeps its own.
        let path = path.with_extension(format!("{name}-{concepts}-{dim}"));
        let input = MatrixRows {
            dim,
            concepts,
            rows,
            owners_at: &owners_at,
            owners: &owners,
            borrowed_from: concepts,
        };
        write_matrix(&path, &input)?;
        Ok(Self::of(name, Matrix::open(&path)?, queries.to_vec()))
    }

    fn of(name: &str, matrix: Matrix, queries: Vec<Vec<f32>>) -> Self {
        let name = format!("{name}/{}x{}", matrix.rows(), matrix.dimension());
        let rows = 0..u32::try_from(matrix.rows()).unwrap_or(u32::MAX);
        let wide = rows.filter_map(|row| matrix.row(row)).flatten().collect();
        Self { name, matrix, wide, queries }
    }

    fn query(&self, round: usize) -> &[f32] {
        &self.queries[round % self.queries.len()]
    }

    /// As many queries as a search has readings at most.
    fn four(&self, round: usize) -> [&[f32]; 4] {
        std::array::from_fn(|at| self.query(round + at))
    }

    fn measure(
        &self,
        criterion: &mut Criterion,
        one_thread: &rayon::ThreadPool,
    ) -> Result<(), AnyError> {
        for k in [10, 100] {
            self.check(k)?;
        }
        one_thread.install(|| {
            common::in_turns(
                &format!("scan/{}, one thread", self.name),
                100,
                &mut [
                    Contender::new("every f32 row, k=10", |n| self.every_row(self.query(n), 10)),
                    Contender::new("top_k, k=10", |n| self.matrix.top_k(self.query(n), 10, None)),
                    Contender::new("top_k, k=100", |n| self.matrix.top_k(self.query(n), 100, None)),
                    Contender::new("four together, k=100", |n| {
                        self.matrix.top_k_batch(&self.four(n), 100, None)
                    }),
                ],
            );
        });

        let mut group = criterion.benchmark_group(format!("scan/{}", self.name));
        group.sample_size(20).throughput(Throughput::Elements(self.matrix.rows() as u64));
        for k in [10, 100] {
            group.bench_function(format!("k={k}"), |b| {
                b.iter_custom(|n| {
                    one_thread.install(|| timed(n, |n| self.matrix.top_k(self.query(n), k, None)))
                });
            });
        }
        group.bench_function("k=10, all threads", |b| {
            b.iter_custom(|n| timed(n, |n| self.matrix.top_k(self.query(n), 10, None)));
        });
        group.bench_function("k=10, every f32 row", |b| {
            b.iter_custom(|n| timed(n, |n| self.every_row(self.query(n), 10)));
        });
        group.finish();
        Ok(())
    }

    /// The rows of the `k` largest products, in no order that matters.
    fn every_row(&self, query: &[f32], k: usize) -> Vec<(u32, u32)> {
        let mut best: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::with_capacity(k + 1);
        let mut threshold = f32::NEG_INFINITY;
        for (row, at) in self.wide.chunks_exact(self.matrix.dimension()).zip(0u32..) {
            let product = dot(row, query);
            if product <= threshold {
                continue;
            }
            best.push(Reverse((ordered(product), at)));
            if best.len() > k {
                best.pop();
                threshold = best.peek().map_or(threshold, |Reverse((lowest, _))| from(*lowest));
            }
        }
        best.into_iter().map(|Reverse(one)| one).collect()
    }

    /// The answers are right: each cosine is that of its row, and none that is missing is larger.
    fn check(&self, k: usize) -> Result<(), AnyError> {
        let dim = self.matrix.dimension();
        for query in self.queries.iter().take(8) {
            let length = sum(query, query).sqrt();
            let cosines: Vec<f64> =
                self.wide.chunks_exact(dim).map(|row| sum(row, query) / length).collect();
            let found = self.matrix.top_k(query, k, None)?;
            // An index may have several rows a concept, and several concepts a row.
            let mut best = vec![f64::NEG_INFINITY; self.matrix.concepts()];
            for (cosine, row) in cosines.iter().zip(0u32..) {
                for concept in self.matrix.concepts_of(row) {
                    let best = &mut best[concept.index()];
                    *best = best.max(*cosine);
                }
            }
            let is_right =
                |one: &Nearest| (f64::from(one.cosine) - best[one.concept.index()]).abs() < 1e-6;
            assert!(found.iter().all(is_right), "{}: a cosine is not its row's", self.name);
            best.sort_unstable_by(|a, b| b.total_cmp(a));
            let kth = found.last().map_or(f64::NEG_INFINITY, |one| f64::from(one.cosine));
            assert_eq!(found.len(), k.min(best.len()));
            assert!(
                kth >= best[found.len() - 1] - 1e-6,
                "{}: one of the {k} is missing",
                self.name
            );
        }
        Ok(())
    }
}

/// How long so many rounds take. Criterion itself cannot be taken into another thread.
fn timed<R>(rounds: u64, mut run: impl FnMut(usize) -> R) -> Duration {
    let began = Instant::now();
    for round in 0..rounds {
        black_box(run(round as usize));
    }
    began.elapsed()
}

fn sum(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

/// Sums side by side, so that the compiler keeps them in vector registers.
fn dot(row: &[f32], query: &[f32]) -> f32 {
    let mut sums = [0f32; 32];
    let (rows, _) = row.as_chunks::<32>();
    let (queries, _) = query.as_chunks::<32>();
    for (row, query) in rows.iter().zip(queries) {
        for ((sum, row), query) in sums.iter_mut().zip(row).zip(query) {
            *sum += row * query;
        }
    }
    sums.iter().sum()
}

/// A whole number ordered as the floats are.
fn ordered(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

fn from(ordered: u32) -> f32 {
    f32::from_bits(if ordered >> 31 == 1 { ordered & !(1 << 31) } else { !ordered })
}

/// Rows and queries around 2,000 centers, at a cosine of about 0.8, the same in every run.
fn clustered(rows: usize, dim: usize) -> (Vec<f16>, Vec<Vec<f32>>) {
    let mut random = Random(42);
    let centers: Vec<Vec<f32>> = (0..2000).map(|_| random.direction(dim)).collect();
    let mut near = |at: usize| {
        let noise = random.direction(dim);
        let center = &centers[at % centers.len()];
        unit(center.iter().zip(&noise).map(|(center, noise)| center + 0.75 * noise).collect())
    };
    let queries = (0..32).map(|at| near(at * 61)).collect();
    let mut all = Vec::with_capacity(rows * dim);
    for at in 0..rows {
        all.extend(f16_row(&near(at)));
    }
    (all, queries)
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = sum(&vector, &vector).sqrt() as f32;
    vector.iter_mut().for_each(|value| *value /= length);
    vector
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Eight bytes summed are near enough to a normal distribution for a direction.
    fn direction(&mut self, dim: usize) -> Vec<f32> {
        let mut value = || {
            let bytes = self.next().to_le_bytes();
            bytes.iter().map(|byte| f32::from(*byte) - 127.5).sum()
        };
        unit((0..dim).map(|_| value()).collect())
    }
}
