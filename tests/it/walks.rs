//! Walks through a hierarchy against walks that know nothing of it: for every concept of the complete
//! ICD-10-CM, over the parents that its importer read, and for every record of the complete MeSH,
//! where that is given, over its tree numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use medterm::Catalog;
use medterm::catalog::{Direction, Page, Subsumption};
use medterm::formats;
use medterm::index::TerminologyIndex;
use medterm::terminology::{Concept, ConceptOrd, PropertyValue};

use crate::support::*;

/// The ways down to each concept, the concept at the end: everything else follows from them.
type Ways = BTreeMap<String, BTreeSet<Vec<String>>>;

/// The ways over the parents. No parent stands below its child in a file that is read from the top.
fn ways_over_parents(concepts: &[Concept]) -> Ways {
    let parents: BTreeMap<&str, Vec<&str>> = concepts
        .iter()
        .map(|one| (one.code.as_str(), one.parents.iter().map(|code| code.as_str()).collect()))
        .collect();
    fn up(parents: &BTreeMap<&str, Vec<&str>>, code: &str) -> Vec<Vec<String>> {
        let above = &parents[code];
        let mut ways: Vec<Vec<String>> =
            above.iter().flat_map(|parent| up(parents, parent)).collect();
        if above.is_empty() {
            ways.push(Vec::new());
        }
        ways.iter_mut().for_each(|way| way.push(code.to_owned()));
        ways
    }
    parents
        .keys()
        .map(|code| ((*code).to_owned(), up(&parents, code).into_iter().collect()))
        .collect()
}

/// The ways that the tree numbers of MeSH are: who has each beginning of a number, below the letter.
fn ways_over_tree_numbers(concepts: &[Concept]) -> Ways {
    let numbers = |one: &Concept| -> Vec<String> {
        let texts = one.properties.iter().filter(|one| one.code == "treeNumber");
        texts
            .map(|one| match &one.value {
                PropertyValue::Text(number) => number.clone(),
                other => panic!("{other:?}"),
            })
            .collect()
    };
    let mut owners = BTreeMap::new();
    for one in concepts {
        for number in numbers(one) {
            assert!(owners.insert(number, one.code.to_string()).is_none(), "{}", one.code);
        }
    }
    let way = |code: &str, number: &str| {
        let mut way = vec![number[..1].to_owned()];
        for (at, _) in number.match_indices('.').chain([(number.len(), "")]) {
            // A number that no record has is passed over.
            let Some(owner) = owners.get(&number[..at]) else { continue };
            if owner != code && !way.contains(owner) {
                way.push(owner.clone());
            }
        }
        way.push(code.to_owned());
        way
    };
    concepts
        .iter()
        .map(|one| {
            let (code, numbers) = (one.code.as_str(), numbers(one));
            let mut ways: BTreeSet<Vec<String>> =
                numbers.iter().map(|number| way(code, number)).collect();
            if ways.is_empty() {
                ways.insert(vec![code.to_owned()]);
            }
            (code.to_owned(), ways)
        })
        .collect()
}

/// What the ways say of everything.
struct Naive {
    ways: Ways,
    parents: BTreeMap<String, BTreeSet<String>>,
    ancestors: BTreeMap<String, BTreeSet<String>>,
    children: BTreeMap<String, BTreeSet<String>>,
    descendants: BTreeMap<String, BTreeSet<String>>,
}

impl Naive {
    fn of(ways: Ways) -> Self {
        let mut naive = Self {
            parents: BTreeMap::new(),
            ancestors: BTreeMap::new(),
            children: BTreeMap::new(),
            descendants: BTreeMap::new(),
            ways: BTreeMap::new(),
        };
        fn note(map: &mut BTreeMap<String, BTreeSet<String>>, key: &str, value: &str) {
            map.entry(key.to_owned()).or_default().insert(value.to_owned());
        }
        for (code, ways) in &ways {
            for way in ways {
                for above in &way[..way.len() - 1] {
                    note(&mut naive.ancestors, code, above);
                    note(&mut naive.descendants, above, code);
                }
                if let [.., parent, _] = way.as_slice() {
                    note(&mut naive.parents, code, parent);
                    note(&mut naive.children, parent, code);
                }
            }
        }
        naive.ways = ways;
        naive
    }

