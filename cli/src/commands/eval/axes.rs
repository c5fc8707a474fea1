use medterm::eval::AxisCheck;
use medterm::index::TerminologyIndex;
use medterm::terminology::ConceptOrd;
use medterm::text::{Axes, tokens};

/// The first hit of an answer: the concept, and the name it was found by.
pub struct Top {
    pub code: String,
    pub matched_term: String,
}

/// Whether the first hit chooses a side, type, stage or encounter for somebody who named none,
/// although a concept above it leaves that open.
///
/// What counts is the name that was found: "Pulmonary edema NOS" chooses nothing, whatever the
/// display of its concept says. A concept whose every ancestor states the axis too chooses nothing
/// either: acute myocardial infarction is acute at every level.
pub fn check(index: &TerminologyIndex, query: &str, top: &Top) -> AxisCheck {
    let asked = Axes::of(&tokens(query));
    let unstated = |name: &str| asked.compare(Axes::of(&tokens(name))).unstated;
    let chosen = unstated(&top.matched_term);
    let Some(hit) = index.find(&top.code).filter(|_| chosen > 0) else {
        return AxisCheck::Clean;
    };
    let records = index.records();
    let is_open = |concept: &ConceptOrd| {
        records.is_selectable(*concept) && unstated(records.display(*concept)) < chosen
    };
    let mut above = index.hierarchy().ancestors(hit).into_iter().filter(|concept| *concept != hit);
    if above.any(|concept| is_open(&concept)) { AxisCheck::Violated } else { AxisCheck::Clean }
}
