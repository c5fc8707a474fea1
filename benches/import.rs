//! How long does it take to read the complete ICD-10-CM?
//!
//! `cargo bench --bench import`
//!
//! Only reading: every concept is made and dropped. Beside it, the same bytes through quick-xml
//! with nothing done to what it finds, which is what no reader built on it can undercut.

mod common;

use std::io::Cursor;

use common::{AnyError, Contender, RELEASE};
use criterion::Throughput;
use medterm::formats::{self, Format, ImportError};
use quick_xml::Reader;
use quick_xml::events::Event;

fn main() -> Result<(), AnyError> {
    let xml: &'static [u8] = common::xml()?.leak();
    let concepts = from_memory(xml)?;
    let packed = from_disk()?;
    assert_eq!(concepts, packed);
    println!("{concepts} concepts, {} bytes of XML, {} events", xml.len(), events(xml)?);

    common::in_turns(
        "reading the complete release",
        20,
        &mut [
            Contender::new("quick-xml alone", |_| events(xml)),
            Contender::new("concepts, from memory", |_| from_memory(xml)),
            Contender::new("concepts, from the .gz on disk", |_| from_disk()),
        ],
    );

    let mut criterion = common::criterion();
    let mut group = criterion.benchmark_group("import");
    group.sample_size(10).throughput(Throughput::Bytes(xml.len() as u64));
    group.bench_function("quick-xml alone", |b| b.iter(|| events(xml)));
    group.bench_function("from memory", |b| b.iter(|| from_memory(xml)));
    group.bench_function("from gz", |b| b.iter(from_disk));
    group.finish();
    criterion.final_summary();
    Ok(())
}

fn from_memory(xml: &'static [u8]) -> Result<usize, ImportError> {
    let source =
        formats::open_reader(Format::CmsTabular, "tabular.xml", Box::new(Cursor::new(xml)))?;
    count(source)
}

fn from_disk() -> Result<usize, ImportError> {
    count(formats::open(Format::CmsTabular, RELEASE.as_ref())?)
}

fn count(source: Box<dyn formats::Source>) -> Result<usize, ImportError> {
    source.map(|concept| concept.map(drop)).try_fold(0, |n, one| one.map(|()| n + 1))
}

fn events(xml: &[u8]) -> Result<usize, quick_xml::Error> {
    let mut reader = Reader::from_reader(xml);
    let mut buffer = Vec::new();
    let mut n = 0;
    while !matches!(reader.read_event_into(&mut buffer)?, Event::Eof) {
        buffer.clear();
        n += 1;
    }
    Ok(n)
}
