//! Keeps an input that a fuzzer found: `keep TARGET INPUT…`.

use std::fs;
use std::path::Path;

use medterm_fuzz::{names, zip};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let target = arguments.next().unwrap_or_default().replace('_', "-");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions").join(&target);
    fs::create_dir_all(&folder)?;
    for input in arguments {
        let data = fs::read(&input)?;
        let name = Path::new(&input).file_name().unwrap_or_default().to_string_lossy().into_owned();
        if matches!(target.as_str(), "maps" | "supplement" | "ecl" | "vcl") {
            fs::write(folder.join(name), data)?;
        } else {
            fs::write(folder.join(format!("{name}.zip")), zip(&names(&target), &data))?;
        }
    }
    Ok(())
}
