/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/hashlink-1d44c047fcc02b71.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/linked_hash_map.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/linked_hash_set.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/lru_cache.rs

/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/libhashlink-1d44c047fcc02b71.rlib: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/linked_hash_map.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/linked_hash_set.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/lru_cache.rs

/work/iauthor/examples/plugins/sqlite/target/wasm32-wasip1/release/deps/libhashlink-1d44c047fcc02b71.rmeta: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/lib.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/linked_hash_map.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/linked_hash_set.rs /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/lru_cache.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/lib.rs:
/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/linked_hash_map.rs:
/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/linked_hash_set.rs:
/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/hashlink-0.12.2/src/lru_cache.rs:
