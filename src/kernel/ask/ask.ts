import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BudgetMeter, createBudget } from '../../ask/budget.ts';
import { collectFindings, type Findings } from '../../ask/collect-evidence.ts';
import { extractiveAnswer } from '../../ask/extractive-answer.ts';
import { failedAnswer } from '../../ask/failed-answer.ts';
import { KernelError } from '../../contracts/error.ts';
import type { UnstampedEvent } from '../../contracts/events.ts';
import type { Intent } from '../../contracts/intent.ts';
import type { MemoryHit } from '../../contracts/memory.ts';
import type { ChatModel, ModelRole, ModelUsage } from '../../contracts/model.ts';
import type { PrivacySettings } from '../../contracts/personal-data.ts';
import type { StepResult } from '../../contracts/plan.ts';
import { faultOf, stopOf } from '../../contracts/talk.ts';
import { shellWord } from '../../lib/text/escape.ts';
import type { Recalled } from '../../memory/search/recalled-hits.ts';
import { roleOf } from '../../models/model-scores.ts';
import type { AskPorts } from './ask-ports.ts';
import { converse } from './converse.ts';
import { freshEvidence } from './fresh-evidence.ts';
import { keepFact, noSuchFact, offerCorrection } from './keep-fact.ts';
import { keepLastAnswer } from './last-answer.ts';
import { listFacts } from './list-facts.ts';
import { isEmpty, runFloorPlan, runPlanOf, type ToolIntent, withGiven } from './run-floor.ts';
import { spenderOf } from './spender-of.ts';
import { openTalk } from './talk-book.ts';
import type { TalkProgress } from './talk-options.ts';
import {
  countUses,
  keepQuestion,
  recall,
  remember,
  rememberFact,
  sessionMemory,
} from './turn-memory.ts';

/** Pieces of evidence that an answer names. */
const maxPlaces = 20;

/** Answers one question, from its intent to an answer that is remembered. */
export async function* askQuestion(
  intent: Intent,
  ports: AskPorts,
): AsyncGenerator<UnstampedEvent, void, undefined> {
  const { clock, memory, model, question } = ports;
  if (intent.kind === 'note') {
    const done = intent.act === 'list' ? listFacts(ports) : await keepFact(intent, ports);
    if (done !== undefined) yield* answerAct(done, intent.text, ports);
    else if (model === undefined) throw noSuchFact(intent);
    else yield* askQuestion(intent.otherwise, ports);
    return;
  }
  // A model gets it as typed, and has a tool for it.
  if (intent.kind === 'ask' && intent.correction !== undefined && ports.modelName === 'none') {
    const kept = await offerCorrection(intent.correction, ports);
    if (kept !== undefined) {
      yield* answerAct(kept, question, ports);
      return;
    }
  }
  // Runs beside the tools. A failure of memory must not prevent the answer.
  // The steps that answer start first: while their process works, this one has time.
  const recalling = nextTurn().then(() => recall(question, memory, ports));
  const budget = createBudget(ports.config.budget, ports.budgetClock, spenderOf(model, ports));
  if (ports.modelFailure !== undefined) {
    yield* answerWithoutModel(ports.modelFailure, { question, intent, recalling, said: '' }, ports);
  }
  const role = model === undefined ? 'none' : await chooseRole(model, ports);

  if (model !== undefined && role !== 'none') {
    yield* answerWithModel({ question, intent, role, model, budget, recalling }, ports);
    return;
  }
  const { found: findings, shape, read } = yield* runFloorPlan(intent, budget, ports);
  const recalled = await recalling;
  const shown = [...recalled.sure, ...recalled.perhaps];
  failWhenEmpty(read, findings, shown, ports);
  const reason = model === undefined ? 'no model is in use' : `${model.name} failed its test`;
  if (read.kind === 'ask') {
    keepLastAnswer(
      ports.store,
      { workspace: ports.config.workspace, session: ports.session.id },
      read,
      [...allPlaces(findings), ...findings.listings.flatMap(({ listed = [] }) => listed)],
    );
  }
  const answer = extractiveAnswer({
    // As it was searched: in English, whatever it was asked in.
    question: ports.readAs ?? (intent.kind === 'ask' ? intent.mentions.text : question),
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

/** The answer to an act of memory: no step is needed. */
async function* answerAct(
  answer: string,
  said: string,
  ports: AskPorts,
): AsyncGenerator<UnstampedEvent, void, undefined> {
  yield { type: 'plan', ...ports.makePlan([]) };
  rememberFact(ports, said);
  yield { type: 'text', delta: answer, mode: 'extractive' };
  yield { type: 'answer', text: answer, mode: 'extractive', evidence: [], memory: [] };
}

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
 * The findings and deeds of a run are shown also when its model fails or its budget ends; after
 * Ctrl+C nothing more is looked for.
 *
 * @throws {KernelError} why the model did not answer, after they are shown
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
    const { found: findings } = yield* runFloorPlan(intent, budget, short, results.length + 1);
    return findings;
  } catch (thrown) {
    if (ports.signal.aborted) throw KernelError.from(ports.signal.reason, 'canceled');
    ports.warn(
      `nothing was found without the model: ${KernelError.from(thrown, 'internal').message}`,
    );
    return { evidence: [...ports.given], rows: [], listings: [], leading: 0 };
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

/** The first use of a provider, and the first with other privacy settings, says what leaves. */
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
  const places = rows.flatMap(({ pieces }) => pieces);
  const shown = [...evidence, ...places.slice(0, Math.max(0, maxPlaces - evidence.length))];
  return shown.map(({ within: _, doc: __, ...piece }) => piece);
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
    hint:
      intent.kind === 'ask' && (intent.isStatement || intent.correction !== undefined)
        ? `If it is to be kept in mind: cuervo ask ${shellWord(`remember that ${intent.correction ?? ports.question}`)}`
        : 'Use words from the files, or name another folder with --workspace DIR.',
  });
}
