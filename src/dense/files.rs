use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::EmbedError;

/// The model's file name in its folder.
pub const MODEL_FILE: &str = "model.onnx";
/// The tokenizer's file name in the same folder.
pub const TOKENIZER_FILE: &str = "tokenizer.json";

/// The two files of an embedding model, in memory.
///
/// Bytes rather than paths, so that a program may carry its model within itself.
#[derive(Debug, Clone)]
pub struct ModelFiles {
    model: Cow<'static, [u8]>,
    tokenizer: Cow<'static, [u8]>,
    id: OnceLock<String>,
}

impl ModelFiles {
    /// Files that are in memory already.
    #[must_use]
    pub fn from_bytes(
        model: impl Into<Cow<'static, [u8]>>,
        tokenizer: impl Into<Cow<'static, [u8]>>,
    ) -> Self {
        Self { model: model.into(), tokenizer: tokenizer.into(), id: OnceLock::new() }
    }

    /// Reads [`MODEL_FILE`] and [`TOKENIZER_FILE`] of a folder.
    ///
    /// # Errors
    /// [`EmbedError::File`] naming the file that cannot be read.
    pub fn from_dir(dir: &Path) -> Result<Self, EmbedError> {
        let read = |name| {
            let path = dir.join(name);
            std::fs::read(&path).map_err(|source| EmbedError::File { path, source })
        };
        Ok(Self::from_bytes(read(MODEL_FILE)?, read(TOKENIZER_FILE)?))
    }

    /// The ONNX model.
    #[must_use]
    pub fn model(&self) -> &[u8] {
        &self.model
    }

    /// The tokenizer, in the JSON of the tokenizers library.
    #[must_use]
    pub fn tokenizer(&self) -> &[u8] {
        &self.tokenizer
    }

    /// `sha256:` and the hexadecimal digest of the ONNX file.
    ///
    /// Computed when first asked for: it reads the whole model (10 to 100 ms).
    #[must_use]
    pub fn model_id(&self) -> &str {
        self.id.get_or_init(|| {
            let mut id = String::from("sha256:");
            for byte in Sha256::digest(&self.model) {
                for digit in [byte >> 4, byte & 15] {
                    id.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
                }
            }
            id
        })
    }
}
