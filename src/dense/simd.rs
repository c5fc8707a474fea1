//! The sums of [`super::kernel`] in instructions that not every x86-64 has.
//!
//! The only place of this folder that may say `unsafe`: it calls functions for processors that have
//! been asked whether they have the instructions, and reads 16, 32 or 64 bytes of arrays that are as
//! long.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use half::f16;

use super::kernel::{
    BLOCK, COLUMNS, GROUP, Group, Hit, OfBlock, Probe, Strip, add_rest, project_with, sweep_with,
    total,
};

pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
}

pub(super) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vnni")
}

macro_rules! dispatched {
    ($(#[$doc:meta])* $name:ident, $inner:ident, $has:ident,
     $(<const $q:ident>)? ($($argument:ident: $type:ty),*) $(-> $result:ty)?) => {
        $(#[$doc])*
        #[inline]
        pub(super) fn $name $(<const $q: usize>)? ($($argument: $type),*) $(-> $result)? {
            debug_assert!($has());
            // SAFETY: the kernel of this name is only chosen where `$has` has said yes.
            unsafe { $inner($($argument),*) }
        }
    };
}

dispatched!(sweep_avx2, sweep_avx2_inner, has_avx2, <const Q>
    (strip: Strip<'_>, probes: &[Probe; Q], thresholds: [f32; Q], hits: &mut [Vec<Hit>; Q]));
dispatched!(sweep_avx512, sweep_avx512_inner, has_avx512, <const Q>
    (strip: Strip<'_>, probes: &[Probe; Q], thresholds: [f32; Q], hits: &mut [Vec<Hit>; Q]));
dispatched!(dot_exact_avx2, dot_exact_avx2_inner, has_avx2,
    (row: &[f16], query: &[f64]) -> f64);
dispatched!(dot_exact_avx512, dot_exact_avx512_inner, has_avx512,
    (row: &[f16], query: &[f64]) -> f64);
dispatched!(project_avx2, project_avx2_inner, has_avx2,
    (basis: &[f32], row: &[f32], onto: &mut [f32]));
dispatched!(project_avx512, project_avx512_inner, has_avx512,
    (basis: &[f32], row: &[f32], onto: &mut [f32]));

#[target_feature(enable = "avx2,fma,f16c")]
fn project_avx2_inner(basis: &[f32], row: &[f32], onto: &mut [f32]) {
    project_with(basis, row, onto);
}

#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]
fn project_avx512_inner(basis: &[f32], row: &[f32], onto: &mut [f32]) {
    project_with(basis, row, onto);
}

#[target_feature(enable = "avx2,fma,f16c")]
fn sweep_avx2_inner<const Q: usize>(
    strip: Strip<'_>,
    probes: &[Probe; Q],
    thresholds: [f32; Q],
    hits: &mut [Vec<Hit>; Q],
) {
    let codes = probes.each_ref().map(|probe| probe.codes.as_slice());
    sweep_with(strip, probes, thresholds, hits, |block| {
        let codes = codes.map(|codes| &codes[..block.len()]);
        let zero = _mm256_setzero_si256();
        let ones = _mm256_set1_epi16(1);
        let flip = _mm256_set1_epi8(i8::MIN);
        let mut sums = [[zero; 2]; Q];
        for (at, group) in block.iter().enumerate() {
            let halves = [load_256(group, 0), load_256(group, 32)];
            for query in 0..Q {
                let code = _mm256_set1_epi32(number(codes[query][at]));
                let size = _mm256_abs_epi8(code);
                for half in 0..2 {
                    // Back to −127..=127, and the sign of the query moved to the row: two products
                    // of at most 127 · 127 fit 16 bits, where 255 · 127 would not.
                    let row = _mm256_xor_si256(halves[half], flip);
                    let pairs = _mm256_maddubs_epi16(size, _mm256_sign_epi8(row, code));
                    let quads = _mm256_madd_epi16(pairs, ones);
                    sums[query][half] = _mm256_add_epi32(sums[query][half], quads);
                }
            }
        }
        sums.map(|[low, high]| store_256(low, high))
    });
}

/// The codes of a group as one number, to be copied to every row.
#[inline(always)]
fn number(codes: [i8; GROUP]) -> i32 {
    i32::from_ne_bytes(codes.map(i8::cast_unsigned))
}

#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]
fn sweep_avx512_inner<const Q: usize>(
    strip: Strip<'_>,
    probes: &[Probe; Q],
    thresholds: [f32; Q],
    hits: &mut [Vec<Hit>; Q],
) {
    const CHAINS: usize = 4;
    let codes = probes.each_ref().map(|probe| probe.codes.as_chunks::<CHAINS>());
    sweep_with(strip, probes, thresholds, hits, |block| {
        let zero = _mm512_setzero_si512();
        let mut sums = [[zero; CHAINS]; Q];
        let (fours, rest) = block.as_chunks::<CHAINS>();
        let whole = codes.map(|(whole, _)| &whole[..fours.len()]);
        for (at, four) in fours.iter().enumerate() {
            // A sum waits four cycles for the one before it, so four are on their way.
            for chain in 0..CHAINS {
                let rows = load_512(&four[chain]);
                for query in 0..Q {
                    let code = _mm512_set1_epi32(number(whole[query][at][chain]));
                    sums[query][chain] = _mm512_dpbusd_epi32(sums[query][chain], rows, code);
                }
            }
        }
        for (at, group) in rest.iter().enumerate() {
            let rows = load_512(group);
            for query in 0..Q {
                let code = _mm512_set1_epi32(number(codes[query].1[at]));
                sums[query][0] = _mm512_dpbusd_epi32(sums[query][0], rows, code);
            }
        }
        std::array::from_fn(|query| {
            let [a, b, c, d] = sums[query];
            let sum = _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d));
            store_512(_mm512_sub_epi32(sum, _mm512_set1_epi32(probes[query].offset)))
        })
    });
}

#[target_feature(enable = "avx2,fma,f16c")]
fn dot_exact_avx2_inner(row: &[f16], query: &[f64]) -> f64 {
    let (rows, row) = row.as_chunks::<COLUMNS>();
    let (queries, query) = query.as_chunks::<COLUMNS>();
    let (mut low, mut high) = (_mm256_setzero_pd(), _mm256_setzero_pd());
    for (row, query) in rows.iter().zip(queries) {
        let wide = _mm256_cvtph_ps(load_128(row));
        let (first, second) = load_pd_256(query);
        low = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(wide)), first, low);
        high = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm256_extractf128_ps::<1>(wide)), second, high);
    }
    let mut sums = store_pd_256(low, high);
    add_rest(&mut sums, row, query);
    total(sums)
}

