import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../contracts/host-service.ts';
import { sha256 } from '../../lib/sha256.ts';
import { makeIndexFolder } from './mark-index.ts';
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
export function filterSettings(
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
export async function filteredPaths(
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
export function filterRefused(subcommand: string, { path, driver }: FilteredPath): GrantMissing {
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
export function filterMissed(
  stderr: string,
  drivers: readonly FilterDriver[],
): FilteredPath | undefined {
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
export async function filteredAt(
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
