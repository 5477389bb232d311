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

describe('runPlan() of a tool that calls others', () => {
  /** A tool for each entry, which makes the calls that its input names. */
  function createCallers() {
    const running: string[] = [];
    let atOnce = 0;
    const tools: ToolInvoker = {
      tools: async () => [],
      invoke: async function* (call, { nest, chain = [] }): AsyncGenerator<ToolEvent> {
        running.push(call.tool);
        atOnce = Math.max(atOnce, running.length);
        const { calls = [] } = call.input as { calls?: { tool: string; effect: Effect }[] };
        await settle();
        const made = calls.map((each) => ({ input: {}, ...each }));
        const outputs = made.length === 0 ? [] : await nest?.(made, [...chain, call.tool]);
        const told = outputs?.map((each) => ('content' in each ? each.content : each.code));
        running.splice(running.indexOf(call.tool), 1);
        if (call.tool === 'bad') throw new KernelError('not-found', 'nothing there');
        yield {
          type: 'output',
          output: { content: JSON.stringify([call.tool, told]), summary: '' },
        };
      },
    };
    return { tools, atOnce: () => atOnce };
  }
  const call = (tool: string, effect: Effect = 'read', calls?: unknown) => ({
    tool,
    effect,
    input: (calls === undefined ? {} : { calls }) as StepInput,
  });

  it('makes them steps below its own, each with its output or its error', async () => {
    const { tools } = createCallers();
    const calls = [call('a', 'read', [call('c')]), call('bad'), call('b')];
    const plan = planOf({ id: 's1', effect: 'external', input: { calls } as unknown as StepInput });
    const { results, events } = await runAll(plan, tools);
    expect(results).toHaveLength(1);
    expect(results[0]?.output?.content).toBe(
      JSON.stringify(['s1', [JSON.stringify(['a', ['["c",[]]']]), 'not-found', '["b",[]]']]),
    );
    const ended = events.flatMap((each) =>
      each.type === 'step-finished' ? [each.result.step] : [],
    );
    expect(ended.toSorted()).toEqual(['s1', 's1.1', 's1.1.1', 's1.2', 's1.3']);
    expect(ended.at(-1)).toBe('s1');
  });

  it('runs those that read side by side, four of a depth, and those that write alone', async () => {
    const reading = createCallers();
    const many = Array.from({ length: 10 }, (_, index) => call(`r${index}`));
    await runAll(
      planOf({ id: 's1', input: { calls: many } as unknown as StepInput }),
      reading.tools,
    );
    expect(reading.atOnce()).toBe(5);
    const writing = createCallers();
    const writes = many.map((each) => ({ ...each, effect: 'write' as const }));
    const plan = planOf({
      id: 's1',
      effect: 'write',
      input: { calls: writes } as unknown as StepInput,
    });
    await runAll(plan, writing.tools);
    expect(writing.atOnce()).toBe(2);
  });

  it('ends where every turn of a depth waits for deeper ones', async () => {
    const { tools } = createCallers();
    const deep = (depth: number): ReturnType<typeof call>[] =>
      Array.from({ length: 5 }, (_, index) =>
        call(`${depth}${index}`, 'read', depth === 0 ? undefined : deep(depth - 1)),
      );
    const { events } = await runAll(
      planOf({ id: 's1', input: { calls: deep(2) } as unknown as StepInput }),
      tools,
    );
    expect(events.filter(({ type }) => type === 'step-finished')).toHaveLength(1 + 5 + 25 + 125);
  });

  it('makes a thousand at most, and none that the budget does not cover', async () => {
    const { tools } = createCallers();
    const calls = Array.from({ length: 1001 }, () => call('a'));
    const plan = planOf({ id: 's1', input: { calls } as unknown as StepInput });
    const { results, events } = await runAll(plan, tools);
    expect(results[0]).toMatchObject({ error: { code: 'resource-exhausted' } });
    expect(events).toHaveLength(2);
    const spent = runPlan(
      planOf({ id: 's1', input: { calls: calls.slice(0, 3) } as unknown as StepInput }),
      {
        ...optionsFor(tools),
        nested: {
          admit: () => {
            throw new KernelError('resource-exhausted', 'budget.tool-calls');
          },
        },
      },
    );
    const told: ExecutorEvent[] = [];
    for await (const event of spent) told.push(event);
    expect(told.at(-1)).toMatchObject({ result: { error: { message: 'budget.tool-calls' } } });
  });

  it('takes their input as it is: a tool refers to no step', async () => {
    const { tools } = createCallers();
    const given = { $from: 's1', path: '' };
    const calls = [{ ...call('a'), input: given }];
    // The outer step must not have it resolved either.
    const seen: unknown[] = [];
    const plan = planOf({ id: 's1' });
    const spy: ToolInvoker = {
      ...tools,
      invoke: async function* (made, options): AsyncGenerator<ToolEvent> {
        if (made.tool === 's1') await options.nest?.(calls, ['s1']);
        else seen.push(made.input);
        yield { type: 'output', output: { content: '1', summary: '' } };
      },
    };
    await runAll(plan, spy);
    expect(seen).toEqual([given]);
  });
});
