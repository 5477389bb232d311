import { insertIntoComponent, watGuest } from '../../support/wat-plugin.ts';

/**
 * Beside the main module as many others as `count`, each with a memory that insists on `pages`
 * when it starts and traps without them. The main one then grows to its end and tells how far.
 */
export const insisting = (count: number, pages: number): Promise<string> =>
  insertIntoComponent(
    {
      name: 'many-memories',
      // The largest of all to start with: it gets what the others leave.
      memory: '(memory (export "memory") 2)',
      call: `
        (loop $more (br_if $more (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
        (call $ok-number (memory.size))`,
    },
    Array.from(
      { length: count },
      (_, index) => `
        (core module $side${index}
          (memory 1)
          (func $begin
            (if (i32.eq (memory.grow (i32.const ${pages - 1})) (i32.const -1)) (then unreachable)))
          (start $begin))
        (core instance (instantiate $side${index}))`,
    ).join(''),
  );

/** One module that defines this many memories. */
export const inOneModule = (count: number): Promise<string> =>
  watGuest({
    name: 'many-memories',
    memory: `(memory (export "memory") 1) ${'(memory 1) '.repeat(count - 1)}`,
    call: '(call $ok-number (memory.size))',
  });
