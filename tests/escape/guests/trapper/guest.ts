import { watGuest } from '../../support/wat-plugin.ts';

/** Dies in the middle of a call. */
export const trapper = (): Promise<string> => watGuest({ name: 'trapper', call: 'unreachable' });

/** Adds up numbers for a while, and tells the sum. */
export const adder = (rounds: number): Promise<string> =>
  watGuest({
    name: 'adder',
    call: `
      (loop $more
        (local.set $n (i32.rem_u (i32.add (i32.mul (local.get $n) (i32.const 31)) (local.get $i)) (i32.const 1000003)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $more (i32.lt_u (local.get $i) (i32.const ${rounds}))))
      (call $ok-number (local.get $n))`,
  });
