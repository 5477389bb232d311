/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/libsqlite3_sys-fcc20536ab223b72.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/libsqlite3-sys-0.40.0/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/libsqlite3-sys-0.40.0/src/error.rs /work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/build/libsqlite3-sys-e1c53ca2dfc53163/out/bindgen.rs

/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/liblibsqlite3_sys-fcc20536ab223b72.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/libsqlite3-sys-0.40.0/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/libsqlite3-sys-0.40.0/src/error.rs /work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/build/libsqlite3-sys-e1c53ca2dfc53163/out/bindgen.rs

/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/liblibsqlite3_sys-fcc20536ab223b72.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/libsqlite3-sys-0.40.0/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/libsqlite3-sys-0.40.0/src/error.rs /work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/build/libsqlite3-sys-e1c53ca2dfc53163/out/bindgen.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/libsqlite3-sys-0.40.0/src/lib.rs:
/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/libsqlite3-sys-0.40.0/src/error.rs:
/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/build/libsqlite3-sys-e1c53ca2dfc53163/out/bindgen.rs:

# env-dep:OUT_DIR=/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/build/libsqlite3-sys-e1c53ca2dfc53163/out
