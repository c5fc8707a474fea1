use schemars::JsonSchema;
use serde::Serialize;

use crate::catalog::Paging;

/// Where a page stands in its list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageView {
    total: usize,
    /// False where total is the size of the pool that was ranked
    total_is_exact: bool,
    offset: usize,
    count: usize,
    has_more: bool,
    /// Absent on the last page
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

impl From<Paging> for PageView {
    fn from(paging: Paging) -> Self {
        Self {
            total: paging.total,
            total_is_exact: paging.total_is_exact,
            offset: paging.offset,
            count: paging.count,
            has_more: paging.has_more,
            next_offset: paging.next_offset,
        }
    }
}

impl PageView {
    /// Puts the place of the page before its lines, and behind them how to have the next.
    pub(super) fn frame(&self, argument: &str, lines: &str) -> String {
        let (first, last) = (self.offset + 1, self.offset + self.count);
        let of = if self.total_is_exact { "" } else { "the best " };
        let mut text = match self.count {
            0 => format!("No items at offset {} of {}", self.offset, self.total),
            _ => format!("Showing {first}-{last} of {of}{}\n\n{lines}", self.total),
        };
        if let Some(next) = self.next_offset {
            let more = "\n\nMore results available — call again with ";
            text.push_str(&format!("{more}{argument}={next}"));
        }
        text
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What to say of a page behind the last item.
    pub(super) fn overshoot(&self) -> Option<String> {
        (self.count == 0 && self.offset > 0 && self.total > 0)
            .then(|| format!("offset {} is past the end: there are {}", self.offset, self.total))
    }
}
