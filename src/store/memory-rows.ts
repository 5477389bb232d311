import type { MemoryRecord, MemoryRow } from '../contracts/memory.ts';
import type { MemoryJournal, MemoryRows, PendingRecord } from '../contracts/memory-store.ts';
import { tryLock } from '../lib/sqlite/database-file.ts';
import type { Append } from './event-queries.ts';
import type { Database } from './open-database.ts';

type KeptRow = { id: string; record: string };

/** A longer chain is shown from its newest end. */
const maxChain = 10_000;

/** The table `memory_rows`, with forgotten and changed rows. */
function createMemoryRows(database: Database): MemoryRows {
  const count = (sql: string) => database.number(sql);
  return {
    get: (id) => {
      const row = database.get<KeptRow>('SELECT id, record FROM memory_rows WHERE id = ?', id);
      return row === undefined ? undefined : fromRow(row);
    },
    page: ({ after = '', limit }) =>
      database
        .all<KeptRow>(
          'SELECT id, record FROM memory_rows WHERE id > ? ORDER BY id LIMIT ?',
          after,
          limit,
        )
        .map(fromRow),
    facts: (projects) => {
      const wanted = projects === undefined ? null : JSON.stringify(projects);
      return database
        .all<KeptRow>(
          `SELECT id, record FROM memory_rows
           WHERE is_kept = 1 AND holds = 1
             AND (? IS NULL OR project IN (SELECT value FROM json_each(?)))
           ORDER BY ts DESC, id`,
          wanted,
          wanted,
        )
        .map(fromRow);
    },
    countFacts: () =>
      count('SELECT count(*) AS n FROM memory_rows WHERE is_kept = 1 AND holds = 1'),
    hasFacts: (layer) =>
      database.get(
        // the sign keeps it from the index of layers: few of a layer's rows are facts
        'SELECT 1 FROM memory_rows WHERE is_kept = 1 AND +layer = coalesce(?, layer) LIMIT 1',
        layer ?? null,
      ) !== undefined,
    chain: (id) =>
      database
        .all<KeptRow>(
          `WITH RECURSIVE linked (id) AS (
             SELECT ?
             UNION SELECT newer FROM memory_links JOIN linked ON older = linked.id
             UNION SELECT older FROM memory_links JOIN linked ON newer = linked.id
           )
           SELECT id, record FROM memory_rows WHERE id IN (SELECT id FROM linked)
           ORDER BY ts DESC, id LIMIT ${maxChain}`,
          id,
        )
        .map(fromRow),
    has: (ids) => new Set(idsWhere(database, 'id', ids)),
    saidIn: (session, runs) => idsSaidIn(database, session, runs),
    ofLayer: (layer, { limit, words }) => {
      const { order, values } = mostWordsFirst(words);
      return database
        .all<KeptRow>(
          `SELECT id, record FROM memory_rows WHERE layer = ? ORDER BY ${order} DESC, ts DESC LIMIT ?`,
          layer,
          ...values,
          limit,
        )
        .map(fromRow);
    },
    said: ({ order, offset, limit }) =>
      database
        .all<KeptRow>(
          `SELECT id, record FROM memory_rows WHERE layer <> 'assets' OR is_kept = 1
           ORDER BY ts ${order === 'newest' ? 'DESC' : 'ASC'}, id LIMIT ? OFFSET ?`,
          limit,
          offset,
        )
        .map(fromRow),
    isInTable: (layer) =>
      database.get(
        `SELECT 1 FROM memory_rows AS kept WHERE layer = ?
           AND NOT EXISTS (SELECT 1 FROM memory_wal WHERE memory_wal.id = kept.id) LIMIT 1`,
        layer,
      ) !== undefined,
    requeue: (layer) =>
      database.run(
        `INSERT OR IGNORE INTO memory_wal (id, record)
           SELECT id, record FROM memory_rows WHERE layer = ? ORDER BY ts`,
        layer,
      ),
    keep: (rows) => {
      database.transaction(() => {
        for (const row of rows) writeRow(database, row);
      });
    },
    adopt: (rows) =>
      database.transaction(() => {
        let adopted = 0;
        for (const row of rows) {
          const isForgotten = database.get('SELECT 1 FROM memory_forgotten WHERE id = ?', row.id);
          const isKnown = database.get('SELECT 1 FROM memory_rows WHERE id = ?', row.id);
          if (isForgotten !== undefined || isKnown !== undefined) continue;
          writeRow(database, row);
          adopted += 1;
        }
        return adopted;
      }),
    count: () => count('SELECT count(*) AS n FROM memory_rows'),
    forget: (ids) => {
      database.transaction(() => {
        for (const id of ids) {
          database.run('DELETE FROM memory_rows WHERE id = ?', id);
          database.run('DELETE FROM memory_changes WHERE id = ?', id);
          database.run('DELETE FROM memory_links WHERE newer = ? OR older = ?', id, id);
          database.run('INSERT OR IGNORE INTO memory_forgotten (id) VALUES (?)', id);
        }
      });
    },
    changesOf: (run) =>
      database
        .all<{ seq: number; run: string; id: string; before: string | null }>(
          'SELECT seq, run, id, before FROM memory_changes WHERE run = ? ORDER BY seq DESC',
          run,
        )
        .map(({ before, ...change }) => ({
          ...change,
          ...(before === null ? {} : { before: JSON.parse(before) as MemoryRecord }),
        })),
    runsThatChanged: (start) =>
      database.column<string>(
        'SELECT DISTINCT run FROM memory_changes WHERE substr(run, 1, ?) = ? LIMIT 2',
        start.length,
        start,
      ),
    changedAfter: (run, ids) =>
      database.get<{ run: string }>(
        `SELECT run FROM memory_changes WHERE run <> ? AND id IN (SELECT value FROM json_each(?))
           AND seq > (SELECT max(seq) FROM memory_changes WHERE run = ?)
         ORDER BY seq DESC LIMIT 1`,
        run,
        JSON.stringify(ids),
        run,
      )?.run,
    dropChanges: (seqs) => {
      database.transaction(() => {
        for (const seq of seqs) database.run('DELETE FROM memory_changes WHERE seq = ?', seq);
      });
    },
  };
}

