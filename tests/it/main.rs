//! The tests of the whole: house rules, the complete release, the store, vectors, bad input.

#![allow(clippy::expect_used, reason = "a helper of tests may stop the test")]

mod added_names;
mod alone;
mod bad_input;
mod borrow;
mod borrowed;
mod ecl;
mod equivalents;
mod equivalents_gold;
mod expand;
mod fuzz_regressions;
mod gold;
mod golden;
mod hl7;
mod hostile;
mod hostile_copy;
mod hostile_packed;
mod hostile_samples;
mod icd10cm;
mod icd10cm_api;
mod icd10cm_words;
mod icd10pcs;
mod invented;
mod maps;
mod maps_store;
#[cfg(feature = "rten")]
mod model;
mod naive_ecl;
mod other_systems;
mod queries;
mod reload;
mod rf2;
mod store;
mod store_damage;
mod store_removed;
mod support;
mod synthetic_rf2;
mod tidy;
mod tidy_rules;
mod tidy_source;
mod toml_cases;
#[cfg(feature = "tools")]
mod tool_calls;
#[cfg(feature = "tools")]
mod tools;
#[cfg(feature = "tools")]
mod tools_core;
#[cfg(feature = "tools")]
mod tools_icd10;
#[cfg(feature = "tools")]
mod tools_maps;
#[cfg(feature = "tools")]
mod tools_states;
mod translate;
mod translate_gem;
mod validation;
mod valueset;
mod valuesets;
#[cfg(all(feature = "rten", feature = "ort"))]
mod vectors;
mod walks;
mod words;
