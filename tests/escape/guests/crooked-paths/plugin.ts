import { definePlugin, fs, v } from '@cuervo/sdk';
import { everyFsCall } from '../every-fs-call.ts';

/** Writes paths in every way that might mean a place outside of the root. */
export default definePlugin({
  name: 'crooked-paths',
  version: '0.1.0',
  description: 'Asks for paths that are none.',
  wants: [{ capability: 'fs', why: 'leaves its root by the spelling of a path' }],
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
