//! The committed bytes have the hash that is stored beside them, and cannot replace themselves.

use crate::world::WASM;
use sha2::{Digest, Sha256};

fn number(bytes: &[u8], at: &mut usize) -> usize {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = usize::from(bytes[*at]);
        *at += 1;
        value |= (byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            return value;
        }
    }
}

fn name(bytes: &[u8], at: &mut usize) -> String {
    let length = number(bytes, at);
    *at += length;
    String::from_utf8(bytes[*at - length..*at].to_vec()).unwrap()
}

/// Module and name of every import: all are functions.
fn imports() -> Vec<String> {
    let mut at = 8;
    while WASM[at] != 2 {
        at += 1;
        let length = number(WASM, &mut at);
        at += length;
    }
    at += 1;
    number(WASM, &mut at);
    let import = |at: &mut usize| {
        let names = format!("{}.{}", name(WASM, at), name(WASM, at));
        assert_eq!(WASM[*at], 0);
        *at += 1;
        number(WASM, at);
        names
    };
    (0..number(WASM, &mut at)).map(|_| import(&mut at)).collect()
}

#[test]
fn the_committed_bytes_are_those_of_the_hash_beside_them() {
    let written = include_str!("../../quittance_mandate.wasm.sha256");
    assert_eq!(written, format!("{:x}  quittance_mandate.wasm\n", Sha256::digest(WASM)));
}

#[test]
fn the_committed_bytes_cannot_replace_themselves_nor_deploy_others() {
    // In the host's table: l.6 updates the current contract's wasm, l.3, l.4, l.5, l.e create and upload contracts.
    let imports = imports();
    assert_eq!(imports.len(), 31);
    for forbidden in ["l.3", "l.4", "l.5", "l.6", "l.e"] {
        assert!(!imports.contains(&forbidden.to_string()), "{forbidden}");
    }
}
