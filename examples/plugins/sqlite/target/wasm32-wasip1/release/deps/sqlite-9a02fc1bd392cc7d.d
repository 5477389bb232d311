/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/sqlite-9a02fc1bd392cc7d.d: src/main.rs

/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/sqlite-9a02fc1bd392cc7d.wasm: src/main.rs

src/main.rs:
