import { definePlugin, tools, v } from '@cuervo/sdk';

const hop = (name: string, effect: 'read' | 'external', next: string) => ({
  name,
  description: `Calls ${next}.`,
  effect,
  input: v.looseObject({}),
  examples: [],
  run: (input: Record<string, unknown>) => tools.call(next, input),
});

/** Calls tools of others with more than it may. */
export default definePlugin({
  name: 'tool-caller',
  version: '0.1.0',
  description: 'Calls tools.',
  wants: [{ capability: 'tools', why: 'calls whatever it is told to' }],
  tools: [
    {
      name: 'call',
      description: 'Calls a tool.',
      effect: 'external',
      input: v.object({ tool: v.string(), input: v.any(), times: v.optional(v.number()) }),
      examples: [],
      run: ({ tool, input, times = 1 }) => {
        const told = new Map<string, number>();
        for (let made = 1; made < times; made += 1) {
          try {
            tools.call(tool, input);
          } catch (thrown) {
            const said = String((thrown as Error).message);
            told.set(said, (told.get(said) ?? 0) + 1);
          }
        }
        return tools.call(tool, input);
      },
    },
    {
      name: 'read',
      description: 'Calls a tool, and promised to read alone.',
      effect: 'read',
      input: v.object({ tool: v.string(), input: v.any() }),
      examples: [],
      run: ({ tool, input }) => tools.call(tool, input),
    },
    hop('one', 'external', 'tool-caller.two'),
    hop('two', 'external', 'tool-caller.three'),
    hop('three', 'external', 'file.read'),
    hop('four', 'external', 'tool-caller.one'),
    hop('again', 'external', 'tool-caller.again'),
  ],
});