#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]
fn dot_exact_avx512_inner(row: &[f16], query: &[f64]) -> f64 {
    let (rows, row) = row.as_chunks::<COLUMNS>();
    let (queries, query) = query.as_chunks::<COLUMNS>();
    let mut all = _mm512_setzero_pd();
    for (row, query) in rows.iter().zip(queries) {
        let wide = _mm512_cvtps_pd(_mm256_cvtph_ps(load_128(row)));
        all = _mm512_fmadd_pd(wide, load_pd_512(query), all);
    }
    let mut sums = store_pd_512(all);
    add_rest(&mut sums, row, query);
    total(sums)
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn load_128(row: &[f16; COLUMNS]) -> __m128i {
    // SAFETY: eight numbers of 16 bits are 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(row.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn load_256(group: &Group, from: usize) -> __m256i {
    let half: &[u8; 32] = if from == 0 { &group.as_chunks().0[0] } else { &group.as_chunks().0[1] };
    // SAFETY: the array has 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn load_pd_256(query: &[f64; COLUMNS]) -> (__m256d, __m256d) {
    // SAFETY: the array has eight numbers, and each load reads four of them, without alignment.
    unsafe { (_mm256_loadu_pd(query.as_ptr()), _mm256_loadu_pd(query.as_ptr().add(4))) }
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn store_256(low: __m256i, high: __m256i) -> OfBlock<i32> {
    let mut sums = [0; BLOCK];
    // SAFETY: the array has 16 numbers of 32 bits, and each store writes eight, without alignment.
    unsafe {
        _mm256_storeu_si256(sums.as_mut_ptr().cast(), low);
        _mm256_storeu_si256(sums.as_mut_ptr().add(8).cast(), high);
    }
    sums
}

#[inline]
#[target_feature(enable = "avx2,fma,f16c")]
fn store_pd_256(low: __m256d, high: __m256d) -> [f64; COLUMNS] {
    let mut sums = [0.0; COLUMNS];
    // SAFETY: the array has eight numbers, and each store writes four of them, without alignment.
    unsafe {
        _mm256_storeu_pd(sums.as_mut_ptr(), low);
        _mm256_storeu_pd(sums.as_mut_ptr().add(4), high);
    }
    sums
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_512(group: &Group) -> __m512i {
    // SAFETY: a group has 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(group.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_pd_512(query: &[f64; COLUMNS]) -> __m512d {
    // SAFETY: the array has eight numbers of 64 bits; the load needs no alignment.
    unsafe { _mm512_loadu_pd(query.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_512(sum: __m512i) -> OfBlock<i32> {
    let mut sums = [0; BLOCK];
    // SAFETY: the array has 16 numbers of 32 bits; the store needs no alignment.
    unsafe { _mm512_storeu_si512(sums.as_mut_ptr().cast(), sum) };
    sums
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_pd_512(sum: __m512d) -> [f64; COLUMNS] {
    let mut sums = [0.0; COLUMNS];
    // SAFETY: the array has eight numbers of 64 bits; the store needs no alignment.
    unsafe { _mm512_storeu_pd(sums.as_mut_ptr(), sum) };
    sums
}
