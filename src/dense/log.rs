use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use half::f16;
use twox_hash::{XxHash3_64, XxHash3_128};

use crate::disk::DiskError;

use super::DenseError;

const MAGIC: &[u8; 8] = b"medtermL";
const LOG_FORMAT: u32 = 1;

/// The rows of a build that has not ended, so that a build that is killed goes on where it was.
///
/// A file that grows: a header naming model, backend and dimensions, then records of a text's key,
/// its row, and a checksum. What a kill left half-written at the end is cut off when the file is
/// opened, and a log of another model, backend or dimension is begun anew. One build at a time may
/// have it open.
#[derive(Debug)]
pub struct EmbeddingLog {
    path: PathBuf,
    file: File,
    dim: usize,
    header_len: u64,
    /// The number of the record of each key.
    records: HashMap<u128, u64>,
    /// Records in the file.
    count: u64,
}

impl EmbeddingLog {
    /// Opens the log at this path, or begins one.
    ///
    /// # Errors
    /// [`DenseError::Disk`] when the file cannot be read or written.
    pub fn open_or_create(
        path: &Path,
        model_id: &str,
        backend: &str,
        dim: usize,
    ) -> Result<Self, DenseError> {
        let failed = |e| DiskError::io(path, "opening the embedding log", e);
        let header = header(model_id, backend, dim);
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        let mut reader = BufReader::with_capacity(1 << 20, &file);
        let mut found = vec![0; header.len()];
        let is_ours = reader.read_exact(&mut found).is_ok() && found == header;

        let mut records = HashMap::new();
        let mut count = 0;
        if is_ours {
            let mut record = vec![0; record_len(dim)];
            // Everything after the first bad record is in doubt, and cheap to embed again.
            while reader.read_exact(&mut record).is_ok()
                && let Some(key) = checked_key(&record)
            {
                records.insert(key, count);
                count += 1;
            }
        }
        drop(reader);

        let header_len = header.len() as u64;
        if is_ours {
            file.set_len(header_len + count * record_len(dim) as u64).map_err(failed)?;
        } else {
            file.set_len(0).map_err(failed)?;
            file.seek(SeekFrom::Start(0)).map_err(failed)?;
            file.write_all(&header).map_err(failed)?;
        }
        Ok(Self { path: path.to_owned(), file, dim, header_len, records, count })
    }

    /// The key of a text: XXH3, 128 bits.
    #[must_use]
    pub fn key(text: &str) -> u128 {
        XxHash3_128::oneshot(text.as_bytes())
    }

    /// How many rows it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether it holds no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Whether it holds the row of a text.
    #[must_use]
    pub fn contains(&self, key: u128) -> bool {
        self.records.contains_key(&key)
    }

    /// The row of a text, read from the file.
    ///
    /// # Errors
    /// [`DenseError::Disk`] when the file cannot be read.
    pub fn get(&mut self, key: u128) -> Result<Option<Vec<f16>>, DenseError> {
        let Some(record) = self.records.get(&key) else { return Ok(None) };
        let failed = |e| DiskError::io(&self.path, "reading the embedding log", e);
        let mut bytes = vec![0; record_len(self.dim)];
        let at = self.header_len + record * bytes.len() as u64;
        self.file.seek(SeekFrom::Start(at)).map_err(failed)?;
        self.file.read_exact(&mut bytes).map_err(failed)?;
        // Somebody else changed the file since it was opened: the text is embedded again.
        if checked_key(&bytes) != Some(key) {
            self.records.remove(&key);
            return Ok(None);
        }
        let row = bytes[KEY_LEN..bytes.len() - CHECKSUM_LEN].chunks_exact(2);
        Ok(Some(row.map(|two| f16::from_le_bytes([two[0], two[1]])).collect()))
    }

    /// Adds rows. They survive a killed process at once, and a power cut after
    /// [`EmbeddingLog::sync`].
    ///
    /// # Errors
    /// [`DenseError::Dimension`] when a row has another length, before anything is written, and
    /// [`DenseError::Disk`] when the disk refuses.
    pub fn append(&mut self, rows: &[(u128, Vec<f16>)]) -> Result<(), DenseError> {
        if let Some((_, row)) = rows.iter().find(|(_, row)| row.len() != self.dim) {
            return Err(DenseError::Dimension { expected: self.dim, found: row.len() });
        }
        let mut bytes = Vec::with_capacity(rows.len() * record_len(self.dim));
        for (key, row) in rows {
            let begin = bytes.len();
            bytes.extend_from_slice(&key.to_le_bytes());
            bytes.extend(row.iter().flat_map(|value| value.to_le_bytes()));
            let checksum = XxHash3_64::oneshot(&bytes[begin..]);
            bytes.extend_from_slice(&checksum.to_le_bytes());
        }
        let end = self.header_len + self.count * record_len(self.dim) as u64;
        self.file
            .seek(SeekFrom::Start(end))
            .and_then(|_| self.file.write_all(&bytes))
            .map_err(|e| DiskError::io(&self.path, "writing the embedding log", e))?;
        for (key, _) in rows {
            self.records.insert(*key, self.count);
            self.count += 1;
        }
        Ok(())
    }

    /// Waits until the disk has every row.
    ///
    /// # Errors
    /// [`DenseError::Disk`] when the disk refuses.
    pub fn sync(&self) -> Result<(), DenseError> {
        self.file
            .sync_data()
            .map_err(|e| DiskError::io(&self.path, "syncing the embedding log", e).into())
    }
}

const KEY_LEN: usize = size_of::<u128>();
const CHECKSUM_LEN: usize = size_of::<u64>();

fn record_len(dim: usize) -> usize {
    KEY_LEN + dim * size_of::<f16>() + CHECKSUM_LEN
}

fn header(model_id: &str, backend: &str, dim: usize) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend_from_slice(&LOG_FORMAT.to_le_bytes());
    header.extend_from_slice(&(dim as u64).to_le_bytes());
    for name in [model_id, backend] {
        header.extend_from_slice(&(name.len() as u64).to_le_bytes());
        header.extend_from_slice(name.as_bytes());
    }
    header
}

/// The key of a record whose checksum is right.
fn checked_key(record: &[u8]) -> Option<u128> {
    let (content, checksum) = record.split_last_chunk::<CHECKSUM_LEN>()?;
    let is_whole = XxHash3_64::oneshot(content) == u64::from_le_bytes(*checksum);
    let key = content.first_chunk::<KEY_LEN>()?;
    is_whole.then(|| u128::from_le_bytes(*key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seed: f32) -> Vec<f16> {
        (0..4).map(|at| f16::from_f32(seed + at as f32)).collect()
    }

    fn open(path: &Path) -> EmbeddingLog {
        EmbeddingLog::open_or_create(path, "sha256:00", "rten", 4).unwrap()
    }

    #[test]
    fn rows_come_back_after_reopening_and_a_bad_tail_is_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let keys = ["a", "b", "c"].map(EmbeddingLog::key);
        let mut log = open(&path);
        log.append(&[(keys[0], row(0.0)), (keys[1], row(1.0))]).unwrap();
        assert_eq!(log.get(keys[1]).unwrap(), Some(row(1.0)));
        log.append(&[(keys[2], row(2.0))]).unwrap();
        log.sync().unwrap();
        drop(log);
        let whole = std::fs::read(&path).unwrap();

        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut log = open(&path);
            assert!(log.len() < 3, "{cut} bytes hold three rows");
            for (at, key) in keys.into_iter().enumerate() {
                match log.get(key).unwrap() {
                    Some(found) => assert_eq!(found, row(at as f32)),
                    None => log.append(&[(key, row(at as f32))]).unwrap(),
                }
            }
            drop(log);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
        }

        let mut bad = whole.clone();
        let last = bad.len() - 12;
        bad[last] ^= 1;
        std::fs::write(&path, &bad).unwrap();
        let log = open(&path);
        assert!(log.contains(keys[1]) && !log.contains(keys[2]));
    }

    #[test]
    fn another_model_begins_anew() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        for (model, backend, dim) in
            [("m", "rten", 4), ("n", "rten", 4), ("n", "ort", 4), ("n", "ort", 3)]
        {
            let mut log = EmbeddingLog::open_or_create(&path, model, backend, dim).unwrap();
            assert!(log.is_empty(), "{model} {backend} {dim}");
            log.append(&[(1, row(0.0)[..dim].to_vec())]).unwrap();
            assert!(log.append(&[(2, vec![f16::ONE; 9])]).is_err());
            assert_eq!(log.len(), 1);
        }
    }
}
