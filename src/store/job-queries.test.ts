import { describe, expect, it } from 'vitest';
import type { StoreWithJournal } from './open-store.ts';
import { openStore } from './open-store.ts';

const leaseMs = 1_000;
const end = { outcome: 'done', nowMs: 50, summary: 'did it', details: ['one'] } as const;

function openBook(): { store: StoreWithJournal; machine: { ms: number } } {
  const machine = { ms: 5_000 };
  return { store: openStore({ path: ':memory:', uptimeMs: () => machine.ms }), machine };
}

const claimOf = (holder: string) => ({
  job: 'a',
  holder,
  leaseMs,
  nowMs: 10,
  why: () => 'it is due',
});

describe('jobQueries()', () => {
  it('records() sees a job once and keeps when', () => {
    using store = openBook().store;
    const fresh = { name: 'a', sinceMs: 7, failures: 0, stops: 0, isRunning: false };
    expect(store.jobs.records(['a'], 7)).toEqual([fresh]);
    expect(store.jobs.records(['b', 'a'], 9)).toEqual([{ ...fresh, name: 'b', sinceMs: 9 }, fresh]);
  });

  it('claim() has one holder, finish() frees it and writes the log', () => {
    using store = openBook().store;
    const seq = store.jobs.claim(claimOf('x'));
    expect(store.jobs.claim(claimOf('y'))).toBeUndefined();
    expect(store.jobs.records(['a'], 11)).toMatchObject([{ isRunning: true }]);
    expect(store.jobs.log({ limit: 1 })).toMatchObject([{ seq, outcome: 'running' }]);
    const run = store.jobs.finish(seq ?? 0, 'x', end);
    expect(run).toEqual({
      seq,
      job: 'a',
      why: 'it is due',
      outcome: 'done',
      startedMs: 10,
      finishedMs: 50,
      summary: 'did it',
      details: ['one'],
    });
    expect(store.jobs.log({ job: 'a', limit: 9 })).toEqual([run]);
    expect(store.jobs.log({ job: 'b', limit: 9 })).toEqual([]);
    expect(store.jobs.records(['a'], 60)).toMatchObject([
      { sinceMs: 50, lastRunMs: 50, lastOutcome: 'done', isRunning: false },
    ]);
    expect(store.jobs.claim(claimOf('y'))).toBe((seq ?? 0) + 1);
  });

  it('claim() takes nothing when the job is not due any more', () => {
    using store = openBook().store;
    expect(store.jobs.claim({ ...claimOf('x'), why: () => undefined })).toBeUndefined();
    expect(store.jobs.log({ limit: 9 })).toEqual([]);
    expect(store.jobs.claim(claimOf('x'))).toBeDefined();
  });

  it('renew() makes a lease last, and reap() ends the one that nobody renewed', () => {
    const { store, machine } = openBook();
    using _ = store;
    const seq = store.jobs.claim(claimOf('x')) ?? 0;
    machine.ms += leaseMs - 1;
    expect(store.jobs.renew('a', 'x', leaseMs)).toBe(true);
    machine.ms += leaseMs - 1;
    expect(store.jobs.reap(20)).toEqual([]);
    machine.ms += 1;
    expect(store.jobs.reap(20)).toMatchObject([{ seq, outcome: 'died', finishedMs: 20 }]);
    expect(store.jobs.records(['a'], 20)).toMatchObject([
      { sinceMs: 20, failures: 1, lastOutcome: 'died', isRunning: false },
    ]);
    expect(store.jobs.renew('a', 'x', leaseMs)).toBe(false);
  });

  it('finish() of a holder whose lease was taken over changes nothing', () => {
    const { store, machine } = openBook();
    using _ = store;
    const first = store.jobs.claim(claimOf('x')) ?? 0;
    machine.ms += leaseMs;
    store.jobs.reap(20);
    const second = store.jobs.claim(claimOf('y')) ?? 0;
    expect(store.jobs.finish(first, 'x', end)).toMatchObject({ outcome: 'died' });
    expect(store.jobs.records(['a'], 30)).toMatchObject([{ isRunning: true, failures: 1 }]);
    expect(store.jobs.finish(second, 'y', end)).toMatchObject({ outcome: 'done' });
    expect(store.jobs.records(['a'], 60)).toMatchObject([{ isRunning: false, failures: 0 }]);
  });

  it('counts a lease of before the machine was started again as ended', () => {
    const { store, machine } = openBook();
    using _ = store;
    store.jobs.claim(claimOf('x'));
    machine.ms = 3;
    expect(store.jobs.reap(20)).toMatchObject([{ outcome: 'died' }]);
  });

  it.each([
    ['failed', { failures: 1, stops: 0, sinceMs: 50 }],
    ['timed-out', { failures: 1, stops: 0, sinceMs: 50 }],
    ['stopped', { failures: 0, stops: 1, sinceMs: 10 }],
    ['canceled', { failures: 0, stops: 0, sinceMs: 10 }],
  ] as const)('finish() with %s counts what it has to', (outcome, counted) => {
    using store = openBook().store;
    const seq = store.jobs.claim(claimOf('x')) ?? 0;
    store.jobs.finish(seq, 'x', { ...end, outcome });
    expect(store.jobs.records(['a'], 60)).toMatchObject([{ ...counted, lastRunMs: 50 }]);
    const again = store.jobs.claim(claimOf('x')) ?? 0;
    store.jobs.finish(again, 'x', end);
    expect(store.jobs.records(['a'], 60)).toMatchObject([{ failures: 0, stops: 0 }]);
  });

  it('pause() is kept until it is taken back', () => {
    using store = openBook().store;
    store.jobs.records(['a'], 1);
    store.jobs.pause('a', 5);
    expect(store.jobs.records(['a'], 9)).toMatchObject([{ pausedMs: 5 }]);
    store.jobs.pause('a', undefined);
    expect(store.jobs.records(['a'], 9)[0]).not.toHaveProperty('pausedMs');
  });

  it('release() gives back what finish() kept', () => {
    using store = openBook().store;
    const seq = store.jobs.claim(claimOf('x')) ?? 0;
    store.jobs.finish(seq, 'x', { ...end, outcome: 'timed-out', keepLease: true });
    expect(store.jobs.claim(claimOf('y'))).toBeUndefined();
    store.jobs.release('a', 'other');
    expect(store.jobs.claim(claimOf('y'))).toBeUndefined();
    store.jobs.release('a', 'x');
    expect(store.jobs.claim(claimOf('y'))).toBeDefined();
  });
});

