import { describe, expect, it } from 'vitest';
import type { PluginProcess } from './plugin-process.ts';
import type { ProcessPool } from './process-pool.ts';
import { createScanHelp } from './scan-help.ts';

const { signal } = new AbortController();
const args = ['work:', {}, { from: 500 }];

/** A pool whose one free process answers, or breaks; it counts what is given back. */
function open(
  assist: () => Promise<unknown>,
  more: { effect?: 'pure'; denied?: Record<string, string> } = {},
) {
  const given: unknown[] = [];
  let free = 1;
  const sibling = { assist } as unknown as PluginProcess;
  const pool = {
    takeReady: () => {
      free -= 1;
      return free >= 0 ? sibling : undefined;
    },
    give: (process: PluginProcess) => {
      free += 1;
      given.push(process);
    },
  } as unknown as ProcessPool;
  const serve = createScanHelp({ pool, effect: 'read', denied: {}, signal, ...more });
  const ask = (call: string) => serve({ id: 1, call, args });
  return { ask, given };
}

describe('createScanHelp()', () => {
  it('has a free process make the share, and hands on what it found', async () => {
    const { ask, given } = open(async () => ({ matches: ['m'] }));
    expect(await ask('help.scan')).toEqual({ value: true });
    expect(await ask('help.collect')).toEqual({ value: { matches: ['m'] } });
    expect(given).toHaveLength(1);
    expect(await ask('help.scan')).toEqual({ value: true });
  });

  it('says so when none is free, and when the share was lost', async () => {
    const { ask, given } = open(() => Promise.reject(new Error('it ended')));
    expect(await ask('help.scan')).toEqual({ value: true });
    expect(await ask('help.scan')).toEqual({ value: false });
    expect(await ask('help.collect')).toEqual({ value: null });
    expect(await ask('help.collect')).toEqual({ value: null });
    expect(given).toHaveLength(1);
  });

  it.each([
    ['without fs', { denied: { fs: 'not granted' } }],
    ['below the effect', { effect: 'pure' as const }],
  ])('helps nobody %s, whatever the process says', async (_, more) => {
    const { ask } = open(() => expect.unreachable('it was helped'), more);
    expect(await ask('help.scan')).toEqual({ value: false });
  });

  it('leaves other requests to whoever serves them', () => {
    const { ask } = open(async () => null);
    expect(ask('kv.get')).toBeUndefined();
  });
});
