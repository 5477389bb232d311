import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { JournalEntry } from '../contracts/journal.ts';
import { openStore } from './open-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-usage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noonMs = new Date(2026, 10, 28, 12).getTime();
const dayMs = 86_400_000;

describe('usageByDay()', () => {
  it('adds up what models were asked on each day, of one project', () => {
    using store = openStore({ path: join(folder, 'a.db') });
    const spent = { rounds: 1, toolCalls: 0, tokens: 1, durationMs: 1 };
    const call = (run: string, usd?: number): JournalEntry => ({
      ...{ run, kind: 'model-call', ts: noonMs },
      body: {
        ...{ round: 1, inputTokens: 100, outputTokens: 10, spent },
        ...(usd === undefined ? {} : { usd }),
      },
    });
    const start = (id: string, startedMs: number, project = '/p') =>
      store.startRun({
        ...{ id, project, startedMs, session: undefined, command: 'ask', question: 'q' },
        ...{ model: 'm', status: 'ok', finishedMs: startedMs },
      });
    start('old', noonMs - 9 * dayMs);
    start('a', noonMs - dayMs);
    start('b', noonMs);
    start('c', noonMs);
    start('other', noonMs, '/q');
    store.addEvents([call('old', 9), call('a'), call('b', 0.5), call('b', 0.25), call('other', 7)]);
    expect(store.usageByDay('/p', noonMs - 2 * dayMs)).toEqual([
      { day: '2026-11-27', runs: 1, requests: 1, inputTokens: 100, outputTokens: 10, unpriced: 1 },
      {
        day: '2026-11-28',
        runs: 2,
        requests: 2,
        inputTokens: 200,
        outputTokens: 20,
        usd: 0.75,
        unpriced: 0,
      },
    ]);
    expect(store.usageByDay('/none', 0)).toEqual([]);
  });
});
