import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { sha256 } from '../../lib/sha256.ts';
import { subcommandAt, writtenPaths } from './command-line.ts';
import { makeIndexFolder } from './mark-index.ts';
import { comparing, settleIndex } from './mark-masked.ts';
import type { AskGit, OwnSettings } from './person-git.ts';
import { GrantMissing } from './repository-folder.ts';

/** One driver of gitattributes(5), "filter", as a configuration that the person's git reads has it. */
export type FilterDriver = {
  name: string;
  /** command lines; absent where none is configured */
  clean?: string;
  smudge?: string;
  process?: string;
  /** what a grant names: the driver and the digest of its command lines */
  grant: string;
};

const parts = ['clean', 'smudge', 'process'] as const;

/** The drivers that would run something, from every configuration in force. */
export function filterDrivers(settings: OwnSettings): FilterDriver[] {
  const names = [...settings.keys()].flatMap((key) => /^filter\.(.*)\.\w+$/s.exec(key)?.[1] ?? []);
  return [...new Set(names)].flatMap((name) => {
    const commands = parts.map((part) => settings.get(`filter.${name}.${part}`) ?? '');
    if (commands.every((command) => command === '')) return [];
    const set = parts.flatMap((part, at) => (commands[at] ? [[part, commands[at]]] : []));
    const digest = sha256(Buffer.from(JSON.stringify(commands)));
    return [{ name, ...Object.fromEntries(set), grant: `${name}@${digest}` }];
  });
}

/**
 * What makes git run the allowed drivers, and fail where it would run another one: without its
 * program git would store the bytes of a file as they are.
 *
 * @param isStrict false for a command that stores nothing; then no other driver counts
 * @throws {ServiceError} `denied` for a name that cannot be said to git
 */
function filterSettings(
  drivers: readonly FilterDriver[],
  allowed: readonly string[],
  isStrict: boolean,
): string[] {
  return drivers.flatMap((driver) => {
    const { name, process, grant } = driver;
    const isAllowed = allowed.includes(grant);
    if (!isAllowed && !isStrict) return [];
    // On a command line the first `=` ends the name.
    if (name.includes('='))
      throw new ServiceError('denied', `filter "${name}" cannot be named to git`, '', renameIt);
    const saidOf = (part: (typeof parts)[number]): string[] => {
      const command = driver[part];
      // A direction that has no command passes the bytes on, which a required filter may not.
      if (command === undefined)
        return part === 'process' || process !== undefined ? [] : [`filter.${name}.${part}=cat`];
      return [`filter.${name}.${part}=${isAllowed ? command : ''}`];
    };
    return [...parts.flatMap(saidOf), `filter.${name}.required=true`];
  });
}

const renameIt = 'Give the filter a name without "=" in the configuration of git.';

/** A file that a filter belongs to. */
export type FilteredPath = { path: string; driver: FilterDriver };

/**
 * Which of the paths a driver belongs to, as git itself says by every file of attributes.
 *
 * @param top absolute, of the work tree
 * @param paths below it
 */
async function filteredPaths(
  ask: AskGit,
  top: string,
  paths: readonly string[],
  drivers: readonly FilterDriver[],
): Promise<FilteredPath[]> {
  if (paths.length === 0 || drivers.length === 0) return [];
  const stdin = paths.map((path) => `${path}\0`).join('');
  // git reads a missing file of attributes from the index.
  const args = ['check-attr', '-z', '--stdin', 'filter'];
  const { exitCode, stdout } = await ask({ folder: top, args, stdin });
  if (exitCode !== 0) throw new ServiceError('io', 'git does not say which files have a filter');
  const fields = stdout.split('\0');
  return paths.flatMap((path, at) => {
    const driver = drivers.find(({ name }) => name === fields[3 * at + 2]);
    return driver === undefined ? [] : [{ path, driver }];
  });
}

