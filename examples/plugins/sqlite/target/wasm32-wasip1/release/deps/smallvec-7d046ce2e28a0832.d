/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/smallvec-7d046ce2e28a0832.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/smallvec-1.16.6/src/lib.rs

/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/libsmallvec-7d046ce2e28a0832.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/smallvec-1.16.6/src/lib.rs

/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/libsmallvec-7d046ce2e28a0832.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/smallvec-1.16.6/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/smallvec-1.16.6/src/lib.rs:
