//! What a model takes and gives, read from its file without loading it.

use super::EmbedError;

/// Where to find what is asked of a model, as numbers of ONNX's protobuf messages
/// (<https://github.com/onnx/onnx/blob/main/onnx/onnx.proto>).
mod field {
    pub(super) const MODEL_GRAPH: u64 = 7;
    pub(super) const GRAPH_INITIALIZER: u64 = 5;
    pub(super) const GRAPH_INPUT: u64 = 11;
    pub(super) const GRAPH_OUTPUT: u64 = 12;
    pub(super) const TENSOR_NAME: u64 = 8;
    pub(super) const VALUE_NAME: u64 = 1;
    pub(super) const VALUE_TYPE: u64 = 2;
    pub(super) const TYPE_TENSOR: u64 = 1;
    pub(super) const TENSOR_SHAPE: u64 = 2;
    pub(super) const SHAPE_DIM: u64 = 1;
    pub(super) const DIM_VALUE: u64 = 1;
}

/// The inputs this crate knows how to fill, each int64 [batch, tokens].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// The number of each token.
    Ids,
    /// 1 for each token: no text is padded.
    Mask,
    /// 0, 1, 2 …
    Positions,
    /// 0 for each token: there is one text, not two.
    Types,
}

impl Input {
    const ALL: [(Self, &str); 4] = [
        (Self::Ids, "input_ids"),
        (Self::Mask, "attention_mask"),
        (Self::Positions, "position_ids"),
        (Self::Types, "token_type_ids"),
    ];

    #[cfg(any(feature = "ort", feature = "rten"))]
    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(input, _)| *input == self).map_or("", |(_, name)| name)
    }
}

/// The parts of a model's declaration that embedding needs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(not(any(feature = "ort", feature = "rten")), allow(dead_code))]
pub(super) struct Signature {
    /// The inputs it declares.
    pub(super) inputs: Vec<Input>,
    /// The output to take: one vector for each text, or one for each token.
    pub(super) output: String,
    /// Numbers in a vector.
    pub(super) dimension: usize,
}

impl Signature {
    /// Reads a model's declaration. Weights are skipped, so this takes microseconds.
    pub(super) fn read(model: &[u8]) -> Result<Self, EmbedError> {
        let refuse = |reason| EmbedError::Model { reason };
        let graph = Fields(model)
            .bytes(field::MODEL_GRAPH)
            .next()
            .ok_or_else(|| refuse("it is not an ONNX file"))?;
        let graph = Fields(graph);

        // Old exporters list the weights among the inputs.
        let weights: Vec<&str> = graph
            .bytes(field::GRAPH_INITIALIZER)
            .filter_map(|tensor| Fields(tensor).text(field::TENSOR_NAME))
            .collect();
        let mut inputs = Vec::new();
        for value in graph.bytes(field::GRAPH_INPUT) {
            let name = Fields(value).text(field::VALUE_NAME).unwrap_or_default();
            match Input::ALL.iter().find(|(_, known)| *known == name) {
                Some((input, _)) => inputs.push(*input),
                None if weights.contains(&name) => {}
                None => return Err(refuse("it declares an input that is not known here")),
            }
        }
        if !inputs.contains(&Input::Ids) {
            return Err(refuse("it declares no input_ids"));
        }

        let outputs: Vec<Output> =
            graph.bytes(field::GRAPH_OUTPUT).filter_map(Output::read).collect();
        let output = outputs
            .iter()
            .find(|output| output.name == "sentence_embedding")
            .or_else(|| outputs.iter().find(|output| output.name == "last_hidden_state"))
            .or_else(|| outputs.first())
            .ok_or_else(|| refuse("it declares no output of a fixed number of dimensions"))?;
        Ok(Self { inputs, output: output.name.to_owned(), dimension: output.dimension })
    }
}

struct Output<'a> {
    name: &'a str,
    dimension: usize,
}

impl<'a> Output<'a> {
    /// An output of two or three axes, the last of a fixed and sensible length.
    fn read(value: &'a [u8]) -> Option<Self> {
        let name = Fields(value).text(field::VALUE_NAME)?;
        let kind = Fields(value).bytes(field::VALUE_TYPE).next()?;
        let tensor = Fields(kind).bytes(field::TYPE_TENSOR).next()?;
        let shape = Fields(tensor).bytes(field::TENSOR_SHAPE).next()?;
        let axes: Vec<&[u8]> = Fields(shape).bytes(field::SHAPE_DIM).collect();
        let last = axes.last().filter(|_| (2..=3).contains(&axes.len()))?;
        let dimension = Fields(last).find_map(|(number, value)| match value {
            Value::Number(len) if number == field::DIM_VALUE => usize::try_from(len).ok(),
            _ => None,
        })?;
        (1..=super::kernel::MAX_DIMENSION).contains(&dimension).then_some(Self { name, dimension })
    }
}

