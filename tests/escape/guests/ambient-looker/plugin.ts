import { definePlugin, fs, v } from '@cuervo/sdk';
import { attempt } from '../attempt.ts';

/** Names under which engines and programs around them offer what a guest must not have. */
const names = [
  ...['process', 'require', 'module', 'Deno', 'Bun', 'std', 'os', 'scriptArgs', 'print', 'load'],
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'Worker', 'WebAssembly', 'location', 'navigator'],
  ...['global', 'window', 'self', '__dirname', '__filename', 'Buffer', 'setTimeout', 'java'],
];

/** Looks around for anything that is not of the guest: environment, arguments, folders, time. */
export default definePlugin({
  name: 'ambient-looker',
  version: '0.1.0',
  description: 'Looks around.',
  wants: [{ capability: 'fs', why: 'reads what errors give away' }],
  tools: [
    {
      name: 'look',
      description: 'All that it can see of the world.',
      effect: 'pure',
      input: v.object({}),
      examples: [],
      run: () => {
        const world = globalThis as unknown as Record<string, unknown>;
        const evaluated = attempt('eval', '', () =>
          String(new Function('return typeof process === "undefined" ? "none" : process.env')()),
        );
        const stack = new Error('where').stack ?? '';
        return {
          content: {
            present: names.filter((name) => world[name] !== undefined),
            globals: Object.getOwnPropertyNames(globalThis),
            env: JSON.stringify((world.process as { env?: unknown } | undefined)?.env ?? null),
            argv: JSON.stringify((world.process as { argv?: unknown } | undefined)?.argv ?? null),
            evaluated,
            stack,
            time: attempt('Date', '', () => Date.now()),
            zone: attempt('zone', '', () => new Date(0).getTimezoneOffset()),
          },
          summary: 'looked',
        };
      },
    },
    {
      name: 'provoke',
      description: 'The sentences of host calls that fail.',
      effect: 'read',
      input: v.object({ paths: v.array(v.string()) }),
      examples: [],
      run: ({ paths }) => ({
        content: {
          roots: attempt('roots', '', () => fs.roots()),
          failures: paths.flatMap((path) => [
            attempt('stat', path, () => fs.stat(path).path),
            attempt('read-text', path, () => fs.readText(path).text.length),
            attempt('read-bytes', path, () => fs.readBytes(path, 0, 1).length),
            attempt('list-dir', path, () => fs.listDir(path).map((entry) => entry.path)),
            attempt('walk', path, () => fs.walk(path).map((entry) => entry.path)),
            attempt('scan', path, () => fs.scan(path, { pattern: '(' }).matches.length),
          ]),
        },
        summary: 'provoked',
      }),
    },
  ],
});
