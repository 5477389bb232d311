import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { exposedHome } from '../../config/check-home.ts';
import { grantsPath } from '../../consent/grants.ts';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import type { Finding } from '../../contracts/output/parse-setup.ts';
import { freeBytes, moveAway } from '../../lib/files/folders.ts';
import { isLink, readTextIfPresent } from '../../lib/files/read-file.ts';
import { counted } from '../../lib/text/amounts.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { isExpired, parseGrantsFile } from '../../policy/parse-grants-file.ts';
import { readSecrets, secretsPath } from '../../secrets/secrets.ts';
import { keptDays } from '../../store/damaged-copies.ts';
import { isDamaged, maxCheckedBytes, repairStore } from '../../store/repair-store.ts';
import { openCommandRules } from '../consent/command-rules.ts';

/** Files with questions or grants; SQLite keeps rows in all three database files. */
const privateFiles = ['grants.toml', 'secrets.toml', 'cuervo.db', 'cuervo.db-wal', 'cuervo.db-shm'];

/** Throws the system's error if a path may not be used in this mode. */
type Access = (path: string, mode: number) => void;

/** Bytes that may still be written in a folder; undefined where the system does not tell. */
type Free = (folder: string) => number | undefined;

const leastBytes = 1024 * 1024;

/** Checks that only the owner can read and write `CUERVO_HOME`, and that the disk has room. */
export function checkPermissions(
  home: string,
  access: Access = accessSync,
  free: Free = freeBytes,
): Finding[] {
  try {
    return [...checkExposure(home), ...checkModes(home, access, free)];
  } catch (thrown) {
    // A folder above it may not be entered.
    const fix = `namei -l ${shellWord(home)}`;
    return [{ name: 'home', status: 'fail', finding: reasonOf(thrown), fix }];
  }
}

/** The parts of the way to the home, or in it, that others may write; the mode of the home has its own line. */
function checkExposure(home: string): Finding[] {
  const exposed = exposedHome(home);
  if (exposed === undefined || exposed.path === home) return [];
  const { path, why, fix } = exposed;
  return [{ name: 'home', status: 'fail', finding: `${path} ${why}`, fix }];
}

function checkModes(home: string, access: Access, free: Free): Finding[] {
  const found = stat(home);
  if (found === undefined) return [checkFuture(home, access)];
  if (!found.isDirectory()) {
    const fix = moveAway(home);
    return [{ name: 'home', status: 'fail', finding: `${home} is not a folder`, fix }];
  }
  const files = privateFiles.flatMap((name): Finding[] => {
    const path = join(home, name);
    const file = stat(path);
    // SQLite removes its own files when the database is closed; they need no line when fine.
    if (file === undefined) return [];
    const finding = checkMode(name, path, file, 0o600);
    return finding.status === 'ok' && name.startsWith('cuervo.db-') ? [] : [finding];
  });
  return [checkHomeFolder(home, found, access), ...checkSpace(home, free), ...files];
}

/** Checks that a missing home can be made in the nearest folder above it that exists. */
function checkFuture(home: string, access: Access): Finding {
  let above = dirname(home);
  while (stat(above) === undefined) above = dirname(above);
  const code = refusalOf(above, access);
  if (code === undefined) {
    const finding = `${home} does not exist yet; its first use makes it`;
    return { name: 'home', status: 'ok', finding };
  }
  return {
    name: 'home',
    status: 'fail',
    finding: `${home} does not exist and cannot be made: ${above} cannot be written (${code})`,
    fix:
      code === 'EROFS'
        ? remount(above)
        : `sudo install -d -m 0700 -o "$(id -u)" ${shellWord(home)}`,
  };
}

/** Runs, grants and memory are written there: without that nothing but reading commands works. */
function checkHomeFolder(home: string, found: Stats, access: Access): Finding {
  const finding = checkMode('home', home, found, 0o700);
  const code = finding.status === 'ok' ? refusalOf(home, access) : undefined;
  if (code === undefined) return finding;
  return {
    name: 'home',
    status: 'fail',
    finding:
      code === 'EROFS'
        ? `${home} is on a file system that is mounted read-only`
        : `${home} cannot be written: ${code}`,
    fix: code === 'EROFS' ? remount(home) : `chmod u+rwx ${shellWord(home)}`,
  };
}

