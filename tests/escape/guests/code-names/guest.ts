import { insertIntoComponent, watGuest } from '../../support/wat-plugin.ts';

/** A tool by this name. */
export const withTool = (name: string): Promise<string> =>
  watGuest({
    name: 'code-names',
    tools: [{ name, effect: 'pure' }],
    call: '(call $ok-number (i32.const 1))',
  });

/** An import by this name, as the component model allows it. */
export const withImport = (name: string): Promise<string> =>
  insertIntoComponent(
    { name: 'code-names', call: '(call $ok-number (i32.const 1))' },
    `(import "${name}" (func))`,
  );
