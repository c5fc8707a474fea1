use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

fn model_dir() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/models/all-MiniLM-L6-v2"))
}

/// Counts what it is asked, and answers with the length of the text.
#[derive(Default)]
struct Counting(AtomicUsize);

impl Embedder for Counting {
    fn model_id(&self) -> &str {
        "counting"
    }
    fn backend(&self) -> &str {
        "none"
    }
    fn dimension(&self) -> usize {
        1
    }
    fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        texts.iter().map(|text| self.embed_query(text)).collect()
    }
    fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        if text.is_empty() { Err(EmbedError::NotFinite) } else { Ok(vec![text.len() as f32]) }
    }
}

#[test]
fn the_cache_keeps_what_was_asked_last_and_no_failures() {
    let counting = std::sync::Arc::new(Counting::default());
    let cached = CachedEmbedder::with_capacity(std::sync::Arc::clone(&counting), 2);
    let asked = |text: &str| {
        let before = counting.0.load(Ordering::Relaxed);
        if !text.is_empty() {
            assert_eq!(cached.embed_query(text).unwrap(), [text.len() as f32]);
        } else {
            cached.embed_query(text).unwrap_err();
        }
        counting.0.load(Ordering::Relaxed) > before
    };
    assert!(asked("a") && asked("bb"));
    assert!(!asked("a") && !asked("bb") && !asked("a"));
    assert!(asked("ccc"), "a new text is embedded");
    assert!(!asked("a") && !asked("ccc"), "the two used last are kept");
    assert!(asked("bb"), "the other one is gone");
    assert!(asked("") && asked(""), "a failure is not kept");
}

#[test]
fn files_that_are_not_there_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let error = ModelFiles::from_dir(dir.path()).unwrap_err();
    assert!(matches!(&error, EmbedError::File { path, .. } if path.ends_with(MODEL_FILE)));
    assert!(error.to_string().contains("model.onnx"), "{error}");
}

#[test]
fn a_model_is_named_by_its_digest() {
    let files = ModelFiles::from_bytes(&b"abc"[..], &b"{}"[..]);
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(files.model_id(), format!("sha256:{digest}"));
    assert!(matches!(
        LazyEmbedder::new(files.clone(), BackendChoice::Auto),
        Err(EmbedError::Model { .. })
    ));
    assert!(load_embedder(&files, BackendChoice::Auto).is_err());
}

#[cfg(not(any(feature = "ort", feature = "rten")))]
#[test]
fn without_a_backend_the_feature_to_add_is_told() {
    let files = ModelFiles::from_dir(model_dir()).unwrap();
    let error = load_embedder(&files, BackendChoice::Rten).err().unwrap();
    assert!(error.to_string().contains("feature `rten`"), "{error}");
    let lazy = LazyEmbedder::new(files, BackendChoice::Auto).unwrap();
    assert_eq!((lazy.dimension(), lazy.backend()), (384, "none"));
    assert!(lazy.embed_query("x").is_err());
}

#[cfg(any(feature = "ort", feature = "rten"))]
mod with_a_model {
    use super::*;

    const CONDITIONS: [&str; 20] = [
        "fracture of femur",
        "type 2 diabetes mellitus",
        "essential hypertension",
        "asthma",
        "malignant neoplasm of colon",
        "acute myocardial infarction",
        "urinary tract infection",
        "iron deficiency anemia",
        "migraine",
        "major depressive disorder",
        "osteoarthritis of knee",
        "chronic kidney disease",
        "cataract",
        "psoriasis",
        "cerebral infarction",
        "acute appendicitis",
        "obstructive sleep apnea",
        "hypothyroidism",
        "low back pain",
        "allergy to penicillin",
    ];

    const MODIFIERS: [&str; 10] = [
        "",
        ", unspecified",
        ", initial encounter",
        " with complications",
        " without complication",
        ", left side",
        ", right side, subsequent encounter",
        " in remission",
        " due to underlying condition",
        ", family history of",
    ];

    fn titles() -> Vec<String> {
        CONDITIONS.iter().flat_map(|c| MODIFIERS.iter().map(move |m| format!("{c}{m}"))).collect()
    }

