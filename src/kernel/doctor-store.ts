import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../lib/reason-of.ts';
import { type Finding, shellWord } from './doctor-finding.ts';

/** How every database begins; https://www.sqlite.org/fileformat.html#the_database_header */
const magic = Buffer.from('SQLite format 3\0', 'latin1');

/**
 * That `cuervo.db`, where it is there, is a database. Its header alone is read: to open it would
 * make the files that SQLite keeps beside it.
 */
export function checkStore(home: string): Finding[] {
  const path = join(home, 'cuervo.db');
  const name = 'store';
  try {
    const start = readStart(path, magic.length);
    // SQLite takes an empty file for a new database.
    if (start === undefined) return [];
    if (start.length === 0 || start.equals(magic)) {
      return [{ name, status: 'ok', finding: `${path} begins as a database does` }];
    }
    const finding = `${path} is damaged or is no SQLite database`;
    const fix = `mv ${shellWord(path)} ${shellWord(`${path}.damaged`)}`;
    return [{ name, status: 'fail', finding, fix }];
  } catch (thrown) {
    return [{ name, status: 'fail', finding: reasonOf(thrown), fix: `ls -ld ${shellWord(path)}` }];
  }
}

/** @returns undefined where there is no file */
function readStart(path: string, length: number): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw thrown;
  }
  try {
    const start = Buffer.alloc(length);
    return start.subarray(0, readSync(descriptor, start, 0, length, 0));
  } finally {
    closeSync(descriptor);
  }
}
