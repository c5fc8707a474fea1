use std::path::{Path, PathBuf};

use half::f16;
use proptest::prelude::*;

use super::*;
use crate::terminology::ConceptOrd;

/// A small generator of numbers −1 to 1 (xorshift), so that tests are the same everywhere.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }

    pub(super) fn vector(&mut self, dim: usize) -> Vec<f32> {
        (0..dim).map(|_| self.next()).collect()
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * end as f32) as usize % end
    }
}

pub(super) fn unit(vector: &[f32]) -> Vec<f32> {
    let norm = vector.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
    vector.iter().map(|v| (f64::from(*v) / norm) as f32).collect()
}

/// Rows, their owners, and a folder with the matrix of them.
pub(super) struct Fixture {
    pub(super) dir: tempfile::TempDir,
    pub(super) dim: usize,
    pub(super) concepts: usize,
    pub(super) rows: Vec<f16>,
    owners: Vec<Vec<u32>>,
    borrowed_from: usize,
}

impl Fixture {
    pub(super) fn new(dim: usize, concepts: usize, rows: &[(Vec<f32>, Vec<u32>)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let owners = rows.iter().map(|(_, owners)| owners.clone()).collect();
        let borrowed_from = rows.len();
        let rows = rows.iter().flat_map(|(row, _)| f16_row(&unit(row))).collect();
        Self { dir, dim, concepts, rows, owners, borrowed_from }
    }

    /// Rows around a few centers, as titles of one category are, some of them equal; each of one
    /// or two concepts, and some concepts of several rows.
    pub(super) fn clustered(seed: u64, dim: usize, len: usize) -> Self {
        let mut numbers = Numbers(seed | 1);
        let centers: Vec<_> = (0..4).map(|_| numbers.vector(dim)).collect();
        let concepts = len.div_ceil(2) + 1;
        let rows: Vec<_> = (0..len)
            .map(|at| {
                let spread = [0.0, 0.001, 0.05, 2.0][at % 4];
                let center = &centers[numbers.below(4)];
                let row = center.iter().map(|c| c + spread * numbers.next()).collect();
                let mut owners = vec![numbers.below(concepts) as u32];
                if at % 5 == 0 {
                    owners.push(numbers.below(concepts) as u32);
                }
                (row, owners)
            })
            .collect();
        Self::new(dim, concepts, &rows)
    }

    fn write(&self, name: &str) -> Result<PathBuf, DenseError> {
        let path = self.dir.path().join(name);
        self.with_rows(|rows| write_matrix(&path, rows)).map(|_| path)
    }

    pub(super) fn with_rows<R>(&self, with: impl FnOnce(&MatrixRows<'_>) -> R) -> R {
        let mut owners_at = vec![0];
        owners_at.extend(self.owners.iter().scan(0, |end, owners| {
            *end += owners.len() as u32;
            Some(*end)
        }));
        with(&MatrixRows {
            dim: self.dim,
            concepts: self.concepts,
            rows: &self.rows,
            owners_at: &owners_at,
            owners: &self.owners.concat(),
            borrowed_from: self.borrowed_from,
        })
    }

    fn open(&self) -> Matrix {
        Matrix::open(&self.write("dense.bin").unwrap()).unwrap()
    }

    /// Every cosine in 64 bits, the best of each concept, all sorted: what search must equal.
    pub(super) fn brute_force(
        &self,
        query: &[f32],
        k: usize,
        filter: &ConceptFilter<'_>,
    ) -> Vec<(u32, f32)> {
        let norm = query.iter().map(|q| f64::from(*q).powi(2)).sum::<f64>().sqrt();
        let mut best = vec![f64::NEG_INFINITY; self.concepts];
        for (row, owners) in self.rows.chunks(self.dim).zip(&self.owners) {
            let dot: f64 = row.iter().zip(query).map(|(r, q)| r.to_f64() * f64::from(*q)).sum();
            for owner in owners {
                let best = &mut best[*owner as usize];
                *best = best.max((dot / norm).clamp(-1.0, 1.0));
            }
        }
        let mut all: Vec<(u32, f32)> = (0u32..)
            .zip(best)
            .filter(|(concept, best)| best.is_finite() && filter(ConceptOrd(*concept)))
            .map(|(concept, best)| (concept, best as f32))
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(k);
        all
    }
}

/// The same concepts, but for those whose cosines differ by less than the last bits of the two
/// orders of addition.
pub(super) fn assert_same(found: &[Nearest], expected: &[(u32, f32)]) {
    assert_eq!(found.len(), expected.len());
    for (found, (_, cosine)) in found.iter().zip(expected) {
        assert!((found.cosine - cosine).abs() < 1e-6, "{found:?} instead of {cosine}");
        let own = expected.iter().find(|(concept, _)| *concept == found.concept.0);
        let last = expected.last().map_or(0.0, |(_, cosine)| *cosine);
        match own {
            Some((_, cosine)) => assert!((found.cosine - cosine).abs() < 1e-6),
            None => assert!((found.cosine - last).abs() < 1e-6, "{found:?} is not among the best"),
        }
    }
    let sorted = |a: &Nearest, b: &Nearest| {
        a.cosine > b.cosine || (a.cosine == b.cosine && a.concept < b.concept)
    };
    assert!(found.is_sorted_by(sorted), "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn search_equals_brute_force(
        seed in 1u64..u64::MAX,
        dim in 1usize..100,
        len in 0usize..400,
        k in 0usize..40,
        modulus in 1u32..4,
    ) {
        let fixture = Fixture::clustered(seed, dim, len);
        let matrix = fixture.open();
        let mut numbers = Numbers(seed.rotate_left(7) | 1);
        let mut queries = vec![numbers.vector(dim)];
        if len > 0 {
            // A query that is a row has many near-duplicates.
            queries.push(matrix.row(numbers.below(len) as u32).unwrap());
        }
        let filter = |concept: ConceptOrd| concept.0.is_multiple_of(modulus);
        for query in queries {
            let found = matrix.top_k(&query, k, Some(&filter)).unwrap();
            assert_same(&found, &fixture.brute_force(&query, k, &filter));
            for one in &found {
                prop_assert_eq!(matrix.best_row(one.concept, &query).unwrap(), Some(*one));
                prop_assert!(matrix.concepts_of(one.row).any(|concept| concept == one.concept));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn without_borrowed_rows_it_is_the_matrix_without_them(
        seed in 1u64..u64::MAX,
        len in 1usize..200,
        share in 0usize..=4,
        k in 0usize..30,
    ) {
        let mut whole = Fixture::clustered(seed, 24, len);
        whole.borrowed_from = len * share / 4;
        let mut own = Fixture::clustered(seed, 24, len);
        own.owners.truncate(whole.borrowed_from);
        own.rows.truncate(whole.borrowed_from * 24);
        own.borrowed_from = whole.borrowed_from;
        let (all, own) = (whole.open(), own.open());
        let seen = all.without_borrowed();
        prop_assert_eq!((all.rows(), seen.rows()), (len, own.rows()));
        prop_assert_eq!(all.borrowed_from(), own.rows());
        let query = Numbers(seed.rotate_left(9) | 1).vector(24);
        prop_assert_eq!(seen.top_k(&query, k, None).unwrap(), own.top_k(&query, k, None).unwrap());
        for concept in (0..all.concepts() as u32).map(ConceptOrd) {
            prop_assert_eq!(seen.rows_of(concept), own.rows_of(concept));
            prop_assert_eq!(seen.best_row(concept, &query).unwrap(), own.best_row(concept, &query).unwrap());
        }
        prop_assert_eq!(seen.row(all.borrowed_from() as u32), None);
    }
}

#[test]
fn many_threads_find_what_one_finds() {
    // 12 MB of int8 rows: enough for the scan to be spread.
    let fixture = Fixture::clustered(5, 384, 32_000);
    let matrix = fixture.open();
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let several = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let mut numbers = Numbers(77);
    for k in [1, 10, 500] {
        let query = numbers.vector(384);
        let expected = alone.install(|| matrix.top_k(&query, k, None)).unwrap();
        assert_eq!(several.install(|| matrix.top_k(&query, k, None)).unwrap(), expected);
        assert_same(&expected, &fixture.brute_force(&query, k, &|_| true));
    }
}

#[test]
fn equal_rows_are_ordered_by_concept_and_none_is_left_out() {
    let near = || vec![1.0, 0.5, 0.0];
    let rows = [
        (near(), vec![4]),
        (vec![0.0, 0.0, 1.0], vec![0]),
        (near(), vec![2, 3]),
        (near(), vec![2]),
    ];
    let matrix = Fixture::new(3, 6, &rows).open();
    let found = |k| {
        let found = matrix.top_k(&[2.0, 1.0, 0.0], k, None).unwrap();
        found.iter().map(|one| (one.concept.0, one.row)).collect::<Vec<_>>()
    };
    assert_eq!(found(1), [(2, 2)]);
    assert_eq!(found(2), [(2, 2), (3, 2)]);
    assert_eq!(found(3), [(2, 2), (3, 2), (4, 0)]);
    // Concepts 1 and 5 have no rows.
    assert_eq!(found(100), [(2, 2), (3, 2), (4, 0), (0, 1)]);
    assert_eq!(matrix.rows_of(ConceptOrd(2)), [2, 3]);
    assert_eq!(matrix.best_row(ConceptOrd(1), &[1.0, 0.0, 0.0]).unwrap(), None);
    assert_eq!(matrix.best_row(ConceptOrd(99), &[1.0, 0.0, 0.0]).unwrap(), None);
    let cosine = matrix.best_row(ConceptOrd(4), &[2.0, 1.0, 0.0]).unwrap().unwrap().cosine;
    assert!((cosine - 1.0).abs() < 1e-3 && cosine <= 1.0);
}

#[test]
fn an_empty_matrix_finds_nothing() {
    let matrix = Fixture::new(8, 0, &[]).open();
    assert_eq!(matrix.top_k(&[1.0; 8], 10, None).unwrap(), []);
    assert_eq!((matrix.rows(), matrix.concepts(), matrix.dimension()), (0, 0, 8));
    matrix.verify().unwrap();
}

#[test]
fn queries_without_a_direction_are_refused() {
    let matrix = Fixture::clustered(3, 4, 9).open();
    for bad in [[0.0; 4], [f32::NAN; 4], [f32::INFINITY; 4]] {
        assert!(matches!(matrix.top_k(&bad, 3, None), Err(DenseError::Query)));
        assert!(matches!(matrix.best_row(ConceptOrd(0), &bad), Err(DenseError::Query)));
    }
    let other = matrix.top_k(&[1.0; 5], 3, None);
    assert!(matches!(other, Err(DenseError::Dimension { expected: 4, found: 5 })));
}

#[test]
fn rows_that_make_no_matrix_are_refused() {
    let good = Fixture::clustered(9, 6, 10);
    let refuse = |change: &dyn Fn(&mut Fixture)| {
        let mut fixture = Fixture::clustered(9, 6, 10);
        change(&mut fixture);
        fixture.write("bad.bin").unwrap_err()
    };
    assert!(good.write("good.bin").is_ok());
    assert!(matches!(refuse(&|f| f.rows[13] = f16::from_f32(9.0)), DenseError::NotUnit { row: 2 }));
    assert!(matches!(refuse(&|f| f.rows[0] = f16::NAN), DenseError::NotUnit { row: 0 }));
    assert!(matches!(refuse(&|f| f.concepts = 1), DenseError::Shape { .. }));
    assert!(matches!(refuse(&|f| f.rows.truncate(59)), DenseError::Shape { .. }));
    assert!(matches!(refuse(&|f| f.owners.truncate(9)), DenseError::Shape { .. }));
    assert!(matches!(refuse(&|f| f.dim = 0), DenseError::Shape { .. }));
    assert!(matches!(refuse(&|f| f.borrowed_from = 11), DenseError::Shape { .. }));
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let fixture = Fixture::clustered(11, 48, 300);
    let [one, two] =
        ["one", "two"].map(|name| std::fs::read(fixture.write(name).unwrap()).unwrap());
    assert_eq!(one, two);
}

#[test]
fn damage_is_refused_or_survived_and_verify_finds_it() {
    let fixture = Fixture::clustered(13, 5, 12);
    let path = fixture.write("dense.bin").unwrap();
    let good = std::fs::read(&path).unwrap();
    for at in 0..good.len() {
        for bit in [0x01, 0x80] {
            let mut bad = good.clone();
            bad[at] ^= bit;
            let damaged = fixture.dir.path().join("damaged");
            std::fs::write(&damaged, &bad).unwrap();
            let Ok(matrix) = Matrix::open(&damaged) else { continue };
            assert!(matrix.verify().is_err(), "byte {at} changed unnoticed");
            let found = matrix.top_k(&[1.0; 5], 4, None).unwrap();
            assert!(found.iter().all(|one| (-1.0..=1.0).contains(&one.cosine)), "{found:?}");
            for concept in 0..fixture.concepts as u32 {
                matrix.best_row(ConceptOrd(concept), &[1.0; 5]).unwrap();
            }
        }
    }
    for len in 0..good.len() {
        std::fs::write(&path, &good[..len]).unwrap();
        assert!(Matrix::open(&path).is_err(), "{len} bytes were enough");
    }
    assert!(
        matches!(Matrix::open(Path::new("nowhere")), Err(DenseError::Disk(e)) if e.is_not_found())
    );
}
