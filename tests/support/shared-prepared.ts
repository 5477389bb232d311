import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseLock } from '../../src/host/install/parse-lock.ts';
import { sha256 } from '../../src/lib/sha256.ts';

/** Names the folder of what this run of tests prepared, by digest. */
export const preparedVariable = 'CUERVO_TEST_PREPARED';
const shared = process.env[preparedVariable];

/** Commands that prepare what they are given, or build. */
const preparers: readonly (string | undefined)[] = [
  'install',
  'inspect',
  'verify',
  'update',
  'test',
];

/** Digests of what this file of tests installed. */
const own = new Set<string>();

/**
 * Lets a command find what was prepared of the same binary before, as after an install that was
 * taken back: to prepare one takes a second and more, and an install checks each file of it again.
 *
 * @returns keeps what the command prepared for those after it, once it has ended
 */
export function sharePrepared(
  [group, command, ...words]: readonly string[],
  { cwd, home }: { cwd: string; home: string },
): () => void {
  if (shared === undefined || group !== 'plugin' || !preparers.includes(command)) return () => {};
  const file = words
    .map((word) => resolve(cwd, word))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  unlessHindered(() => {
    // One that only looks makes no home, and what a build makes is not known before it.
    if (command === 'test' || (command !== 'install' && !existsSync(home))) return;
    // Which binary another source has shows only when it came.
    for (const digest of file === undefined ? own : [sha256(readFileSync(file))]) {
      lend(join(shared, digest), join(home, 'prepared', digest), file);
    }
  });
  return () => unlessHindered(() => collect(home, shared));
}

/** @param file that is installed: a component without a manifest has the name of its file */
function lend(from: string, to: string, file: string | undefined): void {
  if (!existsSync(from) || existsSync(to)) return;
  if (file !== undefined && basename(file) !== basename(sourceOf(from))) return;
  mkdirSync(join(to, '../..'), { recursive: true, mode: 0o700 });
  cpSync(from, to, { recursive: true });
}

function sourceOf(prepared: string): string {
  const record = JSON.parse(readFileSync(join(prepared, 'record.json'), 'utf8'));
  return (record as { source: string }).source;
}

/** @param home or a folder of one that was tried, which is made alike */
function collect(home: string, to: string): void {
  const tried = join(home, 'tried');
  if (existsSync(tried)) for (const name of readdirSync(tried)) collect(join(tried, name), to);
  const lock = join(home, 'plugins.lock');
  if (!existsSync(lock)) return;
  for (const record of parseLock(readFileSync(lock, 'utf8'), lock).plugins) {
    own.add(record.sha256);
    const place = join(to, record.sha256);
    if (existsSync(place)) continue;
    const partial = mkdtempSync(`${place}-`);
    cpSync(join(home, 'plugins', record.sha256), partial, { recursive: true });
    writeFileSync(join(partial, 'record.json'), JSON.stringify(record));
    renameSync(partial, place);
  }
}

function unlessHindered(work: () => void): void {
  try {
    work();
  } catch {
    // The command prepares it itself, and says what is wrong with its home.
  }
}
