import {
  closeSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { once } from '../memo.ts';
import { sha256 } from '../sha256.ts';
import { makeFolder } from './folders.ts';
import { withPath } from './write-file-whole.ts';

const pollMs = 50;
const changePatienceMs = 10_000;
/** A file is empty for microseconds, and for longer only where its maker was killed. */
const emptyMs = 5_000;

/**
 * Runs `work`, which changes the file at `path`, while no other process changes it.
 *
 * @throws {KernelError} `unavailable` when another process holds its lock for 10 s
 */
export function changeAlone<Value>(path: string, work: () => Value): Value {
  using _ = lockFile(`${path}.busy`, { patienceMs: changePatienceMs });
  return work();
}

/**
 * Makes a file that names this process, and removes it when it is disposed. A file that a killed
 * process left is taken over. SQLite, which `tryLock()` takes, cannot be loaded by an old Node, and
 * `cuervo add node` runs there.
 *
 * @param options.what what the other process does, for the message
 * @param options.patienceMs how long another process is waited for; default 0
 * @throws {KernelError} `unavailable` while another process holds it
 */
export function lockFile(
  path: string,
  { what, patienceMs = 0 }: { what?: string; patienceMs?: number } = {},
): Disposable {
  const untilMs = Date.now() + patienceMs;
  for (;;) {
    if (makeLock(path)) return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
    const holder = readHolder(path);
    if (holder !== undefined && (isHolderGone(holder) || isLeftEmpty(path, holder))) {
      // Look again: another waiting process may hold the lock by now.
      if (readHolder(path) === holder) rmSync(path, { force: true });
      continue;
    }
    if (Date.now() >= untilMs) throw heldByOther(path, holder ?? '', what);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
}

/**
 * The file and its content come at once, so that no process that is killed leaves an empty one.
 *
 * @returns false where the file is there already
 */
function makeLock(path: string): boolean {
  const own = `${path}.${process.pid}`;
  try {
    // As in `writeFileWhole`: a link is not followed.
    rmSync(own, { force: true });
    withPath(path, () => writeFileSync(own, processHolder(), { mode: 0o600, flag: 'wx' }));
    linkSync(own, path);
    return true;
  } catch (thrown) {
    const { code = '' } = thrown as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!noLinks.has(code)) throw thrown;
    return makeSlowly(path);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Errors of file systems without hard links; link(2). */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function makeSlowly(path: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
  try {
    withPath(path, () => writeSync(descriptor, processHolder()));
    return true;
  } catch (thrown) {
    // A full disk leaves an empty file, which others would wait for.
    rmSync(path, { force: true });
    throw thrown;
  } finally {
    closeSync(descriptor);
  }
}

function isLeftEmpty(path: string, holder: string): boolean {
  const found = holder === '' ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > emptyMs;
}

/** Empty while its process writes it; undefined when it is gone. */
function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function heldByOther(path: string, holder: string, what: string | undefined): KernelError {
  const other = `another process (${holderPid(holder) || 'just started'})`;
  const message = what === undefined ? `${other} holds ${path}` : `${other} is at ${what}`;
  return new KernelError('unavailable', message, {
    hint: `Wait for it to end; if none runs, remove ${path}.`,
  });
}

/**
 * Makes an empty folder that belongs to this process. Removes folders of its kind that ended
 * processes left; folders of running or unknown processes stay. The caller removes the new one.
 *
 * @param parent made when it is missing; no plugin can be granted it
 * @param kind beginning of its name
 */
export function makeHeldFolder(parent: string, kind: string): string {
  makeFolder(parent);
  for (const name of readdirSync(parent)) {
    const holder = holderOf(name, kind);
    if (holder === undefined || !isHolderGone(holder)) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // A folder of another user, as after an install by root: it stays and disturbs nothing.
    }
  }
  // The folder's name tells its holder from the first moment on.
  const holder = Buffer.from(processHolder()).toString('base64url');
  return mkdtempSync(join(parent, `${kind}-${holder}-`));
}

/** Undefined for the name of another kind of folder. */
function holderOf(name: string, kind: string): string | undefined {
  if (!name.startsWith(`${kind}-`)) return undefined;
  const encoded = /^(.+)-[^-]{6}$/.exec(name.slice(kind.length + 1))?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString();
}

/**
 * A text by which another process can tell whether this one still runs: its number, its start, and
 * the name space of the number; `-` for what the system does not tell.
 */
export function processHolder(): string {
  return `${process.pid} ${startOf(process.pid)} ${numberSpace()}`;
}

export function holderPid(holder: string): number {
  return Number(holder.split(' ')[0]);
}

/** Whether the process is certainly gone; unknown for one in another name space. */
export function isHolderGone(holder: string): boolean {
  const [pid = '', start, space] = holder.split(' ');
  if (space !== numberSpace()) return false;
  if (!isRunning(Number(pid))) return true;
  // The number may have been given to another process since.
  return startOf(Number(pid)) !== start;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // The process belongs to another user, so it exists.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * In ticks since the machine started, proc_pid_stat(5); the name before it may hold anything. A
 * process that has ended and that its parent does not ask about keeps its number, and may do so
 * for ever where the first process of a container asks about none: it has no start any more.
 */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state = '', threads = ''] = [fields[0], fields[17]];
    // Its first thread may have ended before the others.
    if (/^[ZX]$/.test(state) && Number(threads) <= 1) return 'ended';
    return fields[19] ?? '-';
  } catch {
    return '-';
  }
}

/** Tells this machine from others: each numbers its first name space alike, and two may share the disk of a home. */
const numberSpace = once(
  (): string => `${orUnknown(() => readlinkSync('/proc/self/ns/pid'))}@${machine()}`,
);

/** Eight digits that tell it from others, made of what it calls itself, which is private. */
function machine(): string {
  return orUnknown(() => sha256(readFileSync('/etc/machine-id', 'utf8').trim()).slice(0, 8));
}

function orUnknown(read: () => string): string {
  try {
    return read();
  } catch {
    return '-';
  }
}
