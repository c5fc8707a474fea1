use std::path::Path;

use crate::exit::CliError;

/// The variable that holds the token where no file does.
const VARIABLE: &str = "MEDTERM_TOKEN";

/// The token that clients must send, if there is one.
pub fn read(file: Option<&Path>) -> Result<Option<String>, CliError> {
    let (token, from) = match file {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| CliError::io(path, "reading the token", error))?;
            (text, path.display().to_string())
        }
        None => match std::env::var(VARIABLE) {
            Ok(text) => (text, VARIABLE.to_owned()),
            Err(_) => return Ok(None),
        },
    };
    let token = token.trim();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        let problem = "the token must be of visible ASCII characters, without spaces";
        return Err(CliError::Usage(format!("{from}: {problem}")));
    }
    Ok(Some(token.to_owned()))
}

/// Whether a header `Authorization` has the token. It takes as long whether the first character is
/// wrong or the last.
pub fn is_sent(token: &str, authorization: Option<&str>) -> bool {
    let sent = authorization.and_then(|header| header.split_once(' '));
    let Some((scheme, sent)) = sent else { return false };
    scheme.eq_ignore_ascii_case("bearer") && same(token.as_bytes(), sent.trim().as_bytes())
}

fn same(a: &[u8], b: &[u8]) -> bool {
    let differences = a.iter().zip(b).fold(0u8, |all, (a, b)| all | (a ^ b));
    std::hint::black_box(differences) == 0 && a.len() == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_the_whole_of_it() {
        for header in ["Bearer abc", "bearer abc", "BEARER  abc "] {
            assert!(is_sent("abc", Some(header)), "{header}");
        }
        for header in ["Bearer ab", "Bearer abcd", "Bearer ABC", "Basic abc", "abc", "Bearer", ""] {
            assert!(!is_sent("abc", Some(header)), "{header}");
        }
        assert!(!is_sent("abc", None));
    }
}