/** Without room for a few pages of `cuervo.db` even reading commands end with an error. */
function checkSpace(home: string, free: Free): Finding[] {
  const left = free(home);
  if (left === undefined || left >= leastBytes) return [];
  const finding = `the disk that holds ${home} is full: ${left} bytes are left, ${leastBytes} are needed`;
  return [{ name: 'home', status: 'fail', finding, fix: `df -h ${shellWord(home)}` }];
}

/** Why nothing can be made in the folder, as the system's code; undefined where it can. */
function refusalOf(folder: string, access: Access): string | undefined {
  try {
    access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code ?? reasonOf(thrown);
  }
}

function remount(path: string): string {
  return `sudo mount -o remount,rw "$(findmnt -n -o TARGET -T ${shellWord(path)})"`;
}

function checkMode(name: string, path: string, found: Stats, wanted: number): Finding {
  const uid = process.getuid?.();
  if (uid === undefined) {
    return { name, status: 'ok', finding: `${path} exists; this system has no permission bits` };
  }
  if (found.uid !== uid) {
    const finding = `${path} belongs to user ${found.uid}, not to you`;
    return { name, status: 'fail', finding, fix: `sudo chown ${uid} ${shellWord(path)}` };
  }
  const mode = octal(found.mode & 0o777);
  if ((found.mode & 0o077) === 0) {
    return { name, status: 'ok', finding: `${path} is yours alone (${mode})` };
  }
  const finding = `${path} is open to others (${mode})`;
  return { name, status: 'fail', finding, fix: `chmod ${octal(wanted)} ${shellWord(path)}` };
}

/** Checks that every grant can be read; until then no plugin runs with one. */
export function checkGrants(home: string, nowMs: number): Finding {
  const path = grantsPath(home);
  try {
    const text = readTextIfPresent(path);
    if (text === undefined) return { name: 'grants', status: 'ok', finding: 'nothing is granted' };
    const entries = parseGrantsFile(text);
    const held = entries.filter((entry) => !isExpired(entry, nowMs));
    const count = held.reduce((sum, { capabilities }) => sum + capabilities.length, 0);
    const expired = entries.length - held.length;
    const rest = expired === 0 ? '' : `; ${expired} expired entries give nothing`;
    return { name: 'grants', status: 'ok', finding: `${count} granted by you${rest}` };
  } catch (thrown) {
    return { name: 'grants', status: 'fail', finding: reasonOf(thrown), fix: edit(path) };
  }
}

export function checkSecrets(home: string): Finding[] {
  const path = secretsPath(home);
  if (!isNamed(path)) return [];
  try {
    const { key, secrets } = readSecrets(home);
    const by = { keychain: 'a key in the keychain', passphrase: 'a passphrase' };
    const sealed = key === undefined ? '' : `, sealed with ${by[key.place]}`;
    const finding = `${secrets.length} kept, for their origins alone${sealed}`;
    return [{ name: 'secrets', status: 'ok', finding }];
  } catch (thrown) {
    return [{ name: 'secrets', status: 'fail', finding: reasonOf(thrown), fix: edit(path) }];
  }
}

/** Checks that the user's rules on programs can be read, if there are any; until then no program runs. */
export function checkRules(home: string): Finding[] {
  const path = join(home, 'rules.toml');
  try {
    if (!isNamed(path)) return [];
    const own = openCommandRules(home)().filter(({ source }) => source === 'user');
    return [{ name: 'rules', status: 'ok', finding: `${own.length} of your own in ${path}` }];
  } catch (thrown) {
    const finding = `${reasonOf(thrown)}; until then no program runs`;
    return [{ name: 'rules', status: 'fail', finding, fix: edit(path) }];
  }
}

/** The command that opens a file for a person, or moves away what is not a file. */
export function edit(path: string): string {
  const isOther = existsSync(path) && !statSync(path).isFile();
  return isOther ? moveAway(path) : `\${EDITOR:-vi} ${shellWord(path)}`;
}

/** The same for `cuervo.toml`: an editor would follow its link to what the workspace's author chose. */
export function editProjectFile(path: string): string {
  return isLink(path) ? moveAway(path) : edit(path);
}

function octal(mode: number): string {
  return `0${mode.toString(8)}`;
}

function stat(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Whether the name exists, even as a broken link: reading it then reports that. */
function isNamed(path: string): boolean {
  return stat(path) !== undefined || isLink(path);
}

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
