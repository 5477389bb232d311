import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { encodeBytes } from '../protocol/frame.ts';
import { openStore } from '../store/open-store.ts';
import { createVerifier, headText, openAuditKeys } from './audit-keys.ts';
import { explainRun } from './explain-run.ts';
import { parseBody } from './parse-stored.ts';
import { recordRun } from './record-run.ts';
import { traceRun } from './trace-run.ts';
import { verifyAudit } from './verify-audit.ts';

it('recordRun() says in a gap what a locked store kept out, and an explanation says it', () => {
  const home = mkdtempSync(join(tmpdir(), 'cuervo-gap-'));
  const path = join(home, 'cuervo.db');
  using store = openStore({ path });
  const run = { id: 'r1', command: 'ask', question: 'q', project: '/p', model: 'none' };
  const ports = {
    clock: { nowMs: () => 5 },
    withoutSecrets: (text: string) => text,
    signHead: () => {},
  };
  const journal = recordRun(store, run, ports);
  const other = new BetterSqlite3(path);
  other.exec('BEGIN IMMEDIATE');
  journal.noted('reading', { kind: 'how', others: [] });
  other.exec('ROLLBACK');
  other.close();
  journal.noted('reading', { kind: 'where', others: [] });
  journal.finish(undefined);
  const events = store.events('r1');
  expect(events.map(({ kind }) => kind)).toEqual(['run', 'reading', 'gap', 'run-finished']);
  const gap = events.find(({ kind }) => kind === 'gap');
  expect(parseBody('gap', JSON.stringify(gap?.body))).toEqual(gap?.body);
  const row = store.run('r1');
  expect(row && explainRun(row, events)).toMatchObject({
    reading: { kind: 'where' },
    missing: [expect.stringMatching(/^1 events could not be written: .*locked/)],
  });
  rmSync(home, { recursive: true, force: true });
}, 20_000);

it('recordRun() keeps no call whose bytes hold a secret, and all others', () => {
  const home = mkdtempSync(join(tmpdir(), 'cuervo-bytes-'));
  using store = openStore({ path: join(home, 'cuervo.db') });
  const run = { id: 'r1', command: 'run', question: 'q', project: '/p', model: 'none' };
  const journal = recordRun(store, run, {
    clock: { nowMs: () => 5 },
    withoutSecrets: (text) => text.replaceAll('s3cret', '[redacted]'),
    signHead: () => {},
  });
  const call = { call: 'fs.read-bytes', target: 'work:a', outcome: 'ok' as const, durationMs: 1 };
  for (const text of ['a plain text', 'key = s3cret']) {
    const answer = JSON.stringify({ value: encodeBytes(Buffer.from(text)) });
    journal.served('s1', { ...call, args: '["work:a"]', answer });
  }
  journal.finish(undefined);
  const answers = store
    .events('r1')
    .flatMap(({ kind, body }) =>
      kind === 'host-call' ? [(body as { answer?: string }).answer] : [],
    );
  expect(answers).toEqual([expect.stringContaining('$bytes'), undefined]);
  rmSync(home, { recursive: true, force: true });
});

it('recordRun() keeps the order of what happened where the clock goes back', () => {
  const home = mkdtempSync(join(tmpdir(), 'cuervo-clock-'));
  const keys = openAuditKeys(home);
  using store = openStore({ path: join(home, 'cuervo.db'), auditKey: keys.chainKey });
  const hourMs = 3_600_000;
  const times = [5 * hourMs, 4 * hourMs, 3 * hourMs, 2 * hourMs, hourMs];
  let at = 0;
  const journal = recordRun(
    store,
    { id: 'r1', command: 'run', question: 'q', project: '/p', model: 'none' },
    {
      clock: { nowMs: () => times[at++] ?? 0 },
      withoutSecrets: (text) => text,
      signHead: () => keys.signHead(store, 0),
    },
  );
  const call = { call: 'fs.read-text', target: 'work:a', outcome: 'ok' as const, durationMs: 7 };
  journal.served('s1', call);
  journal.served('s1', { ...call, target: 'work:b' });
  journal.finish(undefined);
  const events = store.events('r1');
  expect(events.map(({ kind }) => kind)).toEqual(['run', 'host-call', 'host-call', 'run-finished']);
  expect(events.at(-1)?.body).toEqual({ status: 'ok', durationMs: 0 });
  const row = store.run('r1');
  if (row === undefined) throw new Error('the run is not there');
  expect(explainRun(row, events).durationMs).toBe(0);
  const { spans } = traceRun(row, events);
  expect(spans.filter(({ startMs, endMs }) => endMs < startMs)).toEqual([]);
  expect(
    spans.map(({ attributes }) => attributes['cuervo.host_call']).filter(Boolean),
  ).toHaveLength(2);
  expect(
    verifyAudit({
      ...{ store, headText, chainKey: keys.readChainKey(), headLines: keys.readHeads() },
      isSigned: createVerifier(keys.publicKey()),
    }),
  ).toMatchObject({ whole: true, events: 4, unsigned: 0 });
  rmSync(home, { recursive: true, force: true });
});
