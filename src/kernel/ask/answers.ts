import { join } from 'node:path';
import { runPlan } from '../../agent.ts';
import { createBudget } from '../../ask/budget.ts';
import { collectFindings } from '../../ask/collect-evidence.ts';
import { extractiveAnswer } from '../../ask/extractive-answer.ts';
import { failedAnswer } from '../../ask/failed-answer.ts';
import { inNoPassage, lookedFor } from '../../ask/missing-words.ts';
import type {
  Answer,
  Baseline,
  Events,
  Findings,
  PlanPorts,
  Run,
  Say,
  ToolFacts,
  Turn,
} from '../../contracts/agent.ts';
import { KernelError } from '../../contracts/error.ts';
import type { Evidence } from '../../contracts/events.ts';
import type { Recalled } from '../../contracts/memory.ts';
import type { ModelRole } from '../../contracts/model.ts';
import { notReadOf, notReadText } from '../../contracts/not-read.ts';
import type { StepInput, StepResult } from '../../contracts/plan.ts';
import { stopOf } from '../../contracts/talk.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { parseContent } from '../../lib/text/parse-json.ts';
import { isUnmetForm } from '../../questions/unmet-forms.ts';
import type { Spoken } from '../../talk/converse.ts';
import { isEmpty } from './baseline-plan.ts';

/** Pieces of evidence that an answer names. */
const maxPlaces = 20;
/** Files that are read again. */
const maxRead = 8;
/** Calls and time that are left for an answer when the model's are spent. */
const reserve = { rounds: 1, toolCalls: 8, tokens: 1, durationMs: 10_000 };

/** How a person reads the answer; see `AskOptions`. */
export type Reader = {
  /** a question that continues the last one, in words that stand alone */
  readAs: string | undefined;
  columns: number | undefined;
  isExplained: boolean;
  isChat: boolean;
};

export type AnswerPorts = {
  run: Run;
  say: Say;
  tools: ToolFacts;
  plans: PlanPorts;
  /** stands still while a person is asked */
  budgetClock: Clock;
  reader: Reader;
  /** of the text that was handed over with the question, best first */
  given: readonly Evidence[];
  /** undefined where none could be opened, or none is in use */
  model: { readonly name: string } | undefined;
  /** as it was named */
  modelName: string;
  baseline(turn: Turn, first: number): Events<Baseline>;
};

/** The answer without a model: what the planner's own plan brought, and what is remembered. */
export async function answerOfPassages(
  turn: Turn,
  baseline: Baseline,
  ports: AnswerPorts,
): Promise<Answer> {
  const { run, model } = ports;
  const found = foundBy(baseline, ports);
  const recalled = await turn.recalling;
  const leftOut = leftOutOf(baseline, recalled, ports);
  failWhenEmpty(baseline, found, recalled, turn, run);
  const reason = model === undefined ? 'no model is in use' : `${model.name} failed its test`;
  const text = textOf({ turn, found, recalled, baseline, reason, leftOut }, ports);
  return {
    ...answerOf(text, 'extractive', found, recalled),
    ...(leftOut.length === 0 ? {} : { leftOut: [...leftOut] }),
    ...missedBy(baseline.results),
  };
}

/** What stands before the words of a model that did not pass its test; empty where nothing was found. */
export async function passagesBefore(
  turn: Turn,
  baseline: Baseline,
  ports: AnswerPorts,
): Promise<string> {
  const found = withGiven(baseline.found, ports);
  const recalled = await turn.recalling;
  if (isEmpty(found) && recalled.sure.length + recalled.perhaps.length === 0) return '';
  const name = ports.model?.name ?? ports.modelName;
  const reason = `the words of ${name}, which did not pass a test, are below`;
  const leftOut = leftOutOf(baseline, recalled, ports);
  return `${textOf({ turn, found, recalled, baseline, reason, leftOut }, ports)}\n\n${name} says:\n`;
}

