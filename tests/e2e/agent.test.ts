import { expect, it } from 'vitest';
import { openPlace } from '../support/place.ts';

const question = 'where is the retry limit set?';

/**
 * `src/agent.ts` alone tells a plan (`tests/arch/rules.ts`), so a run that tells one went through it.
 */
it.each([
  ['ask', ['ask', question, '--json'], ''],
  ['a message of a chat', ['chat', '--json'], `${question}\n`],
  ['run', ['run', 'file.read', 'path=retry.ts', '--json'], ''],
])(
  '%s goes through the agent: its plan is told before a step of it runs',
  async (_, args, stdin) => {
    using place = openPlace({ 'retry.ts': 'export const retryLimit = 3;\n' });
    const { events, exitCode } = await place.cuervo(args, { stdin });
    const types = events.map(({ type }) => type);
    const plans = events.filter(({ type }) => type === 'plan');
    const started = events.filter((event) => event.type === 'step-started');
    expect(exitCode).toBe(0);
    expect(started.length).toBeGreaterThan(0);
    expect(types.indexOf('plan')).toBeLessThan(types.indexOf('step-started'));
    expect(started.map(({ step }) => step)).toEqual(
      expect.arrayContaining(
        plans.flatMap(({ steps }) => (steps as { id: string }[]).map(({ id }) => id)),
      ),
    );
    expect(types.filter((type) => type === 'run-finished')).toHaveLength(1);
  },
);