    fn cosine(a: &[f32], b: &[f32]) -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    }

    /// What holds in either backend.
    fn check(embedder: &dyn Embedder) {
        assert_eq!(embedder.dimension(), 384);
        let titles = titles();
        let texts: Vec<&str> = titles.iter().map(String::as_str).collect();
        let vectors = embedder.embed_passages(&texts).unwrap();
        assert_eq!(vectors.len(), texts.len());
        for (text, vector) in texts.iter().zip(&vectors).step_by(23) {
            assert!((cosine(vector, vector) - 1.0).abs() < 1e-5);
            assert_eq!(
                &embedder.embed_query(text).unwrap(),
                vector,
                "{text} depends on its neighbors"
            );
        }
        let query = embedder.embed_query("heart attack").unwrap();
        let best = (0..vectors.len())
            .max_by(|a, b| cosine(&query, &vectors[*a]).total_cmp(&cosine(&query, &vectors[*b])))
            .unwrap();
        assert!(texts[best].contains("myocardial infarction"), "{}", texts[best]);
        assert!(embedder.embed_passages(&[]).unwrap().is_empty());
        let long = "fracture of the femur ".repeat(100_000);
        for odd in ["", " ", "\0", "糖尿病", "👩‍⚕️", &long] {
            assert_eq!(embedder.embed_query(odd).unwrap().len(), 384);
        }
    }

    #[cfg(feature = "rten")]
    #[test]
    fn rten_embeds() {
        let files = ModelFiles::from_dir(model_dir()).unwrap();
        let lazy = LazyEmbedder::new(files.clone(), BackendChoice::Rten).unwrap();
        assert!(format!("{lazy:?}").contains("loaded: false"));
        check(&lazy);
        assert_eq!((lazy.backend(), lazy.model_id()), ("rten", files.model_id()));
        let bad = ModelFiles::from_bytes(files.model().to_vec(), &b"{}"[..]);
        assert!(matches!(RtenEmbedder::load(&bad, 1), Err(EmbedError::Tokenizer { .. })));
    }

    /// A damaged model is an error or a vector, and never a panic.
    #[cfg(feature = "rten")]
    #[test]
    fn a_damaged_model_is_survived() {
        let files = ModelFiles::from_dir(model_dir()).unwrap();
        let len = files.model().len();
        for at in [0, 1, 40, 400, len / 2, len - 2000, len - 200, len - 20] {
            let mut model = files.model().to_vec();
            model[at] ^= 0x15;
            let damaged = ModelFiles::from_bytes(model, files.tokenizer().to_vec());
            assert_ne!(damaged.model_id(), files.model_id());
            if let Ok(embedder) = RtenEmbedder::load(&damaged, 1)
                && let Ok(vector) = embedder.embed_query("asthma")
            {
                assert!((cosine(&vector, &vector) - 1.0).abs() < 1e-5);
            }
        }
    }

    #[cfg(feature = "ort")]
    #[test]
    fn ort_embeds_where_it_is_found() {
        let files = ModelFiles::from_dir(model_dir()).unwrap();
        match OrtEmbedder::load(&files, 2) {
            Ok(embedder) => {
                assert!(embedder.backend().starts_with("ort "), "{}", embedder.backend());
                check(&embedder);
            }
            Err(error @ EmbedError::BackendUnavailable { .. }) => {
                println!("skipped, ONNX Runtime is not usable here: {error}");
                let auto = load_embedder(&files, BackendChoice::Auto);
                assert_eq!(auto.is_ok(), cfg!(feature = "rten"));
            }
            Err(error) => panic!("{error:?}"),
        }
    }

    #[cfg(all(feature = "ort", feature = "rten"))]
    fn agreement(files: &ModelFiles) -> Option<(f64, f64)> {
        let ort = match OrtEmbedder::load(files, 2) {
            Ok(ort) => ort,
            Err(error) => {
                println!("skipped, ONNX Runtime is not usable here: {error}");
                return None;
            }
        };
        let rten = RtenEmbedder::load(files, 2).unwrap();
        let titles = titles();
        let texts: Vec<&str> = titles.iter().map(String::as_str).collect();
        let (a, b) = (ort.embed_passages(&texts).unwrap(), rten.embed_passages(&texts).unwrap());
        let cosines: Vec<f64> = a.iter().zip(&b).map(|(a, b)| cosine(a, b)).collect();
        let least = cosines.iter().copied().fold(1.0, f64::min);
        let mean = cosines.iter().sum::<f64>() / cosines.len() as f64;
        println!(
            "cosine of ort and rten over {} titles: least {least}, mean {mean}",
            cosines.len()
        );
        Some((least, mean))
    }

    #[cfg(all(feature = "ort", feature = "rten"))]
    #[test]
    fn both_backends_agree() {
        if let Some((least, mean)) = agreement(&ModelFiles::from_dir(model_dir()).unwrap()) {
            assert!(least >= 0.99 && mean >= 0.995, "least {least}, mean {mean}");
        }
    }

    /// Without quantization nothing is rounded differently but sums.
    #[cfg(all(feature = "ort", feature = "rten"))]
    #[test]
    fn both_backends_agree_on_a_model_that_is_not_quantized() {
        let Some(dir) = std::env::var_os("MEDTERM_FP32_MODEL") else {
            println!("skipped: MEDTERM_FP32_MODEL names no folder with an fp32 model.onnx");
            return;
        };
        let model = std::fs::read(Path::new(&dir).join(MODEL_FILE)).unwrap();
        let tokenizer = std::fs::read(model_dir().join(TOKENIZER_FILE)).unwrap();
        if let Some((_, mean)) = agreement(&ModelFiles::from_bytes(model, tokenizer)) {
            assert!(mean >= 0.999, "mean {mean}");
        }
    }
}