function missedBy(results: readonly StepResult[]): Pick<Answer, 'notRead'> {
  const notRead = notReadOf(results);
  return notRead.length === 0 ? {} : { notRead };
}

/** A tool that the question spoke of may have done what no passage does. */
function leftOutOf(
  { intent, found: { evidence, rows, listings }, shape }: Baseline,
  { sure }: Recalled,
  { tools, given }: AnswerPorts,
): readonly string[] {
  if (intent.kind !== 'ask') return [];
  const { leftOut = [], mentions } = intent;
  if (listings.some(({ isChosen }) => isChosen))
    return leftOut.filter((each) => !isUnmetForm(each));
  const others = rows.length + listings.length + sure.length + given.length;
  if (shape.says !== undefined || others > 0) return leftOut;
  return [...leftOut, ...inNoPassage(mentions, evidence, leftOut, tools.likenessesTo)];
}

type Shown = {
  turn: Turn;
  found: Findings;
  recalled: Recalled;
  baseline: Baseline;
  reason: string;
  leftOut: readonly string[];
};

function textOf({ turn, found, recalled, baseline, ...said }: Shown, ports: AnswerPorts): string {
  const { readAs, columns, isExplained } = ports.reader;
  const { intent, results, shape } = baseline;
  return extractiveAnswer({
    // As it was searched: in English, whatever it was asked in, and as its words were spelled.
    question: readAs ?? (intent.kind === 'ask' ? intent.mentions.text : turn.question),
    findings: found,
    memory: recalled,
    nowMs: ports.run.clock.nowMs(),
    ...(ports.given.length === 0 ? { shape } : {}),
    ...{ readAs, isExplained, columns, ...said, notRead: notReadText(notReadOf(results)) },
  });
}

/** The answer of a model, with the evidence of its steps as the files are after them. */
export async function answerOfModel(
  turn: Turn,
  { text, stop, by }: Spoken,
  ports: AnswerPorts,
  role: ModelRole,
): Promise<Answer> {
  const found = withGiven(collectFindings(turn.results, ports.tools), ports);
  const findings = { ...found, evidence: await freshEvidence(found.evidence, ports) };
  const usage = { ...turn.budget.usage };
  const deeds = deedsOf(turn.results, ports.tools);
  const { recalling, results } = turn;
  const answer = answerOf(text, 'model', findings, await recalling);
  const named = by === undefined ? {} : { by };
  const whole = { ...answer, ...missedBy(results), ...deeds, ...named, usage, stop };
  // A model that chooses tools reads every word itself.
  const { leftOut = [] } = role === 'word' && turn.intent.kind === 'ask' ? turn.intent : {};
  if (leftOut.length === 0) return whole;
  ports.say.warn(`the evidence leaves out: ${leftOut.join(', ')}`);
  return { ...whole, leftOut: [...leftOut] };
}

/** How many changes were made, and how many were denied. A program may have changed nothing. */
function deedsOf(results: readonly StepResult[], tools: ToolFacts): Partial<Answer> {
  const tried = results.filter(
    ({ step: id, tool, input }) =>
      !tools.isReading(tool) &&
      !tools.onlyReads({ id, tool, input: input as StepInput, needs: [], effect: 'external' }),
  );
  const denied = tried.filter(({ status }) => status === 'denied').length;
  const done = tried.filter(({ tool, status }) => status === 'ok' && tool !== 'shell.run').length;
  const changed = Math.max(tools.changedPaths().length, done);
  return changed + denied === 0 ? {} : { changed, denied };
}

/**
 * Shows the findings and deeds of a run whose model failed or whose budget ended. After Ctrl+C it
 * starts no further search.
 *
 * @throws {KernelError} `failure`, if it is not a model's
 */
