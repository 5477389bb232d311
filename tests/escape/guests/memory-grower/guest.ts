import { watGuest } from '../../support/wat-plugin.ts';

/** Grows its memory by this many pages at once, and traps when it does not get them. */
export const growBy = (pages: number): Promise<string> =>
  watGuest({
    name: 'memory-grower',
    call: `
      (if (i32.eq (memory.grow (i32.const ${pages})) (i32.const -1)) (then unreachable))
      (call $ok-number (memory.size))`,
  });

/** Grows page by page until it gets no more, writes to each, and tells how many it has. */
export const growToTheEnd = (): Promise<string> =>
  watGuest({
    name: 'memory-grower',
    call: `
      (loop $more
        (if (i32.ne (memory.grow (i32.const 1)) (i32.const -1))
          (then
            (i32.store (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4)) (i32.const 1))
            (br $more))))
      (call $ok-number (memory.size))`,
  });

/** Asks for this many pages from the start. */
export const startWith = (pages: number): Promise<string> =>
  watGuest({
    name: 'memory-grower',
    memory: `(memory (export "memory") ${pages})`,
    call: '(call $ok-number (memory.size))',
  });
