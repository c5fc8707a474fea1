//! What both backends share: tokens, a pool of sessions, pooling, unit length.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::signature::Signature;
use super::tokens::{TextTokenizer, Tokens};
use super::{EmbedError, ModelFiles};

/// A loaded model that makes sessions.
pub(super) trait Backend: Send + Sync {
    /// What runs one text at a time on one thread.
    type Session: Send;
    /// The backend's name in errors.
    const NAME: &'static str;

    fn session(&self) -> Result<Self::Session, EmbedError>;

    fn run(&self, session: &mut Self::Session, tokens: &Tokens) -> Result<Output, EmbedError>;
}

/// The model's answer to one text: one vector, or one for each token, one after the other.
pub(super) struct Output {
    pub(super) values: Vec<f32>,
}

/// The texts one thread took, by their places, and their vectors.
type Share = Vec<(usize, Vec<f32>)>;

/// A model in one of the backends.
pub(super) struct Onnx<B: Backend> {
    backend: B,
    tokenizer: TextTokenizer,
    model_id: String,
    dimension: usize,
    threads: usize,
    /// Sessions that nobody uses just now. They are made when needed: a search needs one, a build
    /// one for each thread.
    idle: Mutex<Vec<B::Session>>,
}

impl<B: Backend> Onnx<B> {
    /// Loads one session at once, so that a model that cannot be used is refused here.
    pub(super) fn new(
        files: &ModelFiles,
        signature: &Signature,
        backend: B,
        threads: usize,
    ) -> Result<Self, EmbedError> {
        let onnx = Self {
            tokenizer: TextTokenizer::from_bytes(files.tokenizer())?,
            model_id: files.model_id().to_owned(),
            dimension: signature.dimension,
            threads: threads.max(1),
            idle: Mutex::new(Vec::new()),
            backend,
        };
        onnx.put_back(onnx.new_session()?);
        Ok(onnx)
    }

    pub(super) fn model_id(&self) -> &str {
        &self.model_id
    }

    pub(super) fn dimension(&self) -> usize {
        self.dimension
    }

    pub(super) fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let mut session = self.take()?;
        let vector = self.embed(&mut session, text)?;
        self.put_back(session);
        Ok(vector)
    }

    /// Spreads the texts over the threads. Threads of its own rather than rayon's: a backend that
    /// waits for a pool of its own makes rayon begin another text in the meantime.
    pub(super) fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let threads = self.threads.min(texts.len());
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let work = || -> Result<Share, EmbedError> {
            let mut session = self.take()?;
            let mut done = Vec::new();
            while !failed.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(text) = texts.get(at) else { break };
                done.push((at, self.embed(&mut session, text)?));
            }
            self.put_back(session);
            Ok(done)
        };
        let work = || work().inspect_err(|_| failed.store(true, Ordering::Relaxed));

        let answers: Vec<Result<Share, EmbedError>> = if threads <= 1 {
            vec![work()]
        } else {
            std::thread::scope(|scope| {
                let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                let panicked = || EmbedError::Panicked { backend: B::NAME, doing: "embedding" };
                workers.into_iter().map(|w| w.join().unwrap_or_else(|_| Err(panicked()))).collect()
            })
        };
        let mut vectors = vec![Vec::new(); texts.len()];
        for answer in answers {
            for (at, vector) in answer? {
                vectors[at] = vector;
            }
        }
        Ok(vectors)
    }

    fn embed(&self, session: &mut B::Session, text: &str) -> Result<Vec<f32>, EmbedError> {
        let tokens = self.tokenizer.tokens(text)?;
        let output = guarded(B::NAME, "embedding a text", || self.backend.run(session, &tokens))?;
        unit_vector(&output.values, tokens.len(), self.dimension)
    }

    fn new_session(&self) -> Result<B::Session, EmbedError> {
        guarded(B::NAME, "loading the model", || self.backend.session())
    }

    fn take(&self) -> Result<B::Session, EmbedError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| self.new_session(), Ok)
    }

    /// A session that failed does not come back here; the next text gets a new one.
    fn put_back(&self, session: B::Session) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.threads {
            idle.push(session);
        }
    }
}

/// Turns a backend's panic, as damaged models can cause, into an error.
pub(super) fn guarded<T>(
    backend: &'static str,
    doing: &'static str,
    work: impl FnOnce() -> Result<T, EmbedError>,
) -> Result<T, EmbedError> {
    // What was being used is dropped by the caller after a panic, so nothing half-done is seen.
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(EmbedError::Panicked { backend, doing }))
}

/// The mean over the tokens where there is one vector for each, made to unit length.
fn unit_vector(values: &[f32], tokens: usize, dim: usize) -> Result<Vec<f32>, EmbedError> {
    // One token is its own mean, so the two shapes cannot be mistaken for each other.
    if values.len() != dim && values.len() != dim * tokens {
        return Err(EmbedError::Dimension { expected: dim, found: values.len() });
    }
    let mut sum = vec![0f64; dim];
    for token in values.chunks_exact(dim) {
        for (sum, value) in sum.iter_mut().zip(token) {
            *sum += f64::from(*value);
        }
    }
    let norm = sum.iter().map(|value| value * value).sum::<f64>().sqrt();
    if !norm.is_finite() || norm <= 0.0 {
        return Err(EmbedError::NotFinite);
    }
    Ok(sum.iter().map(|value| (value / norm) as f32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_have_unit_length_and_tokens_are_averaged() {
        assert_eq!(unit_vector(&[3.0, 4.0], 5, 2).unwrap(), [0.6, 0.8]);
        assert_eq!(unit_vector(&[6.0, 0.0, 0.0, 8.0], 2, 2).unwrap(), [0.6, 0.8]);
        assert!(matches!(
            unit_vector(&[1.0; 3], 2, 2),
            Err(EmbedError::Dimension { found: 3, .. })
        ));
        assert!(matches!(unit_vector(&[f32::NAN, 1.0], 1, 2), Err(EmbedError::NotFinite)));
        assert!(matches!(unit_vector(&[0.0, 0.0], 1, 2), Err(EmbedError::NotFinite)));
    }

    #[test]
    fn a_panic_becomes_an_error() {
        let error =
            guarded::<()>("x", "running", || panic!("as a damaged model can make it")).unwrap_err();
        assert!(matches!(error, EmbedError::Panicked { backend: "x", .. }));
    }
}
