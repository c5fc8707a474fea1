/// A text as the name of a folder, another one for each text: what not every file system takes is
/// written as `%` and two hexadecimal digits a byte.
///
/// ```
/// assert_eq!(medterm::disk::folder_name("2026"), "2026");
/// assert_eq!(medterm::disk::folder_name("2026/1"), "2026%2F1");
/// ```
#[must_use]
pub fn folder_name(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for (at, byte) in text.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if plain || (byte == b'.' && at > 0) {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("%{byte:02X}"));
        }
    }
    name
}
