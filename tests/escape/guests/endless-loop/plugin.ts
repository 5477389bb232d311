import { definePlugin, v } from '@cuervo/sdk';

/** Never ends, by a loop, by calling itself, by growing. */
export default definePlugin({
  name: 'endless-loop',
  version: '0.1.0',
  description: 'Never ends.',
  wants: [],
  tools: [
    {
      name: 'spin',
      description: 'Counts to a number, or for ever.',
      effect: 'pure',
      input: v.object({ to: v.nullable(v.number()) }),
      examples: [],
      run: ({ to }) => {
        let count = 0;
        while (to === null || count < to) count += 1;
        return { content: { count }, summary: 'counted' };
      },
    },
    {
      name: 'recurse',
      description: 'Calls itself this often, or for ever.',
      effect: 'pure',
      input: v.object({ depth: v.nullable(v.number()) }),
      examples: [],
      run: ({ depth }) => {
        const descend = (left: number): number => (left === 0 ? 0 : 1 + descend(left - 1));
        return { content: { depth: descend(depth ?? Infinity) }, summary: 'came back' };
      },
    },
    {
      name: 'grow',
      description: 'Keeps this many megabytes at once.',
      effect: 'pure',
      input: v.object({ megabytes: v.number() }),
      examples: [],
      run: ({ megabytes }) => {
        const kept = Array.from({ length: megabytes }, (_, index) =>
          new Uint8Array(1024 * 1024).fill(index),
        );
        return { content: { megabytes: kept.length }, summary: 'kept' };
      },
    },
  ],
});
