use medterm::eval::{AxisCheck, StatedAxes};
use medterm::index::TerminologyIndex;
use medterm::terminology::ConceptOrd;
use medterm::text::{Axes, Role, Token, tokens};

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

/// Whether the first hit keeps to the side, type, opposite or negation that the query states.
///
/// It contradicts the query only where both the name it was found by and its display do: a code
/// may have a name for each of two things that it stands for.
pub fn stated(index: &TerminologyIndex, query: &str, top: Option<&Top>) -> StatedAxes {
    let query = tokens(query);
    let asked = Axes::of(&query);
    let is_plain = |token: &Token| !token.negated && token.word != "with";
    if asked.is_empty() && query.iter().all(is_plain) {
        return StatedAxes::Unstated;
    }
    let contradicts = |name: &str| {
        let name = tokens(name);
        asked.compare(Axes::of(&name)).conflicting > 0 || negates_differently(&query, &name)
    };
    let Some(top) = top.filter(|top| contradicts(&top.matched_term)) else {
        return StatedAxes::Kept;
    };
    let display = index.find(&top.code).map(|hit| index.records().display(hit));
    if display.is_some_and(contradicts) { StatedAxes::Contradicted } else { StatedAxes::Kept }
}

/// Whether a word that carries meaning is affirmed in one and only taken back in the other.
fn negates_differently(query: &[Token], name: &[Token]) -> bool {
    query.iter().filter(|word| word.role == Role::Content).any(|word| {
        let mut same = name.iter().filter(|other| other.stem == word.stem).peekable();
        same.peek().is_some() && same.all(|other| other.negated != word.negated)
    })
}
