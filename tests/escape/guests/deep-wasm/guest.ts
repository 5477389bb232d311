import { watGuest } from '../../support/wat-plugin.ts';

/** Calls itself, in WebAssembly and not in an engine inside it, this often or for ever. */
export const deepWasm = (depth: number | undefined): Promise<string> =>
  watGuest({
    name: 'deep-wasm',
    fields: `
      (func $descend (param $left i32) (result i32)
        (if (result i32) (i32.eqz (local.get $left))
          (then (i32.const 0))
          (else (i32.add (i32.const 1) (call $descend (i32.sub (local.get $left) (i32.const 1)))))))`,
    call: `(call $ok-number (call $descend (i32.const ${depth ?? -1})))`,
  });
