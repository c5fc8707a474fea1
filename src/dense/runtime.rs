use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What a search for the ONNX Runtime library came to, for `doctor` to show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct RuntimeSearch {
    /// The libraries found, the one to try first at the front. None was loaded yet.
    pub found: Vec<PathBuf>,
    /// The folders and files looked at, in order.
    pub looked_at: Vec<PathBuf>,
}

/// The ONNX Runtime library that would be tried first, if there is any on this machine.
#[must_use]
pub fn find_onnx_runtime() -> Option<PathBuf> {
    search_onnx_runtime().found.into_iter().next()
}

/// Looks for the ONNX Runtime library: `ORT_DYLIB_PATH` (alone, when it is set), beside this
/// executable, in the system's library folders, and in Python's `onnxruntime` package, of the
/// active environment first. Only names of files are read, and nothing is run.
#[must_use]
pub fn search_onnx_runtime() -> RuntimeSearch {
    Surroundings::of_this_process().search()
}

/// Everything the search depends on.
#[derive(Debug, Default)]
struct Surroundings {
    dylib: Option<PathBuf>,
    executable_dir: Option<PathBuf>,
    library_path: Option<OsString>,
    python_prefixes: Vec<PathBuf>,
    path: Option<OsString>,
    home: Option<PathBuf>,
    system: &'static [&'static str],
}

const SYSTEM: &[&str] = &[
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/opt/onnxruntime/lib",
    "/opt/homebrew/lib",
];

impl Surroundings {
    fn of_this_process() -> Self {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        let executable = env::current_exe().ok();
        Self {
            dylib: set("ORT_DYLIB_PATH").map(PathBuf::from),
            executable_dir: executable.and_then(|path| path.parent().map(Path::to_owned)),
            library_path: set(if cfg!(target_os = "macos") {
                "DYLD_LIBRARY_PATH"
            } else {
                "LD_LIBRARY_PATH"
            }),
            python_prefixes: ["VIRTUAL_ENV", "CONDA_PREFIX"]
                .into_iter()
                .filter_map(set)
                .map(PathBuf::from)
                .collect(),
            path: set("PATH"),
            home: env::home_dir(),
            system: SYSTEM,
        }
    }

    fn search(&self) -> RuntimeSearch {
        let mut search = RuntimeSearch::default();
        // Who names a library wants that one, or to be told that it cannot be used.
        if let Some(dylib) = &self.dylib {
            search.looked_at.push(dylib.clone());
            if dylib.is_file() {
                search.found.push(dylib.clone());
            }
            return search;
        }
        for dir in self.executable_dir.iter().flat_map(|dir| [dir.clone(), dir.join("lib")]) {
            search.look_in(dir);
        }
        for dir in self.library_path.iter().flat_map(env::split_paths) {
            search.look_in(dir);
        }
        for dir in self.system {
            search.look_in(PathBuf::from(dir));
        }
        for prefix in &self.python_prefixes {
            search.look_in_python(prefix);
        }
        for dir in self.path.iter().flat_map(env::split_paths) {
            if ["python3", "python", "python.exe"].iter().any(|name| dir.join(name).exists()) {
                // Unix keeps the interpreter in PREFIX/bin, Windows in PREFIX or PREFIX\Scripts.
                let prefix = if dir.join("Lib").is_dir() { Some(&*dir) } else { dir.parent() };
                if let Some(prefix) = prefix {
                    search.look_in_python(prefix);
                }
            }
        }
        if let Some(home) = &self.home {
            search.look_in_python(&home.join(".local"));
        }
        search
    }
}

impl RuntimeSearch {
    /// The packages folders below a prefix: Debian names its own differently.
    fn look_in_python(&mut self, prefix: &Path) {
        let mut libraries = vec![prefix.join("Lib")];
        for lib in ["lib", "lib64"].map(|lib| prefix.join(lib)) {
            let mut versions: Vec<PathBuf> = names(&lib)
                .into_iter()
                .filter(|name| name.starts_with("python3"))
                .map(|name| lib.join(name))
                .collect();
            versions.sort_by_cached_key(|path| std::cmp::Reverse(numbers(path)));
            libraries.extend(versions);
        }
        for library in libraries {
            for packages in ["site-packages", "dist-packages"] {
                let packages = library.join(packages);
                if packages.is_dir() {
                    self.look_in(packages.join("onnxruntime").join("capi"));
                }
            }
        }
    }

    fn look_in(&mut self, dir: PathBuf) {
        if self.looked_at.contains(&dir) {
            return;
        }
        let mut found: Vec<PathBuf> = names(&dir)
            .into_iter()
            .filter(|name| is_library(name))
            .map(|name| dir.join(name))
            .filter(|path| path.is_file())
            .collect();
        // The name without a version is the one the machine's owner chose, then the newest.
        found.sort_by_cached_key(|path| {
            let version = numbers(path);
            (!version.is_empty(), std::cmp::Reverse(version), path.clone())
        });
        self.found.extend(found);
        self.looked_at.push(dir);
    }
}

fn names(dir: &Path) -> Vec<String> {
    std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

/// `libonnxruntime.so`, `libonnxruntime.so.1.22.0`, `libonnxruntime.1.22.0.dylib`,
/// `onnxruntime.dll`; not the `libonnxruntime_providers_…` beside them.
fn is_library(name: &str) -> bool {
    name == "onnxruntime.dll"
        || name.starts_with("libonnxruntime.so")
        || (name.starts_with("libonnxruntime.") && name.ends_with(".dylib"))
}

/// The numbers in a file's name, for comparing versions.
fn numbers(path: &Path) -> Vec<u64> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn touch(path: &Path) -> PathBuf {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"").unwrap();
        path.to_owned()
    }

    #[test]
    fn libraries_are_found_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let beside = touch(&root.join("exe/libonnxruntime.so"));
        touch(&root.join("exe/libonnxruntime_providers_shared.so"));
        let older = touch(&root.join("libs/libonnxruntime.so.1.9.0"));
        let newer = touch(&root.join("libs/libonnxruntime.so.1.22.0"));
        let capi = "lib/python3.11/site-packages/onnxruntime/capi/libonnxruntime.so.1.21.0";
        let active = touch(&root.join("venv").join(capi));
        let python = touch(&root.join("usr").join(capi));
        touch(&root.join("usr/bin/python3"));
        touch(&root.join("none/bin/ruby"));
        let surroundings = Surroundings {
            executable_dir: Some(root.join("exe")),
            library_path: Some(root.join("libs").into()),
            python_prefixes: vec![root.join("venv")],
            path: Some(env::join_paths([root.join("none/bin"), root.join("usr/bin")]).unwrap()),
            home: Some(root.join("home")),
            ..Surroundings::default()
        };
        let search = surroundings.search();
        assert_eq!(search.found, [beside, newer, older, active, python]);
        assert!(search.looked_at.contains(&root.join("exe/lib")), "{:?}", search.looked_at);
    }

    #[test]
    fn a_named_library_is_the_only_one() {
        let dir = tempfile::tempdir().unwrap();
        touch(&dir.path().join("libonnxruntime.so"));
        let mut surroundings = Surroundings {
            dylib: Some(dir.path().join("mine.so")),
            executable_dir: Some(dir.path().to_owned()),
            ..Surroundings::default()
        };
        assert_eq!(surroundings.search().found, Vec::<PathBuf>::new());
        let mine = touch(&dir.path().join("mine.so"));
        assert_eq!(surroundings.search().found, [mine]);
        surroundings.dylib = None;
        assert_eq!(surroundings.search().found, [dir.path().join("libonnxruntime.so")]);
    }
}
