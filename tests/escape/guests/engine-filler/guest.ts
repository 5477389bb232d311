import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { keepBytes } from '../../support/build-guest.ts';
import { watGuest } from '../../support/wat-plugin.ts';

const name = 'engine-filler';
const call = '(call $ok-number (i32.const 1))';

/**
 * At the end of each block the compiler keeps where every variable is, until the function is
 * compiled.
 */
const wideFunction = (blocks: number): string =>
  `(func $wide (local ${'i64 '.repeat(40_000)}) ${'(block (br_if 0 (i32.const 0)))'.repeat(blocks)})`;

/** A function of so many blocks and 40,000 variables. */
export const withWideFunction = (blocks: number): Promise<string> =>
  watGuest({ name, fields: wideFunction(blocks), call: `(call $wide) ${call}` });

/** The same, before anything is called. */
export const withWideStart = (blocks: number): Promise<string> =>
  watGuest({ name, fields: `${wideFunction(blocks)} (start $wide)`, call });

/** An array of the engine's own, of so many mebibytes: no part of any memory. */
export const withArray = (mebibytes: number): Promise<string> =>
  watGuest({
    name,
    fields: '(type $a (array (mut i64)))',
    call: `(call $ok-number (array.len (array.new $a (i64.const 7) (i32.const ${mebibytes * 131_072}))))`,
  });

/** A function whose result is a pair of pairs of pairs, so deep, and one without. */
export async function withPairs(depth: number): Promise<string> {
  const types = Array.from(
    { length: depth },
    (_, index) => `(type $t${index + 1} (tuple $t${index} $t${index}))`,
  );
  const bytes = await parse(`(component (type $t0 u8) ${types.join(' ')}
    (core module $m (memory (export "memory") 1)
      (func (export "go") (result i32) (i32.const 8)))
    (core instance $i (instantiate $m))
    (func $pairs (result $t${depth})
      (canon lift (core func $i "go") (memory (core memory $i "memory"))))
    (export "pairs" (func $pairs))
    (func $go (result u32) (canon lift (core func $i "go")))
    (export "go" (func $go)))`);
  return keepBytes(name, bytes, { isFolder: true });
}
