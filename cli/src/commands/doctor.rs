use std::path::PathBuf;

use clap::Args;
use medterm::catalog::{Catalog, Finding};
use medterm::dense::{Embedder, search_onnx_runtime};
use serde::Serialize;

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::{BAD, CODE, Cell, Column, DIM, GOOD, STRONG, Table, paint};
use crate::progress::Bar;

const EXAMPLES: &str = "\
Examples:
  medterm doctor
  medterm doctor --json | jq '.findings[] | select(.problem)'
  medterm doctor --backend rten                    try the backend that needs nothing";

/// Check every byte of the store against its checksum, and say what runs the embedding model.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Doctor {}

/// What the doctor found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    store: PathBuf,
    healthy: bool,
    findings: Vec<Finding>,
    embedding: Embedding,
}

/// What embeds texts on this machine.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Embedding {
    /// Hash of the model.
    model: Option<String>,
    /// What runs it.
    backend: Option<String>,
    /// Why nothing does.
    problem: Option<String>,
    /// The ONNX Runtime libraries found.
    onnx_runtime_found: Vec<PathBuf>,
    /// Where they were looked for.
    onnx_runtime_looked_at: Vec<PathBuf>,
}

const FASTER: &str = "\
To use ONNX Runtime: `pip install onnxruntime`, or set ORT_DYLIB_PATH to its library. For the
int8 model that medterm carries both backends are about equally fast.";

impl Doctor {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let mut bar = Bar::new(&context.output);
        bar.count("checking", 0);
        // A store without its model can still be checked.
        let catalog = Catalog::open(&context.store)?;
        let findings = catalog.verify();
        let embedding = embedding(context);
        bar.end();
        let damaged = findings.iter().any(|finding| finding.problem.is_some());
        let healthy = !damaged && embedding.problem.is_none();
        let report = Report { store: context.store.clone(), healthy, findings, embedding };
        context.output.answer(&report, || text(&report, context.output.width()))?;
        Ok(if healthy { Outcome::Fine } else { Outcome::Negative })
    }
}

fn embedding(context: &Context) -> Embedding {
    let runtime = search_onnx_runtime();
    let tried = context.embedder().and_then(|embedder| {
        // Only what has embedded a text is known to work.
        embedder.embed_query("heart attack")?;
        Ok((embedder.model_id().to_owned(), embedder.backend().to_owned()))
    });
    let (works, problem) = match tried {
        Ok(works) => (Some(works), None),
        Err(error) => (None, Some(crate::exit::with_causes(&error))),
    };
    let (model, backend) = works.unzip();
    Embedding {
        model,
        backend,
        problem,
        onnx_runtime_found: runtime.found,
        onnx_runtime_looked_at: runtime.looked_at,
    }
}

fn text(report: &Report, width: Option<usize>) -> String {
    let mut text = format!("{} {}\n", paint(STRONG, "store"), report.store.display());
    if report.findings.is_empty() {
        text.push_str("nothing in it; fill it with `medterm demo` or `medterm build FILE`\n");
    } else {
        text.push_str(&findings(&report.findings).render(width));
    }
    let embedding = &report.embedding;
    text.push_str(&format!("\n{}\n", paint(STRONG, "embedding model")));
    if let Some(problem) = &embedding.problem {
        text.push_str(&format!("{}: {problem}\n", paint(BAD, "not usable")));
    }
    if let Some((model, backend)) = embedding.model.as_ref().zip(embedding.backend.as_ref()) {
        text.push_str(&format!("{}, run by {}\n", paint(DIM, model), paint(GOOD, backend)));
    }
    let paths = |text: &mut String, title: &str, paths: &[PathBuf]| {
        text.push_str(&format!("{}\n", paint(DIM, title)));
        for path in paths {
            text.push_str(&format!("  {}\n", path.display()));
        }
    };
    if embedding.onnx_runtime_found.is_empty() {
        paths(&mut text, "ONNX Runtime was looked for at", &embedding.onnx_runtime_looked_at);
        text.push_str(&format!("{FASTER}\n"));
    } else {
        paths(&mut text, "ONNX Runtime was found at", &embedding.onnx_runtime_found);
    }
    text
}

fn findings(findings: &[Finding]) -> Table {
    let mut table = Table::new(&[
        Column::text("TERMINOLOGY"),
        Column::text("PART"),
        Column::text("STATE"),
        Column::aside("FILE"),
    ]);
    for finding in findings {
        let (style, state) = match finding.problem {
            Some(_) => (BAD, "damaged"),
            None => (GOOD, "ok"),
        };
        table.row([
            Cell::styled(CODE, format!("{} {}", finding.alias, finding.version)),
            Cell::new(&finding.part),
            Cell::styled(style, state),
            Cell::styled(DIM, finding.path.display().to_string()),
        ]);
        if let Some(problem) = &finding.problem {
            table.note(Cell::styled(BAD, problem));
        }
    }
    table
}
