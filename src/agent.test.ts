import { describe, expect, it } from 'vitest';
import { type AgentPorts, answerQuestion, runPlan } from './agent.ts';
import type { Answer, Baseline, BudgetMeter, Events, PlanPorts } from './contracts/agent.ts';
import { KernelError } from './contracts/error.ts';
import type { UnstampedEvent } from './contracts/events.ts';
import type { AskIntent } from './contracts/intent.ts';
import type { ModelRole } from './contracts/model.ts';
import type { Step } from './contracts/plan.ts';

const step: Step = { id: 's1', tool: 'file.read', input: {}, needs: [], effect: 'read' };
const intent = {
  kind: 'ask',
  question: 'why?',
  readings: [{ kind: 'how' }],
} as unknown as AskIntent;
const nothing: Answer = { text: 'an answer', mode: 'extractive', evidence: [], memory: [] };

/** Ports that write down which of them was used, each time. */
function openPorts(
  role: ModelRole | 'none',
  {
    fails,
    done,
    hasPassed = true,
  }: { fails?: KernelError; done?: string; hasPassed?: boolean } = {},
): { ports: AgentPorts; plans: PlanPorts; used: string[] } {
  const used: string[] = [];
  const plans: PlanPorts = {
    signal: new AbortController().signal,
    makePlan: (steps) => {
      used.push(`plan ${steps.length}`);
      return { steps } as unknown as ReturnType<PlanPorts['makePlan']>;
    },
    execute: async function* (plan): Events<[]> {
      used.push(`run ${plan.steps.length}`);
      yield* [];
      return [];
    },
  };
  const note = <Value>(name: string, value: Value): Value => {
    used.push(name);
    return value;
  };
  const ports: AgentPorts = {
    question: 'why?',
    read: async () => note('read', intent),
    open: async () => ({
      say: { warn: () => {}, warnOnce: () => {}, askYesNo: undefined },
      plans,
      memory: {
        act: async () => note('act', done === undefined ? { intent } : { done }),
        recall: async () => note('recall', { sure: [], perhaps: [] }),
      },
      baseline: async function* (turn) {
        used.push('baseline');
        yield* turn.run([step]);
        return { results: [] } as unknown as Baseline;
      },
      model: {
        budget: () =>
          note('budget', {
            takeToolCalls: () => {},
            timeLeftMs: () => 1,
          } as unknown as BudgetMeter),
        role: async () => note('role', { role, hasPassed }),
        converse: async function* (turn) {
          used.push('rounds');
          yield* turn.run([step]);
          if (fails !== undefined) throw fails;
          return { answer: { ...nothing, mode: 'model' } };
        },
      },
      answers: {
        ofPassages: async () => note('passages', nothing),
        before: async () => note('before', 'passages; '),
        instead: async function* () {
          yield* [];
          return note('instead', nothing);
        },
      },
      journal: {
        keepAct: () => note('keep act', undefined),
        keepShown: () => note('keep shown', undefined),
        keepTurn: async (_, { mode }) => note(`keep ${mode}`, undefined),
        stop: (failure) => note('stop', failure),
      },
    }),
  };
  return { ports, plans, used };
}

async function typesOf(events: Events<unknown>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  return types;
}

const before = ['read', 'act', 'recall', 'budget', 'role'];

describe('answerQuestion()', () => {
  it.each([
    [
      'none',
      [...before, 'baseline', 'plan 1', 'run 1', 'passages', 'keep shown', 'keep extractive'],
      ['plan', 'text', 'answer'],
    ],
    [
      'word',
      [...before, 'baseline', 'plan 1', 'run 1', 'rounds', 'plan 1', 'run 1', 'keep model'],
      ['plan', 'plan', 'answer'],
    ],
    ['choose', [...before, 'rounds', 'plan 1', 'run 1', 'keep model'], ['plan', 'answer']],
  ] as const)(
    'goes from reading to journal, with a model whose role is %s',
    async (role, steps, told) => {
      const { ports, used } = openPorts(role);
      expect(await typesOf(answerQuestion(ports))).toEqual(told);
      expect(used).toEqual(steps);
    },
  );

  it('tells evidence before the words of a model until it has passed its test', async () => {
    const { ports, used } = openPorts('word', { hasPassed: false });
    const told: UnstampedEvent[] = [];
    for await (const event of answerQuestion(ports)) told.push(event);
    expect(told.map(({ type }) => type)).toEqual(['plan', 'text', 'plan', 'answer']);
    expect(told[1]).toMatchObject({ delta: 'passages; ', mode: 'extractive' });
    expect(told.at(-1)).toMatchObject({ mode: 'model', text: 'passages; an answer' });
    expect(used.indexOf('before')).toBeLessThan(used.indexOf('rounds'));
    // A step runs before the rounds begin, and no word of a model.
    const passed = openPorts('word');
    await typesOf(answerQuestion(passed.ports));
    expect(passed.used).not.toContain('before');
  });

  it('answers in place of a model that fails, keeps that, and throws why', async () => {
    const fails = new KernelError('unavailable', 'gone');
    const { ports, used } = openPorts('choose', { fails });
    await expect(typesOf(answerQuestion(ports))).rejects.toBe(fails);
    expect(used.slice(-3)).toEqual(['stop', 'instead', 'keep extractive']);
  });

  it('does an act of memory without a step and asks no model', async () => {
    const { ports, used } = openPorts('choose', { done: 'Remembered' });
    expect(await typesOf(answerQuestion(ports))).toEqual(['plan', 'text', 'answer']);
    expect(used).toEqual(['read', 'act', 'plan 0', 'run 0', 'keep act']);
  });

  it('opens nothing for words that are no question', async () => {
    const { ports } = openPorts('none');
    const refused = new KernelError('invalid-argument', 'no question');
    let isOpen = false;
    const open: AgentPorts['open'] = async () => {
      isOpen = true;
      return await ports.open();
    };
    const asked = { ...ports, open, read: () => Promise.reject(refused) };
    await expect(typesOf(answerQuestion(asked))).rejects.toBe(refused);
    expect(isOpen).toBe(false);
  });
});

describe('runPlan()', () => {
  it('tells the plan before it runs', async () => {
    const { plans, used } = openPorts('none');
    const events = runPlan([step], plans);
    expect((await events.next()).value).toMatchObject({ type: 'plan', steps: [step] });
    expect(used).toEqual(['plan 1']);
    expect(await typesOf(events)).toEqual([]);
    expect(used).toEqual(['plan 1', 'run 1']);
  });

  it('gives each step no more than the time that the budget has left', async () => {
    const { plans } = openPorts('none');
    const given: unknown[] = [];
    const budget = { takeToolCalls: () => {}, timeLeftMs: () => 7 } as unknown as BudgetMeter;
    const execute: PlanPorts['execute'] = (plan, options) => {
      given.push(options.maxMs);
      return plans.execute(plan, options);
    };
    await typesOf(runPlan([step], { ...plans, execute }, { budget }));
    expect(given).toEqual([7]);
  });
});
