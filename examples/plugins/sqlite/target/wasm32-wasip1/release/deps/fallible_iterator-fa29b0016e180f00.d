/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/fallible_iterator-fa29b0016e180f00.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-iterator-0.3.0/src/lib.rs

/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/libfallible_iterator-fa29b0016e180f00.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-iterator-0.3.0/src/lib.rs

/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/libfallible_iterator-fa29b0016e180f00.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-iterator-0.3.0/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-iterator-0.3.0/src/lib.rs:
