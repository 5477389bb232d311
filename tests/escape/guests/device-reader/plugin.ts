import { definePlugin, fs, v } from '@cuervo/sdk';
import { everyFsCall } from '../every-fs-call.ts';

/** Opens what is in the tree and is not a file: fifos, sockets, devices. */
export default definePlugin({
  name: 'device-reader',
  version: '0.1.0',
  description: 'Opens what is not a file.',
  wants: [{ capability: 'fs', why: 'hangs on a fifo, reads a device' }],
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
