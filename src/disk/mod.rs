//! Bytes on disk: part files with a header and checksums, mapped slices, atomic replacement, locks.
//!
//! Floor 1, importing nothing else of this crate. A part of an index is one file: a 64-byte header,
//! then sections aligned to 64 bytes, then the table of sections. Nothing in a part is ever changed
//! after it was written. Mapped files that another process truncates are outside the promise: the
//! operating system answers a read past the end with SIGBUS, which no library can turn into an error.

mod atomic;
mod error;
mod folders;
mod header;
mod lock;
mod mapped;
mod names;
mod part;
mod texts;
mod writer;

pub use atomic::{remove_dir_if_there, replace_dir, replace_file, sync_dir};
pub use error::{DiskError, DiskErrorKind};
pub use folders::{create_dirs, folders};
pub use header::{HEADER_LEN, PartKind};
pub use lock::BuildLock;
pub use mapped::Mapped;
pub use names::folder_name;
pub use part::Part;
pub use texts::Texts;
pub use writer::{PartSummary, PartWriter};

#[cfg(test)]
mod tests;
