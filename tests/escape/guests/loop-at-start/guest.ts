import { watGuest } from '../../support/wat-plugin.ts';

const loop = (rounds: number | undefined): string => `
  (loop $more
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $more ${rounds === undefined ? '(i32.const 1)' : `(i32.lt_u (local.get $i) (i32.const ${rounds}))`}))`;

/** Computes when it is instantiated, before anybody called it. */
export const inStart = (rounds?: number): Promise<string> =>
  watGuest({
    name: 'loop-at-start',
    fields: `(func $begin (local $i i32) ${loop(rounds)}) (start $begin)`,
    call: '(call $ok-number (i32.const 1))',
  });

/** Computes when it is asked for its tools, which happens before consent. */
export const inDescribe = (rounds?: number): Promise<string> =>
  watGuest({
    name: 'loop-at-start',
    describe: loop(rounds),
    call: '(call $ok-number (i32.const 1))',
  });
