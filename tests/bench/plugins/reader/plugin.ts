import { definePlugin, fs, v } from '@cuervo/sdk';

/** The tool that reads are timed with: the same file so often, in one call. */
export default definePlugin({
  name: 'reader',
  version: '0.1.0',
  description: 'Reads a file again and again.',
  licence: 'Apache-2.0',
  wants: [{ capability: 'fs', why: 'reads the file it is told to' }],
  tools: [
    {
      name: 'read',
      description: 'Reads a file so often, and counts its characters.',
      effect: 'read',
      input: v.object({ path: v.string(), times: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
      examples: [{ path: 'work:a.txt', times: 1 }],
      run: ({ path, times }) => {
        let characters = 0;
        for (let time = 0; time < times; time += 1) characters += fs.readText(path).text.length;
        return { content: String(characters), summary: `${times} times` };
      },
    },
  ],
});
