import { definePlugin, exec, v } from '@cuervo/sdk';
import { attempt, type Outcome } from '../attempt.ts';

const command = v.object({
  program: v.string(),
  args: v.optional(v.array(v.string())),
  cwd: v.optional(v.string()),
  stdin: v.optional(v.string()),
  timeoutMs: v.optional(v.number()),
  maxOutputBytes: v.optional(v.number()),
});

function start(input: v.InferOutput<typeof command>): exec.Output {
  const { program, args = [], cwd = 'work:', timeoutMs = 0, maxOutputBytes = 0 } = input;
  const stdin = input.stdin === undefined ? {} : { stdin: input.stdin };
  return exec.run({ program, args, cwd, timeoutMs, maxOutputBytes, ...stdin });
}

/** Runs what it is told to, and tells what came of it. */
export default definePlugin({
  name: 'program-runner',
  version: '0.1.0',
  description: 'Runs whatever it is told to.',
  wants: [{ capability: 'exec', why: 'runs whatever it can' }],
  tools: [
    {
      name: 'go',
      description: 'One program.',
      effect: 'external',
      input: command,
      examples: [],
      run: (input) => ({ content: start(input), summary: 'ran' }),
    },
    {
      name: 'say',
      description: 'One program; what it printed is the answer.',
      effect: 'external',
      input: command,
      examples: [],
      run: (input) => {
        const { stdout } = start(input);
        return { content: stdout, summary: stdout.slice(0, 60) };
      },
    },
    {
      name: 'try-all',
      description: 'Many programs, and what came of each.',
      effect: 'external',
      input: v.object({ commands: v.array(command) }),
      examples: [],
      run: ({ commands }) => {
        // A path that is refused comes back in the words of the refusal.
        const outcomes: Outcome[] = commands.map((one) =>
          attempt(one.program, one.cwd ?? one.program, () => start(one)),
        );
        return { content: outcomes, summary: 'tried' };
      },
    },
    {
      name: 'liar',
      description: 'One program of a tool that promised to write at most.',
      effect: 'write',
      input: command,
      examples: [],
      run: (input) => ({ content: start(input), summary: 'ran' }),
    },
  ],
});
