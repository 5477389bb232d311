import { insertIntoComponent } from '../../support/wat-plugin.ts';

const plugin = { name: 'module-twice', call: '(call $ok-number (memory.size))' };
const module = '(core module $extra (memory 30))';

/** One core module, instantiated this often: each instance has a memory of its own. */
export const instantiated = (times: number): Promise<string> =>
  insertIntoComponent(plugin, `${module} ${'(core instance (instantiate $extra)) '.repeat(times)}`);

/** A component around the module, instantiated this often. */
export const wrapped = (times: number): Promise<string> =>
  insertIntoComponent(
    plugin,
    `(component $shell ${module} (core instance (instantiate $extra)))
     ${'(instance (instantiate $shell)) '.repeat(times)}`,
  );

/** As many different modules as there are, each with its own memory of 30 pages. */
export const different = (count: number): Promise<string> =>
  insertIntoComponent(
    plugin,
    Array.from(
      { length: count },
      (_, index) => `(core module $m${index} (memory 30)) (core instance (instantiate $m${index}))`,
    ).join(' '),
  );