export async function* answerInstead(
  turn: Turn,
  failure: KernelError,
  ports: AnswerPorts,
): Events<Answer> {
  const stop = stopOf(failure);
  // A bug, or a mistake in the question.
  if (stop === 'failed') throw failure;
  const { run, tools, model } = ports;
  const { results } = turn;
  const recalled = await turn.recalling;
  const isOver = stop === 'interrupted' || run.signal.aborted;
  const own = withGiven(collectFindings(results, { ...tools, outlines: true }), ports);
  const findings = isEmpty(own) && !isOver ? yield* lastFindings(turn, ports) : own;
  const told = failedAnswer({
    reason: isOver ? 'it was interrupted' : failure.message,
    done: { changed: tools.changedPaths(), commands: commandsOf(results), run: run.id },
    isChat: ports.reader.isChat,
  });
  const isNothing = isEmpty(findings) && recalled.sure.length + recalled.perhaps.length === 0;
  const passages =
    isOver || isNothing
      ? []
      : [
          extractiveAnswer({
            ...{ question: turn.question, findings, memory: recalled },
            nowMs: run.clock.nowMs(),
            reason: `${model?.name ?? ports.modelName} did not answer`,
            columns: ports.reader.columns,
          }),
        ];
  const said = turn.said.trim();
  const text = [...(said === '' ? [] : [said]), told, ...passages].join('\n\n');
  const usage = model === undefined ? {} : { usage: { ...turn.budget.usage } };
  return { ...answerOf(text, 'extractive', findings, recalled), ...usage, stop };
}

/** Runs the planner's own plan within the reserved budget. */
async function* lastFindings(turn: Turn, ports: AnswerPorts): Events<Findings> {
  const { run, plans, say } = ports;
  const budget = createBudget(reserve, ports.budgetClock);
  const last: Turn = {
    ...turn,
    budget,
    run: (steps, options) => runPlan(steps, plans, { ...options, budget }),
  };
  try {
    return foundBy(yield* ports.baseline(last, turn.results.length + 1), ports);
  } catch (thrown) {
    if (run.signal.aborted) throw KernelError.from(run.signal.reason, 'canceled');
    const { message } = KernelError.from(thrown, 'internal');
    say.warn(`nothing was found without the model: ${message}`);
    return { evidence: [...ports.given], rows: [], listings: [], leading: 0 };
  }
}

/** Evidence that came with the question comes first. */
export function withGiven(findings: Findings, { given }: Pick<AnswerPorts, 'given'>): Findings {
  return { ...findings, evidence: [...given, ...findings.evidence] };
}

/** @throws {KernelError} the error of the step that left nothing to show */
function foundBy(baseline: Baseline, ports: AnswerPorts): Findings {
  const found = withGiven(baseline.found, ports);
  const isUnread = baseline.shape.file !== undefined && found.evidence.length === 0;
  if (isEmpty(found) || isUnread) failWithStep(baseline, ports.tools);
  return found;
}

/** Found nothing because nothing could be read, or because a limit ended the search. */
function failWithStep({ results, shape }: Baseline, tools: ToolFacts): void {
  const isLimit = ({ error }: StepResult) => error?.code === 'resource-exhausted';
  // A tool of an installed plugin is there only because it was chosen for the question.
  const isChosen = ({ tool, error }: StepResult) =>
    error !== undefined && !tools.isBuiltin(tool.split('.', 1)[0] ?? '');
  const failed =
    results.find(isLimit) ??
    results.find(isChosen) ??
    // The file is there, and what was asked of it is not.
    (shape.file !== undefined ? results.find(({ status }) => status === 'error') : undefined) ??
    (results.some(({ status }) => status === 'ok')
      ? undefined
      : results.find(({ error, status }) => error !== undefined && status !== 'skipped'));
  if (failed?.error !== undefined) throw failed.error;
}

function commandsOf(results: readonly StepResult[]): string[] {
  const ran = results.filter(({ tool, status }) => tool === 'shell.run' && status === 'ok');
  return ran.flatMap(({ input }) => {
    const { command } = input as { command?: unknown };
    return typeof command === 'string' ? [command] : [];
  });
}

