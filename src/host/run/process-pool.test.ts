import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PluginProcess } from './plugin-process.ts';
import { createCrashBackoff, createProcessPool, type ProcessPool } from './process-pool.ts';

/** As much of a process as the pool looks at. */
function fakeStarts() {
  const started: { ended: boolean; isReady: boolean }[] = [];
  const start = (): PluginProcess => {
    const one = {
      ended: false,
      isReady: true,
      ready: async () => {},
      [Symbol.asyncDispose]: async () => {
        one.ended = true;
      },
    };
    started.push(one);
    return one as unknown as PluginProcess;
  };
  return { started, start };
}

/** More than a call waits for a process that is busy. */
const patienceMs = 151;

/** Takes processes until no more are started. */
async function takeAll(pool: ProcessPool, started: readonly unknown[]): Promise<PluginProcess[]> {
  const { signal } = new AbortController();
  const taken = [await pool.take(signal)];
  for (let count = 0; count < started.length; ) {
    count = started.length;
    const next = pool.take(signal);
    await vi.advanceTimersByTimeAsync(patienceMs);
    if (started.length > count) taken.push(await next);
    else Promise.resolve(next).catch(() => {});
  }
  return taken;
}

describe('createProcessPool()', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('starts another where none is given back in time, and none where one is', async () => {
    const { started, start } = fakeStarts();
    await using pool = createProcessPool(start);
    const { signal } = new AbortController();
    const first = await pool.take(signal);
    const short = pool.take(signal);
    await vi.advanceTimersByTimeAsync(patienceMs - 2);
    pool.give(first);
    expect(await short).toBe(first);
    await vi.advanceTimersByTimeAsync(patienceMs);
    expect(started).toHaveLength(1);

    const long = pool.take(signal);
    await vi.advanceTimersByTimeAsync(patienceMs);
    expect(await long).not.toBe(first);
    expect(started).toHaveLength(2);
  });

  it('gives whoever waits the one that was started for the next time', async () => {
    const { started, start } = fakeStarts();
    await using pool = createProcessPool(start);
    const { signal } = new AbortController();
    await pool.take(signal);
    const waiting = pool.take(signal);
    while (started.length < 2) pool.takeReady();
    await vi.advanceTimersByTimeAsync(patienceMs);
    await waiting;
    expect(started).toHaveLength(2);
  });

  it('starts none for a call that was canceled while it waited', async () => {
    const { started, start } = fakeStarts();
    await using pool = createProcessPool(start);
    await pool.take(new AbortController().signal);
    const canceled = new AbortController();
    const waiting = pool.take(canceled.signal);
    const told = expect(waiting).rejects.toMatchObject({ code: 'canceled' });
    canceled.abort();
    await told;
    await vi.advanceTimersByTimeAsync(patienceMs);
    expect(started).toHaveLength(1);
  });

  it('starts as many as it may, and then gives what is given back', async () => {
    const { started, start } = fakeStarts();
    await using pool = createProcessPool(start);
    const taken = await takeAll(pool, started);
    const count = started.length;
    expect(taken).toHaveLength(count);
    pool.give(taken[0] as PluginProcess);
    const waiting = pool.take(new AbortController().signal);
    pool.give(taken[1] as PluginProcess);
    expect(await waiting).toBe(taken[1]);
    await vi.advanceTimersByTimeAsync(patienceMs);
    expect(started).toHaveLength(count);
  });

  it('starts one above the limit for a nested call alone, and keeps none of them', async () => {
    const { started, start } = fakeStarts();
    await using pool = createProcessPool(start);
    const taken = await takeAll(pool, started);
    const { signal } = new AbortController();
    const nested = pool.take(signal, { isNested: true });
    await vi.advanceTimersByTimeAsync(patienceMs);
    pool.give(await nested);
    expect(started).toHaveLength(taken.length + 1);
    for (const process of taken) pool.give(process);
    expect(started.filter(({ ended }) => ended)).toHaveLength(1);
  });

  it('makes another one ready as soon as a nested call waits, and no call waits for it', async () => {
    const { started, start } = fakeStarts();
    await using pool = createProcessPool(start);
    const { signal } = new AbortController();
    await pool.take(signal);
    const nested = pool.take(signal, { isNested: true });
    expect(started).toHaveLength(2);
    expect(await nested).toBe(started[1]);
  });

  it('starts none once it was closed, and tells those who wait', async () => {
    const { started, start } = fakeStarts();
    const pool = createProcessPool(start);
    const { signal } = new AbortController();
    const taken = await takeAll(pool, started);
    const waiting = pool.take(signal);
    const told = expect(waiting).rejects.toMatchObject({ code: 'canceled' });
    const closing = pool[Symbol.asyncDispose]();
    // Whoever had a call under way gives back what has ended.
    for (const process of taken) pool.give(process);
    await closing;
    await told;
    await vi.advanceTimersByTimeAsync(patienceMs);
    expect(() => pool.take(signal)).toThrow('closed');
    expect(pool.takeReady()).toBeUndefined();
    expect(started).toHaveLength(taken.length);
    expect(started.every(({ ended }) => ended)).toBe(true);
  });
});

const never = new AbortController().signal;
const open = async (guard: ReturnType<typeof createCrashBackoff>): Promise<unknown> => {
  try {
    await guard.admit(never);
    return 'open';
  } catch (thrown) {
    return thrown;
  }
};

describe('createCrashBackoff()', () => {
  it('pauses a plugin behind its third fault in a row, and says how to go on', async () => {
    let nowMs = 0;
    const guard = createCrashBackoff('plugin "boom"', () => nowMs);
    for (let fault = 0; fault < 3; fault += 1) {
      nowMs += 60_000;
      expect(await open(guard)).toBe('open');
      guard.note('unreachable');
    }
    nowMs += 60_000;
    expect(await open(guard)).toMatchObject({
      code: 'unavailable',
      message: 'plugin "boom" failed 3 times in a row and is paused; its last error: unreachable',
      hint: expect.stringContaining('Start cuervo again'),
    });
  });

  it('begins to count anew behind a call that went well', async () => {
    const guard = createCrashBackoff('plugin "boom"', () => 1e9);
    guard.note('one');
    guard.note('two');
    guard.note(undefined);
    guard.note('three');
    guard.note('four');
    expect(guard.paused()).toBeUndefined();
    guard.note(undefined);
    expect(await open(guard)).toBe('open');
  });

  it('waits longer behind every fault, and no longer than the signal', async () => {
    let nowMs = 0;
    const guard = createCrashBackoff('plugin "boom"', () => nowMs);
    guard.note('one');
    guard.note('two');
    nowMs = 199;
    const abort = new AbortController();
    const waiting = guard.admit(abort.signal);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toMatchObject({ code: 'canceled', message: 'enough' });
    nowMs = 200;
    expect(await open(guard)).toBe('open');
  });
});
