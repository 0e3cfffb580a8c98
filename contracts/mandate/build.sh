#!/usr/bin/env bash
# Builds quittance_mandate.wasm from this folder, byte for byte. See README.md, "Building".
#   MANDATE_TOOLCHAIN  a folder to keep the compiler for wasm32v1-none in (made on first use; default: under CARGO_TARGET_DIR)
#   CARGO_TARGET_DIR   where cargo builds (default: a fresh temporary folder)
# Needs: apt-get download, dpkg, cargo and rust-lld of rustup's 1.95.0.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${CARGO_TARGET_DIR:=$(mktemp -d)}"
: "${MANDATE_TOOLCHAIN:=$CARGO_TARGET_DIR/mandate-toolchain}"

debian_rust=1.96.0+dfsg1-1~deb12u2
debian_llvm=1:22.1.8-1~deb12u1
debian_binaryen=108-1
rustup_rust=1.95.0

prefix=$MANDATE_TOOLCHAIN/prefix
library=$prefix/usr/lib/rustlib/src/rust/library
target_libraries=$prefix/usr/lib/rustlib/wasm32v1-none/lib
rustup_root=$(RUSTUP_TOOLCHAIN=$rustup_rust rustc --print sysroot)
cargo=$rustup_root/bin/cargo

export RUSTC=$prefix/usr/bin/rustc
export LD_LIBRARY_PATH=$prefix/usr/lib/x86_64-linux-gnu
export CARGO_TARGET_WASM32V1_NONE_LINKER=$rustup_root/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld
export CARGO_BUILD_JOBS=${CARGO_BUILD_JOBS:-1}
# A panic is a bare `unreachable`, in core too: its messages and their formatting would be a third of the bytes.
export RUSTC_BOOTSTRAP=1
traps='-Zunstable-options -Cpanic=immediate-abort'
unset RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_INCREMENTAL

unpack_compiler() {
  mkdir -p "$MANDATE_TOOLCHAIN/debs"
  (
    cd "$MANDATE_TOOLCHAIN/debs"
    apt-get download -q "rustc-web=$debian_rust" "rust-web-src=$debian_rust" "libstd-rust-web-1.96=$debian_rust" \
      "libstd-rust-web-dev=$debian_rust" "libllvm22=$debian_llvm" "binaryen=$debian_binaryen"
    for package in *.deb; do dpkg -x "$package" "$prefix"; done
  )
}

# core and alloc for the target, once, with the profile that is part of the recipe.
build_core() {
  local empty=$MANDATE_TOOLCHAIN/core
  mkdir -p "$empty/src" "$empty/.cargo"
  printf '#![no_std]\n' >"$empty/src/lib.rs"
  printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2024"\n[profile.release]\nopt-level = "z"\nlto = true\n[workspace]\n' >"$empty/Cargo.toml"
  printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "%s"\n' "$library/vendor" >"$empty/.cargo/config.toml"
  (
    cd "$empty"
    RUSTFLAGS="$traps --remap-path-prefix=$library=/rust/library --remap-path-prefix=$empty=/core" \
      CARGO_TARGET_DIR=$empty/target \
      "$cargo" build --release --offline -Z build-std=core,alloc --target wasm32v1-none
  )
  mkdir -p "$target_libraries"
  cp "$empty"/target/wasm32v1-none/release/deps/lib{core,alloc,compiler_builtins}-*.rlib "$target_libraries"
}

[ -x "$RUSTC" ] || unpack_compiler
[ -d "$target_libraries" ] || build_core

cd "$here"
RUSTFLAGS="$traps --remap-path-prefix=$here=/mandate --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo --remap-path-prefix=$CARGO_TARGET_DIR=/target --remap-path-prefix=$library=/rust/library" \
  "$cargo" build --release --locked --target wasm32v1-none --lib
built=$CARGO_TARGET_DIR/quittance_mandate.wasm
"$prefix/usr/bin/wasm-opt" --dae-optimizing -Oz --converge --mvp-features --enable-mutable-globals --enable-sign-ext \
  "$CARGO_TARGET_DIR/wasm32v1-none/release/quittance_mandate.wasm" -o "$built"
if [ "${1:-}" = --check ]; then
  cmp "$built" quittance_mandate.wasm
else
  cp "$built" quittance_mandate.wasm
  sha256sum quittance_mandate.wasm >quittance_mandate.wasm.sha256
fi
wc -c "$built" | cut -d' ' -f1
cat quittance_mandate.wasm.sha256
