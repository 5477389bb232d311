import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditReport } from '../contracts/output/parse-journal.ts';
import { hexOf } from '../store/event-queries.ts';
import { openStore, type StoreWithJournal } from '../store/open-store.ts';
import { type AuditKeys, createVerifier, headText, openAuditKeys } from './audit-keys.ts';
import { exportAudit, verifyExport } from './export-audit.ts';
import { recordRun } from './record-run.ts';
import { verifyAudit } from './verify-audit.ts';

const home = mkdtempSync(join(tmpdir(), 'cuervo-audit-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const path = join(home, 'cuervo.db');

let keys: AuditKeys;
let raw: BetterSqlite3.Database;
let store: StoreWithJournal;

beforeAll(() => {
  keys = openAuditKeys(home);
  store = openStore({ path, auditKey: keys.chainKey, nowMs: () => 9 });
  const clock = { nowMs: () => 5 };
  const ports = {
    clock,
    withoutSecrets: (text: string) => text,
    signHead: () => keys.signHead(store, 5),
  };
  for (const id of ['r1', 'r2']) {
    const start = { id, command: 'run', question: 'q', project: '/p', model: 'none' };
    const journal = recordRun(store, start, ports);
    const call = { target: 'a, "b"', outcome: 'ok', durationMs: 1.5 } as const;
    journal.served('=1', { ...call, call: 'kv.get' });
    journal.finish(undefined);
  }
  store.forgetRun('r1');
  raw = new BetterSqlite3(path);
});
afterAll(() => {
  raw.close();
  store[Symbol.dispose]();
});

const verify = (headLines = keys.readHeads()): AuditReport =>
  verifyAudit({
    ...{ store, headLines, headText, chainKey: keys.readChainKey() },
    isSigned: createVerifier(keys.publicKey()),
  });

/** Makes a change, looks, and takes it back. */
function whileChanged(sql: string, ...values: unknown[]): AuditReport {
  raw.exec('BEGIN');
  try {
    raw.prepare(sql).run(...values);
    const read = (columns: string, table: string, order: string): never[] =>
      raw.prepare(`SELECT ${columns} FROM ${table} ORDER BY ${order}`).all() as never[];
    return verifyAudit({
      store: {
        sealedAfter: (seq) =>
          seq === 0 ? read(`*, ${hexOf('leaf')}, ${hexOf('link')}`, 'events', 'seq') : [],
        heads: () => read('*', 'audit_heads', 'rowid'),
      },
      ...{ headLines: keys.readHeads(), headText, chainKey: keys.readChainKey() },
      isSigned: createVerifier(keys.publicKey()),
    });
  } finally {
    raw.exec('ROLLBACK');
  }
}

describe('verifyAudit()', () => {
  it('finds a journal whole from which contents were forgotten, and says so', () => {
    expect(verify()).toEqual({
      ...{ whole: true, events: 7, heads: 2, unsigned: 1, problems: [] },
      notes: [
        'run r1: the contents of 3 events were removed by forget at 1970-01-01T00:00:00.009Z',
      ],
    });
    expect(whileChanged('UPDATE runs SET status = status').whole).toBe(true);
  });

  it('finds each byte of events and signed ends that was changed', () => {
    let changed = 0;
    for (const table of ['events', 'audit_heads']) {
      for (const row of raw.prepare(`SELECT rowid AS id, * FROM ${table}`).all() as Row[]) {
        for (const [column, value] of Object.entries(row)) {
          if (column === 'id' || column === 'seq' || value === null) continue;
          const bytes = Buffer.from(typeof value === 'number' ? String(value) : (value as string));
          for (let at = 0; at < bytes.length; at += 1) {
            const other = flipped(value, bytes, at);
            if (other === undefined) continue;
            changed += 1;
            const sql = `UPDATE ${table} SET ${column} = ? WHERE rowid = ?`;
            expect(whileChanged(sql, other, row.id).whole, `${column} of ${row.id}`).toBe(false);
          }
        }
      }
    }
    expect(changed).toBeGreaterThan(800);
  });

  it.each([
    ['cut tail', 'DELETE FROM events WHERE seq >= 6', /the tail is cut/],
    ['missing event', 'DELETE FROM events WHERE seq = 5', /moved or missing/],
    ['exchange', 'UPDATE events SET seq = CASE seq WHEN 4 THEN -5 ELSE seq END', /moved|another/],
    [
      'removal that no event tells of',
      "UPDATE events SET body = NULL WHERE run = 'r2'",
      /no event/,
    ],
    ['signed end that is gone', 'DELETE FROM audit_heads WHERE seq = 3', /not in cuervo.db/],
  ])('finds a %s', (_, sql, says) => {
    const report = whileChanged(sql);
    expect(report.problems.map(({ problem }) => problem).join('\n')).toMatch(says);
  });

  it('looks at the ends of 200,000 runs', () => {
    const heads = Array.from({ length: 200_000 }, (_, at) => {
      return { seq: at + 1, link: 'aa', ts: 1, signature: 'a' };
    });
    const report = verifyAudit({
      store: { sealedAfter: () => [], heads: () => heads },
      ...{ headLines: '', headText, chainKey: keys.readChainKey(), isSigned: () => true },
    });
    expect(report).toMatchObject({ whole: false, heads: 200_000, problems: { length: 20 } });
  });

  it('finds a line that is missing in the file of signed ends', () => {
    expect(verify(keys.readHeads().split('\n').slice(1).join('\n')).problems).toMatchObject([
      { seq: 3, problem: 'its signed end is not in audit-heads.jsonl' },
    ]);
    expect(verify(`${keys.readHeads()}{}\n`).problems[0]?.problem).toMatch(/line 3 of/);
  });
});

describe.each(['jsonl', 'csv'] as const)('an export as %s', (form) => {
  const text = (): string => [...exportAudit(store, form, keys.sign), ''].join('\n');
  const check = (lines: string, key = keys.publicKey()): Promise<AuditReport> =>
    verifyExport(linesOf(lines), createVerifier(key));

  it('is proved by the public key alone, and by no other', async () => {
    expect(await check(text())).toMatchObject({ whole: true, events: 7 });
    const other = openAuditKeys(join(home, `other-${form}`)).publicKey();
    expect(await check(text(), other)).toMatchObject({ whole: false });
  });

  it('shows each byte that was changed, and a missing end', async () => {
    const whole = text();
    const bytes = Buffer.from(whole);
    for (let at = 0; at < bytes.length - 1; at += 1) {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      expect((await check(copy.toString('latin1'))).whole, `byte ${at}`).toBe(false);
    }
    const lines = whole.split('\n');
    expect((await check(lines.slice(0, -2).join('\n'))).problems[0]?.problem).toMatch(/is cut/);
  });
});

type Row = { id: number } & Record<string, number | string | Buffer | null>;

/** undefined where the database takes no such value */
function flipped(value: Row[string], bytes: Buffer, at: number): unknown {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  if (value instanceof Buffer) return copy;
  const text = copy.toString('latin1');
  if (typeof value === 'number') return Number.isInteger(Number(text)) ? Number(text) : undefined;
  if (!String(value).startsWith('{')) return text;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

async function* linesOf(text: string): AsyncGenerator<string> {
  const lines = text.split('\n');
  yield* lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
