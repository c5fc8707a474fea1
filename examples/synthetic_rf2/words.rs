//! Terms of an invented medicine, about as long and as alike as real ones.

use super::ids::Numbers;

const QUALITY: [&str; 24] = [
    "acute",
    "chronic",
    "recurrent",
    "severe",
    "mild",
    "congenital",
    "acquired",
    "primary",
    "secondary",
    "bilateral",
    "left",
    "right",
    "traumatic",
    "infective",
    "familial",
    "transient",
    "persistent",
    "partial",
    "complete",
    "early",
    "late",
    "open",
    "closed",
    "suspected",
];
const BEGINNING: [&str; 40] = [
    "bra", "cor", "del", "fen", "gal", "hem", "ilo", "jun", "kel", "lor", "mor", "nep", "oss",
    "pel", "qui", "ral", "sol", "tar", "ulm", "ven", "wex", "xan", "yol", "zim", "bor", "cal",
    "dun", "fal", "gor", "hal", "ker", "lim", "mal", "nor", "pul", "rem", "sal", "tor", "vel",
    "zor",
];
const MIDDLE: [&str; 20] = [
    "a", "o", "i", "ado", "eni", "oro", "ula", "ami", "eto", "ino", "ora", "ile", "umo", "asi",
    "ero", "ani", "omi", "uri", "alo", "eri",
];
const ENDING: [&str; 16] = [
    "itis", "osis", "oma", "pathy", "algia", "emia", "plasia", "trophy", "rrhea", "cele", "lysis",
    "tomy", "ectomy", "scopy", "graphy", "plasty",
];
const PLACE: [&str; 30] = [
    "upper arm",
    "lower arm",
    "hand",
    "thumb",
    "shoulder",
    "neck",
    "scalp",
    "eyelid",
    "outer ear",
    "jaw",
    "tongue",
    "throat",
    "chest wall",
    "upper back",
    "lower back",
    "flank",
    "hip",
    "thigh",
    "knee",
    "calf",
    "ankle",
    "heel",
    "sole",
    "great toe",
    "vein",
    "artery",
    "nerve",
    "tendon",
    "joint",
    "skin",
];
const CAUSE: [&str; 12] = [
    "due to drug",
    "due to infection",
    "due to injury",
    "due to radiation",
    "following surgery",
    "with fever",
    "with rash",
    "without complication",
    "in pregnancy",
    "of newborn",
    "due to cold",
    "of unknown cause",
];

/// The kinds of concepts and their semantic tags.
pub(crate) const TAGS: [&str; 8] = [
    "disorder",
    "finding",
    "procedure",
    "body structure",
    "substance",
    "organism",
    "observable entity",
    "qualifier value",
];

fn pick<'w>(numbers: &mut Numbers, words: &[&'w str]) -> &'w str {
    words[numbers.below(words.len() as u64) as usize]
}

/// What the terms of one concept are made of.
#[derive(Debug, Clone)]
pub(crate) struct Wording {
    quality: &'static str,
    stem: String,
    place: &'static str,
    cause: Option<&'static str>,
}

impl Wording {
    pub(crate) fn new(numbers: &mut Numbers) -> Self {
        let mut stem = pick(numbers, &BEGINNING).to_owned();
        for _ in 0..1 + numbers.below(2) {
            stem.push_str(pick(numbers, &MIDDLE));
        }
        stem.push_str(pick(numbers, &ENDING));
        let cause = numbers.happens(40).then(|| pick(numbers, &CAUSE));
        Self { quality: pick(numbers, &QUALITY), stem, place: pick(numbers, &PLACE), cause }
    }

    /// The preferred name, as Americans write it.
    pub(crate) fn preferred(&self) -> String {
        let cause = self.cause.map(|cause| format!(" {cause}")).unwrap_or_default();
        capital(&format!("{} {} of {}{cause}", self.quality, self.stem, self.place))
    }

    /// The same as the British write it, where they write it otherwise.
    pub(crate) fn british(&self) -> Option<String> {
        let name = self.preferred();
        let british = name.replace("hem", "haem").replace("Hem", "Haem").replace("emia", "aemia");
        (british != name).then_some(british)
    }

    /// One of the other names.
    pub(crate) fn synonym(&self, number: u64) -> String {
        let cause = self.cause.unwrap_or("of any cause");
        capital(&match number % 6 {
            0 => format!("{} {} {}", self.place, self.stem, self.quality),
            1 => format!("{} - {} - {}", self.stem, self.place, self.quality),
            2 => format!("{} {} {}", self.quality, self.place, self.stem),
            3 => format!("{} of {}, {}, {cause}", self.stem, self.place, self.quality),
            4 => format!("{} {cause}", self.stem),
            _ => format!("{} {} of the {} {number}", self.quality, self.stem, self.place),
        })
    }

    pub(crate) fn definition(&self) -> String {
        format!(
            "An invented condition of the {}, which is {} and is called {} by those who have it, \
             for want of a better word.",
            self.place, self.quality, self.stem
        )
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