/** @param subcommand that would have run the filter */
function filterRefused(subcommand: string, { path, driver }: FilteredPath): GrantMissing {
  const { name, grant } = driver;
  const commands = parts.flatMap((part) => driver[part] ?? []);
  const reason = `git ${subcommand} would run the filter "${name}" on "${path}", and nobody allowed it`;
  const runs = `It runs ${commands.map((each) => JSON.stringify(each)).join(' and ')}. `;
  return new GrantMissing(reason, {
    grant: { capability: 'filter', detail: grant },
    asks: { filter: name, path, commands },
    hint: runs,
  });
}

/** The file at which git stopped because its filter was not run; undefined for another failure. */
function filterMissed(stderr: string, drivers: readonly FilterDriver[]): FilteredPath | undefined {
  const lines = stderr.split(/\n(?=fatal: |error: )/).map((line) => line.trimEnd());
  return drivers.flatMap((driver) => {
    const ends = [
      `: clean filter '${driver.name}' failed`,
      `: smudge filter ${driver.name} failed`,
      `: smudge filter '${driver.name}' failed`,
    ];
    return lines.flatMap((line) => {
      const end = ends.find((each) => line.endsWith(each));
      const path = end && /^(?:fatal|error): (.+)$/s.exec(line.slice(0, -end.length))?.[1];
      return path ? [{ path, driver }] : [];
    });
  })[0];
}

const isAttributes = /(?:^|\/)\.gitattributes$/;

/**
 * As `filteredPaths`, by the attributes that the work tree will have: those of a commit that is
 * checked out count before its files are written.
 *
 * @param git.folder absolute, of the repository
 * @param git.scratch where files may be made; no plugin can be granted it
 * @param look prints what a git prints
 */
async function filteredAt(
  git: { ask: AskGit; folder: string; scratch: string },
  commit: string,
  { paths, drivers }: { paths: readonly string[]; drivers: readonly FilterDriver[] },
  look: (args: readonly string[]) => Promise<string>,
): Promise<FilteredPath[]> {
  if (!paths.some((path) => isAttributes.test(path))) return [];
  const tree = await look(['ls-tree', '-r', '-z', '--full-tree', '--name-only', commit]);
  const names = tree.split('\0').filter((name) => isAttributes.test(name));
  using top = makeIndexFolder(git.scratch);
  for (const name of names) {
    // A tree that somebody forged may name what lies above it.
    if (name.split('/').includes('..')) continue;
    mkdirSync(dirname(join(top.path, name)), { recursive: true });
    writeFileSync(join(top.path, name), await look(['cat-file', 'blob', `${commit}:${name}`]));
  }
  const ask: AskGit = (question) =>
    git.ask({ ...question, args: [`--git-dir=${git.folder}`, ...question.args] });
  return await filteredPaths(ask, top.path, paths, drivers);
}

/** Runs a git that looks with every filter off. */
type LookAtFiles = (
  args: readonly string[],
  stdin?: string,
) => Promise<{ stdout: string; truncated: boolean }>;

/** The decision on the filters of one command of git. */
export type FilterJudge = {
  /** for the command itself */
  settings: readonly string[];
  /** before the command: what git would ask a filter about for the time of a file alone */
  settle(): Promise<void>;
  /** @throws {ServiceError} `denied` where it would write a file through a filter that is not allowed */
  refuseWrites(look: LookAtFiles): Promise<void>;
  /** changed files of which only a filter that is not allowed could tell whether they are the same */
  unfiltered(look: LookAtFiles): Promise<ReadonlyMap<string, FilterDriver>>;
  /** @throws {ServiceError} `denied` where git stopped at such a filter */
  refuseMissed(done: { exitCode?: number; stderr: string }): void;
};

