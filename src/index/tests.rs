//! Tests of the build and query rivers.
