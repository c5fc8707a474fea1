use half::f16;
use proptest::prelude::*;

use super::basis::Basis;
use super::kernel::{BLOCK, GROUP, Group, Hit, Kernel, OfBlock, Probe, Strip};
use super::tests::{Fixture, Numbers, assert_same};
use super::write::write_copied;
use super::*;
use crate::terminology::ConceptOrd;

/// Blocks and queries of all kinds: ordinary ones, the largest numbers there are, equal ones, none.
struct Blocks {
    width: usize,
    groups: Vec<Group>,
    scales: Vec<OfBlock<f32>>,
    errors: Vec<OfBlock<f32>>,
    tails: Vec<OfBlock<f32>>,
    probes: Vec<Probe>,
}

impl Blocks {
    fn new(seed: u64, width: usize, blocks: usize, queries: usize) -> Self {
        let mut numbers = Numbers(seed | 1);
        let mut value = |at: usize| match at % 5 {
            0 => 127,
            1 => -127,
            2 => 0,
            _ => (numbers.next() * 127.0) as i8,
        };
        let kinds = seed as usize;
        let groups = (0..width * blocks).map(|at| {
            std::array::from_fn(|byte| (i16::from(value(kinds + at + byte / 16)) + 128) as u8)
        });
        let groups = groups.collect();
        let mut numbers = Numbers(seed.rotate_left(11) | 1);
        let mut of_block = |most: f32| -> Vec<OfBlock<f32>> {
            (0..blocks).map(|_| std::array::from_fn(|_| (numbers.next() + 1.0) * most)).collect()
        };
        let (scales, errors, tails) = (of_block(0.004), of_block(0.01), of_block(0.2));
        let mut numbers = Numbers(seed.rotate_left(23) | 1);
        let probes = (0..queries).map(|query| {
            let codes: Vec<[i8; GROUP]> = (0..width)
                .map(|_| {
                    std::array::from_fn(|_| match query % 4 {
                        0 => 127,
                        1 => -127,
                        2 => 0,
                        _ => (numbers.next() * 127.0) as i8,
                    })
                })
                .collect();
            let sum: i32 = codes.iter().flatten().map(|code| i32::from(*code)).sum();
            Probe {
                offset: 128 * sum,
                codes,
                scale: 0.003,
                base: numbers.next() * 0.2,
                length: 0.9,
                tail: 0.4,
                reach: 0.01,
            }
        });
        let probes = probes.collect();
        Self { width, groups, scales, errors, tails, probes }
    }

    fn strip(&self) -> Strip<'_> {
        Strip {
            groups: &self.groups,
            width: self.width,
            scales: &self.scales,
            errors: &self.errors,
            tails: &self.tails,
        }
    }

    fn hits(&self, kernel: Kernel, threshold: f32) -> Vec<Vec<Hit>> {
        let mut hits = vec![Vec::new(); self.probes.len()];
        let thresholds = vec![threshold; self.probes.len()];
        kernel.sweep(self.strip(), &self.probes, &thresholds, &mut hits);
        hits
    }

    /// What a hit must be, number by number.
    fn middle(&self, row: usize, probe: &Probe) -> f32 {
        let (block, at) = (row / BLOCK, row % BLOCK);
        let groups = &self.groups[block * self.width..][..self.width];
        let products = groups.iter().zip(&probe.codes).flat_map(|(group, codes)| {
            let values = group[at * GROUP..][..GROUP].iter();
            values.zip(codes).map(|(value, code)| (i32::from(*value) - 128) * i32::from(*code))
        });
        products.sum::<i32>() as f32 * (self.scales[block][at] * probe.scale) + probe.base
    }
}

proptest! {
    #[test]
    fn all_kernels_find_the_same_hits_to_the_last_bit(
        seed in any::<u64>(),
        width in 1usize..40,
        blocks in 0usize..6,
        queries in 0usize..10,
        threshold in -1f32..1.0,
    ) {
        let blocks_of = Blocks::new(seed, width, blocks, queries);
        let expected = blocks_of.hits(Kernel::Portable, threshold);
        for kernel in Kernel::all() {
            prop_assert_eq!(&blocks_of.hits(kernel, threshold), &expected, "{:?}", kernel);
        }
        for (probe, hits) in blocks_of.probes.iter().zip(blocks_of.hits(Kernel::best(), f32::NEG_INFINITY)) {
            prop_assert_eq!(hits.len(), blocks * BLOCK);
            for hit in hits {
                prop_assert_eq!(hit.middle, blocks_of.middle(hit.row as usize, probe));
            }
        }
    }

    #[test]
    fn all_kernels_give_the_same_cosines_and_projections_to_the_last_bit(
        seed in any::<u64>(),
        dim in 1usize..200,
    ) {
        let mut numbers = Numbers(seed | 1);
        let row: Vec<f16> = (0..dim)
            .map(|at| match at % 7 {
                0 => f16::MAX,
                1 => f16::MIN_POSITIVE_SUBNORMAL,
                2 => f16::ZERO,
                _ => f16::from_f32(numbers.next()),
            })
            .collect();
        let query: Vec<f64> = (0..dim).map(|_| f64::from(numbers.next())).collect();
        let (wide, basis) = (numbers.vector(dim), numbers.vector(dim * 3));
        let projected = |kernel: Kernel| {
            let mut onto = vec![0f32; 3];
            kernel.project(&basis, &wide, &mut onto);
            onto.iter().map(|value| value.to_bits()).collect::<Vec<_>>()
        };
        for kernel in Kernel::all() {
            let [one, other] = [Kernel::Portable, kernel].map(|k| k.dot_exact(&row, &query));
            prop_assert_eq!(one.to_bits(), other.to_bits(), "{:?}", kernel);
            prop_assert_eq!(projected(Kernel::Portable), projected(kernel), "{:?}", kernel);
        }
    }
}

