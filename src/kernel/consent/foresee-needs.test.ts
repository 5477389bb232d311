import { describe, expect, it } from 'vitest';
import type { ConsentNeed } from '../../consent/tasks.ts';
import type { Plan, Step, StepInput } from '../../contracts/plan.ts';
import type { Rehearsal } from '../../contracts/tool.ts';
import { foreseeNeeds } from './foresee-needs.ts';

const step = (id: string, input: StepInput, effect: Step['effect'] = 'write'): Step => ({
  ...{ id, tool: 'file.write', input, needs: [], effect },
});

/** Tools that need `PLUGIN CAPABILITY:DETAIL` of their input; what was rehearsed and asked. */
async function foresee(steps: readonly Step[], isOpen = true) {
  const rehearsed: string[] = [];
  const asked: string[][] = [];
  const needs = new Map<Rehearsal, ConsentNeed>();
  const { signal } = new AbortController();
  const plan: Plan = { steps, capabilities: [] };
  await foreseeNeeds(plan, {
    invoker: {
      async *invoke({ input }, { rehearsal }) {
        if (rehearsal === undefined) throw new Error('a real call');
        rehearsed.push(rehearsal.step);
        const [plugin = '', capability = '', detail] = String(input.need).split(/[ :]/);
        const change = { kind: 'create-dir' as const, path: 'work:a' };
        needs.set(rehearsal, {
          effect: { capability: 'fs-write', change },
          caller: { plugin, digest: 'd', signal, step: rehearsal.step },
          ...{ builtin: true, reason: '', hint: '', isHeld: async () => false },
          grant: { capability, detail } as ConsentNeed['grant'],
        });
        yield { type: 'progress', label: '', done: 0 };
        throw new Error('ends at its first effect');
      },
    },
    desk: {
      open: isOpen,
      foreseen: (rehearsal) => needs.get(rehearsal),
      askTogether: async (group) => {
        asked.push(group.map(({ caller }) => caller.step ?? ''));
      },
    },
    ...{ run: 'r', signal, stepTimeoutMs: 1000 },
  });
  return { rehearsed, asked };
}

const need = (text: string): StepInput => ({ need: text });

describe('foreseeNeeds()', () => {
  it('puts together what one plugin needs of one grant, in the order of the plan', async () => {
    const { asked } = await foresee([
      step('s1', need('file fs-write:work')),
      step('s2', need('shell exec:npm')),
      step('s3', need('file fs-write:work')),
      step('s4', need('shell exec:git')),
      step('s5', need('shell exec:npm')),
      step('s6', need('other fs-write:work')),
    ]);
    expect(asked).toEqual([['s1', 's3'], ['s2', 's5'], ['s4'], ['s6']]);
  });

  it('rehearses no reader, nothing that waits for another step, and no step alone', async () => {
    const known = need('file fs-write:work');
    const waiting = { need: { deep: [{ $from: 's1', path: '/x' }] } };
    expect(await foresee([step('s1', known), step('s2', waiting)])).toEqual({
      ...{ rehearsed: [], asked: [] },
    });
    const readers = [step('s1', known), step('s2', known, 'read'), step('s3', known)];
    expect((await foresee(readers)).rehearsed).toEqual(['s1', 's3']);
    expect((await foresee([step('s1', known), step('s2', known)], false)).rehearsed).toEqual([]);
  });

  it('asks about ten steps at a time, and leaves those behind twenty to their calls', async () => {
    const steps = Array.from({ length: 30 }, (_, at) =>
      step(`s${at + 1}`, need('file fs-write:work')),
    );
    const { rehearsed, asked } = await foresee(steps);
    expect(rehearsed).toHaveLength(20);
    expect(asked.map(({ length }) => length)).toEqual([10, 10]);
  });
});
