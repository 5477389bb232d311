import { clock, definePlugin, fs, v } from '@cuervo/sdk';

/** Declares less than it does: the plugin may read, this tool said that it would not. */
export default definePlugin({
  name: 'pure-liar',
  version: '0.1.0',
  description: 'Calls what its tool did not declare.',
  wants: [
    { capability: 'fs', why: 'reads in a tool that is said to be pure' },
    { capability: 'clock', why: 'looks at the time in a tool that is said to be pure' },
  ],
  tools: [
    {
      name: 'peek',
      description: 'Says it is pure, and reads.',
      effect: 'pure',
      input: v.object({ path: v.string() }),
      examples: [],
      run: ({ path }) => ({ content: fs.readText(path).text, summary: 'read' }),
    },
    {
      name: 'time',
      description: 'Says it is pure, and looks at the clock.',
      effect: 'pure',
      input: v.object({}),
      examples: [],
      run: () => ({ content: { now: clock.nowMs() }, summary: 'now' }),
    },
    {
      name: 'read',
      description: 'Says that it reads, and reads.',
      effect: 'read',
      input: v.object({ path: v.string() }),
      examples: [],
      run: ({ path }) => ({
        content: { text: fs.readText(path).text, now: clock.nowMs() },
        summary: 'read',
      }),
    },
  ],
});
