import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import type { FleetChange, FleetResult } from '../contracts/output/parse-jobs.ts';
import { makeFolder } from '../lib/files/folders.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import { sha256 } from '../lib/sha256.ts';
import { runId } from './read-reports.ts';
import type { RunGit } from './run-git.ts';

type Options = { git: RunGit; signal: AbortSignal };

/** The branch that holds the changes of a run. */
export function branchOf(run: string): string {
  return `cuervo/fleet-${runId(run)}`;
}

/**
 * Makes a branch with the patch on top of the commit that it was made for. The checked-out branch,
 * the files and the index of the repository stay as they are.
 *
 * @throws {KernelError} `conflict` where the commit is not there, or the branch is there already
 */
export async function makeBranch(
  result: FleetResult,
  patch: Uint8Array,
  message: string,
  { git: runGit, signal }: Options,
): Promise<FleetChange> {
  const { repository: folder, run, commit } = result;
  const name = branchOf(run);
  const git = async (
    args: readonly string[],
    more: { env?: Record<string, string>; stdin?: Uint8Array } = {},
  ) => (await runGit(args, { folder, signal, ...more })).toString('utf8').trim();
  // Only an id of a commit may stand where git would take an option.
  if (!/^[0-9a-f]{40,64}$/.test(commit) || !(await has(git, commit)))
    throw new KernelError('conflict', `${folder} does not have the commit ${commit}`, {
      hint: 'Fetch it there, or take files: cuervo fleet apply --patches DIR',
    });
  const index = join(await git(['rev-parse', '--absolute-git-dir']), `cuervo-index-${runId(run)}`);
  const env = { GIT_INDEX_FILE: index };
  try {
    await git(['read-tree', commit], { env });
    // git itself refuses paths into .git, above the folder and behind links.
    await git(['apply', '--cached', '--whitespace=nowarn', '-'], { env, stdin: patch });
    const tree = await git(['write-tree'], { env });
    const made = await git(['commit-tree', tree, '-p', commit, '-m', message], {
      env: await who(runGit, folder, signal),
    });
    // All zeros: only where there is no such branch.
    await git([
      'update-ref',
      '--create-reflog',
      `refs/heads/${name}`,
      made,
      '0'.repeat(made.length),
    ]);
    return { run, repository: folder, kind: 'branch', name, made };
  } catch (thrown) {
    signal.throwIfAborted();
    const { message: why } = KernelError.from(thrown, 'tool-failed');
    throw new KernelError('conflict', `${folder}: ${why}`, {
      cause: thrown,
      hint: `See whether the branch is there already: git -C ${folder} branch --list ${name}`,
    });
  } finally {
    rmSync(index, { force: true });
  }
}

async function has(
  git: (args: readonly string[]) => Promise<string>,
  commit: string,
): Promise<boolean> {
  return await git(['cat-file', '-e', `${commit}^{commit}`]).then(
    () => true,
    () => false,
  );
}

/** The person's own name, as git knows it; another one where it knows none. */
async function who(
  runGit: RunGit,
  folder: string,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const ask = async (key: string, otherwise: string): Promise<string> =>
    await runGit(['config', '--get', key], { folder, isOwn: true, signal }).then(
      (said) => said.toString('utf8').trim() || otherwise,
      () => otherwise,
    );
  const name = await ask('user.name', 'cuervo');
  const email = await ask('user.email', 'cuervo@localhost');
  return {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
  };
}

/** Writes the patch as a file. @throws {KernelError} `conflict` where the file is there already */
export function writePatch(result: FleetResult, patch: Uint8Array, folder: string): FleetChange {
  const { run, repository } = result;
  const last =
    repository
      .replace(/\.git$/, '')
      .split(/[/:]/)
      .at(-1) ?? '';
  const name = `${last.replace(/[^\w.-]/g, '_').slice(0, 60)}-${sha256(repository).slice(0, 8)}.patch`;
  const path = join(folder, name);
  if (existsSync(path) && sha256(readFileSync(path)) !== sha256(patch))
    throw new KernelError('conflict', `${path} is there already, with something else in it`, {
      hint: 'Name another folder: --patches DIR',
    });
  makeFolder(folder);
  writeFileWhole(path, patch);
  return { run, repository, kind: 'file', name: path, made: sha256(patch) };
}

/** Takes back what was made, unless somebody changed it since. @returns it, with why it was left */
export async function takeBack(
  change: FleetChange,
  { git, signal }: Options,
): Promise<FleetChange> {
  const { kind, name, made, repository } = change;
  if (kind === 'file') {
    if (!existsSync(name)) return change;
    if (sha256(readFileSync(name)) !== made)
      return { ...change, left: 'the file was changed since' };
    rmSync(name);
    return change;
  }
  const ref = `refs/heads/${name}`;
  const args = ['for-each-ref', '--format=%(objectname) %(HEAD)', ref];
  const [now = '', head] = (await git(args, { folder: repository, signal }))
    .toString('utf8')
    .trim()
    .split(' ');
  if (now === '') return change;
  if (now !== made) return { ...change, left: 'the branch has other commits since' };
  if (head === '*') return { ...change, left: 'the branch is checked out' };
  await git(['update-ref', '-d', ref, made], { folder: repository, signal });
  return change;
}

/** What was applied of each run, in the home of the person. */
export function appliedChanges(
  home: string,
  run: string,
): {
  read(): FleetChange[];
  write(changes: readonly FleetChange[]): void;
} {
  const path = join(home, 'fleet', 'applied', `${runId(run)}.json`);
  return {
    read: () => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as FleetChange[]) : []),
    write: (changes) => {
      makeFolder(join(home, 'fleet', 'applied'));
      if (changes.length === 0) rmSync(path, { force: true });
      else writeFileWhole(path, Buffer.from(`${JSON.stringify(changes)}\n`));
    },
  };
}
