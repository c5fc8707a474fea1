use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use medterm::dense::Embedder;
use medterm::formats::{
    Column, Format, ImportOptions, ReleaseFiles, Supplement, SupplementOptions, Suppressed,
};
use medterm::terminology::{Release, SystemId, known_system};

use crate::building::{BuildReport, build};
use crate::context::Context;
use crate::exit::{CliError, Outcome, with_causes};
use crate::output::one_or_many;

const EXAMPLES: &str = "\
Examples:
  medterm build icd10cm-table-and-index-2026.zip
  medterm build icd10cm-tabular.xml icd10cm-index.xml icd10cm-drug.xml
  medterm build RxNorm_full_09022025.zip Loinc_2.81.zip desc2024.xml.gz hp.obo
  medterm build local.csv --system http://hospital.example/codes --version 2026-01
                          --columns code=Id,display=Name,parent=Group
  medterm build icd10cm-tabular.xml --supplement zh.csv --supplement-language zh-TW
  medterm build icd10cm-tabular.xml --no-embeddings --store /srv/medterm

Files that add to a release, such as an alphabetical index, go in the same command.";

/// Index releases: the publishers' files as they were downloaded.
///
/// Files, folders and archives are read as they are, and the format is told from the content. The
/// finished index takes the place of the one before it in one step; a build that is stopped leaves
/// the old one served, and the next one goes on with the names it had embedded.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Build {
    /// Release files, folders or archives.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The terminology, where it is not the one that the release names: an alias or a canonical URI.
    #[arg(long, value_name = "SYSTEM")]
    system: Option<String>,

    /// The version's name, where it is not the one that the release names.
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,

    /// The format, where the content does not tell.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<Format>,

    /// Of a table, which column holds what: code, display, synonym, parent, definition, language,
    /// active or property:NAME, each with the name or the number of a column.
    #[arg(long, value_name = "ROLE=COLUMN", value_delimiter = ',')]
    columns: Vec<Column>,

    /// Of a table, the language of the names.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,

    /// A table with a code and a name in each row, or a FHIR CodeSystem supplement: names that the
    /// codes get beside their own, such as a translation. May be given several times.
    #[arg(long = "supplement", value_name = "FILE")]
    supplements: Vec<PathBuf>,

    /// Of supplements that are tables, which column holds what: code, value, display (the name that
    /// the release should have) or language.
    #[arg(long, value_name = "ROLE=COLUMN", value_delimiter = ',', requires = "supplements")]
    supplement_columns: Vec<Column>,

    /// Of supplements that are tables, the language of the names: zh-TW.
    #[arg(long, value_name = "TAG", requires = "supplements")]
    supplement_language: Option<String>,

    /// Of RxNorm, the sources whose names are read; RXNORM alone where none is given.
    #[arg(long, value_name = "SAB", value_delimiter = ',')]
    sources: Vec<String>,

    /// Of RxNorm, read the names that are suppressed too.
    #[arg(long)]
    suppressed: bool,

    /// Index the words alone: quick and small, and found by words alone.
    #[arg(long)]
    no_embeddings: bool,
}

/// With more releases than this, as in a package of FHIR, each is told in one line.
const MANY: usize = 8;

impl Build {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        // All files are looked at before the first is built: a wrong name is better told now than
        // after ten minutes.
        let releases = self.releases()?;
        let is_of_one =
            self.system.is_some() || self.version.is_some() || !self.supplements.is_empty();
        if releases.len() > 1 && is_of_one {
            return Err(CliError::Usage(
                "--system, --version and --supplement are of one release; build them one by one"
                    .to_owned(),
            ));
        }
        let embedder = (!self.no_embeddings).then(|| context.embedder()).transpose()?;
        let options = self.options()?;
        let many = releases.len() > MANY;
        let mut reports: Vec<BuildReport> = Vec::new();
        let mut failed = Vec::new();
        for files in releases {
            match self.build_one(context, &files, &options, embedder.clone()) {
                Ok(report) => reports.push(report),
                // One bad resource of a package does not keep the others out.
                Err(error) if many && error.is_of_the_release() => {
                    context.output.warn(with_causes(&error));
                    failed.push(error);
                }
                Err(error) => return Err(error),
            }
        }
        let summary = if many { BuildReport::line } else { BuildReport::summary };
        context.output.answer(&one_or_many(&reports)?, || reports.iter().map(summary).collect())?;
        match failed.pop() {
            Some(last) => Err(last),
            None => Ok(Outcome::Fine),
        }
    }

    fn build_one(
        &self,
        context: &Context,
        files: &ReleaseFiles,
        options: &ImportOptions,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Result<BuildReport, CliError> {
        let mut source = files.open(options)?;
        for supplement in self.supplements()? {
            source = supplement.attach(source)?;
        }
        let release = self.release(source.release())?;
        let mut report = build(context, source, release, embedder)?;
        report.format = Some(files.format().name());
        Ok(report)
    }

    fn releases(&self) -> Result<Vec<ReleaseFiles>, CliError> {
        // Columns are of a table, so whoever names them says that it is one.
        let format = self.format.or((!self.columns.is_empty()).then_some(Format::Delimited));
        Ok(match format {
            None => ReleaseFiles::find(&self.paths)?,
            Some(format) => {
                let found = self.paths.iter().map(|path| ReleaseFiles::find_all_as(format, path));
                found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect()
            }
        })
    }

    fn supplements(&self) -> Result<Vec<Supplement>, CliError> {
        let mut options = SupplementOptions::default();
        options.columns.clone_from(&self.supplement_columns);
        options.language.clone_from(&self.supplement_language);
        let open = |path| Ok(Supplement::open(path, &options)?);
        self.supplements.iter().map(|path| open(path.as_path())).collect()
    }

    fn options(&self) -> Result<ImportOptions, CliError> {
        let mut options = ImportOptions::default();
        options.columns.clone_from(&self.columns);
        options.system = self.system.as_deref().map(system).transpose()?;
        options.version.clone_from(&self.version);
        options.language.clone_from(&self.language);
        options.sources.clone_from(&self.sources);
        if self.suppressed {
            options.suppressed = Suppressed::Read;
        }
        Ok(options)
    }

    /// The release as the file names it, with what the arguments say instead.
    fn release(&self, found: &Release) -> Result<Release, CliError> {
        let mut release = found.clone();
        if let Some(name) = &self.system {
            if let Some(known) = known_system(name) {
                release.system = known.id();
                known.alias.clone_into(&mut release.alias);
                known.title.clone_into(&mut release.title);
            } else if name.contains(':') {
                release.system = system(name)?;
            } else {
                name.clone_into(&mut release.alias);
            }
        }
        if let Some(version) = &self.version {
            version.clone_into(&mut release.version);
        }
        Ok(release)
    }
}

/// The terminology of a table: one that is known by that name, a canonical URI, or a name of one's
/// own.
fn system(name: &str) -> Result<SystemId, CliError> {
    if let Some(known) = known_system(name) {
        return Ok(known.id());
    }
    let uri = if name.contains(':') { name.to_owned() } else { format!("urn:medterm:{name}") };
    SystemId::new(&uri).map_err(|error| CliError::Usage(format!("--system: {error}")))
}

/// The formats by name, so that help and completions list them.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.iter().map(|format| format.name()))
        .try_map(|name| Format::from_name(&name).ok_or("no such format"))
}
