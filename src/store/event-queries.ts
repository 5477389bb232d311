import { KernelError } from '../contracts/error.ts';
import {
  type AuditHead,
  type JournalEntry,
  type JournalEvent,
  openText,
  type SealedEvent,
  sealedText,
} from '../contracts/journal.ts';
import type { Store } from '../contracts/store.ts';
import { createLeafOf, firstLink, linkOf } from '../lib/hash-chain.ts';
import { once } from '../lib/memo.ts';
import { isRowRefused } from '../lib/sqlite/database-file.ts';
import { checkLimit, type Database, insertRow, present } from './open-database.ts';

type PlainEvent = Omit<SealedEvent, 'leaf' | 'link'>;

/** Text takes half the time of bytes to be read. */
export const hexOf = (column: string): string => `lower(hex(${column})) AS ${column}`;
const plain = 'seq, run, kind, ts, step, body';
const sealed = `${plain}, ${hexOf('leaf')}, ${hexOf('link')}`;

/** The one writer of the journal. */
export type Append = Store['addEvents'];

/**
 * @param auditKey read by the first event
 * @param onWritten told what is in the database now, or will be with what it is a part of
 */
export function createAppend(
  database: Database,
  auditKey: () => Uint8Array,
  onWritten?: (entries: readonly JournalEntry[]) => void,
): Append {
  const leafOf = once(() => createLeafOf(auditKey()));

  function lastLink(): string {
    const last = database.get<{ link: string }>(
      `SELECT ${hexOf('link')} FROM events ORDER BY seq DESC LIMIT 1`,
    );
    if (last === undefined) return firstLink;
    return last.link === '' ? sealAll() : last.link;
  }

  /** Events of an earlier format have no links: the chain begins with them. */
  function sealAll(): string {
    let link = firstLink;
    for (const row of database.all<SealedEvent>(`SELECT ${sealed} FROM events ORDER BY seq`)) {
      const leaf = leafOf()(sealedText(row));
      link = linkOf(link, leaf, openText(row));
      database.run(
        'UPDATE events SET leaf = unhex(?), link = unhex(?) WHERE seq = ?',
        leaf,
        link,
        row.seq,
      );
    }
    return link;
  }

  function add(previous: string, entry: JournalEntry): string {
    const { run = null, kind, ts, step = null } = entry;
    const body = JSON.stringify(entry.body, refuseNoNumber);
    if (run !== null && database.get('SELECT 1 FROM runs WHERE id = ?', run) === undefined)
      throw unknownRun(database.path, run);
    if (kind === 'host-call') checkCall(entry.body);
    const leaf = leafOf()(sealedText({ step, body }));
    const link = linkOf(previous, leaf, openText({ run, kind, ts }));
    database.run(
      'INSERT INTO events (run, kind, ts, step, body, leaf, link) VALUES (?, ?, ?, ?, ?, unhex(?), unhex(?))',
      ...[run, kind, ts, step, body, leaf, link],
    );
    return link;
  }

  return (entries) => {
    if (entries.length === 0) return;
    const written: JournalEntry[] = [];
    const refused = database.transaction(() => {
      const thrown: unknown[] = [];
      let link = lastLink();
      for (const entry of entries) {
        try {
          link = add(link, entry);
          written.push(entry);
        } catch (reason) {
          // A full disk concerns all of them, a wrong value only its own.
          if (!isUnknownRun(reason) && !isRowRefused(reason)) throw reason;
          thrown.push(reason);
        }
      }
      const [first] = thrown;
      if (first === undefined) return thrown;
      const reason = first instanceof Error ? first.message : String(first);
      const ts = entries.reduce((most, entry) => Math.max(most, entry.ts), 0);
      const gap: JournalEntry = { kind: 'gap', ts, body: { lost: thrown.length, reason } };
      add(link, gap);
      written.push(gap);
      return thrown;
    });
    onWritten?.(written);
    if (refused.length > 0) throw refused[0];
  };
}

/** JSON has no such numbers and would hold a null. */
function refuseNoNumber(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`${key} is ${value}`);
  return value;
}

function checkCall({ target, bytes = 0 }: { target: string; bytes?: number }): void {
  if (typeof target !== 'string') throw new TypeError('the target of a host call is no text');
  if (!Number.isSafeInteger(bytes)) throw new RangeError(`bytes is ${bytes}`);
}

