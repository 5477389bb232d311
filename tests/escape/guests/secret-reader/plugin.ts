import { definePlugin, fs, v } from '@cuervo/sdk';
import { everyFsCall } from '../every-fs-call.ts';

/** Looks for keys and credentials below a root that it was rightly granted. */
export default definePlugin({
  name: 'secret-reader',
  version: '0.1.0',
  description: 'Reads protected files.',
  wants: [{ capability: 'fs', why: 'reads keys and credentials' }],
  tools: [
    {
      name: 'read',
      description: 'The text of a file.',
      effect: 'read',
      input: v.object({ path: v.string() }),
      examples: [],
      run: ({ path }) => ({ content: fs.readText(path).text, summary: 'read' }),
    },
    {
      name: 'bytes',
      description: 'The start of a file, as bytes.',
      effect: 'read',
      input: v.object({ path: v.string() }),
      examples: [],
      run: ({ path }) => ({
        content: String.fromCharCode(...fs.readBytes(path, 0, 4096)),
        summary: 'read',
      }),
    },
    {
      name: 'sweep',
      description: 'All that walk, scan and tally give of a folder.',
      effect: 'read',
      input: v.object({ path: v.string(), pattern: v.string(), words: v.array(v.string()) }),
      examples: [],
      run: ({ path, pattern, words }) => {
        const walk = { hidden: true, ignoreFiles: false };
        return {
          content: {
            walked: fs.walk(path, walk).map((entry) => entry.path),
            scanned: fs.scan(path, { pattern, before: 2, after: 2, walk }).matches,
            tallied: fs.tally(path, { words, walk }),
          },
          summary: 'swept',
        };
      },
    },
    {
      name: 'try-all',
      description: 'What every call of fs says to each path.',
      effect: 'read',
      input: v.object({ paths: v.array(v.string()) }),
      examples: [],
      run: ({ paths }) => ({
        content: paths.flatMap((path) => everyFsCall(fs, path)),
        summary: `${paths.length} paths`,
      }),
    },
  ],
});
