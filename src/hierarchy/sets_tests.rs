//! What is above and below several concepts is what is above and below each of them.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::terminology::ConceptOrd;

proptest! {
    #[test]
    fn several_have_what_each_has(
        parents in prop::collection::vec(prop::collection::vec(0u32..1000, 0..3), 1..90),
        stated in prop::collection::vec(prop::collection::vec(0u32..1000, 0..3), 90),
        chosen in prop::collection::vec(0u32..1000, 0..5),
    ) {
        let n = u32::try_from(parents.len()).unwrap();
        let within = |row: &Vec<u32>| row.iter().map(|one| one % n).collect::<Vec<u32>>();
        // Parents come before their children; every third concept states what is above it.
        let parents: Vec<Vec<u32>> = (0..n).zip(&parents).map(|(ord, row)| {
            row.iter().filter(|_| ord > 0).map(|one| one % ord.max(1)).collect()
        }).collect();
        let stated: Vec<Vec<u32>> = (0..n).zip(&stated).map(|(ord, row)| {
            if ord % 3 == 0 { within(row) } else { Vec::new() }
        }).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hierarchy.bin");
        write_hierarchy(&path, &parents, &stated).unwrap();
        let hierarchy = Hierarchy::open(&path).unwrap();
        let chosen: Vec<ConceptOrd> =
            chosen.iter().map(|one| ConceptOrd(one % n)).chain([ConceptOrd(n)]).collect();
        let each = |walk: &dyn Fn(ConceptOrd) -> Vec<ConceptOrd>| {
            chosen.iter().flat_map(|one| walk(*one)).collect::<BTreeSet<_>>()
        };
        let below = each(&|one| hierarchy.descendants(one));
        let found = hierarchy.below(chosen.iter().copied());
        prop_assert_eq!(found, below.into_iter().collect::<Vec<_>>());
        let above = each(&|one| hierarchy.ancestors(one));
        let found = hierarchy.above(chosen.iter().copied());
        prop_assert_eq!(found, above.into_iter().collect::<Vec<_>>());
    }
}
