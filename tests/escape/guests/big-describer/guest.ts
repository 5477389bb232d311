import { watGuest } from '../../support/wat-plugin.ts';

/** Where the one tool that `describe` tells of has the length of a field; 48 bytes a tool. */
const at = { count: 4100, description: 4112, schema: 4120, examples: 4144 };
const texts = 65_536;
const pages = (bytes: number): number => Math.ceil(bytes / 65_536) + 2;

/** Describes its tool with this many letters, which do exist in its memory. */
export const longDescription = (bytes: number): Promise<string> =>
  watGuest({
    name: 'big-describer',
    memory: `(memory (export "memory") ${pages(bytes)})`,
    describe: `
      (memory.fill (i32.const ${texts}) (i32.const 97) (i32.const ${bytes}))
      (i32.store (i32.const ${at.description}) (i32.const ${texts}))
      (i32.store (i32.const ${at.description + 4}) (i32.const ${bytes}))`,
    call: '(call $ok-number (i32.const 1))',
  });

/** Says that a list has this many entries; what is missing are zeros, or no memory at all. */
export const manyEntries = (
  list: 'count' | 'examples',
  entries: number,
  bytes: number,
): Promise<string> =>
  watGuest({
    name: 'big-describer',
    memory: `(memory (export "memory") ${pages(bytes)})`,
    describe:
      list === 'count'
        ? `(i32.store (i32.const ${at.count}) (i32.const ${entries}))`
        : `(i32.store (i32.const ${at.examples}) (i32.const ${texts}))
           (i32.store (i32.const ${at.examples + 4}) (i32.const ${entries}))`,
    call: '(call $ok-number (i32.const 1))',
  });