function idsSaidIn(database: Database, session: string, runs: readonly string[]): string[] {
  return database.column<string>(
    `SELECT id FROM memory_rows
       WHERE json_extract(record, '$.run') IN (SELECT value FROM json_each(?))
         OR json_extract(record, '$.session') = ?
           AND json_extract(record, '$.run') NOT IN (SELECT run FROM messages)`,
    JSON.stringify(runs),
    session,
  );
}

function idsWhere(database: Database, column: string, wanted: readonly string[]): string[] {
  const sql = `SELECT id FROM memory_rows WHERE ${column} IN (SELECT value FROM json_each(?))`;
  return database.column<string>(sql, JSON.stringify(wanted));
}

/** Within a transaction. */
function writeRow(database: Database, { id, record }: MemoryRow, run?: string): void {
  if (run !== undefined) {
    database.run(
      `INSERT INTO memory_changes (run, id, before)
       VALUES (?, ?, (SELECT record FROM memory_rows WHERE id = ?))`,
      run,
      id,
      id,
    );
  }
  const isKept =
    record.source === undefined &&
    ['fact', 'decision', 'preference', 'model', 'note'].includes(record.kind);
  const holds = record.replacedBy === undefined && record.endedMs === undefined;
  database.run(
    'INSERT OR REPLACE INTO memory_rows (id, project, layer, is_kept, holds, ts, record) VALUES (?, ?, ?, ?, ?, ?, ?)',
    id,
    record.project,
    record.layer,
    isKept ? 1 : 0,
    holds ? 1 : 0,
    Math.round(record.ts),
    JSON.stringify(record),
  );
  database.run('DELETE FROM memory_forgotten WHERE id = ?', id);
  for (const older of record.replaces ?? []) {
    database.run('INSERT OR IGNORE INTO memory_links (newer, older) VALUES (?, ?)', id, older);
  }
}