/// The same rows with copies of several widths.
fn matrices(fixture: &Fixture) -> Vec<Matrix> {
    let bases = [0, 1, 2, 3].map(|quarter| match quarter * fixture.dim / 4 {
        0 => Basis::whole(&fixture.rows, fixture.dim),
        width => Basis::of_width(&fixture.rows, fixture.dim, width),
    });
    let open = |(at, basis): (usize, &Basis)| {
        let path = fixture.dir.path().join(format!("of-{at}"));
        fixture.with_rows(|rows| write_copied(&path, rows, basis)).unwrap();
        Matrix::open(&path).unwrap()
    };
    bases.iter().enumerate().map(open).collect()
}

fn check_all(fixture: &Fixture, queries: &[Vec<f32>]) {
    let matrices = matrices(fixture);
    for k in [1, 2, 10, 100, fixture.concepts] {
        for modulus in [1, 3] {
            let filter = |concept: ConceptOrd| concept.0.is_multiple_of(modulus);
            let filter: Option<&ConceptFilter<'_>> =
                if modulus == 1 { None } else { Some(&filter) };
            let allows = |concept| filter.is_none_or(|filter| filter(concept));
            let expected: Vec<_> =
                queries.iter().map(|q| fixture.brute_force(q, k, &allows)).collect();
            let queries: Vec<&[f32]> = queries.iter().map(Vec::as_slice).collect();
            let mut first: Option<Vec<Vec<Nearest>>> = None;
            for matrix in &matrices {
                for kernel in Kernel::all() {
                    let matrix = matrix.with_kernel(kernel);
                    let found = matrix.top_k_batch(&queries, k, filter).unwrap();
                    for ((found, expected), query) in found.iter().zip(&expected).zip(&queries) {
                        assert_same(found, expected);
                        assert_eq!(*found, matrix.top_k(query, k, filter).unwrap());
                    }
                    // The copy and the instructions change nothing.
                    assert_eq!(*first.get_or_insert_with(|| found.clone()), found, "{kernel:?}");
                }
            }
        }
    }
}

#[test]
fn every_copy_and_kernel_finds_what_brute_force_finds() {
    let fixture = Fixture::clustered(21, 40, 300);
    let mut numbers = Numbers(99);
    let mut queries: Vec<Vec<f32>> = (0..3).map(|_| numbers.vector(40)).collect();
    queries.push(fixture.rows[40..80].iter().map(|v| v.to_f32()).collect());
    queries.push(queries[3].iter().map(|v| -v).collect());
    check_all(&fixture, &queries);
}

#[test]
fn adversarial_rows_are_found_too() {
    let dim = 24;
    let mut numbers = Numbers(5);
    let one = numbers.vector(dim);
    let axis = |at: usize, size: f32| {
        let mut axis = vec![0.0; dim];
        axis[at] = size;
        axis
    };
    let rows = (0..130usize).map(|at| {
        let row = match at % 4 {
            // All equal, and so nearly equal that f16 hardly tells them apart.
            0 => one.clone(),
            1 => one.iter().map(|v| v + 0.0005 * numbers.next()).collect(),
            // One huge component, and all others none.
            2 => axis(at % dim, if at % 8 < 4 { 1.0 } else { -1.0 }),
            _ => {
                let mut row = numbers.vector(dim);
                row[at % dim] = 500.0;
                row
            }
        };
        (row, vec![at as u32 / 2])
    });
    let fixture = Fixture::new(dim, 66, &rows.collect::<Vec<_>>());
    let tiny: Vec<f32> = one.iter().map(|v| v * 1e-30).collect();
    let mut huge = numbers.vector(dim);
    huge[3] = 1e30;
    check_all(&fixture, &[one, tiny, huge, axis(3, 1.0), axis(3, -1.0)]);
}

#[test]
fn a_copy_of_fewer_directions_is_chosen_where_it_leaves_little_over() {
    let (dim, len) = (128, 40_000);
    let mut numbers = Numbers(3);
    // Rows that differ in sixteen directions, and hardly in others.
    let directions: Vec<_> = (0..16).map(|_| numbers.vector(dim)).collect();
    let rows: Vec<f16> = (0..len)
        .flat_map(|_| {
            let mut row: Vec<f32> = (0..dim).map(|_| 0.01 * numbers.next()).collect();
            for direction in &directions {
                let factor = numbers.next();
                row.iter_mut().zip(direction).for_each(|(value, d)| *value += factor * d);
            }
            f16_row(&super::tests::unit(&row))
        })
        .collect();
    let basis = Basis::of(&rows, dim);
    assert_eq!(basis.axes().width(), 32);
    assert!(basis.skew < 1e-4, "{}", basis.skew);
    // As many directions as there are are left as they are.
    let equal: Vec<f16> = (0..len * dim).map(|_| f16::from_f32(numbers.next())).collect();
    assert!(Basis::of(&equal, dim).axes().is_whole());
}
