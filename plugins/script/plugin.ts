import { definePlugin, defineTool, v } from '@cuervo/sdk';
import { runScript } from './run-script.ts';

const maxCode = 256 * 1024;

// A model chooses tools by their description, so the rules for scripts are in this schema.
const input = v.object({
  code: v.pipe(
    v.string(),
    v.maxLength(maxCode),
    v.description(
      'body of an async function. tools.file.read({path: "a.md"}) gives the parsed result, and throws an error with a code; tools.all([{tool: "search.grep", input: {…}}, …]) reads side by side; tools.find("goal") names tools; console.log shows a line; return gives the result. Nothing else is there',
    ),
  ),
  input: v.optional(v.pipe(v.any(), v.description('`input` in the code: any JSON'))),
});

export default definePlugin({
  name: 'script',
  version: '0.1.0',
  description: 'Runs JavaScript that calls tools, in an engine that holds nothing else.',
  licence: 'Apache-2.0',
  wants: [
    { capability: 'tools', why: 'calls the tools that the script names' },
    { capability: 'log', why: 'shows what the script writes with console.log' },
  ],
  // As many calls as the host lets a script make, and its searches for tools.
  limits: { hostCalls: 2000 },
  tools: [
    defineTool({
      name: 'read',
      description:
        'JavaScript over many tools that only read, in one call in place of many. Each is checked like a direct one.',
      effect: 'read',
      input,
      examples: [
        {
          code: 'return tools.call(input.tool, input.with)',
          input: { tool: 'file.stat', with: {} },
        },
      ],
      run: runScript,
    }),
    defineTool({
      name: 'run',
      description:
        'JavaScript over many tools of any kind, in one call in place of many. Each is checked like a direct one.',
      effect: 'external',
      input,
      examples: [
        { code: 'for (const path of input) tools.file.delete({ path })', input: ['a.tmp'] },
      ],
      run: runScript,
    }),
  ],
});
