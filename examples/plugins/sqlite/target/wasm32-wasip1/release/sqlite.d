/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/sqlite.wasm: /work/iauthor/examples/plugins/sqlite/src/main.rs