/// The fields of one protobuf message, in the order of the file, until its end or the first thing
/// that is no field.
#[derive(Clone)]
struct Fields<'a>(&'a [u8]);

enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Skipped,
}

impl<'a> Fields<'a> {
    fn bytes(&self, wanted: u64) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.clone().filter_map(move |(number, value)| match value {
            Value::Bytes(bytes) if number == wanted => Some(bytes),
            _ => None,
        })
    }

    fn text(&self, wanted: u64) -> Option<&'a str> {
        self.bytes(wanted).next().and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn take(&mut self, len: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(len).ok()?)?;
        self.0 = rest;
        Some(taken)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u64, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Number(self.varint()?),
            1 => self.take(8).map(|_| Value::Skipped)?,
            2 => {
                let len = self.varint()?;
                Value::Bytes(self.take(len)?)
            }
            5 => self.take(4).map(|_| Value::Skipped)?,
            _ => return None,
        };
        Some((key >> 3, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(fields: &[(u64, &[u8])]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (number, value) in fields {
            bytes.push((*number as u8) << 3 | 2);
            let len = u16::try_from(value.len()).unwrap();
            bytes.extend([len as u8 | 0x80, (len >> 7) as u8]);
            bytes.extend_from_slice(value);
        }
        bytes
    }

    fn value(name: &str, axes: &[&[u8]]) -> Vec<u8> {
        let axes: Vec<_> = axes.iter().map(|axis| (field::SHAPE_DIM, *axis)).collect();
        let tensor = message(&[(field::TENSOR_SHAPE, &message(&axes))]);
        let kind = message(&[(field::TYPE_TENSOR, &tensor)]);
        message(&[(field::VALUE_NAME, name.as_bytes()), (field::VALUE_TYPE, &kind)])
    }

    fn model(values: &[(u64, Vec<u8>)]) -> Vec<u8> {
        let fields: Vec<_> = values.iter().map(|(number, bytes)| (*number, &bytes[..])).collect();
        message(&[(field::MODEL_GRAPH, &message(&fields))])
    }

    const FREE: &[u8] = &[0x12, 1, b'n'];
    const EIGHT: &[u8] = &[0x08, 8];

    #[test]
    fn inputs_and_the_pooled_output_are_found() {
        let bytes = model(&[
            (field::GRAPH_INPUT, value("attention_mask", &[FREE, FREE])),
            (field::GRAPH_INPUT, value("input_ids", &[FREE, FREE])),
            (field::GRAPH_INPUT, value("weight", &[EIGHT])),
            (field::GRAPH_INITIALIZER, message(&[(field::TENSOR_NAME, b"weight")])),
            (field::GRAPH_OUTPUT, value("last_hidden_state", &[FREE, FREE, EIGHT])),
            (field::GRAPH_OUTPUT, value("sentence_embedding", &[FREE, EIGHT])),
        ]);
        let signature = Signature::read(&bytes).unwrap();
        assert_eq!(signature.inputs, [Input::Mask, Input::Ids]);
        assert_eq!(signature.output, "sentence_embedding");
        assert_eq!(signature.dimension, 8);
        for len in 0..bytes.len() {
            assert!(Signature::read(&bytes[..len]).is_err(), "{len} bytes were enough");
        }
    }

    #[test]
    fn what_cannot_be_filled_or_read_is_refused() {
        let ids = || (field::GRAPH_INPUT, value("input_ids", &[FREE, FREE]));
        let out = || (field::GRAPH_OUTPUT, value("x", &[FREE, EIGHT]));
        assert!(Signature::read(&model(&[ids(), out()])).is_ok());
        let other = (field::GRAPH_INPUT, value("pixels", &[FREE]));
        assert!(Signature::read(&model(&[ids(), other, out()])).is_err());
        assert!(Signature::read(&model(&[out()])).is_err());
        let unknown = (field::GRAPH_OUTPUT, value("x", &[FREE, FREE]));
        assert!(Signature::read(&model(&[ids(), unknown])).is_err());
        assert!(Signature::read(b"not a model").is_err());
    }
}