function unknownRun(path: string, run: string): KernelError {
  const text = `the store ${path} does not hold the run "${run}" that an event belongs to`;
  return new KernelError('not-found', text, { hint: 'start the run first' });
}

const isUnknownRun = (thrown: unknown): boolean =>
  thrown instanceof KernelError && thrown.code === 'not-found';

type EventMethods =
  | 'addEvents'
  | 'events'
  | 'eventsAfter'
  | 'sealedAfter'
  | 'runsWithSteps'
  | 'addPayload'
  | 'valuesOf'
  | 'callCounts'
  | 'sessionsSince'
  | 'lastLink'
  | 'addHead'
  | 'heads';

export function eventQueries(database: Database, append: Append): Pick<Store, EventMethods> {
  const after = <Row>(columns: string, seq: number, limit: number): Row[] =>
    database.all(
      `SELECT ${columns} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`,
      seq,
      checkLimit(limit),
    );
  return {
    addEvents: append,
    events: (run) =>
      database
        .all<PlainEvent>(`SELECT ${plain} FROM events WHERE run = ? ORDER BY seq`, run)
        .map(toEvent),
    eventsAfter: (seq, limit) => after<PlainEvent>(plain, seq, limit).map(toEvent),
    sealedAfter: (seq, limit) => after<SealedEvent>(sealed, seq, limit),
    addPayload: (payload) => insertRow(database, 'payloads', payload),
    runsWithSteps: (plugin, limit) =>
      database.column<string>(
        `SELECT run FROM events WHERE kind = 'step' AND run IS NOT NULL
             AND ${plugin === undefined ? "body ->> 'digest' <> '' AND ? IS NULL" : "body ->> 'plugin' = ?"}
           GROUP BY run ORDER BY max(seq) DESC LIMIT ?`,
        plugin ?? null,
        checkLimit(limit),
      ),
    valuesOf: (keys, sinceMs) => {
      const kinds = Object.entries<readonly string[]>(keys);
      const cases = kinds.map(([kind, of]) => {
        const values = of.map((key) => `json(coalesce(body -> '$.${key}', 'null'))`);
        return `WHEN '${kind}' THEN json_array(${values.join(', ')})`;
      });
      const found = Object.fromEntries(kinds.map(([kind]) => [kind, [] as unknown[][]]));
      const rows = database.all<{ kind: string; of: string }>(
        `SELECT kind, CASE kind ${cases.join(' ')} END AS of FROM events
         WHERE kind IN (${kinds.map(([kind]) => `'${kind}'`).join(', ')})
           AND ts >= ? AND body IS NOT NULL ORDER BY seq`,
        sinceMs,
      );
      for (const { kind, of } of rows) found[kind]?.push(JSON.parse(of));
      return found as Record<keyof typeof keys, unknown[][]>;
    },
    callCounts: (sinceMs) =>
      database
        .all<{ of: string; events: number }>(
          // One extract of all is read once, three of one each three times.
          `SELECT json_extract(body, '$.call', '$.outcome', '$.times') AS of, count(*) AS events
           FROM events WHERE kind = 'host-call' AND ts >= ? AND body IS NOT NULL GROUP BY 1`,
          sinceMs,
        )
        .map(({ of, events }) => {
          const [call, outcome, times] = JSON.parse(of) as [string, string, number | null];
          return { call, outcome, times: events * (times ?? 1) };
        }),
    sessionsSince: (sinceMs) =>
      database.number(
        'SELECT count(DISTINCT session) AS n FROM runs WHERE session IS NOT NULL AND started_ms >= ?',
        sinceMs,
      ),
    lastLink: () =>
      database.get(`SELECT seq, ${hexOf('link')} FROM events ORDER BY seq DESC LIMIT 1`),
    addHead: ({ seq, link, ts, signature }) => {
      database.run('INSERT INTO audit_heads VALUES (?, ?, ?, ?)', seq, link, ts, signature);
    },
    heads: () => database.all<AuditHead>('SELECT * FROM audit_heads ORDER BY rowid'),
  };
}

function toEvent({ body, ...row }: PlainEvent): JournalEvent {
  return { ...present(row), ...(body === null ? {} : { body: JSON.parse(body) }) } as JournalEvent;
}
