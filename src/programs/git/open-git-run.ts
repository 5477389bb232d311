import { dirname, join, relative } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { lstatSync, mkdirSync, realpathSync, statSync } from '../../lib/files/raw-fs.ts';
import type { ResolvedCwd } from '../exec/granted-target.ts';
import { type GitAttributes, keptOfInfo } from '../exec/mask-sources.ts';
import type { ProgramRun, SurveyedRoot } from '../exec/run-launch.ts';
import type { createSurveyor } from '../exec/survey-root.ts';
import { subcommandAt } from './command-line.ts';
import { filterDrivers, judgeFilters } from './filter-drivers.ts';
import { readConfiguration, repositoryAt } from './git-settings.ts';
import { makeIndexFolder } from './mark-index.ts';
import {
  type GitPlace,
  gitPlace,
  type OuterRepository,
  outerPointer,
  outerRepository,
  outerSurvey,
  requireOuter,
} from './outer-repository.ts';
import { type AskGit, identityVariables, settingsIn } from './person-git.ts';
import { repositoryFolder } from './repository-folder.ts';
import { conversionAttributes } from './withheld-attributes.ts';

/** Parts of a git command that would start a program, or lead it elsewhere, unasked. */
export type StartedProgram = { text: string; hint: string };

/**
 * Settings that a command line may bring along: none names a program, a file or another
 * configuration. git-config(1), "Variables".
 */
const plainSettings: readonly RegExp[] = [
  /^(?:user|author|committer)\.(?:name|email)$/,
  /^(?:advice|color|column|status|rerere|pull|push|fetch|checkout|stash|apply|pack)\.[a-z.]+$/,
  /^core\.(?:abbrev|autocrlf|checkstat|commentchar|compression|eol|filemode|ignorecase)$/,
  /^core\.(?:logallrefupdates|precomposeunicode|preloadindex|quotepath|safecrlf|symlinks)$/,
  /^core\.(?:untrackedcache|warnambiguousrefs|whitespace)$/,
  /^diff\.(?:algorithm|colormoved|colormovedws|context|dirstat|indentheuristic)$/,
  /^diff\.(?:interhunkcontext|mnemonicprefix|noprefix|relative|renamelimit|renames)$/,
  /^merge\.(?:autostash|conflictstyle|directoryrenames|ff|log|renamelimit|renames|stat)$/,
  /^rebase\.(?:abbreviatecommands|autosquash|autostash|missingcommitscheck|stat|updaterefs)$/,
  /^log\.(?:abbrevcommit|date|decorate|follow|mailmap|showroot)$/,
  /^blame\.(?:blankboundary|coloring|date|showemail|showroot)$/,
  /^(?:branch|tag)\.sort$|^versionsort\.[a-z]+$|^branch\.autosetup(?:merge|rebase)$/,
  /^commit\.(?:cleanup|status|verbose)$|^init\.defaultbranch$|^protocol\.version$/,
  /^(?:gc|maintenance)\.auto$|^safe\.directory$/,
];

type Start = {
  subcommands: readonly string[];
  /** of an option: its name, and the shortest part of it that git takes for it */
  option?: readonly [name: string, least: string];
  /** of an option: its letter, also behind others that take no value */
  letter?: RegExp;
  /** what stands first behind the subcommand */
  words?: readonly string[];
};

/** Options by which subcommands of git start a program on their command line. */
const starts: readonly Start[] = [
  { subcommands: ['clone', 'ls-remote'], option: ['upload-pack', 'u'] },
  { subcommands: ['clone'], letter: /^-[46lnqsv]*u/ },
  { subcommands: ['fetch', 'pull'], option: ['upload-pack', 'upl'] },
  { subcommands: ['push'], option: ['receive-pack', 'rece'] },
  { subcommands: ['archive', 'ls-remote', 'push', 'rebase'], option: ['exec', 'e'] },
  { subcommands: ['archive'], option: ['remote', 're'] },
  { subcommands: ['rebase'], letter: /^-[fikmnqrv]*x/ },
  { subcommands: ['grep'], option: ['open-files-in-pager', 'op'], letter: /^-[^efABCm]*O/ },
  { subcommands: ['bisect'], words: ['run', 'view', 'visualize'] },
  { subcommands: ['submodule'], words: ['foreach'] },
];

const hint = 'Run the program by itself, with a grant of its own.';

/**
 * Finds what would have git start another program, or read its settings from elsewhere. That
 * program would run as git does, which sees what is withheld from all others.
 *
 * @param args of git
 * @returns undefined where git starts nothing but itself
 */
