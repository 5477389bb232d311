import { watGuest } from '../../support/wat-plugin.ts';

const clock = '(import "cuervo:host/clock@0.1.0" "now-ms" (func $now (param i32)))';
const random = '(import "cuervo:host/random@0.1.0" "bytes" (func $bytes (param i32 i32)))';

/** What is denied has an error in the first byte of its result, and is told as it is. */
const orFail =
  '(if (i32.load8_u (i32.const 64)) (then (return (call $failed (i32.const 1) (i32.const 4096) (i32.const 0)))))';

/**
 * One plugin in several versions: harmless at first, wanting more later. Each answers with its
 * number, after it has asked for what it wants.
 */
export const updater = (
  version: string,
  number: number,
  wants: readonly ('clock' | 'random')[] = [],
): Promise<string> =>
  watGuest({
    name: 'updater',
    version,
    wants,
    tools: [{ name: 'go', effect: wants.length === 0 ? 'pure' : 'read' }],
    imports: [wants.includes('clock') ? clock : '', wants.includes('random') ? random : ''].join(
      ' ',
    ),
    call: `
      ${wants.includes('clock') ? `(call $now (i32.const 64)) ${orFail}` : ''}
      ${wants.includes('random') ? `(call $bytes (i32.const 4) (i32.const 64)) ${orFail}` : ''}
      (call $ok-number (i32.const ${number}))`,
  });
