import { join } from 'node:path';
import { type AnswerShape, shapeOf } from '../../ask/answer-shape.ts';
import { type BudgetMeter, createBudget } from '../../ask/budget.ts';
import { collectFindings, type Findings } from '../../ask/collect-evidence.ts';
import { extractiveAnswer } from '../../ask/extractive-answer.ts';
import { failedAnswer } from '../../ask/failed-answer.ts';
import { saysDecision } from '../../ask/says-decision.ts';
import { KernelError } from '../../contracts/error.ts';
import type { UnstampedEvent } from '../../contracts/events.ts';
import type { AskIntent, Intent, NoteIntent } from '../../contracts/intent.ts';
import { everyProject, type Memory, type MemoryHit } from '../../contracts/memory.ts';
import type { ChatModel, ModelRole, ModelUsage } from '../../contracts/model.ts';
import type { PrivacySettings } from '../../contracts/personal-data.ts';
import type { Step } from '../../contracts/plan.ts';
import type { StepResult } from '../../contracts/step-result.ts';
import { faultOf } from '../../contracts/talk/model-fault.ts';
import { stopOf } from '../../contracts/talk/stop-reason.ts';
import type { Tool } from '../../contracts/tool.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { type Recalled, recalledHits } from '../../memory/search/recalled-hits.ts';
import { turnContext } from '../../memory/turn-context.ts';
import { planIntent, planWider, planWithoutGit } from '../../planner/plan-intent.ts';
import { renumberSteps } from '../../planner/renumber-steps.ts';
import { readThen, withoutThen } from '../../router/facts/read-time.ts';
import { readsAsStatement } from '../../router/facts/reads-as-statement.ts';
import { roleOf } from '../models/model-scores.ts';
import type { AskPorts } from './ask-ports.ts';
import { converse } from './converse.ts';
import { freshEvidence } from './fresh-evidence.ts';
import { keepFact } from './keep-fact.ts';
import { keepLastAnswer } from './last-answer.ts';
import { mendPlan } from './mend-plan.ts';
import { spenderOf } from './spender-of.ts';
import { openTalk } from './talk-book.ts';
import type { TalkProgress } from './talk-options.ts';

/** Earlier turns that an answer may show. */
const maxRecalled = 3;
/** Pieces of evidence that an answer names. */
const maxPlaces = 20;
/** Messages of a continued session that the model sees. */
const maxHistory = 6;

import {
  isRepository,
  warnOfCuts,
  warnOfFailures,
  warnOfKinds,
  warnOfNamesakes,
  warnOfRepositoryAbove,
  warnWithoutFile,
  warnWithoutGit,
} from './warn-of-missing.ts';
import { warnOfTools } from './warn-of-tools.ts';

