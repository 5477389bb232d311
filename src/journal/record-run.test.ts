import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { encodeBytes } from '../protocol/frame.ts';
import { openStore } from '../store/open-store.ts';
import { explainRun } from './explain-run.ts';
import { parseBody } from './parse-body.ts';
import { recordRun } from './record-run.ts';

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
