//! The generator of the example, for releases of any size.

#[path = "../../examples/synthetic_rf2/ids.rs"]
mod ids;
#[path = "../../examples/synthetic_rf2/release.rs"]
mod release;
#[path = "../../examples/synthetic_rf2/table.rs"]
mod table;
#[path = "../../examples/synthetic_rf2/words.rs"]
mod words;

pub(crate) use release::{Size, write_release};
