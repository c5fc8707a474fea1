use std::sync::Arc;

use medterm::dense::{EmbedError, Embedder, LazyEmbedder, ModelFiles};

use crate::args::Global;
use crate::exit::CliError;

/// The embedding model that this program carries: all-MiniLM-L6-v2, int8.
static MODEL: &[u8] = include_bytes!("../../models/all-MiniLM-L6-v2/model.onnx");
static TOKENIZER: &[u8] = include_bytes!("../../models/all-MiniLM-L6-v2/tokenizer.json");

/// Its identity, written down so that no search has to hash 23 MB to find it out.
const MODEL_ID: &str = "sha256:818104afbdf97162e6f05bcc1b919f760ad6ce5f846c2771aafac1860bebb4a0";

/// The release that `demo` indexes: the complete ICD-10-CM.
pub static DEMO_RELEASE: &[u8] =
    include_bytes!("../../fixtures/icd10cm/icd10cm-tabular-2026-04-01.xml.gz");
pub const DEMO_RELEASE_NAME: &str = "icd10cm-tabular-2026-04-01.xml.gz";

/// An embedder that loads its model when the first text comes: the embedded model, or the one in
/// the folder that `--model` names.
pub fn embedder(global: &Global) -> Result<Arc<dyn Embedder>, CliError> {
    let backend = global.backend.into();
    Ok(match &global.model {
        Some(folder) => Arc::new(LazyEmbedder::new(ModelFiles::from_dir(folder)?, backend)?),
        None => Arc::new(Carried(LazyEmbedder::new(carried_files(), backend)?)),
    })
}

fn carried_files() -> ModelFiles {
    ModelFiles::from_bytes(MODEL, TOKENIZER)
}

/// The embedded model, which knows its identity.
struct Carried(LazyEmbedder);

impl Embedder for Carried {
    fn model_id(&self) -> &str {
        MODEL_ID
    }

    fn backend(&self) -> &str {
        self.0.backend()
    }

    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.0.embed_passages(texts)
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.0.embed_query(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_carried_model_is_the_one_that_was_written_down() {
        assert_eq!(carried_files().model_id(), MODEL_ID);
    }
}