function answerOf(
  text: string,
  mode: 'model' | 'extractive',
  findings: Findings,
  { sure, perhaps }: Recalled,
): Answer {
  const memory = [...sure, ...perhaps].map(({ id, layer, score }) => ({ id, layer, score }));
  return { text, mode, evidence: allPlaces(findings), memory };
}

/** Places that are shown as one line each count as evidence, too. */
export function allPlaces({ evidence, rows }: Findings): Findings['evidence'] {
  const places = rows.flatMap(({ pieces }) => pieces);
  const shown = [...evidence, ...places.slice(0, Math.max(0, maxPlaces - evidence.length))];
  return shown.map(({ within: _, doc: __, ...piece }) => piece);
}

/**
 * Evidence as it stands after the last change of the run: what a step read before another one
 * changed the file may stand there no longer.
 */
async function freshEvidence(
  evidence: readonly Evidence[],
  { run, tools, plans }: AnswerPorts,
): Promise<Evidence[]> {
  const changed = new Set(tools.changedPaths());
  const stale = evidence.filter(({ path }) => changed.has(path)).slice(0, maxRead);
  if (stale.length === 0 || run.signal.aborted) return [...evidence];
  const steps = stale.map(({ path, line, endLine }, index) => ({
    id: `e${index + 1}`,
    tool: 'file.read',
    input: { path, start: line, end: endLine },
    needs: [],
    effect: 'read' as const,
  }));
  const results = await quietly(runPlan(steps, plans));
  return evidence.flatMap((piece) => {
    const at = stale.indexOf(piece);
    if (at < 0) return changed.has(piece.path) ? [] : [piece];
    const text = linesOf(results.find(({ step }) => step === `e${at + 1}`));
    if (text === undefined) return [];
    return [{ ...piece, text, endLine: piece.line + text.split('\n').length - 1 }];
  });
}

/** The reading of these files was reported already. */
async function quietly<Value>(events: AsyncGenerator<unknown, Value, undefined>): Promise<Value> {
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
  }
}

function linesOf(result: StepResult | undefined): string | undefined {
  const { lines } = (parseContent(result?.output?.content ?? '') ?? {}) as { lines?: unknown };
  return typeof lines === 'string' && lines.trim() !== '' ? lines.replace(/\n$/, '') : undefined;
}

function failWhenEmpty(
  { intent, shape: { none, file }, results }: Baseline,
  findings: Findings,
  { sure, perhaps }: Recalled,
  { question }: Turn,
  { signal, workspace }: Run,
): void {
  if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
  if (!isEmpty(findings) || sure.length + perhaps.length > 0) return;
  const missed = notReadText(notReadOf(results));
  // A path that the question names may not be there; a step without input asked for none.
  const gone = results.find(
    ({ error, hostCalls }) => error?.code === 'not-found' && hostCalls.length > 0,
  )?.error?.message;
  const beside = [missed, gone].map((text) => (text === undefined ? '' : `; ${text}`)).join('');
  if (none !== undefined) {
    const named =
      intent.kind === 'ask' ? (intent.mentions.folder ?? intent.mentions.paths[0]) : undefined;
    const place = file === undefined && named !== undefined ? join(workspace, named) : workspace;
    throw new KernelError('not-found', `${none.text} in ${place}${beside}`, { hint: none.hint });
  }
  const told =
    intent.kind === 'ask' && (intent.isStatement || intent.correction !== undefined)
      ? [
          `If it is to be kept in mind: cuervo ask ${shellWord(`remember that ${intent.correction ?? question}`)}`,
        ]
      : [];
  const by = lookedFor(question);
  throw new KernelError('not-found', `nothing in ${workspace} answers this${by}${beside}`, {
    hint: ['Use words from the files, or name another folder with --workspace DIR.', ...told].join(
      ' ',
    ),
  });
}
