/work/iauthor/examples/plugins/sqlite/target/release/deps/vcpkg-f71ae0132c19e52e.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/vcpkg-0.2.15/src/lib.rs

/work/iauthor/examples/plugins/sqlite/target/release/deps/libvcpkg-f71ae0132c19e52e.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/vcpkg-0.2.15/src/lib.rs

/work/iauthor/examples/plugins/sqlite/target/release/deps/libvcpkg-f71ae0132c19e52e.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/vcpkg-0.2.15/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/vcpkg-0.2.15/src/lib.rs:
