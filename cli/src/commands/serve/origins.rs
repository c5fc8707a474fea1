//! Who may call: by what name (`Host`), and from which web pages (`Origin`). Without these checks a
//! web page could reach a server on this machine through the browser (DNS rebinding).

/// The names and origins that are let in.
#[derive(Debug, Clone)]
pub struct Allowed {
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// What this machine calls itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Allowed {
    /// These, and this machine.
    pub fn new(hosts: &[String], origins: &[String]) -> Self {
        let lower = |text: &String| text.trim().trim_end_matches('/').to_ascii_lowercase();
        let mut hosts: Vec<String> = hosts.iter().map(lower).collect();
        hosts.extend(LOOPBACK.map(str::to_owned));
        Self { hosts, origins: origins.iter().map(lower).collect() }
    }

    /// Whether a `Host` may be called, with or without a port. An entry without a port stands for all
    /// ports, `*` for every name.
    pub fn has_host(&self, host: &str) -> bool {
        let host = host.trim().to_ascii_lowercase();
        self.hosts.iter().any(|one| one == "*" || *one == host || one == name_of(&host))
    }

    /// Whether a page may call.
    pub fn has_origin(&self, origin: &str) -> bool {
        let origin = origin.trim().to_ascii_lowercase();
        let is_listed = |one: &String| {
            one == "*"
                || *one == origin
                || one.strip_suffix(":*").is_some_and(|begin| begin == without_port(&origin))
        };
        let is_here = || {
            let (scheme, host) = origin.split_once("://").unwrap_or_default();
            matches!(scheme, "http" | "https") && LOOPBACK.contains(&name_of(host))
        };
        self.origins.iter().any(is_listed) || is_here()
    }
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    }
}

fn without_port(origin: &str) -> &str {
    name_of(origin)
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(hosts: &[&str], origins: &[&str]) -> Allowed {
        let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        Allowed::new(&owned(hosts), &owned(origins))
    }

    #[test]
    fn this_machine_may_be_called_by_its_names() {
        let allowed = allowed(&[], &[]);
        for host in ["localhost", "LOCALHOST:3000", "127.0.0.1:1", "[::1]", "[::1]:3000"] {
            assert!(allowed.has_host(host), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example:3000",
            "127.0.0.1.evil.example",
            "",
            ":80",
            "::1:1",
        ] {
            assert!(!allowed.has_host(host), "{host}");
        }
    }

    #[test]
    fn names_may_have_a_port() {
        let allowed = allowed(&["Codes.example.org", "other.example:8443"], &[]);
        for host in ["codes.example.org", "codes.example.org:443", "other.example:8443"] {
            assert!(allowed.has_host(host), "{host}");
        }
        assert!(!allowed.has_host("other.example"));
        assert!(!allowed.has_host("other.example:80"));
    }

    #[test]
    fn pages_of_this_machine_and_those_named_may_call() {
        let origins = allowed(&[], &["https://app.example.org", "http://dev.example:*"]);
        for origin in [
            "http://localhost:6274",
            "https://127.0.0.1",
            "http://[::1]:1",
            "https://app.example.org",
            "http://dev.example",
            "http://dev.example:5173",
        ] {
            assert!(origins.has_origin(origin), "{origin}");
        }
        for origin in [
            "http://app.example.org",
            "https://app.example.org.evil.example",
            "null",
            "",
            "file://localhost",
            "http://localhost.evil.example",
            "https://app.example.org:8443",
            "http://dev.example.evil:1",
        ] {
            assert!(!origins.has_origin(origin), "{origin}");
        }
        assert!(allowed(&[], &["*"]).has_origin("https://anywhere.example"));
    }
}
