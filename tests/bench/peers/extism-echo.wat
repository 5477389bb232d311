;; An Extism plugin whose output is its input: eight bytes at a time, then what is left.
(module
  (import "extism:host/env" "input_length" (func $input_length (result i64)))
  (import "extism:host/env" "input_load_u8" (func $input_load_u8 (param i64) (result i32)))
  (import "extism:host/env" "input_load_u64" (func $input_load_u64 (param i64) (result i64)))
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u8" (func $store_u8 (param i64 i32)))
  (import "extism:host/env" "store_u64" (func $store_u64 (param i64 i64)))
  (import "extism:host/env" "output_set" (func $output_set (param i64 i64)))
  (func (export "echo") (result i32)
    (local $length i64)
    (local $whole i64)
    (local $at i64)
    (local $block i64)
    (local.set $length (call $input_length))
    (local.set $whole (i64.and (local.get $length) (i64.const -8)))
    (local.set $block (call $alloc (local.get $length)))
    (block $copied
      (loop $words
        (br_if $copied (i64.ge_u (local.get $at) (local.get $whole)))
        (call $store_u64
          (i64.add (local.get $block) (local.get $at))
          (call $input_load_u64 (local.get $at)))
        (local.set $at (i64.add (local.get $at) (i64.const 8)))
        (br $words)))
    (block $done
      (loop $bytes
        (br_if $done (i64.ge_u (local.get $at) (local.get $length)))
        (call $store_u8
          (i64.add (local.get $block) (local.get $at))
          (call $input_load_u8 (local.get $at)))
        (local.set $at (i64.add (local.get $at) (i64.const 1)))
        (br $bytes)))
    (call $output_set (local.get $block) (local.get $length))
    (i32.const 0)))