describe('pruneStore()', () => {
  const dayMs = 24 * 3_600_000;
  const nowMs = 1_000 * dayMs;

  it('takes out old runs, but none whose changes can be undone', () => {
    using store = openBook().store;
    const row = { session: undefined, command: 'run', question: 'q', project: '/p', model: 'none' };
    const rest = { status: 'ok', finishedMs: undefined };
    store.startRun({ ...row, ...rest, id: 'old', startedMs: nowMs - 91 * dayMs });
    store.startRun({ ...row, ...rest, id: 'changed', startedMs: nowMs - 91 * dayMs });
    store.startRun({ ...row, ...rest, id: 'new', startedMs: nowMs - 89 * dayMs });
    const change = { root: 'work', path: 'a', kind: 'write', mode: 0o644, ts: 1 } as const;
    store.changes.add({ ...change, run: 'changed', step: 's1' });
    expect(store.prune(nowMs)).toEqual({ runs: 1, jobRuns: 0, outputs: 0 });
    expect(store.run('old')).toBeUndefined();
    expect(store.run('changed')).toBeDefined();
    expect(store.run('new')).toBeDefined();
  });

  it('keeps the newest thousand lines of the log, and one that is open', () => {
    using store = openBook().store;
    store.jobs.claim({ ...claimOf('x'), job: 'open' });
    for (let run = 0; run < 1_002; run += 1) {
      store.jobs.finish(store.jobs.claim(claimOf('x')) ?? 0, 'x', end);
    }
    expect(store.prune(nowMs)).toEqual({ runs: 0, jobRuns: 2, outputs: 0 });
    const seqs = store.jobs.log({ limit: 2_000 }).map(({ seq }) => seq);
    expect([seqs.length, seqs.at(0), seqs.at(-2), seqs.at(-1)]).toEqual([1_001, 1_003, 4, 1]);
  });
});