    fn is_below(&self, code: &str, other: &str) -> bool {
        self.ancestors.get(code).is_some_and(|above| above.contains(other))
    }
}

/// Asks the index about every concept, and the catalog about some, which is the same with names.
/// Counts the edges that are missing because they close a circle.
fn assert_walks_agree(catalog: &Catalog, system: &str, naive: &Naive) -> usize {
    let index = catalog.index(system).expect("it is there");
    let (records, hierarchy) = (index.records(), index.hierarchy());
    assert_eq!(records.len(), naive.ways.len());
    let ord = |code: &str| records.find(code).unwrap_or_else(|| panic!("{code} is not there"));
    let ords = |map: &BTreeMap<String, BTreeSet<String>>, code: &str| -> Vec<ConceptOrd> {
        map.get(code).into_iter().flatten().map(|code| ord(code)).collect()
    };
    let (mut roots, mut edges, mut circles) = (Vec::new(), 0, 0);
    for (code, ways) in &naive.ways {
        let concept = ord(code);
        let parents: Vec<ConceptOrd> = hierarchy.parents(concept).collect();
        let expected = naive.parents.get(code).into_iter().flatten();
        // An edge that closes a circle is dropped, and the concept has another.
        let (circular, expected): (Vec<&String>, Vec<&String>) = expected
            .partition(|above| naive.is_below(above, code) && !parents.contains(&ord(above)));
        circles += circular.len();
        assert!(circular.is_empty() || !parents.is_empty(), "{code} is no root");
        let expected: Vec<ConceptOrd> = expected.into_iter().map(|code| ord(code)).collect();
        assert_eq!(parents, expected, "above {code}");
        for child in hierarchy.children(concept) {
            assert!(hierarchy.parents(child).any(|parent| parent == concept), "below {code}");
        }
        edges += parents.len();
        let mut above = hierarchy.ancestors(concept);
        above.sort_unstable();
        assert_eq!(above, ords(&naive.ancestors, code), "all above {code}");
        let below = ords(&naive.descendants, code);
        assert_eq!(hierarchy.descendants(concept), below, "all below {code}");
        for other in above.iter().chain(below.iter().take(3)) {
            let is_above = above.binary_search(other).is_ok();
            assert_eq!(hierarchy.subsumes(*other, concept), is_above, "{other:?} and {code}");
            let is_below = below.binary_search(other).is_ok();
            assert_eq!(hierarchy.subsumes(concept, *other), is_below, "{code} and {other:?}");
        }
        for other in strangers(concept, records.len()) {
            let is_above = above.binary_search(&other).is_ok();
            assert_eq!(hierarchy.subsumes(other, concept), is_above, "{other:?} and {code}");
        }
        assert_eq!(&paths(index, concept), ways, "the ways to {code}");
        if parents.is_empty() {
            roots.push(code.clone());
        }
        if concept.0 % 97 == 0 {
            assert_catalog_agrees(catalog, system, naive, code);
        }
    }
    let all_below =
        (0..records.len() as u32).map(|ord| hierarchy.children(ConceptOrd(ord)).count());
    assert_eq!(all_below.sum::<usize>(), edges, "each edge is there in both directions");
    let all = Page { offset: 0, limit: usize::MAX };
    let top = catalog.browse(system, None, all).expect("it has a top");
    let top: BTreeSet<String> = top.items.iter().map(|one| one.code.to_string()).collect();
    assert_eq!(top, roots.into_iter().collect());
    circles
}

/// Concepts from all over the release, which are mostly not above this one.
fn strangers(concept: ConceptOrd, concepts: usize) -> impl Iterator<Item = ConceptOrd> {
    (1..=4u32).map(move |step| ConceptOrd((concept.0 + step * 7919) % concepts as u32))
}

fn paths(index: &TerminologyIndex, concept: ConceptOrd) -> BTreeSet<Vec<String>> {
    let name = |ord: &ConceptOrd| index.records().code(*ord).to_owned();
    let paths = index.paths(concept).expect("the records are sound");
    let set: BTreeSet<Vec<String>> =
        paths.iter().map(|path| path.iter().map(name).collect()).collect();
    assert_eq!(set.len(), paths.len(), "none is there twice");
    set
}

