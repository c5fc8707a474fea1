//! Tests of the typed API.
