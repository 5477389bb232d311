import { definePlugin, ToolError, v } from '@cuervo/sdk';
import { LineError } from './line-error.ts';
import { parseLine } from './parse-line.ts';
import type { Plan } from './plan.ts';
import { resolveFolder } from './resolve-folder.ts';

const command = v.pipe(
  v.string(),
  v.description('a command line, e.g. grep -rn TODO src | head -20'),
);
const folder = v.optional(
  v.pipe(v.string(), v.description('folder below the workspace; default the workspace')),
);

export default definePlugin({
  name: 'shell',
  version: '0.1.0',
  description: 'Takes command lines apart, without a shell.',
  licence: 'Apache-2.0',
  wants: [],
  tools: [
    {
      name: 'parse',
      description:
        'What a command line would start, without starting it: programs with their arguments, pipes, conditions and redirections. Says what of the line is not understood.',
      effect: 'pure',
      input: v.object({
        command,
        cwd: folder,
        variables: v.optional(
          v.pipe(v.record(v.string(), v.string()), v.description('variables that have a value')),
        ),
      }),
      examples: [{ command: 'cd src && grep -rn "a b" . | wc -l' }],
      run: ({ command: line, cwd, variables = {} }) => {
        const content = understood(() =>
          parseLine(line, {
            variables: new Map(Object.entries(variables)),
            cwd: resolveFolder('', (cwd ?? '').replace(/^work:/, '')),
          }),
        );
        return { content: { pipelines: content.pipelines }, summary: summaryOf(content) };
      },
    },
  ],
});

/** What is wrong with a line is the caller's to mend. */
function understood<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (thrown) {
    if (thrown instanceof LineError) throw new ToolError('invalid-input', thrown.message);
    throw thrown;
  }
}

function summaryOf({ pipelines }: Plan): string {
  const names = pipelines
    .flatMap(({ commands }) => commands)
    .map((each) => (each.kind === 'program' ? each.program : each.kind));
  return names.length === 0 ? 'no command' : names.join(', ');
}
