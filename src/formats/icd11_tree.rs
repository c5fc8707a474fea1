//! What is above a row of ICD-11's simple tabulation: it is above it in the table too.

use crate::terminology::Code;

use super::icd11_row::Row;

/// The rows that the last one is below.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// With their levels, the outermost first.
    open: Vec<(usize, Level, Option<Code>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Chapter,
    Block,
    Category,
}

impl Tree {
    /// The nearest coded row above one, which becomes the last.
    pub(super) fn above(&mut self, row: &Row, code: Option<&Code>) -> Option<Code> {
        let level = match row.kind.as_str() {
            "chapter" => Level::Chapter,
            "block" => Level::Block,
            _ => Level::Category,
        };
        let (depth, stated) = match row.dashes {
            0 if level == Level::Chapter => (0, None),
            0 => self.undashed(row, level),
            dashes => (dashes, None),
        };
        self.open.retain(|(other, ..)| *other < depth);
        let parent = stated.or_else(|| self.open.iter().rev().find_map(|(.., code)| code.clone()));
        self.open.push((depth, level, code.cloned()));
        parent
    }

    /// The level of a row without dashes, told by its kind and its depth in that, and the block
    /// that it says it is in.
    fn undashed(&self, row: &Row, level: Level) -> (usize, Option<Code>) {
        let depth = row.depth.unwrap_or(1).max(1);
        let same = self.open.iter().filter(|(_, other, _)| *other == level);
        // Of the rows of its kind, those that it is below.
        if let Some((above, ..)) = same.clone().nth(depth.saturating_sub(2)).filter(|_| depth > 1) {
            return (above + 1, None);
        }
        let outer = self.open.iter().rev().find(|(_, other, _)| *other != level);
        let outer = outer.filter(|_| level == Level::Category);
        let block = row.groupings.last().filter(|_| level == Level::Category);
        let stated = block.and_then(|block| Code::new(block).ok());
        let known = |code: &Code| self.open.iter().any(|(.., one)| one.as_ref() == Some(code));
        let stated = stated.filter(known);
        let at = |code: &Code| {
            let found = self.open.iter().find(|(.., one)| one.as_ref() == Some(code));
            found.map(|(depth, ..)| depth + 1)
        };
        let own = stated.as_ref().and_then(at);
        (own.or(outer.map(|(depth, ..)| depth + 1)).unwrap_or(1), stated)
    }
}
