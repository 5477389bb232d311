import { rmSync, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import type { FileWords } from '../fs/file-words.ts';
import type { ListedEntry, ListedTree } from '../fs/fs-types.ts';

/** A file as the index knows it. */
export type Row = ListedEntry & {
  /** of its text; 0 for a file that was not read yet */
  id: number;
  bytes: number;
  isOpaque: boolean;
  /** number of its first window; those behind it follow */
  first: number;
  windows: number;
  length: number;
};

export type Folders = ListedTree['folders'];

/** The tables of one workspace, in a file of their own. The caller owns it. */
export type IndexFile = Disposable & {
  /** changes when another process wrote */
  version(): number;
  rows(): Row[];
  folders(): Folders;
  /** Puts files in the place of what was known of their paths. @returns their rows */
  put(files: readonly { entry: ListedEntry; words: FileWords }[]): Row[];
  /**
   * Takes out files that are gone, and keeps how the folders looked.
   *
   * @param folders none where files in them are not put yet
   */
  settle(gone: readonly string[], folders: Folders, isWhole: boolean): void;
  state(name: string): unknown;
  setState(name: string, value: number): void;
  /** files whose text holds what an expression of trigrams asks for */
  texts(expression: string): number[];
  /** windows with a word that begins so */
  windows(beginning: string): number[];
  /** Reads as of one moment, whatever others write meanwhile. */
  atOnce<Value>(work: () => Value): Value;
};

/** Changes with the tables and with what is put into them. */
const formatVersion = 1;
const busyTimeoutMs = 2000;

const schema = `
CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE file (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, isFile INTEGER NOT NULL, hiddenAt INTEGER NOT NULL,
  size REAL NOT NULL, mtimeMs REAL NOT NULL, ctimeMs REAL NOT NULL, ino REAL NOT NULL,
  bytes INTEGER NOT NULL, isOpaque INTEGER NOT NULL,
  first INTEGER NOT NULL, windows INTEGER NOT NULL, length INTEGER NOT NULL
);
CREATE TABLE folder (path TEXT PRIMARY KEY, sight TEXT NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE text USING fts5 (
  body, content='', contentless_delete=1, detail='none', tokenize='trigram'
);
CREATE VIRTUAL TABLE word USING fts5 (
  words, content='', contentless_delete=1, detail='none', tokenize="ascii tokenchars '_'"
);
INSERT INTO state VALUES ('window', 1);
PRAGMA user_version = ${formatVersion};
`;

/** In the order of a walk: what is in \`a\` stands before \`a.txt\`. */
const rowsInOrder = `SELECT * FROM file ORDER BY replace(path, '/', char(1))`;

/**
 * @param key of what may be read; an index that was made for another one is made anew
 * @throws errors of SQLite, as for a full disk
 */
export function openIndexFile(path: string, key: string): IndexFile {
  const connection = connect(path, key);
  const statements = new Map<string, BetterSqlite3.Statement>();
  const sql = (text: string): BetterSqlite3.Statement => {
    const made = statements.get(text) ?? connection.prepare(text);
    statements.set(text, made);
    return made;
  };

  function forget(path: string): void {
    const known = sql('SELECT id, first, windows FROM file WHERE path = ?').get(path) as
      | Pick<Row, 'id' | 'first' | 'windows'>
      | undefined;
    if (known === undefined) return;
    sql('DELETE FROM text WHERE rowid = ?').run(known.id);
    for (let at = 0; at < known.windows; at += 1)
      sql('DELETE FROM word WHERE rowid = ?').run(known.first + at);
    sql('DELETE FROM file WHERE id = ?').run(known.id);
  }

  function put({ entry, words }: { entry: ListedEntry; words: FileWords }, first: number): Row {
    forget(entry.path);
    const { path, hiddenAt, size, mtimeMs, ctimeMs, ino } = entry;
    const [isFile, isOpaque] = [Number(entry.isFile), Number(words.isOpaque)];
    const facts = [path, isFile, hiddenAt, size, mtimeMs, ctimeMs, ino, words.bytes, isOpaque];
    const { lastInsertRowid } = sql(
      'INSERT INTO file VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(...facts, first, words.windows.length, words.length);
    const id = Number(lastInsertRowid);
    if (words.text !== '') sql('INSERT INTO text (rowid, body) VALUES (?, ?)').run(id, words.text);
    for (const [at, each] of words.windows.entries())
      sql('INSERT INTO word (rowid, words) VALUES (?, ?)').run(first + at, each);
    const { bytes, length } = words;
    const windows = words.windows.length;
    return { ...entry, id, bytes, isOpaque: words.isOpaque, first, windows, length };
  }

  const setState = (name: string, value: number): void =>
    void sql('INSERT OR REPLACE INTO state VALUES (?, ?)').run(name, value);
  const inOne = <Value>(work: () => Value): Value => connection.transaction(work).immediate();
  const matching = (table: string, expression: string): number[] =>
    sql(`SELECT rowid FROM ${table} WHERE ${table} MATCH ?`).pluck().all(expression) as number[];

  return {
    version: () => connection.pragma('data_version', { simple: true }) as number,
    rows: () =>
      (sql(rowsInOrder).all() as Row[]).map((row) =>
        Object.assign(row, { isFile: Boolean(row.isFile), isOpaque: Boolean(row.isOpaque) }),
      ),
    folders: () => {
      const rows = sql('SELECT path, sight FROM folder').all() as { path: string; sight: string }[];
      return new Map(rows.map(({ path, sight }) => [path, JSON.parse(sight)]));
    },
    put: (files) =>
      inOne(() => {
        let next = sql("SELECT value FROM state WHERE name = 'window'").pluck().get() as number;
        const rows = files.map((file) => {
          const row = put(file, next);
          next += row.windows;
          return row;
        });
        sql("UPDATE state SET value = ? WHERE name = 'window'").run(next);
        return rows;
      }),
    settle: (gone, folders, isWhole) =>
      inOne(() => {
        gone.forEach(forget);
        sql('DELETE FROM folder').run();
        for (const [path, sight] of folders)
          sql('INSERT INTO folder VALUES (?, ?)').run(path, JSON.stringify(sight));
        setState('partial', isWhole ? 0 : 1);
      }),
    state: (name) => sql('SELECT value FROM state WHERE name = ?').pluck().get(name),
    setState,
    texts: (expression) => matching('text', expression),
    windows: (beginning) => matching('word', `"${beginning}"*`),
    atOnce: (work) => connection.transaction(work).deferred(),
    [Symbol.dispose]: () => void connection.close(),
  };
}

function removeIndexFile(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
}

/** An index that cannot be read, or is another one's, holds nothing that the files do not. */
function connect(path: string, key: string): BetterSqlite3.Database {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    let connection: BetterSqlite3.Database | undefined;
    try {
      connection = open(path);
      const isOurs =
        connection.pragma('user_version', { simple: true }) === formatVersion &&
        connection.prepare("SELECT value FROM state WHERE name = 'key'").pluck().get() === key;
      if (isOurs) return connection;
    } catch (thrown) {
      const { code = '' } = thrown as { code?: string };
      if (!/^SQLITE_(?:CORRUPT|NOTADB|ERROR)/.test(code)) throw thrown;
    }
    connection?.close();
    removeIndexFile(path);
  }
  const connection = open(path);
  connection.transaction(() => {
    connection.exec(schema);
    connection.prepare("INSERT INTO state VALUES ('key', ?)").run(key);
  })();
  return connection;
}

function open(path: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(path, { timeout: busyTimeoutMs });
  try {
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = NORMAL');
    connection.pragma('secure_delete = ON');
    return connection;
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
}