/** Answers one question, from its intent to an answer that is remembered. */
export async function* askQuestion(
  intent: Intent,
  ports: AskPorts,
): AsyncGenerator<UnstampedEvent, void, undefined> {
  const { clock, memory, model } = ports;
  if (intent.kind === 'note') {
    const kept = await keepFact(intent, ports);
    if (kept === undefined) {
      yield* askQuestion(intent.otherwise as AskIntent, ports);
      return;
    }
    yield { type: 'plan', ...ports.makePlan([]) };
    rememberFact(ports, intent.text);
    const { answer } = kept;
    yield { type: 'text', delta: answer, mode: 'extractive' };
    yield { type: 'answer', text: answer, mode: 'extractive', evidence: [], memory: [] };
    return;
  }
  const { question } = ports;
  // Runs beside the tools. A failure of memory must not prevent the answer.
  const recalling = recall(question, memory, ports);
  const budget = createBudget(ports.config.budget, ports.budgetClock, spenderOf(model, ports));
  if (ports.modelFailure !== undefined) {
    yield* answerWithoutModel(ports.modelFailure, { question, intent, recalling, said: '' }, ports);
  }
  const role = model === undefined ? 'none' : await chooseRole(model, ports);

  if (model !== undefined && role !== 'none') {
    yield* answerWithModel({ question, intent, role, model, budget, recalling }, ports);
    return;
  }
  const { findings, shape } = yield* runFloorPlan(intent, budget, ports);
  const recalled = await recalling;
  const shown = [...recalled.sure, ...recalled.perhaps];
  failWhenEmpty(intent, findings, shown, ports);
  const reason = model === undefined ? 'no model is in use' : `${model.name} failed its test`;
  if (intent.kind === 'ask') {
    keepLastAnswer(
      ports.store,
      { workspace: ports.config.workspace, session: ports.session.id },
      intent,
      allPlaces(findings),
    );
  }
  const answer = extractiveAnswer({
    question: ports.readAs ?? question,
    findings,
    memory: recalled,
    nowMs: clock.nowMs(),
    ...(ports.given.length === 0 ? { shape } : {}),
    readAs: ports.readAs,
    isExplained: ports.isExplained,
    reason,
    columns: ports.columns,
  });
  yield { type: 'text', delta: answer, mode: 'extractive' };
  yield answerEvent(answer, 'extractive', findings, shown);
  countUses(ports, recalled.sure);
  await remember(ports, { question, kind: 'question', answer: undefined });
}

/** Answers a question by running tools. */
type ToolIntent = Exclude<Intent, NoteIntent>;

type ModelTurn = {
  question: string;
  intent: ToolIntent;
  role: ModelRole;
  model: ChatModel;
  budget: BudgetMeter;
  recalling: Promise<Recalled>;
};

async function* answerWithModel(
  turn: ModelTurn,
  ports: AskPorts,
): AsyncGenerator<UnstampedEvent, void, undefined> {
  const { question, intent, role, model, budget } = turn;
  const { sure, perhaps } = await turn.recalling;
  const recalled = [...sure, ...perhaps];
  const { store, session, scope, clock, warn } = ports;
  const book = openTalk({ store, session: session.id, run: scope.id, clock, warn });
  const progress: TalkProgress = { results: [], said: '' };
  try {
    // The planner's own choice is the baseline: a model that only words answers gets its evidence
    // from it.
    if (role === 'word') progress.results.push(...(yield* runPlanOf(intent, budget, ports)));
    const talk = yield* converse({
      question,
      mentions: intent.mentions,
      role,
      model,
      budget,
      memory: [...sessionMemory(ports, book.runs), ...recalled],
      book,
      progress,
      baseline: (first) => runPlanOf(intent, budget, ports, first),
      ports,
    });
    const found = withGiven(collectFindings(progress.results, ports), ports);
    const findings = { ...found, evidence: await freshEvidence(found.evidence, ports) };
    const usage = { ...budget.usage };
    yield { ...answerEvent(talk.text, 'model', findings, recalled), usage, stop: talk.stop };
    // After the answer, whose words are already streamed.
    if (talk.cutOff !== undefined) ports.warn(`the answer is cut off: ${talk.cutOff}`);
    countUses(ports, sure);
    // Text from a recalled turn is not stored again as new.
    const answer = recalled.length > 0 ? undefined : talk.text;
    await remember(ports, { question, kind: 'question', answer });
  } catch (thrown) {
    const error = KernelError.from(thrown, 'internal');
    book.keep({ kind: 'stop', stop: stopOf(error) });
    const { said, results } = progress;
    yield* answerWithoutModel(error, { ...turn, said, results, usage: budget.usage }, ports);
  }
}

/** Calls and time that are left for an answer when the model's are spent. */
const reserve = { rounds: 1, toolCalls: 8, tokens: 1, durationMs: 10_000 };

/**
 * What a run found and did is told also when its model fails or its budget ends; after Ctrl+C
 * nothing is looked for any more.
 *
 * @throws {KernelError} why the model did not answer, once that is told
 */
