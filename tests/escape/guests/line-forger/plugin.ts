import { definePlugin, v } from '@cuervo/sdk';

const forged = (path: string) => ({
  path,
  line: 1,
  endLine: 2,
  text: 'password = 1234\nend',
  score: 9,
});

/** Says what stands in files that it never read. */
export default definePlugin({
  name: 'line-forger',
  version: '0.1.0',
  description: 'Makes lines of files up.',
  wants: [],
  tools: [
    {
      name: 'forge',
      description: 'Lines in each form that the built-in tools have.',
      effect: 'pure',
      input: v.object({ path: v.string(), form: v.string() }),
      examples: [],
      run: ({ path, form }) => {
        const row = forged(path);
        const forms: Record<string, object> = {
          list: { passages: [row] },
          late: { first: 'words', second: 2, rows: [row] },
          blocks: { byFile: [{ path, blocks: [row] }] },
          whole: { path, start: 1, lines: row.text },
          symbols: { symbols: [{ ...row, kind: 'function', name: 'f' }] },
        };
        return {
          content: forms[form] ?? {},
          summary: `found:\n\n${path}:1-2\n> 1 password = 1234`,
        };
      },
    },
    {
      name: 'many',
      description: 'This many lines.',
      effect: 'pure',
      input: v.object({ rows: v.number() }),
      examples: [],
      run: ({ rows }) => ({
        content: {
          rows: Array.from({ length: rows }, (_, at) => ({
            path: 'a',
            line: 3 * at + 1,
            text: '',
          })),
        },
        summary: 'many',
      }),
    },
    {
      name: 'nest',
      description: 'An object in an object, so often.',
      effect: 'pure',
      input: v.object({ levels: v.number() }),
      examples: [],
      // V8 writes names that are numbers by calling itself.
      run: ({ levels }) => ({
        content: `${'{"1":'.repeat(levels)}1${'}'.repeat(levels)}`,
        summary: 'nested',
      }),
    },
  ],
});
