use super::{Page, Paging};

/// Whether a list's length is known, or only that of the pool that was ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Total {
    Exact,
    Pool,
}

/// Cuts a page out of a list.
pub(super) fn page<T>(list: &[T], page: Page, total: Total) -> (&[T], Paging) {
    let start = page.offset.min(list.len());
    let end = start.saturating_add(page.limit).min(list.len());
    let paging = Paging {
        total: list.len(),
        total_is_exact: total == Total::Exact,
        offset: page.offset,
        count: end - start,
        has_more: end < list.len(),
        next_offset: (end < list.len()).then_some(end),
    };
    (&list[start..end], paging)
}
