/work/iauthor/examples/plugins/sqlite/target/release/deps/pkg_config-0250ce4f9f67f924.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/pkg-config-0.3.34/src/lib.rs

/work/iauthor/examples/plugins/sqlite/target/release/deps/libpkg_config-0250ce4f9f67f924.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/pkg-config-0.3.34/src/lib.rs

/work/iauthor/examples/plugins/sqlite/target/release/deps/libpkg_config-0250ce4f9f67f924.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/pkg-config-0.3.34/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/pkg-config-0.3.34/src/lib.rs:
