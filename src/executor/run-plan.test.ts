import { describe, expect, it } from 'vitest';
import { type ErrorCode, KernelError } from '../contracts/error.ts';
import type { Plan, Step, StepInput, StepResult } from '../contracts/plan.ts';
import type { Effect, ToolCall, ToolEvent, ToolInvoker } from '../contracts/tool.ts';
import { type ExecutorEvent, runPlan } from './run-plan.ts';

/** A tool call that is under way, ended by the test. */
type Open = { call: ToolCall; answer(content: unknown): void; fail(code: ErrorCode): void };

/** Tools whose calls wait until the test ends them. */
function createTools(): ToolInvoker & { open: Map<string, Open>; calls: string[] } {
  const open = new Map<string, Open>();
  const calls: string[] = [];
  return {
    open,
    calls,
    tools: async () => [],
    invoke: async function* (call): AsyncGenerator<ToolEvent, void, undefined> {
      calls.push(call.tool);
      const content = await new Promise<unknown>((resolve, reject) => {
        open.set(call.tool, {
          call,
          answer: resolve,
          fail: (code) => reject(new KernelError(code, `${call.tool} failed`)),
        });
      });
      open.delete(call.tool);
      yield { type: 'output', output: { content: JSON.stringify(content), summary: 'done' } };
    },
  };
}

/** Tools that answer at once. */
function createInstantTools(answer: (call: ToolCall, attempt: number) => unknown): ToolInvoker {
  const attempts = new Map<string, number>();
  return {
    tools: async () => [],
    invoke: async function* (call): AsyncGenerator<ToolEvent, void, undefined> {
      const attempt = (attempts.get(call.tool) ?? 0) + 1;
      attempts.set(call.tool, attempt);
      const content = answer(call, attempt);
      if (content instanceof Error) throw content;
      yield { type: 'output', output: { content: JSON.stringify(content), summary: 'done' } };
    },
  };
}

/** `a` reads; `a:b,c` needs b and c; each step calls the tool of its own name. */
function planOf(
  ...specs: { id: string; needs?: string[]; effect?: Effect; input?: StepInput }[]
): Plan {
  const steps = specs.map(
    ({ id, needs = [], effect = 'read', input = {} }): Step => ({
      id,
      tool: id,
      input,
      needs,
      effect,
    }),
  );
  return { steps, capabilities: [] };
}

function optionsFor(tools: ToolInvoker, more: { signal?: AbortSignal; maxParallel?: number } = {}) {
  return {
    tools,
    clock: { nowMs: () => 0 },
    signal: more.signal ?? new AbortController().signal,
    stepTimeoutMs: 1000,
    maxParallel: more.maxParallel ?? 8,
  };
}

async function runAll(
  plan: Plan,
  tools: ToolInvoker,
): Promise<{ results: StepResult[]; events: ExecutorEvent[] }> {
  const events: ExecutorEvent[] = [];
  const run = runPlan(plan, optionsFor(tools));
  for (;;) {
    const next = await run.next();
    if (next.done) return { results: next.value, events };
    events.push(next.value);
  }
}

/** Lets everything that can go on without the test go on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('runPlan()', () => {
  it('runs a diamond in topological order, its middle in parallel', async () => {
    const tools = createTools();
    const plan = planOf(
      { id: 'top' },
      { id: 'left', needs: ['top'] },
      { id: 'right', needs: ['top'] },
      { id: 'bottom', needs: ['left', 'right'] },
    );
    const running = runAll(plan, tools);
    await settle();
    expect([...tools.open.keys()]).toEqual(['top']);
    tools.open.get('top')?.answer(1);
    await settle();
    expect([...tools.open.keys()]).toEqual(['left', 'right']);
    tools.open.get('right')?.answer(2);
    await settle();
    expect([...tools.open.keys()]).toEqual(['left']);
    tools.open.get('left')?.answer(3);
    await settle();
    expect([...tools.open.keys()]).toEqual(['bottom']);
    tools.open.get('bottom')?.answer(4);
    const { results } = await running;
    expect(results.map(({ step }) => step)).toEqual(['top', 'left', 'right', 'bottom']);
    expect(results.every(({ status }) => status === 'ok')).toBe(true);
  });

  it('overlaps reads, and never more than maxParallel', async () => {
    const tools = createTools();
    const ids = Array.from({ length: 12 }, (_, index) => `r${index}`);
    const run = runPlan(
      planOf(...ids.map((id) => ({ id }))),
      optionsFor(tools, { maxParallel: 8 }),
    );
    const finished = drain(run);
    await settle();
    expect(tools.open.size).toBe(8);
    while (tools.open.size > 0) {
      for (const one of [...tools.open.values()].slice(0, 1)) one.answer(0);
      await settle();
      expect(tools.open.size).toBeLessThanOrEqual(8);
    }
    expect((await finished).length).toBe(12);
  });

  it('runs what writes alone and in plan order', async () => {
    const tools = createTools();
    const finished = drain(
      runPlan(
        planOf(
          { id: 'read1' },
          { id: 'write1', effect: 'write' },
          { id: 'write2', effect: 'external' },
          { id: 'read2' },
        ),
        optionsFor(tools),
      ),
    );
    const seen: string[][] = [];
    for (;;) {
      await settle();
      if (tools.open.size === 0) break;
      seen.push([...tools.open.keys()]);
      for (const one of tools.open.values()) one.answer(0);
    }
    await finished;
    expect(seen).toEqual([['read1'], ['write1'], ['write2'], ['read2']]);
  });

  it('gives identical results whatever finishes first, over 100 shuffled orders', async () => {
    const plan = planOf(
      { id: 'a' },
      { id: 'b' },
      { id: 'c' },
      { id: 'd', needs: ['a', 'b'], input: { from: { $from: 'a', path: '/value' } } },
      { id: 'e', needs: ['b'], input: { from: { $from: 'b', path: '/value' } } },
      { id: 'f', needs: ['c', 'd', 'e'] },
    );
    const random = seededRandom(20);
    const outcomes = new Set<string>();
    for (let round = 0; round < 100; round += 1) {
      const tools = createTools();
      const finished = drain(runPlan(plan, optionsFor(tools)));
      for (;;) {
        await settle();
        const open = [...tools.open.values()];
        if (open.length === 0) break;
        const one = open[Math.floor(random() * open.length)];
        one?.answer({ value: `of ${one.call.tool}`, input: one.call.input });
      }
      outcomes.add(JSON.stringify(await finished));
    }
    expect(outcomes.size).toBe(1);
    expect([...outcomes][0]).toContain('of d');
  });

  it('replaces references by what the earlier step gave', async () => {
    const plan = planOf(
      { id: 'find' },
      { id: 'read', needs: ['find'], input: { path: { $from: 'find', path: '/paths/0' } } },
    );
    const tools = createInstantTools((call) =>
      call.tool === 'find' ? { paths: ['a.ts', 'b.ts'] } : call.input,
    );
    const { results } = await runAll(plan, tools);
    expect(results[1]?.input).toEqual({ path: 'a.ts' });
    expect(results[1]?.output?.content).toBe('{"path":"a.ts"}');
  });

  it('skips a step whose reference points at nothing, and says so', async () => {
    const plan = planOf(
      { id: 'find' },
      { id: 'read', needs: ['find'], input: { path: { $from: 'find', path: '/paths/0' } } },
      { id: 'stat', needs: ['read'] },
    );
    const { results } = await runAll(
      plan,
      createInstantTools(() => ({ paths: [] })),
    );
    expect(results.map(({ status }) => status)).toEqual(['ok', 'skipped', 'skipped']);
    expect(results[1]?.error?.message).toBe('step find returned nothing at /paths/0');
    expect(results[1]?.attempts).toBe(0);
  });

  it('skips what needs a failed step, however far, and runs the rest', async () => {
    const plan = planOf(
      { id: 'bad' },
      { id: 'next', needs: ['bad'] },
      { id: 'far', needs: ['next'] },
      { id: 'free' },
    );
    const tools = createInstantTools((call) =>
      call.tool === 'bad' ? new KernelError('tool-failed', 'no') : {},
    );
    const { results, events } = await runAll(plan, tools);
    expect(results.map(({ status }) => status)).toEqual(['error', 'skipped', 'skipped', 'ok']);
    const finished = events.filter(({ type }) => type === 'step-finished');
    expect(finished.length).toBe(4);
    expect(events.filter(({ type }) => type === 'step-started').length).toBe(2);
  });

  it('ends a plan in which every step is skipped or failed', async () => {
    const plan = planOf({ id: 'bad' }, { id: 'w', needs: ['bad'], effect: 'write' });
    const { results } = await runAll(
      plan,
      createInstantTools(() => new KernelError('invalid-argument', 'x')),
    );
    expect(results.map(({ status }) => status)).toEqual(['error', 'skipped']);
  });

  it('runs a plan without steps', async () => {
    expect((await runAll(planOf(), createTools())).results).toEqual([]);
  });

  it.each<[Effect, ErrorCode, number]>([
    ['read', 'unavailable', 2],
    ['pure', 'unavailable', 2],
    ['write', 'unavailable', 1],
    ['external', 'unavailable', 1],
    ['read', 'tool-failed', 1],
    ['read', 'deadline-exceeded', 1],
    ['read', 'plugin-fault', 1],
    ['read', 'permission-denied', 1],
  ])('tries a %s step that failed with %s %i times', async (effect, code, attempts) => {
    const tools = createInstantTools((_, attempt) => new KernelError(code, `attempt ${attempt}`));
    const { results } = await runAll(planOf({ id: 'a', effect }), tools);
    expect(results[0]?.attempts).toBe(attempts);
    expect(results[0]?.error?.message).toBe(`attempt ${attempts}`);
  });

  it('takes the result of the second attempt', async () => {
    const tools = createInstantTools((_, attempt) =>
      attempt === 1 ? new KernelError('unavailable', 'not now') : { fine: true },
    );
    const { results } = await runAll(planOf({ id: 'a' }), tools);
    expect(results[0]).toMatchObject({ status: 'ok', attempts: 2 });
    expect(results[0]?.error).toBeUndefined();
  });

  it.each<[ErrorCode, string]>([
    ['permission-denied', 'denied'],
    ['deadline-exceeded', 'timeout'],
    ['canceled', 'canceled'],
    ['plugin-fault', 'error'],
    ['not-found', 'error'],
  ])('tells %s as the status %s', async (code, status) => {
    const { results } = await runAll(
      planOf({ id: 'a' }),
      createInstantTools(() => new KernelError(code, 'x')),
    );
    expect(results[0]?.status).toBe(status);
  });

  it('does not try again when it was interrupted', async () => {
    const controller = new AbortController();
    const tools = createInstantTools(() => {
      controller.abort();
      return new KernelError('unavailable', 'gone');
    });
    const results = await drain(
      runPlan(planOf({ id: 'a' }), optionsFor(tools, { signal: controller.signal })),
    );
    expect(results[0]?.attempts).toBe(1);
  });
});

async function drain(run: ReturnType<typeof runPlan>): Promise<StepResult[]> {
  for (;;) {
    const next = await run.next();
    if (next.done) return next.value;
  }
}

/** A linear congruential generator (Numerical Recipes), so that a failure can be repeated. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
