import { dirname } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { subcommandAt, writtenPaths } from './command-line.ts';
import {
  type FilterDriver,
  filteredAt,
  filteredPaths,
  filterMissed,
  filterRefused,
  filterSettings,
} from './filter-drivers.ts';
import { comparing, settleIndex } from './mark-masked.ts';
import type { AskGit } from './person-git.ts';

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
