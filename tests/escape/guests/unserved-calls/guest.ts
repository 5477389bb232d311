import { watGuest } from '../../support/wat-plugin.ts';

/** `inside.txt`, in the order of bytes of a store. */
const path = `
  (i64.store (i32.const 1200) (i64.const 0x742e656469736e69))
  (i32.store16 (i32.const 1208) (i32.const 0x7478))`;

/** 0 when the call succeeded, 10 and the number of the error's case when not. */
const outcome = `
  (call $ok-number
    (if (result i32) (i32.load8_u (i32.const 1024))
      (then (i32.add (i32.const 10) (i32.load8_u (i32.const 1032))))
      (else (i32.const 0))))`;

const i32s = (count: number): string => 'i32 '.repeat(count).trim();
const zeros = (count: number): string => '(i32.const 0) '.repeat(count).trim();

/** Runs a program, by an interface that this version names and does not serve. */
export const running = (): Promise<string> =>
  watGuest({
    name: 'unserved-calls',
    tools: [{ name: 'go', effect: 'external' }],
    wants: ['exec'],
    imports: `(import "cuervo:host/exec@0.1.0" "run" (func $run (param ${i32s(12)})))`,
    // program, no arguments, no folder, no input, no time, no output
    call: `${path} (call $run (i32.const 1200) (i32.const 10) ${zeros(9)} (i32.const 1024)) ${outcome}`,
  });

/** Looks at the same file. */
export const looking = (): Promise<string> =>
  watGuest({
    name: 'unserved-calls',
    tools: [{ name: 'go', effect: 'external' }],
    wants: ['fs'],
    imports: '(import "cuervo:host/fs@0.1.0" "stat" (func $stat (param i32 i32 i32)))',
    call: `${path} (call $stat (i32.const 1200) (i32.const 10) (i32.const 1024)) ${outcome}`,
  });