export function findStarted(args: readonly string[]): StartedProgram | undefined {
  const at = subcommandAt(args);
  const before = at < 0 ? args : args.slice(0, at);
  for (const [index, arg] of before.entries()) {
    if (/^--(?:exec-path=|config-env)/.test(arg)) {
      return { text: `git ${arg} brings along what git starts`, hint };
    }
    if (/^--(?:git-dir|work-tree)(?:=|$)/.test(arg)) {
      const text = `git ${arg} works on a repository that cuervo did not check`;
      return { text, hint: 'Run git in its folder, or name that with -C.' };
    }
    if (arg !== '-c') continue;
    const name = (before[index + 1] ?? '').replace(/=.*$/s, '');
    if (plainSettings.some((plain) => plain.test(name.toLowerCase()))) continue;
    return { text: `git -c ${name} may name a program, or open what is withheld`, hint };
  }
  const subcommand = args[at] ?? '';
  const after = args.slice(at + 1);
  const end = after.indexOf('--');
  const options = end < 0 ? after : after.slice(0, end);
  for (const { subcommands, option, letter, words = [] } of starts) {
    if (!subcommands.includes(subcommand)) continue;
    const found =
      options.find((arg) => isOption(arg, option) || letter?.test(arg)) ??
      words.find((word) => word === after.find((arg) => !arg.startsWith('-')));
    if (found !== undefined) return { text: `git ${subcommand} ${found} starts a program`, hint };
  }
  return undefined;
}

function isOption(arg: string, option: Start['option']): boolean {
  if (option === undefined) return false;
  const name = /^--([a-z-]+)(?:=|$)/.exec(arg)?.[1] ?? '';
  return option[0].startsWith(name) && name.startsWith(option[1]);
}

type GitPorts = {
  askGit: AskGit;
  gitAttributesFile: string;
  survey: ReturnType<typeof createSurveyor>;
  /** folder that no plugin can be granted */
  masks: string;
  /** configurations and attributes are masked */
  isConfined: boolean;
};

type OwnGit = {
  place: GitPlace;
  person: Awaited<ReturnType<typeof personOf>>;
  /** of the repository, with the root and the path that git finds it at */
  configuration: { text: string; root: string; path: string } | undefined;
  infos: readonly InfoFolder[];
  /** the repository, where it lies outside of the roots; at most one */
  outerRoots: readonly SurveyedRoot[];
  pointers: readonly { root: string; path: string; source: string }[];
  /** roots that are found where they lie outside */
  linked: readonly string[];
};

/**
 * The repository of a git, and what the person's own git says of it, before the command is
 * started. The caller disposes it when git has ended.
 *
 * @throws {ServiceError} `denied` for a repository outside of the roots that nobody allowed, and as
 *   `infoFolder`
 */
export async function openGitRun(
  run: ProgramRun,
  at: ResolvedCwd,
  ports: GitPorts,
): Promise<OwnGit & Disposable> {
  const folder = run.folders[at.root] ?? '';
  const place = gitPlace(at.root, folder, at.segments, run.args);
  const outer = ports.isConfined ? outerRepository(folder, place) : undefined;
  if (outer !== undefined) requireOuter(outer, run.repositories ?? []);
  using opened = new DisposableStack();
  const infos = ports.isConfined && needsInfo(run.args) ? infosOf(place, folder, outer) : [];
  const person = await personOf(place, folder, run, ports);
  const configuration = configurationOf(place, folder, outer);
  const own = { place, person, configuration, infos };
  if (outer === undefined)
    return { ...own, outerRoots: [], pointers: [], linked: [], [Symbol.dispose]: () => {} };
  const { path } = opened.use(makeIndexFolder(ports.masks));
  const survey = await ports.survey(outer.name, outer.common, 'mask', run.caller.signal);
  const owned = opened.move();
  return {
    ...own,
    outerRoots: [outerSurvey(outer, survey)],
    pointers: [outerPointer(outer, place.root, path)],
    // Git forgets a linked work tree whose folder is not there.
    linked: [place.root],
    [Symbol.dispose]: () => owned.dispose(),
  };
}

function configurationOf(place: GitPlace, folder: string, outer: OuterRepository | undefined) {
  const found = readConfiguration(folder, place.cwd);
  if (found === undefined || outer === undefined) return found && { ...found, root: place.root };
  return { text: found.text, root: outer.name, path: 'config' };
}

