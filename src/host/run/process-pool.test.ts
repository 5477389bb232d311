import { describe, expect, it } from 'vitest';
import type { PluginProcess } from './plugin-process.ts';
import { createProcessPool } from './process-pool.ts';

/** As much of a process as the pool looks at. */
function fakeStarts() {
  const started: { ended: boolean; isReady: boolean }[] = [];
  const start = (): PluginProcess => {
    const one = {
      ended: false,
      isReady: true,
      [Symbol.asyncDispose]: async () => {
        one.ended = true;
      },
    };
    started.push(one);
    return one as unknown as PluginProcess;
  };
  return { started, start };
}

describe('createProcessPool()', () => {
  it('starts as many as it may, and then gives what is given back', async () => {
    const { started, start } = fakeStarts();
    await using pool = createProcessPool(start);
    const { signal } = new AbortController();
    const taken: PluginProcess[] = [];
    let waiting = pool.take(signal);
    for (; !(waiting instanceof Promise); waiting = pool.take(signal)) taken.push(waiting);
    const count = taken.length;
    expect(started).toHaveLength(count);
    pool.give(taken[0] as PluginProcess);
    expect(await waiting).toBe(taken[0]);
    expect(started).toHaveLength(count);
  });

  it('starts none once it was closed, and tells those who wait', async () => {
    const { started, start } = fakeStarts();
    const pool = createProcessPool(start);
    const { signal } = new AbortController();
    const taken: PluginProcess[] = [];
    let waiting = pool.take(signal);
    for (; !(waiting instanceof Promise); waiting = pool.take(signal)) taken.push(waiting);
    const told = expect(waiting).rejects.toMatchObject({ code: 'canceled' });
    const closing = pool[Symbol.asyncDispose]();
    // Whoever had a call under way gives back what has ended.
    for (const process of taken) pool.give(process);
    await closing;
    await told;
    expect(() => pool.take(signal)).toThrow('closed');
    expect(pool.takeReady()).toBeUndefined();
    expect(started).toHaveLength(taken.length);
    expect(started.every(({ ended }) => ended)).toBe(true);
  });
});
