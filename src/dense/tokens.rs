use tokenizers::{Tokenizer, TruncationDirection, TruncationParams, TruncationStrategy};

use super::EmbedError;
use super::signature::Input;

/// Tokens of a text that the model reads; what follows is cut off. Titles have 5 to 40.
const MAX_TOKENS: usize = 128;

/// Bytes of a text that are looked at. A token of real text is far shorter than 128 bytes, so this
/// only keeps somebody who sends a book from making the tokenizer read it.
const MAX_TEXT: usize = 128 * MAX_TOKENS;

/// Cuts texts into the numbers of a model's tokens.
#[derive(Debug)]
pub(super) struct TextTokenizer(Tokenizer);

impl TextTokenizer {
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, EmbedError> {
        let refuse = |source| EmbedError::Tokenizer { source };
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(refuse)?;
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(Some(TruncationParams {
                max_length: MAX_TOKENS,
                strategy: TruncationStrategy::LongestFirst,
                stride: 0,
                direction: TruncationDirection::Right,
            }))
            .map_err(refuse)?;
        Ok(Self(tokenizer))
    }

    pub(super) fn tokens(&self, text: &str) -> Result<Tokens, EmbedError> {
        let text = text.get(..text.floor_char_boundary(MAX_TEXT)).unwrap_or(text);
        let encoding =
            self.0.encode_fast(text, true).map_err(|source| EmbedError::Tokenizer { source })?;
        Ok(Tokens { ids: encoding.get_ids().to_vec() })
    }
}

/// One text as the model reads it.
#[derive(Debug)]
pub(super) struct Tokens {
    ids: Vec<u32>,
}

impl Tokens {
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The values of one input.
    pub(super) fn input<T>(&self, input: Input) -> Vec<T>
    where
        T: Clone + TryFrom<usize> + TryFrom<u32> + Default + From<u8>,
    {
        let len = self.len();
        match input {
            Input::Ids => self.ids.iter().map(|id| T::try_from(*id).unwrap_or_default()).collect(),
            Input::Mask => vec![T::from(1); len],
            Input::Positions => (0..len).map(|at| T::try_from(at).unwrap_or_default()).collect(),
            Input::Types => vec![T::default(); len],
        }
    }
}
