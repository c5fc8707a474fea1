//! The modifiers of ClaML: characters that many classes have in common, which are written once and
//! multiplied here.
//!
//! - A class has the modifiers it is modified by and those of the classes above it, from the top
//!   down or by their position, except where an `ExcludeModifier` stops one on the way.
//! - They are applied to classes with nothing below them. Each makes the codes of the next one:
//!   `E77` with `.0` is `E77.0`, and with `1` after that `E77.01`.
//! - The code is the class's with the modifier class's after it. A dot is put where ICD-10 has it,
//!   after the third character; a modifier whose name ends in `_5` is the fifth, and `X` stands for
//!   a fourth that is not there: `M77.X1`. A modifier class that begins with a dot does not fit a
//!   code that has one.
//! - A code that the file gives in full is not made.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::terminology::{Code, Concept};

use super::claml_class::{Class, ModifiedBy};
use super::claml_concept::modified;

/// How many modifiers are applied after one another. A code has no more characters to spare.
const MAX_APPLIED: usize = 4;
/// The most codes that the modifiers of one class make. Official files stay under a few hundred.
const MAX_MADE: usize = 20_000;
/// How many classes above one are asked for their modifiers.
const MAX_ABOVE: usize = 64;
/// What the German edition calls a modifier class that does not go after one of another modifier.
const NOT_AFTER: &str = "excludeOnPrecedingModifier";

/// What the whole file has to say before its first class can be given out.
#[derive(Debug, Default)]
pub(super) struct Modifiers {
    classes: HashMap<String, Place>,
    /// By the code of the modifier.
    modifier_classes: HashMap<String, Vec<Class>>,
    /// The classes above one that only they tell of.
    told_by_above: HashMap<String, Vec<String>>,
    /// Classes with others below them.
    with_below: HashSet<String>,
}

/// What is kept of a class.
#[derive(Debug, Default)]
struct Place {
    above: Vec<String>,
    modified_by: Vec<ModifiedBy>,
    excluded: Vec<String>,
}

/// What the modifiers make of a class.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub(super) concepts: Vec<Concept>,
    /// Modifiers that the file does not have.
    pub(super) unknown: Vec<String>,
    /// Whether there were more than are made.
    pub(super) is_cut: bool,
}

impl Modifiers {
    /// Notes a class. Of several with one code, the first has it.
    pub(super) fn add_class(&mut self, class: Class) {
        self.with_below.extend(class.above.iter().cloned());
        if !class.below.is_empty() {
            self.with_below.insert(class.code.clone());
        }
        for below in class.below {
            self.told_by_above.entry(below).or_default().push(class.code.clone());
        }
        let (above, modified_by, excluded) = (class.above, class.modified_by, class.excluded);
        self.classes.entry(class.code).or_insert(Place { above, modified_by, excluded });
    }

    /// Notes a modifier class.
    pub(super) fn add_modifier_class(&mut self, modifier: &str, class: Class) {
        self.modifier_classes.entry(modifier.to_owned()).or_default().push(class);
    }

    /// The classes directly above one: those it names, else those that name it.
    pub(super) fn above(&self, code: &str) -> &[String] {
        let own = self.classes.get(code).map(|place| place.above.as_slice()).unwrap_or_default();
        match own {
            [] => self.told_by_above.get(code).map(Vec::as_slice).unwrap_or_default(),
            own => own,
        }
    }

    /// The codes that the modifiers of a class make of it, those above before those below.
    pub(super) fn apply(&self, concept: &Concept, language: &str) -> Made {
        let mut made = Made::default();
        if self.with_below.contains(concept.code.as_str()) {
            return made;
        }
        let mut chain = self.chain(concept.code.as_str());
        chain.retain(|one| {
            let is_known = self.modifier_classes.contains_key(&one.code);
            if !is_known {
                made.unknown.push(one.code.clone());
            }
            is_known
        });
        let mut growing = Growing { modifiers: self, language, made, taken: Vec::new() };
        growing.grow(concept, &chain);
        growing.made
    }

