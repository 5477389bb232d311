import { describe, expect, it } from 'vitest';
import { toolOf } from '../../tests/fixtures/tool-of.ts';
import { type ErrorCode, KernelError } from '../contracts/error.ts';
import type { StepResult } from '../contracts/plan.ts';
import { mendSteps } from './mend-plan.ts';

const text = { type: 'string' };
const tools = [
  toolOf('file.find'),
  toolOf('count.words', { properties: { path: text } }),
  toolOf('file.delete', { effect: 'write', properties: { path: text } }),
  toolOf('search.grep', { properties: { pattern: text, literal: { type: 'boolean' } } }),
];

function failed(
  step: string,
  tool: string,
  input: StepResult['input'],
  [code, message]: [ErrorCode, string],
): StepResult {
  return {
    ...{ step, tool, input, needs: [], status: 'error', attempts: 1, durationMs: 0, hostCalls: [] },
    error: new KernelError(code, message),
  };
}

const missing: [ErrorCode, string] = ['not-found', 'path "lib/retry.ts" does not exist'];

describe('mendSteps()', () => {
  it('looks for a lost file by its name, and calls the tool again with what is found', () => {
    const input = { path: 'lib/retry.ts', limit: 3 };
    expect(mendSteps([failed('s2', 'count.words', input, missing)], tools, 5)).toEqual([
      {
        ...{ id: 's5', tool: 'file.find', effect: 'read', needs: [] },
        input: { pattern: 'retry.ts', limit: 5 },
      },
      {
        ...{ id: 's6', tool: 'count.words', effect: 'read', needs: ['s5'], insteadOf: 's2' },
        input: { path: { $from: 's5', path: '/paths/0' }, limit: 3 },
      },
    ]);
    const list = failed('s2', 'count.words', { paths: ['lib/retry.ts'] }, missing);
    expect(mendSteps([list], tools, 5)[1]?.input).toEqual({
      paths: [{ $from: 's5', path: '/paths/0' }],
    });
  });

  it('takes a pattern that is no expression as a text, once', () => {
    const wrong: [ErrorCode, string] = ['invalid-argument', 'pattern "x(" is not an expression'];
    expect(mendSteps([failed('s1', 'search.grep', { pattern: 'x(' }, wrong)], tools, 2)).toEqual([
      {
        ...{ id: 's2', tool: 'search.grep', effect: 'read', needs: [], insteadOf: 's1' },
        input: { pattern: 'x(', literal: true },
      },
    ]);
    const again = failed('s1', 'search.grep', { pattern: 'x(', literal: true }, wrong);
    expect(mendSteps([again], tools, 2)).toEqual([]);
  });

  it('plans anew what was skipped behind it', () => {
    const behind: StepResult = {
      ...failed('s3', 'count.words', { path: { $from: 's2', path: '/a' } }, missing),
      ...{ status: 'skipped', needs: ['s2'] },
    };
    const steps = mendSteps(
      [failed('s2', 'count.words', { path: 'lib/retry.ts' }, missing), behind],
      ...([tools, 4] as const),
    );
    expect(steps.map(({ id, insteadOf }) => [id, insteadOf])).toEqual([
      ...[
        ['s4', undefined],
        ['s5', 's2'],
        ['s6', 's3'],
      ],
    ]);
    expect(steps[2]).toMatchObject({ needs: ['s5'], input: { path: { $from: 's5', path: '/a' } } });
    expect(mendSteps([behind], tools, 4)).toEqual([]);
  });

  it.each([
    ['a write', failed('s1', 'file.delete', { path: 'lib/retry.ts' }, missing)],
    ['a tool that is gone', failed('s1', 'gone.tool', { path: 'lib/retry.ts' }, missing)],
    [
      'what nobody granted',
      failed('s1', 'count.words', { path: 'lib/retry.ts' }, ['permission-denied', 'lib/retry.ts']),
    ],
    [
      'an error about something else',
      failed('s1', 'count.words', { path: 'lib/retry.ts' }, ['not-found', 'no commit abc']),
    ],
    ['a glob', failed('s1', 'count.words', { path: 'lib/*.ts' }, ['not-found', 'lib/*.ts'])],
    ['what went well', { ...failed('s1', 'count.words', { path: 'a.ts' }, missing), status: 'ok' }],
  ] as [string, StepResult][])('plans nothing for %s', (_what, result) => {
    const { error: _, ...rest } = result;
    expect(mendSteps([result.status === 'ok' ? rest : result], tools, 2)).toEqual([]);
  });
});
