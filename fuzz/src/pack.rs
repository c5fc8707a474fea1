//! Several files as one input of a fuzzer, and back: a release is more than one file, and a fuzzer
//! knows one string of bytes.
//!
//! Each file is one byte for its name, two for its length (little-endian), and so many bytes. A
//! length beyond the end means: to the end.

/// The files of an input, each with the number of its name.
pub fn unpack(data: &[u8]) -> Vec<(usize, &[u8])> {
    let mut files = Vec::new();
    let mut rest = data;
    while let [name, low, high, content @ ..] = rest {
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(content.len());
        files.push((usize::from(*name), &content[..length]));
        rest = &content[length..];
    }
    files
}

/// An input from files; contents beyond 65,535 bytes are cut.
#[allow(dead_code, reason = "the replaying tests only unpack")]
pub fn pack(files: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut data = Vec::new();
    for (name, content) in files {
        let length = content.len().min(usize::from(u16::MAX));
        data.push(*name as u8);
        data.extend((length as u16).to_le_bytes());
        data.extend(&content[..length]);
    }
    data
}
