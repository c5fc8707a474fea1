//! What a file is, told from its first bytes.

/// How many bytes are looked at: more than the longest comment a publisher puts before the root
/// element of its XML.
pub(super) const LOOK_BYTES: usize = 16 * 1024;

/// The longest piece of a file that is shown in a message, in characters.
const SHOWN_CHARS: usize = 60;

/// What the first bytes of a file look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Look {
    Empty,
    Gzip,
    Xz,
    Zip,
    Tar,
    /// An archive or packed file within a packed file.
    PackedTwice,
    Pdf,
    Utf16,
    Html,
    /// XML, and its root element where it begins within the bytes looked at, else empty.
    Xml {
        root: String,
    },
    Text {
        first_line: String,
    },
    Binary,
}

impl Look {
    pub(super) fn at(bytes: &[u8]) -> Self {
        match bytes {
            [] => return Self::Empty,
            [0x1f, 0x8b, ..] => return Self::Gzip,
            [0xfd, b'7', b'z', b'X', ..] => return Self::Xz,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => return Self::Zip,
            [b'%', b'P', b'D', b'F', ..] => return Self::Pdf,
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [b'<', 0, ..] | [0, b'<', ..] => {
                return Self::Utf16;
            }
            _ => {}
        }
        if bytes.get(257..262) == Some(b"ustar") {
            return Self::Tar;
        }
        if bytes.contains(&0) {
            return Self::Binary;
        }
        let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
        let text = text.trim_start();
        if text.is_empty() {
            return Self::Empty;
        }
        if !text.starts_with('<') {
            let line = text.lines().next().unwrap_or_default().trim_end();
            return Self::Text { first_line: line.chars().take(SHOWN_CHARS).collect() };
        }
        let root = root_element(text).unwrap_or_default();
        let lower = text.get(..14).unwrap_or_default().to_ascii_lowercase();
        if root.eq_ignore_ascii_case("html") || lower == "<!doctype html" {
            return Self::Html;
        }
        Self::Xml { root: root.chars().take(SHOWN_CHARS).collect() }
    }

    /// The look in words that follow "found".
    pub(super) fn described(&self) -> String {
        match self {
            Self::Empty => "an empty file".to_owned(),
            Self::Gzip => "a gzip file".to_owned(),
            Self::Xz => "an xz file".to_owned(),
            Self::Zip => "a ZIP archive".to_owned(),
            Self::Tar => "a tar archive".to_owned(),
            Self::PackedTwice => "a packed file that holds another archive".to_owned(),
            Self::Pdf => "a PDF document".to_owned(),
            Self::Utf16 => "UTF-16 text".to_owned(),
            Self::Html => "an HTML page".to_owned(),
            Self::Xml { root } if root.is_empty() => "XML without a root element".to_owned(),
            Self::Xml { root } => format!("an XML document with the root element <{root}>"),
            Self::Text { first_line } => format!("text that begins {first_line:?}"),
            Self::Binary => "binary data".to_owned(),
        }
    }
}

/// Whether a document type begins here that has declarations of its own.
fn is_declaring_entities(text: &str) -> bool {
    text.starts_with("<!") && text.contains('[') && text.find('[') < text.find('>')
}

/// The name of the first element, after declaration, comments and document type.
fn root_element(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let close = if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!--") {
            "-->"
        } else if is_declaring_entities(rest) {
            "]>"
        } else if rest.starts_with("<!") {
            ">"
        } else {
            break;
        };
        rest = &rest[rest.find(close)? + close.len()..];
    }
    let name = rest.strip_prefix('<')?;
    let end = name.find(|c: char| c.is_whitespace() || c == '>' || c == '/')?;
    Some(&name[..end])
}
