import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import type { Finding } from '../../contracts/output/parse-setup.ts';
import { moveAway } from '../../lib/files/folders.ts';
import { counted } from '../../lib/text/amounts.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { isDamaged, keptDays, maxCheckedBytes, repairStore } from '../../store/repair-store.ts';

/** How every database begins; https://www.sqlite.org/fileformat.html#the_database_header */
const magic = Buffer.from('SQLite format 3\0', 'latin1');

/** Checks that an existing `cuervo.db` is an undamaged database. */
export function checkStore(home: string): Finding[] {
  const path = join(home, 'cuervo.db');
  const name = 'store';
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return [noFile(path)];
    const start = readStart(path, magic.length);
    if (start === undefined) return [];
    // An empty file is a new database.
    if (start.length === 0 || start.equals(magic)) {
      const found = isDamaged(path);
      if (found !== true) return [{ name, status: 'ok', finding: sound(path, found) }];
    }
    return [damaged(path)];
  } catch (thrown) {
    return [{ name, status: 'fail', finding: reasonOf(thrown), fix: `ls -ld ${shellWord(path)}` }];
  }
}

/**
 * Makes a whole database of what can be read of a damaged one; its bytes are kept under another
 * name first.
 */
export function* repairIfDamaged(home: string, nowMs: number): Generator<Finding> {
  const path = join(home, 'cuervo.db');
  const name = 'repair';
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    const found = stats?.isFile() === true && isDamaged(path, Number.POSITIVE_INFINITY);
    if (found === undefined) {
      yield { name, status: 'fail', finding: `${path} is locked by another process`, fix: again };
      return;
    }
    const repaired = found ? repairStore(path, nowMs) : undefined;
    if (repaired === undefined) {
      yield { name, status: 'ok', finding: `${path} needs none` };
      return;
    }
    const { copy, rows, cut } = repaired;
    const lost = cut.map(({ table, reason }) => `; not all of ${table}: ${reason}`).join('');
    const finding = `${path} was damaged, and is kept as ${copy} for ${keptDays} days, or until words are deleted; ${counted(rows, 'row')} taken over${lost}`;
    yield { name, status: 'warn', finding, fix: 'cuervo audit verify' };
  } catch (thrown) {
    const isTaken = thrown instanceof KernelError && thrown.code === 'conflict';
    const fix = isTaken ? again : `ls -ld ${shellWord(path)}`;
    yield { name, status: 'fail', finding: reasonOf(thrown), fix };
  }
}

const again = 'cuervo doctor --repair';

/** In the words of every other command. */
function noFile(path: string): Finding {
  const finding = `the store ${path} is not a regular file`;
  return { name: 'store', status: 'fail', finding, fix: moveAway(path) };
}

function damaged(path: string): Finding {
  const finding = `${path} is damaged or is not a SQLite database`;
  return { name: 'store', status: 'fail', finding, fix: moveAway(path, 'damaged') };
}

function sound(path: string, damaged: false | undefined): string {
  if (damaged === false) return `${path} is a whole database`;
  return `${path} begins like a database; the full check is for files up to ${maxCheckedBytes >> 20} MB that nobody has locked`;
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