function fromRow({ id, record }: KeptRow): MemoryRow {
  return { id, record: JSON.parse(record) as MemoryRecord };
}

/** The table `memory_wal` as the port that memory writes through. Owned by the database's owner. */
export function createMemoryJournal(
  database: Database,
  note: { append: Append; nowMs: () => number },
): MemoryJournal {
  let heldHere = false;
  const lockHere = (): Disposable | undefined => {
    if (heldHere) return undefined;
    heldHere = true;
    return {
      [Symbol.dispose]: () => {
        heldHere = false;
      },
    };
  };
  const count = (): number => database.number('SELECT count(*) AS n FROM memory_wal');
  /** @param words rows with most of them are taken; what is sorted is their numbers alone */
  const pages = (by: string, limit: number, words: readonly string[] = []): PendingRecord[] => {
    const most = mostWordsFirst(words);
    const taken = `SELECT seq FROM memory_wal ORDER BY ${words.length === 0 ? '' : `${most.order} DESC, `}${by} LIMIT ?`;
    return database
      .all<{ seq: number; id: string; record: string }>(
        `SELECT seq, id, record FROM memory_wal WHERE seq IN (${taken}) ORDER BY ${by}`,
        ...most.values,
        limit,
      )
      .map(({ seq, id, record }) => ({ seq, id, record: JSON.parse(record) as MemoryRecord }));
  };
  const noteWritten = (rows: readonly MemoryRow[], run: string | undefined): void => {
    const isKnown =
      run !== undefined && database.get('SELECT 1 FROM runs WHERE id = ?', run) !== undefined;
    const body = {
      rows: rows.map(({ id, record: { layer, kind } }) => ({ id, layer, kind })),
    };
    note.append([{ ...(isKnown ? { run } : {}), kind: 'memory-write', ts: note.nowMs(), body }]);
  };
  return {
    book: createMemoryRows(database),
    append: (rows, { run, isPiece = false } = {}) => {
      database.transaction(() => {
        for (const { id, record } of rows) {
          if (!isPiece) writeRow(database, { id, record }, run);
          database.run(
            'INSERT OR REPLACE INTO memory_wal (id, record) VALUES (?, ?)',
            id,
            JSON.stringify(record),
          );
        }
        // Pieces of files are no words of anybody, and there are thousands.
        if (!isPiece && rows.length > 0) noteWritten(rows, run);
      });
    },
    pending: ({ limit, order, words = [] }) => {
      if (order === 'oldest') return pages('seq', limit);
      return pages('seq DESC', limit, count() > limit ? words : []);
    },
    count,
    remove: (seqs) => {
      database.run(
        'DELETE FROM memory_wal WHERE seq IN (SELECT value FROM json_each(?))',
        JSON.stringify(seqs),
      );
    },
    isReadOnly: database.unwritable !== undefined,
    // a database in memory is seen by this process alone
    tryLock: () => (database.path === ':memory:' ? lockHere() : tryLock(`${database.path}-flush`)),
  };
}

/** The most words of a question that are used; further ones cost more than they help. */
const maxWords = 16;

/**
 * An order of rows by how many of the words their record has. SQLite ignores the case of ASCII
 * letters alone.
 *
 * @param words of letters and digits, as content words are
 */
function mostWordsFirst(words: readonly string[]): { order: string; values: string[] } {
  const values = [...new Set(words)].slice(0, maxWords).map((word) => `%${word}%`);
  return { order: ['0', ...values.map(() => '(record LIKE ?)')].join(' + '), values };
}
