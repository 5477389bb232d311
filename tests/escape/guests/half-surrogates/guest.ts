import { watGuest } from '../../support/wat-plugin.ts';

/**
 * Reads a file whose name is these UTF-16 units; only a guest with that encoding can send half
 * of a pair at all. Tells 0 for a text, or 1 and the number of the error's case.
 */
export const readUnits = (units: readonly number[]): Promise<string> =>
  watGuest({
    name: 'half-surrogates',
    stringEncoding: 'utf16',
    tools: [{ name: 'go', effect: 'read' }],
    wants: ['fs'],
    imports: '(import "cuervo:host/fs@0.1.0" "read-text" (func $read (param i32 i32 i32 i32)))',
    call: `
      ${units.map((unit, index) => `(i32.store16 (i32.const ${1200 + index * 2}) (i32.const ${unit}))`).join(' ')}
      (call $read (i32.const 1200) (i32.const ${units.length}) (i32.const 100) (i32.const 1024))
      (call $ok-number
        (if (result i32) (i32.load8_u (i32.const 1024))
          (then (i32.add (i32.const 10) (i32.load8_u (i32.const 1028))))
          (else (i32.const 0))))`,
  });
