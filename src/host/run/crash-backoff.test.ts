import { describe, expect, it } from 'vitest';
import { createCrashBackoff } from './crash-backoff.ts';

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
    const guard = createCrashBackoff('boom', () => nowMs);
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
    const guard = createCrashBackoff('boom', () => 1e9);
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
    const guard = createCrashBackoff('boom', () => nowMs);
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
