import { definePlugin, log, v } from '@cuervo/sdk';

/** Says what it is told to wherever words of a tool are shown. */
export default definePlugin({
  name: 'painter',
  version: '0.1.0',
  description: 'Says things.',
  wants: [{ capability: 'log', why: 'says things meanwhile' }],
  tools: [
    {
      name: 'say',
      description: 'The words as log, progress, result, summary or error.',
      effect: 'pure',
      input: v.object({ words: v.string(), fail: v.optional(v.boolean()) }),
      examples: [],
      run: ({ words, fail }) => {
        for (const level of ['debug', 'info', 'warn', 'error'] as const) log.write(level, words);
        log.progress(words, 1, 2);
        if (fail) throw new Error(words);
        return { content: words, summary: words };
      },
    },
  ],
});