async function* answerWithoutModel(
  thrown: KernelError,
  turn: Pick<ModelTurn, 'question' | 'intent' | 'recalling'> & {
    /** words of a reply that did not end */
    said: string;
    results?: readonly StepResult[];
    usage?: ModelUsage;
  },
  ports: AskPorts,
): AsyncGenerator<UnstampedEvent, never, undefined> {
  const error = ofModel(thrown);
  const stop = stopOf(error);
  // A mistake of ours, or of who asked, is not a failure of a model.
  if (stop === 'failed') throw error;
  const { question, intent, usage } = turn;
  const recalled = await turn.recalling;
  const shown = [...recalled.sure, ...recalled.perhaps];
  const isOver = stop === 'interrupted' || ports.signal.aborted;
  const results = turn.results ?? [];
  const found = collectFindings(results, { ...ports, outlines: true });
  const own = withGiven(found, ports);
  const findings = isEmpty(own) && !isOver ? yield* lastFindings(intent, results, ports) : own;
  const name = ports.model?.name ?? ports.modelName;
  const told = failedAnswer({
    reason: isOver ? 'it was interrupted' : error.message,
    done: {
      changed: ports.changedPaths(),
      commands: commandsOf(results),
      run: ports.scope.id,
    },
    isChat: ports.isChat,
  });
  const passages =
    isOver || (isEmpty(findings) && shown.length === 0)
      ? []
      : [
          extractiveAnswer({
            question,
            findings,
            memory: recalled,
            nowMs: ports.clock.nowMs(),
            reason: `${name} did not answer`,
            columns: ports.columns,
          }),
        ];
  const rest = [told, ...passages].join('\n\n');
  const text = turn.said.trim() === '' ? rest : `${turn.said.trim()}\n\n${rest}`;
  yield {
    type: 'text',
    delta: turn.said.trim() === '' ? rest : `\n\n${rest}`,
    mode: 'extractive',
  };
  yield {
    ...answerEvent(text, 'extractive', findings, shown),
    ...(usage === undefined ? {} : { usage: { ...usage } }),
    stop,
  };
  if (!isOver) await remember(ports, { question, kind: 'question', answer: undefined });
  else keepQuestion(ports, question);
  throw error;
}

/** The planner's own plan, within what was set aside for it. */
async function* lastFindings(
  intent: ToolIntent,
  results: readonly StepResult[],
  ports: AskPorts,
): AsyncGenerator<UnstampedEvent, Findings, undefined> {
  const budget = createBudget(reserve, ports.budgetClock);
  const short: AskPorts = {
    ...ports,
    execute: (plan, onResult) => ports.execute(plan, onResult, { maxMs: reserve.durationMs }),
  };
  try {
    const { findings } = yield* runFloorPlan(intent, budget, short, results.length + 1);
    return findings;
  } catch (thrown) {
    if (ports.signal.aborted) throw KernelError.from(ports.signal.reason, 'canceled');
    ports.warn(
      `nothing was found without the model: ${KernelError.from(thrown, 'internal').message}`,
    );
    return { evidence: [...ports.given], rows: [], listings: [] };
  }
}