    /// The modifiers that hold for a class, in the order in which they are applied.
    fn chain(&self, code: &str) -> Vec<&ModifiedBy> {
        let mut found: Vec<&ModifiedBy> = Vec::new();
        let mut excluded: HashSet<&str> = HashSet::new();
        let mut seen: HashSet<&str> = HashSet::from([code]);
        let mut waiting = VecDeque::from([code]);
        while let Some(next) = waiting.pop_front().filter(|_| seen.len() <= MAX_ABOVE) {
            if let Some(place) = self.classes.get(next) {
                excluded.extend(place.excluded.iter().map(String::as_str));
                // The nearest are found first, and the last of them is the innermost.
                for one in place.modified_by.iter().rev() {
                    let is_new = found.iter().all(|known| known.code != one.code);
                    if is_new && !excluded.contains(one.code.as_str()) {
                        found.push(one);
                    }
                }
            }
            for above in self.above(next) {
                if seen.insert(above) {
                    waiting.push_back(above);
                }
            }
        }
        found.reverse();
        found.sort_by_key(|one| one.position.or_else(|| position_in_name(&one.code)).unwrap_or(0));
        found
    }
}

/// The character that a modifier is, as the names of WHO's tell: 5 of `S13M00_5`.
fn position_in_name(modifier: &str) -> Option<u32> {
    modifier.rsplit_once('_').and_then(|(_, number)| number.parse().ok())
}

/// The codes of a class that are being made.
struct Growing<'m> {
    modifiers: &'m Modifiers,
    language: &'m str,
    made: Made,
    /// The modifiers and modifier classes that the code in hand is made with.
    taken: Vec<(&'m str, &'m str)>,
}

impl<'m> Growing<'m> {
    fn grow(&mut self, base: &Concept, chain: &[&'m ModifiedBy]) {
        let Some((first, rest)) = chain.split_first() else { return };
        if self.taken.len() >= MAX_APPLIED {
            return;
        }
        let modifiers = self.modifiers;
        let classes = modifiers.modifier_classes.get(&first.code).map(Vec::as_slice);
        let classes = classes.unwrap_or_default();
        let valid: Vec<&Class> =
            classes.iter().filter(|class| self.is_valid(first, class)).collect();
        let mut fits_any = false;
        for class in valid {
            let Some(code) = joined(base.code.as_str(), &class.code, &first.code) else { continue };
            fits_any = true;
            if self.made.concepts.len() >= MAX_MADE {
                self.made.is_cut = true;
                return;
            }
            if modifiers.classes.contains_key(code.as_str()) {
                continue;
            }
            let mut concept = modified(base, code, class, self.language);
            concept.parents = vec![above(base, class, classes, &first.code)];
            self.made.concepts.push(concept.clone());
            let inner: Vec<&ModifiedBy> = class
                .modified_by
                .iter()
                .chain(rest.iter().copied())
                .filter(|one| !class.excluded.contains(&one.code))
                .collect();
            self.taken.push((&first.code, &class.code));
            self.grow(&concept, &inner);
            self.taken.pop();
        }
        if !fits_any {
            self.grow(base, rest);
        }
    }

    /// Whether a modifier class may stand where the class and the ones taken before it are.
    fn is_valid(&self, by: &ModifiedBy, class: &Class) -> bool {
        let bare = |code: &'m str| code.trim_start_matches('.');
        let is_named = by.valid.is_empty()
            || by
                .valid
                .iter()
                .any(|one| one.trim_start_matches('.') == class.code.trim_start_matches('.'));
        let is_after = |(name, value): &(String, String)| {
            let (modifier, code) = value.split_once(' ').unwrap_or_default();
            let code = code.trim().trim_start_matches('.');
            name == NOT_AFTER
                && self.taken.iter().any(|(one, taken)| *one == modifier && bare(taken) == code)
        };
        is_named && !class.metas.iter().any(is_after)
    }
}

/// What is above a code that was made: the class, or the code that a modifier class above its own
/// makes.
fn above(base: &Concept, class: &Class, classes: &[Class], modifier: &str) -> Code {
    let outer = class
        .above
        .iter()
        .find(|above| **above != class.code && classes.iter().any(|other| other.code == **above));
    let code = outer.and_then(|outer| joined(base.code.as_str(), outer, modifier));
    code.unwrap_or_else(|| base.code.clone())
}

/// The code of a class with that of a modifier class, where they go together.
fn joined(base: &str, class: &str, modifier: &str) -> Option<Code> {
    let has_dot = base.contains('.');
    let is_category = matches!(base.as_bytes(), [letter, one, two]
        if letter.is_ascii_alphabetic() && one.is_ascii_digit() && two.is_ascii_digit());
    let between = match class.starts_with('.') {
        true if has_dot => return None,
        false if !has_dot && is_category => match position_in_name(modifier) {
            Some(5) => ".X",
            _ => ".",
        },
        _ => "",
    };
    Code::new(&format!("{base}{between}{class}")).ok()
}
