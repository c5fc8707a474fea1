//! Small terminologies that nobody publishes, and an embedder that needs no model.

use std::path::Path;
use std::sync::Arc;

use medterm::Catalog;
use medterm::catalog::Embedders;
use medterm::dense::{EmbedError, Embedder};
use medterm::terminology::{
    Code, Concept, Content, Designation, DesignationUse, Release, SystemId,
};
use proptest::prelude::*;

use crate::support::build;

/// A release of an invented terminology.
pub(crate) fn invented(alias: &str) -> Release {
    Release {
        system: SystemId::new(&format!("http://example.org/{alias}")).expect("a URI"),
        alias: alias.to_owned(),
        version: "1".to_owned(),
        date: None,
        title: format!("Invented terminology {alias}"),
        publisher: Some("Nobody".to_owned()),
        license: Some("Free to use in tests, and for nothing else whatsoever".to_owned()),
        notices: Vec::new(),
        language: "en".to_owned(),
        content: Content::Complete,
        code_case: None,
        hierarchy_meaning: None,
    }
}

pub(crate) fn concept(code: &str, display: &str) -> Concept {
    Concept::new(Code::new(code).expect("a code"), display)
}

/// The concept with one name more.
pub(crate) fn named(mut concept: Concept, use_: DesignationUse, value: &str) -> Concept {
    let mut name = Designation::new("en", use_, value);
    if use_ == DesignationUse::Borrowed {
        name = name.from_source("Elsewhere 7");
    }
    concept.designations.push(name);
    concept
}

/// The concept below these.
pub(crate) fn below(mut concept: Concept, parents: &[&str]) -> Concept {
    concept.parents = parents.iter().map(|code| Code::new(code).expect("a code")).collect();
    concept
}

/// Words as directions: texts that share words are near to each other.
pub(crate) struct BagOfWords;

const DIMENSION: usize = 24;

impl BagOfWords {
    fn vector(text: &str) -> Vec<f32> {
        let mut sum = vec![0f32; DIMENSION];
        for word in text.to_lowercase().split_whitespace() {
            // FNV-1a, and from there a number after the other (xorshift).
            let mut state = word.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
            for value in &mut sum {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                *value += (state >> 40) as f32 / (1u32 << 23) as f32 - 1.0;
            }
        }
        let norm = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
        if norm > 0.0 { sum.iter().map(|value| value / norm).collect() } else { sum }
    }
}

impl Embedder for BagOfWords {
    fn model_id(&self) -> &str {
        "bag-of-words"
    }

    fn backend(&self) -> &str {
        "test"
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| Self::vector(text)).collect())
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        Ok(Self::vector(text))
    }
}

/// Builds a terminology into a store, with the vectors of [`BagOfWords`] or without.
pub(crate) fn build_invented(store: &Path, alias: &str, concepts: &[Concept], vectors: bool) {
    let embedder: Option<&dyn Embedder> = if vectors { Some(&BagOfWords) } else { None };
    build(store, &invented(alias), concepts, embedder).expect("it builds");
}

/// The store, to be searched by words and by [`BagOfWords`].
pub(crate) fn open(store: &Path) -> Catalog {
    let catalog = Catalog::open_with(store, Embedders::new(Arc::new(BagOfWords)));
    let catalog = catalog.expect("it opens");
    assert!(catalog.failures().is_empty(), "{:?}", catalog.failures());
    catalog
}

/// Words that concepts are named with.
pub(crate) const WORDS: [&str; 12] = [
    "cough",
    "fever",
    "kidney",
    "stone",
    "cataract",
    "migraine",
    "gout",
    "asthma",
    "ulcer",
    "hernia",
    "glaucoma",
    "psoriasis",
];

pub(crate) fn any_name() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 1..4).prop_map(|words| words.join(" "))
}

/// A query of these words.
pub(crate) fn any_query() -> impl Strategy<Value = String> {
    any_name()
}

/// Concepts with a few names each, some of them borrowed, some concepts retired.
pub(crate) fn any_concepts() -> impl Strategy<Value = Vec<Concept>> {
    let uses = prop::sample::select(vec![
        DesignationUse::Synonym,
        DesignationUse::Inclusion,
        DesignationUse::Borrowed,
        DesignationUse::Borrowed,
        DesignationUse::WordBag,
    ]);
    let body = (any_name(), prop::collection::vec((uses, any_name()), 0..4), 0..8u8, any::<u8>());
    prop::collection::vec(body, 1..16).prop_map(|bodies| {
        let coded = bodies.into_iter().enumerate().map(|(at, (display, names, rare, parent))| {
            let mut one = concept(&format!("X:{at:04}"), &display);
            for (use_, value) in names {
                one = named(one, use_, &value);
            }
            one.active = rare > 0;
            if at > 0 {
                one = below(one, &[&format!("X:{:04}", usize::from(parent) % at)]);
            }
            one
        });
        coded.collect()
    })
}
