/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/fallible_streaming_iterator-cf427f71683d61f1.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-streaming-iterator-0.1.9/src/lib.rs

/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/libfallible_streaming_iterator-cf427f71683d61f1.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-streaming-iterator-0.1.9/src/lib.rs

/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/libfallible_streaming_iterator-cf427f71683d61f1.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-streaming-iterator-0.1.9/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/fallible-streaming-iterator-0.1.9/src/lib.rs:
