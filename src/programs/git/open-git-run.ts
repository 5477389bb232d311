import { join } from 'node:path';
import type { GitAttributes } from '../exec/mask-sources.ts';
import type { ProgramRun, SurveyedRoot } from '../exec/program-run.ts';
import type { ResolvedCwd } from '../exec/resolve-cwd.ts';
import type { createSurveyor } from '../exec/survey-root.ts';
import { conversionAttributes } from './conversion-attributes.ts';
import { filterDrivers } from './filter-drivers.ts';
import { type GitPlace, gitPlace } from './git-place.ts';
import { subcommandAt } from './harden-git.ts';
import { makeIndexFolder } from './index-folder.ts';
import { type InfoFolder, infoFolder, needsInfo } from './info-folder.ts';
import { judgeFilters } from './judge-filters.ts';
import {
  type OuterRepository,
  outerPointer,
  outerRepository,
  outerSurvey,
  requireOuter,
} from './outer-repository.ts';
import { type AskGit, identityVariables, settingsIn } from './person-answer.ts';
import { readConfiguration, repositoryAt } from './read-configuration.ts';
import { repositoryFolder } from './repository-folder.ts';

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
