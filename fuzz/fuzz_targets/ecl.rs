#![no_main]

use libfuzzer_sys::fuzz_target;
use medterm::valueset::Language;

fuzz_target!(|data: &[u8]| medterm_fuzz::expression(Language::Ecl, data));
