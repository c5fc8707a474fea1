use std::cell::RefCell;
use std::collections::HashMap;

use super::language::Language;
use rust_stemmers::{Algorithm, Stemmer};

/// What the forms of a word have in common: plural and singular, British and American spelling,
/// Roman and Arabic numerals. The word must be normalized.
///
/// English endings by the Porter2 algorithm (snowballstem.org), which leaves most other languages
/// nearly as they are; both sides of a comparison are treated alike.
#[must_use]
pub fn stem(word: &str) -> String {
    if let Some(number) = roman(word) {
        return number.to_owned();
    }
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(stem) = known.get(word) {
            return stem.clone();
        }
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        let stem = english(word);
        known.insert(word.to_owned(), stem.clone());
        stem
    })
}

/// The same in a language.
pub(super) fn stem_in(language: Language, word: &str) -> String {
    match language {
        Language::English => stem(word),
        _ => match roman(word) {
            Some(number) => number.to_owned(),
            None if word.len() >= 4 && word.bytes().all(|b| b.is_ascii_lowercase()) => {
                language.romance_stem(word)
            }
            None => word.to_owned(),
        },
    }
}

thread_local! {
    /// Stems found before. A search compares some hundred names, whose words are few and the same
    /// again and again; looking them up takes a tenth of the time of finding them.
    static KNOWN: RefCell<HashMap<String, String>> = RefCell::new(HashMap::new());
}

/// Words remembered in each thread: more than twice those of ICD-10-CM, some two megabytes.
const MOST_KNOWN: usize = 1 << 15;

fn english(word: &str) -> String {
    let american = american(word);
    let singular = classical_singular(&american).unwrap_or(american);
    Stemmer::create(Algorithm::English).stem(&singular).into_owned()
}

/// The numerals that cannot be taken for a letter or an abbreviation in use.
fn roman(word: &str) -> Option<&'static str> {
    Some(match word {
        "ii" => "2",
        "iii" => "3",
        "iv" => "4",
        "vi" => "6",
        "vii" => "7",
        "viii" => "8",
        "ix" => "9",
        "xi" => "11",
        "xii" => "12",
        // Stages and types are subdivided by a letter.
        "iia" => "2a",
        "iib" => "2b",
        "iic" => "2c",
        "iiia" => "3a",
        "iiib" => "3b",
        "iiic" => "3c",
        "iva" => "4a",
        "ivb" => "4b",
        _ => return None,
    })
}

/// Letters inside words that British and American spelling write differently. Each pair is safe
/// wherever it stands in a word; the list is our own.
const BRITISH: &[(&str, &str)] = &[
    ("aemi", "emi"),
    ("aesthe", "esthe"),
    ("caec", "cec"),
    ("caesar", "cesar"),
    ("coel", "cel"),
    ("faec", "fec"),
    ("foet", "fet"),
    ("gynaec", "gynec"),
    ("haem", "hem"),
    ("leucocyt", "leukocyt"),
    ("oedem", "edem"),
    ("oesoph", "esoph"),
    ("oestr", "estr"),
    ("paed", "ped"),
    ("pnoe", "pne"),
    ("rrhoe", "rrhe"),
    ("sulph", "sulf"),
    ("behaviour", "behavior"),
    ("tumour", "tumor"),
    ("labour", "labor"),
    ("colour", "color"),
    ("fibre", "fiber"),
    ("centre", "center"),
    ("litre", "liter"),
    ("paralys", "paralyz"),
];

fn american(word: &str) -> String {
    let mut american = word.to_owned();
    for (british, ours) in BRITISH {
        // "paralysis" is the same in both; only the verb differs.
        if american.contains(british) && !american.ends_with("ysis") && !american.ends_with("yses")
        {
            american = american.replace(british, ours);
        }
    }
    american
}

/// Greek and Latin plurals of anatomical and disease names.
fn classical_singular(word: &str) -> Option<String> {
    const PLURALS: &[(&str, &str)] = &[
        ("itides", "itis"),
        ("oses", "osis"),
        ("yses", "ysis"),
        ("vertebrae", "vertebra"),
        ("bacilli", "bacillus"),
        ("cocci", "coccus"),
        ("emboli", "embolus"),
        ("thrombi", "thrombus"),
        ("calculi", "calculus"),
        ("bronchi", "bronchus"),
        ("fungi", "fungus"),
        ("bacteria", "bacterium"),
        ("diverticula", "diverticulum"),
        ("septa", "septum"),
        ("metastases", "metastasis"),
    ];
    PLURALS.iter().find_map(|(plural, singular)| {
        word.strip_suffix(plural).map(|start| format!("{start}{singular}"))
    })
}
