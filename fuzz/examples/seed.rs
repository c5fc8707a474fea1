//! Writes the corpora of all targets from the fixtures: every file alone, and all of them together.

use std::fs;
use std::path::Path;

use medterm::formats::Format;
use medterm_fuzz::{fixtures, names, pack::pack};

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for format in Format::ALL {
        let target = format.name();
        let folder = corpus.join(target.replace('-', "_"));
        fs::create_dir_all(&folder)?;
        let mut all = Vec::new();
        for (number, name) in names(target).iter().enumerate() {
            let content = fs::read(fixtures(target).join(name))?;
            fs::write(folder.join(format!("one-{number}")), pack(&[(number, content.clone())]))?;
            all.push((number, content));
        }
        fs::write(folder.join("all"), pack(&all))?;
    }
    for target in ["maps", "supplement"] {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder)?;
        for (number, name) in names(target).iter().enumerate() {
            fs::copy(fixtures(target).join(name), folder.join(number.to_string()))?;
        }
    }
    for target in ["ecl", "vcl"] {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder)?;
        let all = fs::read_to_string(fixtures("expressions").join(format!("{target}.txt")))?;
        for (number, expression) in all.lines().enumerate() {
            fs::write(folder.join(number.to_string()), expression)?;
        }
    }
    Ok(())
}
