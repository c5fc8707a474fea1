//! The pieces of the typed API that need no store; tests/it asks a real one.

use super::paging::{Total, page};
use super::{Catalog, Error, Page, SearchRequest};

#[test]
fn pages_are_slices_and_say_where_the_next_one_begins() {
    let list: Vec<u32> = (0..10).collect();
    let (shown, paging) = page(&list, Page { offset: 3, limit: 4 }, Total::Exact);
    assert_eq!(shown, [3, 4, 5, 6]);
    assert_eq!((paging.total, paging.has_more, paging.next_offset), (10, true, Some(7)));
    let (last, paging) = page(&list, Page { offset: 8, limit: 4 }, Total::Exact);
    assert_eq!((last, paging.next_offset), (&[8, 9][..], None));
    let (past, paging) = page(&list, Page { offset: 99, limit: usize::MAX }, Total::Pool);
    assert!(past.is_empty() && !paging.has_more && !paging.total_is_exact);
}

#[test]
fn a_query_needs_something_to_search_for() {
    for empty in ["", "   ", "\u{200b}", "?!", "\u{202e}\n"] {
        let error = SearchRequest::new(empty).unwrap_err();
        assert!(matches!(error, Error::InvalidRequest { field: "query", .. }), "{empty:?}");
        assert!(error.is_caller_fault());
    }
    assert!(SearchRequest::new(&"a".repeat(1001)).is_err());
    let request = || SearchRequest::new("asthma").unwrap();
    assert!(request().limit(0).is_err() && request().limit(101).is_err());
    assert!(request().min_score(1.5).is_err() && request().min_score(f32::NAN).is_err());
}

#[test]
fn an_empty_store_says_how_to_fill_it() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder.path().join("none")).unwrap();
    let error = catalog.search(&SearchRequest::new("asthma").unwrap()).unwrap_err();
    assert!(error.to_string().contains("medterm demo"), "{error}");
    assert!(!error.is_caller_fault());
}

#[test]
fn the_typed_api_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Catalog>();
    shared::<Error>();
    shared::<SearchRequest>();
}
