import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ToolFacts } from '../../contracts/agent.ts';
import type { AskIntent } from '../../contracts/intent.ts';
import type { StepResult } from '../../contracts/plan.ts';
import type { AnswerShape } from '../../contracts/questions.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { parseContent } from '../../lib/text/parse-json.ts';
import { otherKinds } from '../../questions/as-kind.ts';
import { spokenFor } from '../../questions/plan-intent.ts';
import { shownField } from '../../questions/tools/fill-input.ts';

type Warn = (message: string) => void;

/** A work tree that is linked to a repository has a file of that name. */
export function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'));
}

/** The text of the files must not pass for an answer from git. */
export function warnWithoutGit(results: readonly StepResult[], warn: Warn): void {
  const { error } = results.find(isFailed) ?? {};
  const reason = error === undefined ? 'it has no answer' : error.message;
  // The tool's input form does not help a person who asked a question.
  const isOfTool = error?.hint?.includes('what it takes') ?? true;
  const hint = isOfTool ? '' : ` (${error?.hint})`;
  warn(`git did not answer, so the text of the files is searched: ${reason}${hint}`);
}

function isBareRepository(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
}

/**
 * Tells of other kinds that fit a question: it was answered as the first, and the person can
 * choose.
 */
export function warnOfKinds(
  intent: AskIntent,
  { isSettled }: { isSettled: boolean },
  warn: Warn,
): void {
  const { unread = [] } = intent.mentions;
  if (unread.length > 0) {
    const words = unread.slice(0, 8).join(', ');
    warn(`words that are not English are searched as they stand: ${words}`);
  }
  const [other] = otherKinds(intent);
  if (other === undefined || isSettled) return;
  warn(`read as ${intent.readings[0].kind}; it may be ${other}, too: --as ${other}`);
}

/** A folder inside a repository is not a repository, and its files do not show their history. */
export function warnOfRepositoryAbove(
  { readings }: AskIntent,
  workspace: string,
  warn: Warn,
): void {
  if (!readings.some(({ kind }) => kind === 'history') || isRepository(workspace)) return;
  if (isBareRepository(workspace)) {
    warn('git is not used because the workspace is a bare repository; ask in a clone of it');
    return;
  }
  for (let folder = workspace; dirname(folder) !== folder; ) {
    folder = dirname(folder);
    if (!isRepository(folder)) continue;
    warn(
      `git is not used because the repository begins above the workspace; ask there with: -w ${shellWord(folder)}`,
    );
    return;
  }
  warn('git is not used because there is no repository here; the text of the files is searched');
}

/**
 * Tells of a fitting tool of an installed plugin that could not be called, or of several that fit.
 */
export function warnOfTools(
  intent: AskIntent,
  workspace: string,
  { planTools, likenessesTo }: ToolFacts,
  warn: Warn,
): void {
  const { mentions } = intent;
  const spoken = spokenFor(intent, {
    tools: planTools,
    repository: isRepository(workspace),
    likenesses: () => likenessesTo(mentions.text, mentions.goal),
  });
  if (spoken === undefined) return;
  const { tool, missing, ties } = spoken;
  if (missing.length > 0) {
    const input = missing.map((field) => `${field}=…`).join(' ');
    warn(
      `${tool.name} fits this question, and the question does not say its ${missing.map((field) => shownField(tool, field)).join(', ')}; call it with: cuervo run ${tool.name} ${input}`,
    );
  } else if (ties.length > 0) {
    warn(
      `${ties.join(', ')} ${ties.length === 1 ? 'fits' : 'fit'} as well as ${tool.name}, which was called; the other: cuervo run ${ties[0]}`,
    );
  }
}

/** The part of the question that the answer lacks, such as lines beyond the end of a file. */
export function warnOfFailures(results: readonly StepResult[], warn: Warn): void {
  const failed = results.filter(isFailed);
  const reasons = new Set(
    failed.flatMap(({ error }) => {
      if (error === undefined) return [];
      const { code, message, hint } = error;
      // A grant is a person's to give; any other hint is about the input of a tool.
      return code === 'permission-denied' && hint !== undefined ? `${message} (${hint})` : message;
    }),
  );
  for (const reason of reasons) warn(reason);
}

/** Words that built-in tools use in `cut` and `truncated` for what they did not look into. */
const unsearched = /not searched|the walk ended/;

/** An answer must not pass for one from the whole workspace. */
export function warnOfCuts(
  results: readonly StepResult[],
  isBuiltin: ToolFacts['isBuiltin'],
  warn: Warn,
): void {
  const cuts = results.flatMap(({ tool, output }) => {
    if (output === undefined || !unsearched.test(output.content)) return [];
    if (!isBuiltin(tool.split('.', 1)[0] ?? '')) return [];
    const { cut, truncated } = contentOf(output.content);
    return [cut, truncated].filter((text) => typeof text === 'string' && unsearched.test(text));
  });
  for (const cut of new Set(cuts)) warn(String(cut));
}

function contentOf(json: string): Readonly<Record<string, unknown>> {
  return (parseContent(json) ?? {}) as Record<string, unknown>;
}

/** The likeliest of several files with one name is shown; the person may mean another. */
export function warnOfNamesakes(
  { file }: Pick<AnswerShape, 'file'>,
  results: readonly StepResult[],
  warn: Warn,
): void {
  if (file === undefined) return;
  const found = results.find(({ tool }) => tool === 'file.find')?.output;
  const { paths } = contentOf(found?.content ?? '{}');
  const [, ...others] = Array.isArray(paths) ? paths.map(String) : [];
  if (others.length > 0) warn(`other files called ${file}: ${others.join(', ')}`);
}

/** Passages must not pass for a file, or a list of files, that does not exist. */
export function warnWithoutFile(
  intent: AskIntent,
  results: readonly StepResult[],
  warn: Warn,
): void {
  const nothing = results.find(
    ({ tool, output }) =>
      tool === 'file.find' && output?.content.startsWith('{"paths":[],') === true,
  );
  if (nothing === undefined) {
    const { kind } = intent.readings[0];
    const isSearch = ['how', 'where', 'listing', 'guide'].includes(kind);
    if (!isSearch)
      warn(`read as ${kind}, the question found nothing; the files are searched instead`);
    return;
  }
  const { pattern, path } = nothing.input;
  // A folder of that name at any depth, as `files in docs` means one.
  const [, folder, name] = /^\*\*\/([^/*]+)\/\*\*\/(.+)$/.exec(String(pattern)) ?? [];
  const kind = String(pattern).startsWith('{') ? 'of that kind' : (name ?? pattern);
  const file = kind === '*' ? 'no file' : `no file ${kind}`;
  const folderName = folder === undefined ? path : `a folder ${folder}`;
  const place = folderName === undefined ? '' : ` in ${folderName}`;
  warn(`${file} was found${place}, so the text of the files is searched`);
}

function isFailed({ status }: StepResult): boolean {
  return status !== 'ok' && status !== 'skipped';
}
