use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, ValueOrView};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, Tensor};

use super::onnx::{Backend, Onnx, Output, guarded};
use super::signature::{Input, Signature};
use super::tokens::Tokens;
use super::{EmbedError, Embedder, ModelFiles};

const NAME: &str = "rten";

/// An ONNX model run by rten, in Rust alone: it needs nothing on the machine.
pub struct RtenEmbedder(Onnx<Rten>);

impl RtenEmbedder {
    /// Loads a model, to run on at most this many threads, each of which runs one text at a time.
    ///
    /// # Errors
    /// [`EmbedError`] when the model or its tokenizer cannot be used.
    pub fn load(files: &ModelFiles, threads: usize) -> Result<Self, EmbedError> {
        let signature = Signature::read(files.model())?;
        let backend = guarded(NAME, "loading the model", || Rten::load(files, &signature))?;
        Onnx::new(files, &signature, backend, threads).map(Self)
    }
}

impl std::fmt::Debug for RtenEmbedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RtenEmbedder").field("model_id", &self.model_id()).finish_non_exhaustive()
    }
}

impl Embedder for RtenEmbedder {
    fn model_id(&self) -> &str {
        self.0.model_id()
    }

    fn backend(&self) -> &str {
        NAME
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

struct Rten {
    model: Model,
    inputs: Vec<(Input, NodeId)>,
    output: NodeId,
}

impl Rten {
    fn load(files: &ModelFiles, signature: &Signature) -> Result<Self, EmbedError> {
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let model =
            options.load(files.model().to_vec()).map_err(|e| failed("loading the model", e))?;
        let node = |name| model.node_id(name).map_err(|e| failed("loading the model", e));
        let inputs = signature
            .inputs
            .iter()
            .map(|input| Ok((*input, node(input.name())?)))
            .collect::<Result<_, EmbedError>>()?;
        let output = node(&signature.output)?;
        Ok(Self { model, inputs, output })
    }
}

impl Backend for Rten {
    /// The model is shared; a session is a thread that runs it.
    type Session = Arc<ThreadPool>;
    const NAME: &'static str = NAME;

    fn session(&self) -> Result<Self::Session, EmbedError> {
        Ok(Arc::new(ThreadPool::with_num_threads(1)))
    }

    fn run(&self, session: &mut Self::Session, tokens: &Tokens) -> Result<Output, EmbedError> {
        let doing = "embedding a text";
        // rten takes 32-bit numbers where the model says 64.
        let inputs: Vec<(NodeId, ValueOrView)> = self
            .inputs
            .iter()
            .map(|(input, node)| {
                let values = NdTensor::<i32, 2>::from_data([1, tokens.len()], tokens.input(*input));
                (*node, values.into())
            })
            .collect();
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(session)));
        let [output] =
            self.model.run_n(inputs, [self.output], Some(options)).map_err(|e| failed(doing, e))?;
        let output: Tensor<f32> = output.try_into().map_err(|e| failed(doing, e))?;
        Ok(Output { values: output.to_vec() })
    }
}

fn failed(
    doing: &'static str,
    source: impl std::error::Error + Send + Sync + 'static,
) -> EmbedError {
    EmbedError::Inference { backend: NAME, doing, source: Box::new(source) }
}
