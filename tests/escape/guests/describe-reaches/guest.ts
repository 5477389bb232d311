import { watGuest } from '../../support/wat-plugin.ts';

/**
 * Looks at the clock in `describe` and in `call`, and tells both outcomes as digits: 1 for an
 * error, 0 for the time; the first digit is 5 so that no zero is lost.
 */
export const describeReaches = (): Promise<string> =>
  watGuest({
    name: 'describe-reaches',
    tools: [{ name: 'go', effect: 'read' }],
    wants: ['clock'],
    imports: '(import "cuervo:host/clock@0.1.0" "now-ms" (func $now (param i32)))',
    fields: '(global $in-describe (mut i32) (i32.const 9))',
    describe: `
      (call $now (i32.const 1024))
      (global.set $in-describe (i32.load8_u (i32.const 1024)))`,
    call: `
      (call $now (i32.const 1024))
      (call $ok-number (i32.add (i32.const 500)
        (i32.add
          (i32.mul (global.get $in-describe) (i32.const 10))
          (i32.load8_u (i32.const 1024)))))`,
  });
