import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/load-config.ts';
import type { StepResult } from '../contracts/step-result.ts';
import { shellWord } from '../lib/shell-word.ts';
import { historyWish } from '../planner/history-question.ts';

type Ports = { config: Pick<Config, 'workspace'>; warn(message: string): void };

/** A work tree that is linked to a repository has a file of that name. */
export function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'));
}

/** Nobody should take the text of the files for what git would have said. */
export function warnWithoutGit(results: readonly StepResult[], ports: Ports): void {
  const { error } = results.find(isFailed) ?? {};
  const reason = error === undefined ? 'it knows nothing of it' : error.message;
  // What the tool takes is no help to who asked a question.
  const isOfTool = error?.hint?.includes('what it takes') ?? true;
  const hint = isOfTool ? '' : ` (${error?.hint})`;
  ports.warn(`git did not answer, so the text of the files is searched: ${reason}${hint}`);
}

function isBareRepository(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
}

/** A folder of a repository is none itself, and its files say nothing of their history. */
export function warnOfRepositoryAbove(question: string, { config, warn }: Ports): void {
  const { workspace } = config;
  if (historyWish(question) === undefined || isRepository(workspace)) return;
  if (isBareRepository(workspace)) {
    warn('git is not asked, for the workspace is a bare repository; ask in a clone of it');
    return;
  }
  for (let folder = workspace; dirname(folder) !== folder; ) {
    folder = dirname(folder);
    if (!isRepository(folder)) continue;
    warn(
      `git is not asked, for the repository begins above the workspace; ask it with: -w ${shellWord(folder)}`,
    );
    return;
  }
  warn('git is not asked, for there is no repository here; the text of the files is searched');
}

/** What was asked for and is not in the answer, as lines beyond the end of a file. */
export function warnOfFailures(results: readonly StepResult[], ports: Ports): void {
  const failed = results.filter(isFailed);
  const reasons = new Set(failed.flatMap(({ error }) => error?.message ?? []));
  for (const reason of reasons) ports.warn(reason);
}

/** Nobody should take passages for a file, or for a list of files, that there is not. */
export function warnWithoutFile(results: readonly StepResult[], ports: Ports): void {
  const nothing = results.find(
    ({ tool, output }) =>
      tool === 'file.find' && output?.content.startsWith('{"paths":[],') === true,
  );
  if (nothing === undefined) return;
  const { pattern, path } = nothing.input;
  // A folder of that name at any depth, as `files in docs` means one.
  const [, folder, name] = /^\*\*\/([^/*]+)\/\*\*\/(.+)$/.exec(String(pattern)) ?? [];
  const file = (name ?? pattern) === '*' ? 'no file' : `no file ${name ?? pattern}`;
  const below = folder === undefined ? path : `a folder ${folder}`;
  const place = below === undefined ? '' : ` in ${below}`;
  ports.warn(`${file} was found${place}, so the text of the files is searched`);
}

function isFailed({ status }: StepResult): boolean {
  return status !== 'ok' && status !== 'skipped';
}
