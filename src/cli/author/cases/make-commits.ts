import { spawnSync } from 'node:child_process';
import type { PluginCase } from '../../../../sdk/author/parse-cases.ts';
import { writeFiles } from '../../../../sdk/author/write-files.ts';
import { KernelError } from '../../../contracts/error.ts';
import { foldPath } from '../../../contracts/protected-names.ts';

/** The same in every run, so that hashes are, too. */
const identity = {
  GIT_AUTHOR_NAME: 'Case',
  GIT_AUTHOR_EMAIL: 'case@example.org',
  GIT_COMMITTER_NAME: 'Case',
  GIT_COMMITTER_EMAIL: 'case@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};
/** 2026-01-01T00:00:00Z */
const firstSeconds = 1_767_225_600;

/**
 * Makes the workspace of a case a repository; each commit is a day after the one before.
 *
 * @throws {KernelError} `invalid-argument` for a file that would configure git
 */
export async function makeCommits(folder: string, commits: PluginCase['commits']): Promise<void> {
  if (commits.length === 0) return;
  git(folder, ['init', '-q', '-b', 'main'], 0);
  for (const [index, { message, files, tag }] of commits.entries()) {
    const ofGit = Object.keys(files).find((name) => foldPath(name).split('/').includes('.git'));
    if (ofGit !== undefined) {
      const text = `a commit of a case holds ${JSON.stringify(ofGit)}, which git would obey`;
      throw new KernelError('invalid-argument', text, { hint: 'Write it under files.' });
    }
    writeFiles(folder, files);
    git(folder, ['add', '-A'], index);
    git(folder, ['commit', '-q', '--allow-empty', '-m', message], index);
    if (tag !== undefined) git(folder, ['tag', '--', tag], index);
  }
}

function git(folder: string, args: readonly string[], day: number): void {
  const date = `${firstSeconds + day * 86_400} +0000`;
  const env = {
    PATH: process.env.PATH,
    ...identity,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  };
  const ran = spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' });
  if (ran.status === 0) return;
  const reason = ran.error?.message ?? ran.stderr.trim();
  throw new KernelError('unavailable', `a case needs git for its commits: ${reason}`, {
    hint: 'Install git.',
  });
}
