use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ::ort::environment::Environment;
use ::ort::session::builder::{GraphOptimizationLevel, PrepackedWeights, SessionBuilder};
use ::ort::session::{Session, SessionInputValue};
use ::ort::value::Tensor;
use ndarray::{Array1, Axis};

use super::onnx::{Backend, Onnx, Output, guarded};
use super::runtime::search_onnx_runtime;
use super::signature::Signature;
use super::tokens::Tokens;
use super::{EmbedError, Embedder, ModelFiles};

const NAME: &str = "ort";

/// An ONNX model run by the ONNX Runtime library of this machine: a query takes three quarters of the
/// time it takes in rten, a build as long (`cargo bench --bench embed`).
pub struct OrtEmbedder {
    onnx: Onnx<Ort>,
    backend: String,
}

impl OrtEmbedder {
    /// Loads a model, to run on at most this many threads, each of which runs one text at a time.
    ///
    /// # Errors
    /// [`EmbedError::BackendUnavailable`] when no ONNX Runtime of a version this crate can use is
    /// found; any other [`EmbedError`] when the model or its tokenizer cannot be used.
    pub fn load(files: &ModelFiles, threads: usize) -> Result<Self, EmbedError> {
        let signature = Signature::read(files.model())?;
        let (environment, library) = guarded(NAME, "loading ONNX Runtime", environment)
            // A library that only looks like the right one is as good as none.
            .map_err(|e| {
                if matches!(e, EmbedError::Panicked { .. }) { unavailable(None) } else { e }
            })?;
        let ort = Ort {
            environment,
            weights: PrepackedWeights::new(),
            model: files.model().to_vec(),
            signature: signature.clone(),
        };
        let onnx = Onnx::new(files, &signature, ort, threads)?;
        Ok(Self { onnx, backend: backend_name(&library, ::ort::info()) })
    }
}

impl std::fmt::Debug for OrtEmbedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OrtEmbedder")
            .field("model_id", &self.model_id())
            .field("backend", &self.backend)
            .finish_non_exhaustive()
    }
}

impl Embedder for OrtEmbedder {
    fn model_id(&self) -> &str {
        self.onnx.model_id()
    }

    fn backend(&self) -> &str {
        &self.backend
    }

    fn dimension(&self) -> usize {
        self.onnx.dimension()
    }

    fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.onnx.embed_passages(texts)
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.onnx.embed_query(text)
    }
}

/// The one environment of this process, made from the first library that loads. It is kept for
/// good: ONNX Runtime allows one for each process.
fn environment() -> Result<(Environment, PathBuf), EmbedError> {
    static MADE: Mutex<Option<(Environment, PathBuf)>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(made) = &*made {
        return Ok(made.clone());
    }
    let mut unusable = None;
    for library in search_onnx_runtime().found {
        // ort panics when it is used before a library was loaded, so nothing of it is touched
        // before this call has answered.
        match ::ort::init_from(&library) {
            Ok(builder) => {
                // The library writes to stderr unless somebody else takes its messages; failures
                // come back as errors all the same.
                let environment = builder
                    .with_name("medterm")
                    .with_telemetry(false)
                    .with_logger(Arc::new(|_, _, _, _, _| {}))
                    .build()
                    .map_err(|source| EmbedError::BackendUnavailable {
                        backend: NAME,
                        remedy: "this process has made an ONNX Runtime environment already; use rten",
                        source: Some(Box::new(source)),
                    })?;
                environment.set_log_level(::ort::logging::LogLevel::Error);
                return Ok(made.insert((environment, library)).clone());
            }
            Err(error) => unusable = unusable.or(Some(error)),
        }
    }
    Err(unavailable(unusable.map(Into::into)))
}

fn unavailable(source: Option<Box<dyn std::error::Error + Send + Sync>>) -> EmbedError {
    EmbedError::BackendUnavailable {
        backend: NAME,
        remedy: "install ONNX Runtime 1.20 or newer (`pip install onnxruntime`), or set \
                 ORT_DYLIB_PATH to its library",
        source,
    }
}

struct Ort {
    environment: Environment,
    /// Shared by the sessions, so that each further one costs little memory.
    weights: PrepackedWeights,
    model: Vec<u8>,
    signature: Signature,
}

impl Backend for Ort {
    type Session = Session;
    const NAME: &'static str = NAME;

    fn session(&self) -> Result<Session, EmbedError> {
        let doing = "loading the model";
        let failed = |e: ::ort::Error<SessionBuilder>| failed(doing, ::ort::Error::<()>::from(e));
        let mut builder = Session::builder(&self.environment)
            .map_err(|e| self::failed(doing, e))?
            .with_optimization_level(GraphOptimizationLevel::All)
            .map_err(failed)?
            .with_intra_threads(1)
            .map_err(failed)?
            .with_inter_threads(1)
            .map_err(failed)?
            .with_intra_op_spinning(false)
            .map_err(failed)?
            .with_inter_op_spinning(false)
            .map_err(failed)?
            // Every text has its own length, and a pattern would be kept for each.
            .with_memory_pattern(false)
            .map_err(failed)?
            .with_prepacked_weights(&self.weights)
            .map_err(failed)?;
        builder.commit_from_memory(&self.model).map_err(|e| self::failed(doing, e))
    }

    fn run(&self, session: &mut Session, tokens: &Tokens) -> Result<Output, EmbedError> {
        let failed = |e| failed("embedding a text", e);
        let mut inputs: Vec<(&str, SessionInputValue<'_>)> = Vec::with_capacity(4);
        for input in &self.signature.inputs {
            let values = Array1::<i64>::from_vec(tokens.input(*input)).insert_axis(Axis(0));
            let tensor = Tensor::from_array(values).map_err(failed)?;
            inputs.push((input.name(), tensor.into()));
        }
        let outputs = session.run(inputs).map_err(failed)?;
        let output = outputs.get(&self.signature.output).ok_or(EmbedError::NotFinite)?;
        let values = output.try_extract_array::<f32>().map_err(failed)?;
        Ok(Output { values: values.iter().copied().collect() })
    }
}

fn failed(doing: &'static str, source: ::ort::Error) -> EmbedError {
    EmbedError::Inference { backend: NAME, doing, source: Box::new(source) }
}

/// `ort 1.22.0` from the name of the library's file, or else the commit it was built from.
fn backend_name(library: &Path, info: &str) -> String {
    let library = library.canonicalize().unwrap_or_else(|_| library.to_owned());
    let name = library.file_name().unwrap_or_default().to_string_lossy();
    let version = name.trim_matches(|c: char| !c.is_ascii_digit());
    let build = if version.split('.').count() == 3 {
        version
    } else {
        let commit = info.split("git-commit-id=").nth(1).unwrap_or("of unknown version");
        commit.split(',').next().unwrap_or(commit)
    };
    format!("{NAME} {build}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_in_the_name_of_the_file_or_else_the_commit_is_told() {
        let info = "ORT Build Info: git-branch=HEAD, git-commit-id=fab30a4, build type=Release";
        let name = |library: &str, info| backend_name(Path::new(library), info);
        assert_eq!(name("no/libonnxruntime.so.1.22.0", info), "ort 1.22.0");
        assert_eq!(name("no/libonnxruntime.1.22.0.dylib", info), "ort 1.22.0");
        assert_eq!(name("no/onnxruntime.dll", info), "ort fab30a4");
        assert_eq!(name("no/libonnxruntime.so.1", ""), "ort of unknown version");
    }
}
