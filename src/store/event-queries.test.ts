import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { openText, sealedText } from '../contracts/journal.ts';
import type { HostCallRow, RunRow, StepRow } from '../contracts/store.ts';
import { createLeafOf, firstLink, linkOf } from '../lib/hash-chain.ts';
import { formatVersion, migrate } from './migrations.ts';
import { openStore, type StoreWithJournal } from './open-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-events-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = Buffer.alloc(32, 5);
const run: RunRow = {
  ...{ id: 'r1', session: undefined, command: 'run', question: 'q', project: '/p' },
  ...{ model: 'none', status: 'running', startedMs: 1, finishedMs: undefined },
};
const call: HostCallRow = {
  ...{ run: 'r1', step: 's1', call: 'fs.read-text', target: 'work:a', outcome: 'ok' },
  ...{ durationMs: 1.5, ts: 3 },
};
const step: StepRow = {
  ...{ run: 'r1', step: 's1', tool: 'file.read', plugin: 'file', digest: 'd', status: 'ok' },
  ...{ input: { a: [null, 1] }, summary: '', durationMs: 2, bytes: 1, attempts: 1 },
};

/** Follows the chain as anybody may who has the key. */
function isWhole(store: StoreWithJournal): boolean {
  const leafOf = createLeafOf(key);
  let last = firstLink;
  return store.sealedAfter(0, 1_000).every((event) => {
    const { body, leaf, link } = event;
    const isLeaf = body === null || leafOf(sealedText(event)) === leaf;
    const made = linkOf(last, leaf, openText(event));
    last = link;
    return isLeaf && made === link;
  });
}

describe('addEvents()', () => {
  it('ties each event to the one before it', () => {
    using store = openStore({ path: ':memory:', auditKey: () => key });
    store.startRun(run);
    store.addHostCalls([call, { ...call, bytes: 7 }]);
    store.addStep(step);
    expect(isWhole(store)).toBe(true);
    expect(store.events('r1').map(({ kind }) => kind)).toEqual(['host-call', 'host-call', 'step']);
    expect(store.eventsAfter(1, 1)).toMatchObject([{ seq: 2, run: 'r1', body: { bytes: 7 } }]);
  });

  it('says how many events are missing', () => {
    using store = openStore({ path: ':memory:', auditKey: () => key });
    store.startRun(run);
    expect(() => store.addHostCalls([{ ...call, run: 'none' }, call])).toThrow(/the run "none"/);
    expect(store.eventsAfter(0, 9)).toMatchObject([
      { kind: 'host-call' },
      { kind: 'gap', body: { lost: 1 } },
    ]);
    expect(isWhole(store)).toBe(true);
  });

  it('keeps the chain whole when contents are forgotten', () => {
    using store = openStore({ path: ':memory:', auditKey: () => key, nowMs: () => 9 });
    store.startRun(run);
    store.addHostCalls([call]);
    store.forgetRun('r1');
    const [gone, removed] = store.eventsAfter(0, 9);
    expect(gone).toEqual({ seq: 1, run: 'r1', kind: 'host-call', ts: 3 });
    expect(removed).toMatchObject({ ts: 9, body: { why: 'forget', runs: ['r1'] } });
    expect(store.hostCalls('r1')).toEqual([]);
    expect(isWhole(store)).toBe(true);
  });
});

it('events of an earlier format are moved, and the chain begins with them', () => {
  const path = join(folder, 'old.db');
  const old = new BetterSqlite3(path);
  migrate(old, path, formatVersion - 2);
  old.exec(`
    INSERT INTO runs VALUES ('r1', NULL, 'run', 'q', '/p', 'none', 'ok', 1, 2, NULL);
    INSERT INTO steps VALUES (1, 'r1', 's1', 'file.read', 'file', 'd', '{"a":[null,1]}', 'ok', '', 2.0, 1, 1);
    INSERT INTO host_calls VALUES (1, 'r1', 's1', 'fs.read-text', 'work:a', 'ok', 1.5, NULL, 3, 1);
    INSERT INTO guard_rows VALUES (1, 'r1', 4, 'tool-result', 'escaped', 'delimiter', NULL, '{"a":1}');
  `);
  old.close();
  using store = openStore({ path, auditKey: () => key });
  expect(store.steps('r1')).toEqual([step]);
  expect(store.hostCalls('r1')).toEqual([call]);
  expect(store.guardRows('/p', 'r1')).toMatchObject([{ run: 'r1', ts: 4, counts: { a: 1 } }]);
  store.addHostCalls([call]);
  expect(store.eventsAfter(0, 9)).toHaveLength(4);
  expect(isWhole(store)).toBe(true);
});
