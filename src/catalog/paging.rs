use super::{Page, Paging};

/// Whether a list's length is known, or only that of the pool that was ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Total {
    Exact,
    Pool,
}

impl Paging {
    /// The page of a list that has nothing in it.
    #[must_use]
    pub fn none(offset: usize) -> Self {
        Self {
            total: 0,
            total_is_exact: true,
            offset,
            count: 0,
            has_more: false,
            next_offset: None,
        }
    }
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

/// The place of a page of so many items in a list whose length is known.
pub(super) fn paging(total: usize, offset: usize, count: usize) -> Paging {
    let end = offset.min(total).saturating_add(count);
    Paging {
        total,
        total_is_exact: true,
        offset,
        count,
        has_more: end < total,
        next_offset: (end < total).then_some(end),
    }
}
