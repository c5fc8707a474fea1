//! medterm finds the right medical code for the words people use.

pub mod disk;
pub mod fusion;
pub mod terminology;
pub mod text;
