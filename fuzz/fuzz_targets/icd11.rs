#![no_main]

use libfuzzer_sys::fuzz_target;
use medterm::formats::Format;

fuzz_target!(|data: &[u8]| medterm_fuzz::import(Format::Icd11, data));
