//! Adding a terminology changes no score of another.

use medterm::SearchRequest;
use medterm::catalog::{Hit, Inactive, SearchMode};
use proptest::prelude::*;

use crate::invented::{any_concepts, any_query, build_invented, open};
use crate::support::ask;

/// All that a hit says, but for its place among the hits of other terminologies.
fn said(hit: &Hit) -> String {
    let mut hit = hit.clone();
    hit.rank = 0;
    // Debug prints a float so that no two different ones look the same.
    format!("{hit:?} {:08x}", hit.score.to_bits())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn adding_a_terminology_changes_no_score_of_another(
        ours in any_concepts(),
        theirs in any_concepts(),
        query in any_query(),
        vectors in any::<bool>(),
    ) {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        build_invented(one.path(), "ours", &ours, vectors);
        build_invented(two.path(), "ours", &ours, vectors);
        build_invented(two.path(), "theirs", &theirs, !vectors);
        let (alone, beside) = (open(one.path()), open(two.path()));
        let request = || {
            let request = SearchRequest::new(&query).expect("it has words");
            request.limit(100).expect("in range").inactive(Inactive::Shown)
        };
        for mode in SearchMode::ALL {
            let expected: Vec<String> =
                ask(&alone, &request().mode(mode)).results.iter().map(said).collect();
            let asked = ask(&beside, &request().mode(mode).system("ours"));
            prop_assert_eq!(&asked.results.iter().map(said).collect::<Vec<_>>(), &expected);
            // Among the hits of both, those of the one are as they were.
            let merged = ask(&beside, &request().mode(mode));
            let own = merged.results.iter().filter(|hit| hit.system.as_str().ends_with("/ours"));
            prop_assert_eq!(own.map(said).collect::<Vec<_>>(), expected);
        }
    }
}
