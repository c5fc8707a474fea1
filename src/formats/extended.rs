//! A source whose concepts get more than their own file says.

use crate::terminology::{Concept, Release};

use super::{ImportError, Progress, Source, Tally};

/// What is added to the concepts of a release as they are given out.
pub(super) trait Extra: Send {
    /// Adds what there is for this concept.
    fn add(&mut self, concept: &mut Concept, release: &Release);

    /// Notes what was left over when all concepts were read.
    fn end(&mut self);

    /// What was added and what was left out.
    fn tally(&self) -> &Tally;
}

/// The source with these extras in their order, and a tally of what was found before it began.
pub(super) fn extended<E: Extra + 'static>(
    source: Box<dyn Source>,
    extras: Vec<E>,
    before: Tally,
) -> Box<dyn Source> {
    Box::new(Extended { source, extras, before })
}

struct Extended<E> {
    source: Box<dyn Source>,
    extras: Vec<E>,
    before: Tally,
}

impl<E: Extra> Iterator for Extended<E> {
    type Item = Result<Concept, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut next = self.source.next();
        match &mut next {
            Some(Ok(concept)) => {
                let release = self.source.release();
                self.extras.iter_mut().for_each(|extra| extra.add(concept, release));
            }
            Some(Err(_)) => {}
            None => self.extras.iter_mut().for_each(E::end),
        }
        next
    }
}

impl<E: Extra> Source for Extended<E> {
    fn release(&self) -> &Release {
        self.source.release()
    }

    fn progress(&self) -> Progress {
        self.source.progress()
    }

    fn tally(&self) -> Tally {
        let mut tally = self.source.tally();
        tally.join(self.before.clone());
        self.extras.iter().for_each(|extra| tally.join(extra.tally().clone()));
        tally
    }
}
