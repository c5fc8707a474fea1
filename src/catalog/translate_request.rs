/// Which code to translate, and where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslateRequest {
    pub(super) system: String,
    pub(super) code: String,
    pub(super) target_system: String,
    pub(super) map: Option<String>,
    pub(super) direction: TranslateDirection,
    pub(super) walk_up: WalkUp,
    pub(super) language: Option<String>,
}

/// Which way published maps are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TranslateDirection {
    /// Maps from the code's terminology to the one that is asked for, as they were published.
    #[default]
    Forward,
    /// Maps from the terminology that is asked for to the code's, read backwards.
    Reverse,
}

/// What becomes of a code that no map has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WalkUp {
    /// It is not mapped.
    #[default]
    Never,
    /// The nearest code above it that is mapped stands for it, and the answer says so.
    ToNearest,
}

impl TranslateRequest {
    /// Translates `code` of `system` to `target_system`: aliases, canonical URIs or OIDs, loaded or
    /// not.
    #[must_use]
    pub fn new(system: &str, code: &str, target_system: &str) -> Self {
        Self {
            system: system.to_owned(),
            code: code.to_owned(),
            target_system: target_system.to_owned(),
            map: None,
            direction: TranslateDirection::default(),
            walk_up: WalkUp::default(),
            language: None,
        }
    }

    /// Only over this map: its name in the store or its canonical URI, `|version` behind it where not
    /// the last version is meant.
    #[must_use]
    pub fn map(mut self, map: &str) -> Self {
        self.map = Some(map.to_owned());
        self
    }

    /// Which way maps are read.
    #[must_use]
    pub fn direction(mut self, direction: TranslateDirection) -> Self {
        self.direction = direction;
        self
    }

    /// What becomes of a code that no map has.
    #[must_use]
    pub fn walk_up(mut self, walk_up: WalkUp) -> Self {
        self.walk_up = walk_up;
        self
    }

    /// With names in this language where there are some (BCP 47).
    #[must_use]
    pub fn language(mut self, language: &str) -> Self {
        self.language = Some(language.to_owned());
        self
    }
}
