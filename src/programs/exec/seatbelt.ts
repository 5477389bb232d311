import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { isBelow } from '../../lib/files/paths.ts';
import { showRaw } from '../../lib/files/raw-fs.ts';
import type { MountedRoot } from './bwrap-arguments.ts';

export type SeatbeltPlan = {
  /** each is found where it lies */
  roots: readonly MountedRoot[];
  readOnly: boolean;
  /** git alone writes repositories, and reads their configuration */
  writesRepositories: boolean;
  /** absolute files and folders that the program is shown, read-only */
  reads: readonly string[];
  /** a folder that it may write, gone afterwards */
  scratch: string;
  /** `CUERVO_HOME` */
  hidden: readonly string[];
};

/** Packages of a server lie in `CUERVO_HOME`, and are all that is shown of it. */
const isIn =
  (folders: readonly string[]) =>
  (path: string): boolean =>
    folders.some((folder) => isBelow(path, folder));

/** Folders of macOS and Homebrew; links are resolved before a rule is looked for. */
const systemFolders = [
  ...['/usr', '/bin', '/sbin', '/System', '/Library/Developer', '/Library/Apple'],
  ...['/opt/homebrew', '/private/etc/ssl', '/private/var/select', '/private/var/db/timezone'],
];
const systemFiles = ['/private/etc/localtime', '/private/etc/openssl'];
const devices = ['null', 'zero', 'random', 'urandom', 'fd', 'stdin', 'stdout', 'stderr'];

/**
 * The profile of `sandbox-exec` for one program, made of the same survey of the roots as the mounts of
 * bubblewrap. The last rule that fits decides, so what is withheld comes last. It has no network,
 * because nothing allows one. Rules name paths: a folder that holds something withheld stays where it
 * is, or its content could be read under another name.
 *
 * @throws {ServiceError} `invalid` for a path that cannot stand in a profile
 */
export function seatbeltProfile(plan: SeatbeltPlan): string {
  const { roots, reads, scratch, hidden } = plan;
  const shown = [...systemFolders, ...reads];
  const folders = roots.map(({ folder }) => folder);
  const above = ancestorsOf([...shown, ...folders, scratch]);
  return [
    '(version 1)',
    '(deny default)',
    '(import "system.sb")',
    '(allow process-fork)',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    ...rule('allow file-read-metadata', above.map(literal)),
    ...rule('allow process-exec file-read*', [...shown, ...folders].map(subpath)),
    ...rule('allow file-read*', systemFiles.map(literal)),
    ...rule(
      'allow file-read* file-write-data',
      devices.map((name) => subpath(`/dev/${name}`)),
    ),
    ...rule('allow process-exec file-read* file-write*', [subpath(scratch)]),
    ...(plan.readOnly ? [] : rule('allow file-write*', folders.map(subpath))),
    ...roots.flatMap((root) => withheldOf(root, plan)),
    // Whoever started such a file would have the rights of the person.
    '(deny file-write-setugid)',
    ...rule('deny file-read* file-write* process-exec', hidden.map(subpath)),
    ...rule('allow process-exec file-read*', reads.filter(isIn(hidden)).map(subpath)),
    '',
  ].join('\n');
}

function withheldOf({ folder, survey }: MountedRoot, plan: SeatbeltPlan): string[] {
  const at = (path: string): string => join(folder, path);
  const { writesRepositories } = plan;
  // git dies of configuration that it may not read; what it starts is switched off.
  const isRead = (path: string): boolean => writesRepositories && isGitConfig.test(path);
  const stored = writesRepositories ? [] : survey.storeFiles;
  const closed = [...survey.files.filter((path) => !isRead(path)), ...stored];
  const fixed = [
    ...survey.fixed,
    ...survey.files.filter(isRead),
    ...(writesRepositories ? [] : survey.repositories),
  ];
  const folders = [...survey.folders, ...(writesRepositories ? [] : survey.stores)];
  const kept = ancestorsOf([...closed, ...fixed, ...folders, ...survey.repositories].map(at));
  const inside = kept.filter((path) => path.startsWith(`${folder}/`));
  return [
    ...rule('deny file-write*', fixed.map(at).map(subpath)),
    ...rule(
      'deny file-read* file-write* process-exec',
      [...closed, ...folders].map(at).map(subpath),
    ),
    ...rule(
      'deny file-write-unlink',
      [folder, ...inside, ...survey.repositories.map(at)].map(literal),
    ),
  ];
}

const isGitConfig = /(?:^|\/)config(?:\.worktree)?$/i;

/** Every folder above, once. */
function ancestorsOf(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths)
    for (let at = dirname(path); !found.has(at); at = dirname(at)) found.add(at);
  return [...found].sort();
}

function rule(head: string, filters: readonly string[]): string[] {
  return filters.length === 0 ? [] : [`(${head}\n  ${filters.join('\n  ')})`];
}

const literal = (path: string): string => `(literal ${quoted(path)})`;
const subpath = (path: string): string => `(subpath ${quoted(path)})`;

/** A string of SBPL, in which a backslash and a quote are escaped. */
function quoted(path: string): string {
  // A profile is text, and a name is bytes.
  if (/\p{Cc}/u.test(path) || !path.isWellFormed()) {
    const text = `${JSON.stringify(showRaw(path))} has a control character or is not UTF-8, and cannot be kept from a program; rename it`;
    throw new ServiceError('invalid', text);
  }
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}

/** @returns what it printed; throws where it failed */
type Run = (program: string, args: readonly string[]) => Promise<string>;

/**
 * Tries the sandbox of macOS with a profile as programs get it: what is withheld must not be read,
 * nothing be written where all is read-only, and the rest must work.
 *
 * @param program absolute path of `sandbox-exec`
 * @returns what is wrong with it; undefined where it holds
 */
export async function trySeatbelt(program: string, run: Run): Promise<string | undefined> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-seatbelt-')));
  try {
    const file = (name: string): string => join(folder, name);
    writeFileSync(file('open'), 'open');
    writeFileSync(file('withheld'), 'withheld');
    const survey = {
      ...{ files: ['withheld'], folders: [], repositories: [], fixed: [] },
      ...{ stores: [], storeFiles: [], held: [] },
      obeyed: new Map<string, string>(),
    };
    const profileOf = (readOnly: boolean): string =>
      seatbeltProfile({
        ...{ roots: [{ name: 'work', folder, survey }], readOnly, writesRepositories: false },
        ...{ reads: [], scratch: file('scratch'), hidden: [] },
      });
    const inside = async (readOnly: boolean, ...words: string[]): Promise<boolean> => {
      try {
        await run(program, ['-p', profileOf(readOnly), ...words]);
        return true;
      } catch {
        return false;
      }
    };
    if (!(await inside(true, '/bin/cat', file('open'))))
      return 'sandbox-exec starts no program here';
    if (await inside(true, '/bin/cat', file('withheld')))
      return 'sandbox-exec let a program read what its profile withholds';
    if (await inside(true, '/bin/cp', file('open'), file('copy')))
      return 'sandbox-exec let a program write where all is read-only';
    if (!(await inside(false, '/bin/cp', file('open'), file('copy'))))
      return 'sandbox-exec lets no program write where it may';
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
