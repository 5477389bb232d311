import { definePlugin, defineTool, v } from '@cuervo/sdk';
import { runScript } from './run-script.ts';

const maxCode = 256 * 1024;

const input = v.object({
  code: v.pipe(
    v.string(),
    v.maxLength(maxCode),
    v.description(
      'body of an async function: tools.file.read({path: "a.md"}) gives the result, return gives yours',
    ),
  ),
  input: v.optional(v.pipe(v.any(), v.description('`input` in the code: any JSON'))),
});

const how =
  'Each call is checked like a direct one. tools.PLUGIN.TOOL({…}) gives the parsed result and throws an error with a code; tools.all([{tool, input}, …]) reads side by side; tools.find("goal") names tools. There are no files, network or imports beside that.';

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
      description: `Runs a short JavaScript that calls several tools that only read, and returns what it makes of their results. ${how}`,
      effect: 'read',
      input,
      examples: [{ code: 'return tools.search.files({ pattern: "*.ts" })' }],
      run: runScript,
    }),
    defineTool({
      name: 'run',
      description: `Runs a short JavaScript that calls several tools, also those that write files and run programs, and returns what it makes of their results. ${how}`,
      effect: 'external',
      input,
      examples: [
        { code: 'for (const path of input) tools.file.delete({ path })', input: ['a.tmp'] },
      ],
      run: runScript,
    }),
  ],
});
