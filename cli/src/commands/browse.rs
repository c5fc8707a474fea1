use clap::{Args, ValueEnum};
use medterm::catalog::{Direction, Page};

use crate::context::Context;
use crate::exit::{CliError, Outcome};
use crate::output::{concept_list, neighbors};

const EXAMPLES: &str = "\
Examples:
  medterm browse                                   the chapters
  medterm browse I21                               what stands below I21
  medterm browse I21.9 --direction ancestors
  medterm browse D003924 --system mesh --direction paths
                                                   every way down to it
  medterm browse E11.65 --direction neighbors      the codes around it, in code order";

/// Walk the hierarchy: from the top, or around a code.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Browse {
    /// The code to start from; the top of the terminology where none is given.
    #[arg(value_name = "CODE")]
    code: Option<String>,

    /// The terminology; the only one of the store, or icd10cm, where none is given.
    #[arg(short, long, value_name = "SYSTEM")]
    system: Option<String>,

    /// Where to go from the code.
    #[arg(long, value_name = "DIRECTION", default_value = "children", requires = "code")]
    direction: Step,

    /// Concepts to show.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    limit: usize,

    /// Concepts to pass over.
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Step {
    Parents,
    Children,
    Ancestors,
    Descendants,
    Siblings,
    /// The ways from the top down to the code.
    Paths,
    /// The codes before and after, in code order.
    Neighbors,
}

/// Neighbors on either side.
const NEIGHBORS: usize = 5;

impl Browse {
    pub fn run(&self, context: &Context) -> Result<Outcome, CliError> {
        let catalog = context.catalog()?;
        let system = context.system(&catalog, self.system.as_deref())?;
        let width = context.output.width();
        let page = Page { offset: self.offset, limit: self.limit };
        let Some(code) = self.code.as_deref() else {
            let list = catalog.browse(&system, None, page)?;
            context.output.answer(&list, || concept_list(&list, "", width))?;
            return Ok(Outcome::found(list.items.len()));
        };
        let Some(direction) = self.direction.direction() else {
            let around = catalog.neighbors(&system, code, NEIGHBORS)?;
            context.output.answer(&around, || neighbors(&around, width))?;
            return Ok(Outcome::Fine);
        };
        let list = catalog.hierarchy(&system, code, direction, page)?;
        context.output.answer(&list, || concept_list(&list, direction.name(), width))?;
        Ok(Outcome::found(list.items.len()))
    }
}

impl Step {
    /// The step in the hierarchy; neighbors are none.
    fn direction(self) -> Option<Direction> {
        match self {
            Self::Parents => Some(Direction::Parents),
            Self::Children => Some(Direction::Children),
            Self::Ancestors => Some(Direction::Ancestors),
            Self::Descendants => Some(Direction::Descendants),
            Self::Siblings => Some(Direction::Siblings),
            Self::Paths => Some(Direction::Paths),
            Self::Neighbors => None,
        }
    }
}
