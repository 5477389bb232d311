import { watGuest } from '../../support/wat-plugin.ts';

/** Answers with a text of this address and length, whatever lies there. */
export const resultAt = (address: number, length: number, pages = 1): Promise<string> =>
  watGuest({
    name: 'giant-lists',
    call: `
      (drop (memory.grow (i32.const ${pages})))
      (memory.fill (i32.const 65536) (i32.const 120) (i32.mul (i32.const ${pages}) (i32.const 65536)))
      (call $ok-text (i32.const ${address}) (i32.const ${length}))`,
  });

/** Fails with such a text, as the case of a `tool-error` with this number. */
export const failureAt = (which: number, address: number, length: number): Promise<string> =>
  watGuest({
    name: 'giant-lists',
    call: `(call $failed (i32.const ${which}) (i32.const ${address}) (i32.const ${length}))`,
  });

/**
 * Hands `walk` a list of patterns that are all the same text: a few kilobytes in the guest,
 * as many copies as it likes in whoever reads the list.
 */
export const sameText = (count: number, length: number): Promise<string> =>
  watGuest({
    name: 'giant-lists',
    tools: [{ name: 'go', effect: 'read' }],
    wants: ['fs'],
    imports: `(import "cuervo:host/fs@0.1.0" "walk" (func $walk
      (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))`,
    call: `
      (drop (memory.grow (i32.const ${Math.ceil((count * 8 + length) / 65_536) + 1})))
      (memory.fill (i32.const 65536) (i32.const 120) (i32.const ${length}))
      (loop $more
        (i32.store (i32.add (i32.const ${65_536 + length}) (i32.mul (local.get $i) (i32.const 8))) (i32.const 65536))
        (i32.store (i32.add (i32.const ${65_540 + length}) (i32.mul (local.get $i) (i32.const 8))) (i32.const ${length}))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $more (i32.lt_u (local.get $i) (i32.const ${count}))))
      (i32.store (i32.const 1100) (i32.const 0x6b726f77)) ;; "work"
      (i32.store8 (i32.const 1104) (i32.const 0x3a))
      (call $walk (i32.const 1100) (i32.const 5)
        (i32.const ${65_536 + length}) (i32.const ${count}) (i32.const 0) (i32.const 0)
        (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 10) (i32.const 1024))
      (call $ok-number (i32.load8_u (i32.const 1024)))`,
  });
