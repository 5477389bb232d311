import { definePlugin, v } from '@cuervo/sdk';

/** Module state: what a guest could leave behind for whoever calls next. */
const kept: string[] = [];
(globalThis as { stash?: string[] }).stash ??= [];

/** Remembers what it was told in one call and tells it in the next. */
export default definePlugin({
  name: 'state-keeper',
  version: '0.1.0',
  description: 'Keeps what it hears.',
  wants: [],
  tools: [
    {
      name: 'hear',
      description: 'Keeps some words, tells all that were kept.',
      effect: 'pure',
      input: v.object({ words: v.array(v.string()) }),
      examples: [],
      run: ({ words }) => {
        const { stash } = globalThis as unknown as { stash: string[] };
        const prototype = Object.prototype as { poison?: string };
        const poisoned = prototype.poison ?? null;
        for (const word of words) {
          kept.push(word);
          stash.push(word);
          prototype.poison = word;
        }
        return { content: { kept, stash, poisoned }, summary: 'heard' };
      },
    },
  ],
});
