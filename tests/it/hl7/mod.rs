//! HL7's tests of terminology services, as an oracle for the typed API.
//!
//! The archive is `$MEDTERM_TEST_DATA/data/fhir_tx/tests.tar.gz`; without it nothing is tested, and
//! said so. For each suite its code systems are built into a store and its value sets given to a
//! catalog; each request of mode `general` becomes a typed call, and the answer a FHIR resource, in
//! which only fields are renamed: what is found, which issues there are and what they say comes from the
//! library. It is compared by the rules of the suite, in the mode `flat`.
//!
//! `MEDTERM_WRITE_CONFORMANCE=1 cargo test --workspace --test it hl7` writes `docs/CONFORMANCE.md`.

mod compare;
mod expansion;
mod report;
mod request;
mod run;
mod suite;
mod translation;
mod validation;
mod world;