function infosOf(
  place: GitPlace,
  folder: string,
  outer: OuterRepository | undefined,
): InfoFolder[] {
  const common = outer?.common ?? repositoryAt(folder, place.cwd);
  if (common === undefined) return [];
  const found =
    outer === undefined
      ? infoFolder(place.root, folder, common)
      : infoFolder(outer.name, common, common);
  return found === undefined ? [] : [found];
}

/** What the person's own git says of a command; undefined where there is no repository. */
async function personOf(
  place: GitPlace,
  folder: string,
  run: ProgramRun,
  { askGit, gitAttributesFile, masks }: GitPorts,
) {
  const parts = repositoryFolder(folder, join(...place.top, '.git'));
  // A clone writes files of a repository that is not there yet.
  const makesOne = run.args[subcommandAt(run.args)] === 'clone';
  if (parts === undefined && !makesOne) return undefined;
  const top = join(folder, ...place.top);
  const settings = await settingsIn(askGit, top);
  const index = join(parts?.folder ?? '', 'index');
  const allowed = run.filters ?? [];
  const facts = { drivers: filterDrivers(settings), index, allowed, scratch: masks };
  return {
    settings,
    filters: judgeFilters(askGit, top, run.args, facts),
    attributes: conversionAttributes(settings, {
      ...{ top, common: parts?.common, ownFile: gitAttributesFile },
    }),
    identity: async () => (run.readOnly ? {} : await identityVariables(askGit, top, run.args)),
  };
}

/** Ours come last, so that they count. */
export function withPerson(
  ours: string,
  { everywhere, info }: GitAttributes = { everywhere: '', info: '' },
): GitAttributes {
  return { everywhere: everywhere + ours, info: info + ours };
}

/** They write the folder `info`, or make another repository, and show no content. */
const writers: ReadonlySet<string> = new Set([...['clone', 'init', 'sparse-checkout', 'worktree']]);

/** @param args of git */
function needsInfo(args: readonly string[]): boolean {
  return !writers.has(args[subcommandAt(args)] ?? '');
}

/** A folder `info` below a root that ours takes the place of, and the files of it that stay. */
export type InfoFolder = { root: string; path: string; kept: readonly string[] };

/**
 * The folder `info` of the repository that a folder lies in. Its attributes are the only ones that
 * a `.gitattributes` cannot outweigh, so without it git shows nothing. Where it is missing, as in
 * repositories that go-git and jj make, an empty one is made, as `git init` does.
 *
 * @param folder absolute, of the root
 * @param common absolute, of the repository
 * @returns undefined where that does not lie in the root
 * @throws {ServiceError} `denied` where `info` is not a folder and none can be made, `invalid` where
 *   there is something else in the place of the repository
 */
function infoFolder(root: string, folder: string, common: string): InfoFolder | undefined {
  if (relative(folder, common).startsWith('..')) return undefined;
  const shown = `${root}:${relative(folder, common)}`;
  requireFolder(common, shown);
  // Mounts follow no link, and `.git` may be a link to a repository of this root.
  const path = relative(realpathSync(folder), join(realpathSync(common), 'info'));
  if (path.startsWith('..')) throw new ServiceError('denied', `${shown} is a link out of the root`);
  const look = (name: string) => lstatSync(join(folder, path, name), { throwIfNoEntry: false });
  if (look('') === undefined) makeFolder(folder, path);
  if (look('')?.isDirectory() === true) {
    return { root, path, kept: keptOfInfo.filter((name) => look(name)?.isFile()) };
  }
  const text = `${root}:${path} is not a folder, and without it .gitattributes could show what is withheld`;
  throw new ServiceError('denied', text, '', `Make it: mkdir ${path}`);
}

/** @throws {ServiceError} `invalid` for a pipe, a device, a link that leads nowhere, a closed folder */
function requireFolder(path: string, shown: string): void {
  try {
    // Behind its name there is something only where it is a folder that may be entered.
    statSync(`${path}/.`);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    const text = `${shown} is neither a folder that can be entered nor a file that leads to one (${code})`;
    throw new ServiceError('invalid', text, '', 'Remove it, or make a repository: git init');
  }
}

/** Makes a folder below a root, but none behind a link: it would lie in another place. */
function makeFolder(root: string, path: string): void {
  try {
    const real = join(realpathSync(root), dirname(path));
    if (realpathSync(real) === real) mkdirSync(join(root, path));
  } catch {
    // Another process made it, or this one may not: the caller looks again.
  }
}