/**
 * Filters make what git stores of a file, and what it writes of what is stored. A command that would
 * run one is refused unless a person allowed its driver: git itself says of each file which that is,
 * and stops where it may not run it.
 *
 * @param args of git, as they were asked for
 * @param facts.allowed grants of drivers
 * @param facts.index absolute path
 * @param facts.scratch absolute, a folder that no plugin can be granted
 */
export function judgeFilters(
  ask: AskGit,
  top: string,
  args: readonly string[],
  {
    drivers,
    allowed,
    index,
    scratch,
  }: {
    drivers: readonly FilterDriver[];
    allowed: readonly string[];
    index: string;
    scratch: string;
  },
): FilterJudge {
  const subcommand = args[subcommandAt(args)] ?? '';
  const refused = drivers.filter(({ grant }) => !allowed.includes(grant));
  const looks = comparing.has(subcommand) || ['blame', 'annotate'].includes(subcommand);
  const isStrict = !looks && !commitsIndex(args);
  const list =
    (look: LookAtFiles) =>
    async (words: readonly string[], stdin?: string): Promise<string> => {
      const { stdout, truncated } = await look(words, stdin);
      if (!truncated) return stdout;
      throw new ServiceError('limit', 'the list of files that git may write is too long');
    };
  const before = args.slice(0, subcommandAt(args));
  const inPlace =
    (look: LookAtFiles): LookAtFiles =>
    (words, stdin) =>
      look([...before, ...words], stdin);
  const cleaning = refused.filter(({ clean, process }) => (clean ?? process) !== undefined);
  return {
    settle: async () => {
      if (!isStrict || cleaning.length === 0) return;
      const isFiltered = async (paths: readonly string[]): Promise<boolean> =>
        (await filteredPaths(ask, top, paths, cleaning)).length > 0;
      await settleIndex(index, top, isFiltered);
    },
    settings: filterSettings(drivers, allowed, isStrict),
    refuseWrites: async (look) => {
      const smudging = refused.filter(({ smudge, process }) => (smudge ?? process) !== undefined);
      if (!isStrict || smudging.length === 0) return;
      const { paths, commits } = await writtenPaths(args, list(look));
      const found = await filteredPaths(ask, top, paths, smudging);
      const own = { ask, folder: dirname(index), scratch };
      for (const commit of found.length > 0 ? [] : commits) {
        const written = { paths, drivers: smudging };
        found.push(...(await filteredAt(own, commit, written, list(inPlace(look)))));
      }
      const [first] = found;
      if (first !== undefined) throw filterRefused(subcommand, first);
    },
    unfiltered: async (look) => {
      const isOfIndex = args.some((arg) => /^--(?:cached|staged)$/.test(arg));
      if (!comparing.has(subcommand) || isOfIndex || cleaning.length === 0) return new Map();
      const end = args.indexOf('--');
      const only = end < 0 ? [] : args.slice(end);
      const differing = ['diff-files', '--name-only', '-z', '--no-renames', ...only];
      const changed = await list(inPlace(look))(differing);
      const paths = changed.split('\0').filter((path) => path !== '');
      const found = await filteredPaths(ask, top, paths, cleaning);
      return new Map(found.map(({ path, driver }) => [path, driver]));
    },
    refuseMissed: ({ exitCode, stderr }) => {
      const missed = exitCode === 0 ? undefined : filterMissed(stderr, refused);
      if (isStrict && missed !== undefined) throw filterRefused(subcommand, missed);
    },
  };
}

/** A commit of what the index holds: it stores no file, and a changed one needs no filter. */
function commitsIndex(args: readonly string[]): boolean {
  const at = subcommandAt(args);
  if (args[at] !== 'commit') return false;
  const after = args.slice(at + 1);
  return after.every((arg, index) => {
    if (/^-[mFtcC]$/.test(after[index - 1] ?? '')) return true;
    return (
      /^-(?:[qsnve]+|[qsnve]*[mFtcC].*)$/s.test(arg) || /^--(?!$|all$|inc|onl|pat|int)/.test(arg)
    );
  });
}