/** Whatever a provider says of a request, to the person it is a model that did not answer. */
function ofModel(error: KernelError): KernelError {
  if (faultOf(error) === undefined || error.code === 'unavailable') return error;
  const { message, hint } = error;
  return new KernelError('unavailable', message, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

function commandsOf(results: readonly StepResult[]): string[] {
  const ran = results.filter(({ tool, status }) => tool === 'shell.run' && status === 'ok');
  return ran.flatMap(({ input }) => {
    const { command } = input as { command?: unknown };
    return typeof command === 'string' ? [command] : [];
  });
}

async function* runFloorPlan(
  intent: ToolIntent,
  budget: BudgetMeter,
  ports: AskPorts,
  first = 1,
): AsyncGenerator<UnstampedEvent, { findings: Findings; shape: AnswerShape }, undefined> {
  const { results, found, shape } = yield* runWidenedPlan(intent, budget, ports, first);
  const findings = withGiven(found, ports);
  const isUnread = isOfFile(intent) && findings.evidence.length === 0;
  if (isEmpty(findings) || isUnread) failWithStep(results, intent);
  return { findings, shape };
}

/** What a plan brought, and the shape of an answer that shows it. */
type Floor = { results: StepResult[]; found: Findings; shape: AnswerShape };

function floorOf(
  intent: ToolIntent,
  results: StepResult[],
  ports: AskPorts,
  { isWidened }: { isWidened: boolean },
): Floor {
  const shape = shapeOf(intent, { isWidened: isWidened || lacksDefinition(results) });
  return { results, found: collectFindings(results, { ...ports, outlines: true, shape }), shape };
}

/** Nothing has the name that was looked up, so what follows is not a definition. */
function lacksDefinition(results: readonly StepResult[]): boolean {
  const looked = results.filter(({ tool }) => tool === 'search.definition');
  return (
    looked.length > 0 &&
    looked.every(({ output }) => output?.content.includes('"definitions":[]') === true)
  );
}

/** What was handed over with the question comes first. */
function withGiven(findings: Findings, { given }: AskPorts): Findings {
  return { ...findings, evidence: [...given, ...findings.evidence] };
}

const isOfFile = (intent: ToolIntent): boolean =>
  intent.kind === 'ask' && intent.readings[0].kind === 'file';

/** Found nothing because nothing could be read, or because a limit ended the search. */
function failWithStep(results: readonly StepResult[], intent: ToolIntent): void {
  const isLimit = ({ error }: StepResult) => error?.code === 'resource-exhausted';
  const failed =
    results.find(isLimit) ??
    // The file is there, and what was asked of it is not.
    (isOfFile(intent) ? results.find(({ status }) => status === 'error') : undefined) ??
    (results.some(({ status }) => status === 'ok')
      ? undefined
      : results.find(({ error, status }) => error !== undefined && status !== 'skipped'));
  if (failed?.error !== undefined) throw failed.error;
}

async function* runPlanOf(
  intent: ToolIntent,
  budget: BudgetMeter,
  ports: AskPorts,
  first = 1,
): AsyncGenerator<UnstampedEvent, StepResult[], undefined> {
  return (yield* runWidenedPlan(intent, budget, ports, first)).results;
}

/** A plan whose results show nothing is followed by a wider one. */
async function* runWidenedPlan(
  intent: ToolIntent,
  budget: BudgetMeter,
  ports: AskPorts,
  first = 1,
): AsyncGenerator<UnstampedEvent, Floor, undefined> {
  const steps = stepsOf(intent, ports.planTools, ports.config.workspace, ports.likenessesTo);
  if (intent.kind === 'ask') {
    warnOfKinds(intent, ports);
    warnOfRepositoryAbove(intent, ports);
    warnOfTools(intent, ports);
  }
  const planned = yield* runSteps(steps, budget, ports, first);
  const { results, next } = yield* withMended(planned, budget, ports, first);
  warnOfCuts(results, ports);
  const floor = floorOf(intent, results, ports, { isWidened: false });
  if (!isEmpty(floor.found)) {
    warnOfFailures(results, ports);
    if (intent.kind === 'ask') warnOfNamesakes(intent, results, ports);
    return floor;
  }
  if (intent.kind !== 'ask') return floor;
  const widened = (others: readonly StepResult[]) =>
    floorOf(intent, [...results, ...others], ports, { isWidened: true });
  // Where nothing has the name, git had nothing to be asked about.
  const instead = lacksDefinition(results) ? [] : planWithoutGit(intent, steps, ports.planTools);
  if (instead.length > 0) {
    warnWithoutGit(results, ports);
    return widened(yield* runSteps(instead, budget, ports, next));
  }
  const wider = planWider(intent, ports.planTools);
  if (wider.length === 0) return floor;
  warnWithoutFile(intent, results, ports);
  return widened(yield* runSteps(wider, budget, ports, next));
}

/** The results with those of what was planned anew in the place of what failed. */
async function* withMended(
  results: StepResult[],
  budget: BudgetMeter,
  ports: AskPorts,
  first: number,
): AsyncGenerator<UnstampedEvent, { results: StepResult[]; next: number }, undefined> {
  const { added, mended } = yield* mendPlan(results, budget, ports, first + results.length);
  const isMended = ({ step }: StepResult): boolean => mended.has(step);
  return {
    results: [...results.filter((result) => !isMended(result)), ...added],
    next: first + results.length + added.length,
  };
}

async function* runSteps(
  steps: readonly Step[],
  budget: BudgetMeter,
  ports: AskPorts,
  first: number,
): AsyncGenerator<UnstampedEvent, StepResult[], undefined> {
  const plan = ports.makePlan(renumberSteps(steps, first));
  yield { type: 'plan', ...plan };
  budget.takeToolCalls(plan.steps.length);
  const results = yield* ports.execute(plan, undefined, { maxMs: budget.timeLeftMs() });
  if (ports.signal.aborted) throw KernelError.from(ports.signal.reason, 'canceled');
  return results;
}

/** What an intent runs without a model. */
export function stepsOf(
  intent: Intent,
  tools: readonly Tool[],
  workspace: string,
  likenessesTo: AskPorts['likenessesTo'],
): Step[] {
  if (intent.kind === 'note') {
    const { otherwise } = intent;
    return otherwise === undefined ? [] : stepsOf(otherwise, tools, workspace, likenessesTo);
  }
  if (intent.kind === 'ask') {
    const { text, goal } = intent.mentions;
    const likenesses = () => likenessesTo(text, goal);
    return planIntent(intent, tools, { repository: isRepository(workspace), likenesses });
  }
  const effect = tools.find((tool) => tool.name === intent.tool)?.effect ?? 'external';
  return [{ id: 's1', tool: intent.tool, input: intent.input, needs: [], effect }];
}

async function chooseRole(model: ChatModel, ports: AskPorts): Promise<ModelRole | 'none'> {
  const { modelName, config, store } = ports;
  const { role, tested } = await roleOf(model, modelName, config.modelRole, store);
  if (model.remote) noticeRemote(model, ports);
  if (role === 'none') {
    ports.warnOnce(
      `${model.name} did worse than the passages alone in its test, so they are shown alone (change that with --model-role word)`,
    );
  } else if (model.reach.mustCall && tested !== 'yes' && config.modelRole === 'auto') {
    const why = tested === 'changed' ? 'changed after its test' : 'was never tested';
    ports.warnOnce(
      `${model.name} ${why}, so it is given little and words answers only; test it with: cuervo model test ${shellWord(modelName)}`,
    );
  }
  return role;
}

/** The first use of a provider says what leaves the machine, and so does the first one otherwise. */
function noticeRemote(model: ChatModel, ports: AskPorts): void {
  const { privacy, workspace } = ports.config;
  const how = privacy.personalData === 'send' ? ['all'] : privacy.send.toSorted();
  const suffix = how.length === 0 ? '' : `:${how.join(',')}`;
  const key = `remote-notice:${model.origin ?? 'default'}${suffix}`;
  if (ports.store.getSetting(key) !== undefined) return;
  ports.warn(
    `${model.name} is remote: your question, results of tools (lines of files in ${workspace}) and recalled turns are sent to its provider; protected files are left out, keys of known formats are redacted, and ${personalText(privacy)}. This note appears once.`,
  );
  ports.store.setSetting(key, { shownMs: ports.clock.nowMs() });
}

function personalText({ personalData, send }: PrivacySettings): string {
  if (personalData === 'send') return 'personal data is sent unchanged (privacy.personal-data)';
  const but = send.length === 0 ? '' : ` but ${send.join(', ')}`;
  return `personal data with a form (mail and IP addresses, phone, card, account and identity numbers)${but} is replaced by words like [EMAIL_1]`;
}

async function recall(question: string, memory: Memory, ports: AskPorts): Promise<Recalled> {
  try {
    const asOf = readThen(question, ports.clock.nowMs());
    const text = asOf === undefined ? question : withoutThen(question);
    const query = {
      text,
      limit: 32,
      ...(asOf === undefined ? {} : { asOf }),
      projects: [ports.config.workspace, everyProject],
    };
    const { signal } = ports;
    const hits = await memory.search(query, { signal });
    // Files read into memory never crowd out earlier turns.
    const isCrowded = hits.some(({ layer }) => layer === 'assets');
    const said = isCrowded
      ? [
          ...(await memory.search({ ...query, layer: 'interact' }, { signal })),
          ...(await memory.search({ ...query, layer: 'insights' }, { signal })),
        ]
      : [];
    const found = new Set(hits.map(({ id }) => id));
    const all = [...hits, ...said.filter(({ id }) => !found.has(id))];
    const { workspace } = ports.config;
    // Files of the index are evidence, at the lines that they have now.
    const isFile = ({ layer, source }: MemoryHit) =>
      layer === 'assets' &&
      source !== undefined &&
      ports.store.memorySources.get(workspace, source)?.isIndexed === true;
    const turns = all.filter((hit) => !isFile(hit));
    return recalledHits(turns, text, maxRecalled);
  } catch (thrown) {
    if (!ports.signal.aborted) {
      ports.warn(
        `earlier turns could not be searched: ${KernelError.from(thrown, 'internal').message}`,
      );
    }
    return { sure: [], perhaps: [] };
  }
}

/**
 * Messages of the session that is continued, as memory of it: those of runs whose conversation with
 * a model was not kept.
 */
function sessionMemory(ports: AskPorts, kept: ReadonlySet<string>): MemoryHit[] {
  const factors = { fused: 1, layerWeight: 1, decay: 1 };
  return ports.store
    .messages(ports.session.id)
    .filter(({ run }) => !kept.has(run))
    .slice(-maxHistory)
    .map((message, index) => ({
      id: `${message.run}-${index}`,
      layer: 'interact',
      score: 1,
      text: message.text,
      kind: message.role === 'user' ? 'question' : 'answer',
      tags: [],
      project: ports.config.workspace,
      session: ports.session.id,
      run: message.run,
      ts: message.ts,
      factors,
    }));
}

/** Rows that answers use again and again are worth keeping; see the job `promote_decisions`. */
function countUses({ store, scope, clock, warn }: AskPorts, recalled: readonly MemoryHit[]): void {
  if (recalled.length === 0) return;
  try {
    store.memoryUses.count(recalled, clock.nowMs(), scope.id);
  } catch (thrown) {
    warn(`the use of memory was not counted: ${KernelError.from(thrown, 'internal').message}`);
  }
}

/** A fact is a row of memory already; the session tells what was said. */
function rememberFact(
  { store, session, scope, clock, config, warn }: AskPorts,
  text: string,
): void {
  const message = { session: session.id, run: scope.id, ts: clock.nowMs() };
  store.addMessage({ ...message, role: 'user', text });
  if (config.workFolder === undefined) return;
  warn(`a dry run remembers too; undo that with: cuervo undo ${scope.id}`);
}

/** What was asked stands in the session also when nothing came of it. */
function keepQuestion({ store, session, scope, clock, warn }: AskPorts, text: string): void {
  try {
    const message = { session: session.id, run: scope.id, ts: clock.nowMs() };
    store.addMessage({ ...message, role: 'user', text });
  } catch (thrown) {
    warn(`this turn was not remembered: ${KernelError.from(thrown, 'internal').message}`);
  }
}

/**
 * Writes the turn to the session and to memory. A full disk is a warning; the answer stays valid.
 */
async function remember(
  ports: AskPorts,
  turn: { question: string; kind: string; answer: string | undefined },
): Promise<void> {
  const { store, session, scope, clock, config, memory } = ports;
  const ts = clock.nowMs();
  const message = { session: session.id, run: scope.id, ts };
  const record = (
    text: string,
    kind: string,
    who: string,
    beside: { previous?: string; next?: string },
  ) => ({
    layer: 'interact' as const,
    text,
    context: turnContext({ who, text, tsMs: ts, ...beside }),
    kind,
    tags: saysDecision(text) ? ['decision'] : [],
    project: config.workspace,
    session: session.id,
    run: scope.id,
    ts,
  });
  try {
    store.addMessage({ ...message, role: 'user', text: turn.question });
    const beside = turn.answer === undefined ? {} : { next: turn.answer };
    const records = [record(turn.question, turn.kind, 'user', beside)];
    if (turn.answer !== undefined) {
      store.addMessage({ ...message, role: 'assistant', text: turn.answer });
      records.push(record(turn.answer, 'answer', 'cuervo', { previous: turn.question }));
    }
    await memory.remember(records, { signal: ports.signal });
  } catch (thrown) {
    if (ports.signal.aborted) throw KernelError.from(ports.signal.reason, 'canceled');
    ports.warn(`this turn was not remembered: ${KernelError.from(thrown, 'internal').message}`);
  }
}

function answerEvent(
  text: string,
  mode: 'model' | 'extractive',
  findings: Findings,
  memory: readonly MemoryHit[],
): Extract<UnstampedEvent, { type: 'answer' }> {
  return {
    type: 'answer',
    text,
    mode,
    evidence: allPlaces(findings),
    memory: memory.map(({ id, layer, score }) => ({ id, layer, score })),
  };
}

/** Places that are shown as a line each are evidence as passages are. */
function allPlaces({ evidence, rows }: Findings): Findings['evidence'] {
  const places = rows.flatMap(({ pieces }) => pieces.map(({ within: _, ...piece }) => piece));
  return [...evidence, ...places.slice(0, Math.max(0, maxPlaces - evidence.length))];
}

function isEmpty({ evidence, rows, listings }: Findings): boolean {
  return evidence.length + rows.length + listings.length === 0;
}

function failWhenEmpty(
  intent: ToolIntent,
  findings: Findings,
  recalled: readonly MemoryHit[],
  ports: AskPorts,
): void {
  const { signal } = ports;
  if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
  if (!isEmpty(findings) || recalled.length > 0) return;
  const { workspace } = ports.config;
  if (intent.kind === 'ask' && intent.readings.some(({ kind }) => kind === 'todo')) {
    const named = intent.mentions.folder ?? intent.mentions.paths[0];
    const place = named === undefined ? workspace : join(workspace, named);
    throw new KernelError('not-found', `no TODO, FIXME, HACK or XXX was found in ${place}`, {
      hint: 'Only comments are searched for these marks; to search for something else, ask in other words.',
    });
  }
  const [reading] = intent.kind === 'ask' ? intent.readings : [];
  const file =
    reading?.kind === 'file'
      ? reading.path
      : reading?.kind === 'listing' && reading.isNamed === true
        ? reading.pattern
        : undefined;
  if (file !== undefined) {
    throw new KernelError('not-found', `there is no file ${file} in ${workspace}`, {
      hint: `It was looked for by name in all folders, without ignored ones. For files whose text speaks of it: cuervo ask --as how "…"`,
    });
  }
  throw new KernelError('not-found', `nothing in ${workspace} answers this`, {
    hint: readsAsStatement(ports.question)
      ? `If it is to be kept in mind: cuervo ask ${shellWord(`remember that ${ports.question}`)}`
      : 'Use words from the files, or name another folder with --workspace DIR.',
  });
}
