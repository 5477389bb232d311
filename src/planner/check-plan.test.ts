import { describe, expect, it } from 'vitest';
import type { Step, StepInput } from '../contracts/plan.ts';
import { checkPlan } from './check-plan.ts';

const step = (id: string, needs: string[] = [], input: StepInput = {}): Step => ({
  id,
  tool: 'x.y',
  input,
  needs,
  effect: 'read',
});
const check = (...steps: Step[]): string[] =>
  checkPlan({ steps, capabilities: [] }).steps.map(({ id }) => id);
const invalid = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'invalid-argument',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });

describe('checkPlan()', () => {
  it('puts needs first and keeps ties as they stood', () => {
    expect(check(step('d', ['b', 'c']), step('c', ['a']), step('b', ['a']), step('a'))).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(check(step('x'), step('y'), step('z'))).toEqual(['x', 'y', 'z']);
    expect(check()).toEqual([]);
  });

  it('names the cycle', () => {
    expect(() => check(step('a'), step('b', ['d']), step('c', ['b']), step('d', ['c']))).toThrow(
      invalid('the plan has a cycle: b → d → c → b'),
    );
    expect(() => check(step('a', ['a']))).toThrow(invalid('the plan has a cycle: a → a'));
  });

  it('refuses two steps of one id, and a need that is not a step', () => {
    expect(() => check(step('a'), step('a'))).toThrow(invalid(/the same id/));
    expect(() => check(step('a', ['b']))).toThrow(invalid('step a needs b, which is not a step'));
  });

  it('refuses a reference to a step that is not needed, however deep', () => {
    const input = { list: [{ deep: { $from: 'a', path: '/x' } }] };
    expect(() => check(step('a'), step('b', [], input))).toThrow(
      invalid('step b takes from a but does not need it'),
    );
    expect(check(step('a'), step('b', ['a'], input))).toEqual(['a', 'b']);
  });

  it('refuses an input that is nested too deep, whatever its depth', () => {
    const nested = (depth: number): StepInput => {
      let value: StepInput[string] = [];
      for (let left = depth - 2; left > 0; left -= 1) value = [value];
      return { value };
    };
    for (const depth of [201, 100_000]) {
      expect(() => check(step('a', [], nested(depth)))).toThrow(
        invalid('the input of x.y is nested deeper than 200 levels'),
      );
    }
    expect(check(step('a', [], nested(200)))).toEqual(['a']);
  });

  it('refuses more than fifty steps', () => {
    const steps = Array.from({ length: 51 }, (_, index) => step(`s${index}`));
    expect(() => check(...steps)).toThrow(invalid('the plan has 51 steps, limit 50'));
    expect(check(...steps.slice(1)).length).toBe(50);
  });
});
