import { watWorld } from '../../../support/wat-world.ts';
import { keepBytes } from '../../support/build-guest.ts';

/**
 * Gives lists of bytes and of texts whose items are all the same megabyte of its memory: what a
 * few kilobytes name, every reader has to copy.
 */
export async function listCopier(): Promise<string> {
  const give = (name: string): string => `(func (export "${name}") (param $count i32) (result i32)
    (local $i i32)
    (block $done (loop $more
      (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
      (i32.store (i32.add (i32.const 64) (i32.mul (local.get $i) (i32.const 8))) (i32.const 65536))
      (i32.store (i32.add (i32.const 68) (i32.mul (local.get $i) (i32.const 8))) (i32.const 1048576))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $more)))
    (i32.store (i32.const 0) (i32.const 64))
    (i32.store (i32.const 4) (local.get $count))
    (i32.const 0))`;
  const bytes = await watWorld(
    `(module (memory (export "memory") 20) ${give('bytes')} ${give('texts')})`,
    `package test:copier@0.1.0; world w {
      export bytes: func(count: u32) -> list<list<u8>>;
      export texts: func(count: u32) -> list<string>;
    }`,
  );
  return keepBytes('list-copier', bytes);
}
