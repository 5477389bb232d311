import { watGuest } from '../../support/wat-plugin.ts';

/** Exports one more function, which traps whoever calls it. */
export const withExport = (name: string): Promise<string> =>
  watGuest({
    name: 'odd-exports',
    world: `export %${name}: func();`,
    fields: `(func (export "${name}") unreachable)`,
    call: '(call $ok-number (i32.const 1))',
  });