fn assert_catalog_agrees(catalog: &Catalog, system: &str, naive: &Naive, code: &str) {
    let all = Page { offset: 0, limit: usize::MAX };
    let walk = |direction| {
        let list = catalog.hierarchy(system, code, direction, all).expect("it is there");
        assert!(list.paging.total_is_exact && !list.paging.has_more);
        list.items
    };
    let none = BTreeSet::new();
    for (direction, map) in [
        (Direction::Parents, &naive.parents),
        (Direction::Children, &naive.children),
        (Direction::Ancestors, &naive.ancestors),
        (Direction::Descendants, &naive.descendants),
    ] {
        let items = walk(direction);
        let codes: BTreeSet<String> = items.iter().map(|one| one.code.to_string()).collect();
        assert_eq!(codes.len(), items.len());
        assert_eq!(&codes, map.get(code).unwrap_or(&none), "{} {code}", direction.name());
        for item in items.iter().take(20) {
            let below = naive.children.get(item.code.as_str()).map_or(0, BTreeSet::len);
            assert_eq!(item.child_count, below, "{}", item.code);
            let ways = &naive.ways[item.code.as_str()];
            let shortest = ways.iter().map(Vec::len).min().unwrap_or_default();
            assert!((item.depth as usize) < shortest, "{}", item.code);
        }
    }
    let mut ways: Vec<Vec<String>> = Vec::new();
    for step in walk(Direction::Paths) {
        if step.path == Some(ways.len() + 1) {
            ways.push(Vec::new());
        }
        ways.last_mut().expect("the first has the number 1").push(step.code.to_string());
    }
    assert_eq!(&ways.into_iter().collect::<BTreeSet<_>>(), &naive.ways[code], "{code}");
    for above in naive.ancestors.get(code).unwrap_or(&none) {
        let answer = catalog.subsumes(system, above, code).expect("it is told");
        assert_eq!(answer.outcome, Subsumption::Subsumes, "{above} and {code}");
        let answer = catalog.subsumes(system, code, above).expect("it is told");
        assert_eq!(answer.outcome, Subsumption::SubsumedBy, "{code} and {above}");
    }
}

#[test]
fn walks_through_the_complete_icd10cm_agree_with_its_parents() {
    let naive = Naive::of(ways_over_parents(&release().1));
    assert!(naive.ways.values().all(|ways| ways.len() == 1), "it is a tree");
    assert_eq!(assert_walks_agree(complete(), "icd10cm", &naive), 0);
}

#[test]
fn walks_through_the_complete_mesh_agree_with_its_tree_numbers() {
    let Some(data) = std::env::var_os("MEDTERM_TEST_DATA") else {
        println!("skipped: MEDTERM_TEST_DATA names no folder with data/mesh/desc2024.xml.gz");
        return;
    };
    let path = Path::new(&data).join("data/mesh/desc2024.xml.gz");
    if !path.exists() {
        println!("skipped: there is no {}", path.display());
        return;
    }
    let format = formats::detect(&path).expect("it is recognized");
    let source = formats::open(format, &path).expect("it opens");
    let release = source.release().clone();
    let concepts: Vec<Concept> = source.collect::<Result<_, _>>().expect("it is sound");
    let store = folder("mesh-walks");
    build(&store, &release, &concepts, None).expect("it builds");
    let catalog = Catalog::open(&store).expect("it opens");
    let naive = Naive::of(ways_over_tree_numbers(&concepts));
    println!("{} records", concepts.len());
    assert!(naive.ways.values().any(|ways| ways.len() > 4), "it is no tree");
    // Ocular motility disorders stand below strabismus at one place, and above it at two.
    assert_eq!(assert_walks_agree(&catalog, "mesh", &naive), 1);

    // A tree number is a name of the record that has it.
    let ischemia = catalog.lookup("mesh", "c14.280.647").expect("it is a tree number");
    assert_eq!(ischemia.code.as_str(), "D017202");
    assert_eq!(ischemia.normalized_code, Some(ischemia.code.clone()));
    assert!(catalog.lookup("mesh", "C14.280.999").is_err());
}
