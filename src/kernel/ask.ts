import { randomBytes } from 'node:crypto';
import { type BudgetMeter, createBudget } from '../ask/budget.ts';
import { collectFindings, type Findings } from '../ask/collect-evidence.ts';
import { extractiveAnswer } from '../ask/extractive-answer.ts';
import { saysDecision } from '../ask/says-decision.ts';
import type { Config } from '../config/load-config.ts';
import { KernelError } from '../contracts/error.ts';
import type { UnstampedEvent } from '../contracts/events.ts';
import type { Likeness } from '../contracts/likeness.ts';
import type { Memory, MemoryHit } from '../contracts/memory.ts';
import type { MemorySources } from '../contracts/memory-sources.ts';
import type { MemoryUses } from '../contracts/memory-uses.ts';
import type { ChatModel, ModelRole } from '../contracts/model.ts';
import type { PrivacySettings } from '../contracts/personal-data.ts';
import type { Plan, Step } from '../contracts/plan.ts';
import type { StepResult } from '../contracts/step-result.ts';
import type { SessionRow, Store } from '../contracts/store.ts';
import type { Tool } from '../contracts/tool.ts';
import type { Clock } from '../lib/clock.ts';
import { escapeLine } from '../lib/escape-terminal.ts';
import { shellWord } from '../lib/shell-word.ts';
import { relevantTurns } from '../memory/relevant-turns.ts';
import { turnContext } from '../memory/turn-context.ts';
import { classifyQuestion } from '../planner/classify-question.ts';
import { planQuestion, planWider, planWithoutGit } from '../planner/plan-question.ts';
import { renumberSteps } from '../planner/renumber-steps.ts';
import { type Request, routeRequest } from '../router/route-request.ts';
import { converse } from './converse.ts';
import { roleOf } from './open-model.ts';
import type { RunScope } from './run-events.ts';

/** Earlier turns that an answer may show. */
const maxRecalled = 3;
/** Messages of a continued session that the model sees. */
const maxHistory = 6;

import {
  isRepository,
  warnOfFailures,
  warnOfRepositoryAbove,
  warnWithoutFile,
  warnWithoutGit,
} from './warn-of-missing.ts';

export type AskPorts = {
  config: Config;
  clock: Clock;
  /** stands still while a person is asked */
  budgetClock: Clock;
  scope: RunScope;
  session: SessionRow;
  store: Store & { readonly memoryUses: MemoryUses; readonly memorySources: MemorySources };
  memory: Memory;
  model: ChatModel | undefined;
  tools: readonly Tool[];
  /** whether a plugin came along with cuervo; nobody vouches for the words of another */
  isBuiltin(plugin: string): boolean;
  /** how alike texts are to one; undefined where no embedder can be loaded */
  likenessTo(text: string): Likeness | undefined;
  signal: AbortSignal;
  /** orders, checks and prices steps */
  makePlan(steps: readonly Step[]): Plan;
  execute(plan: Plan): AsyncGenerator<UnstampedEvent, StepResult[], undefined>;
  warn(message: string): void;
};

/** One question from its words to an answer that is remembered. */
export async function* askQuestion(
  text: string,
  ports: AskPorts,
): AsyncGenerator<UnstampedEvent, void, undefined> {
  const { clock, memory, model, signal, tools } = ports;
  const request = routeRequest(text, tools);
  if (request.kind === 'note') {
    yield { type: 'plan', ...ports.makePlan([]) };
    await remember(ports, { question: request.text, kind: 'note', answer: undefined });
    if (ports.config.workFolder !== undefined) {
      ports.warn(
        `a dry run keeps what is remembered; take it back with: cuervo memory forget --run ${ports.scope.id}`,
      );
    }
    const answer = `Remembered for ${escapeLine(ports.config.workspace)}: ${request.text}`;
    yield { type: 'text', delta: answer };
    yield { type: 'answer', text: answer, mode: 'extractive', evidence: [], memory: [] };
    return;
  }
  const question = request.kind === 'goal' ? request.question : text.trim();
  // Runs beside the tools; a memory that cannot be read must not take the answer along.
  const recalling = recall(question, memory, ports);
  const budget = createBudget(ports.config.budget, ports.budgetClock);
  const role = model === undefined ? 'none' : await chooseRole(model, ports);

  if (model !== undefined && role !== 'none') {
    yield* answerWithModel({ question, request, role, model, budget, recalling }, ports);
    return;
  }
  const findings = yield* runFloorPlan(request, budget, ports);
  const recalled = await recalling;
  failWhenEmpty(question, findings, recalled, ports, signal);
  const reason = model === undefined ? 'no model is in use' : `${model.name} failed its test`;
  const answer = extractiveAnswer({
    question,
    findings,
    memory: recalled,
    nowMs: clock.nowMs(),
    isShown: request.kind === 'goal' && classifyQuestion(question) === 'show',
    reason,
  });
  yield { type: 'text', delta: answer };
  yield answerEvent(answer, 'extractive', findings, recalled);
  countUses(ports, recalled);
  await remember(ports, { question, kind: 'question', answer: undefined });
}

type ModelTurn = {
  question: string;
  request: Request;
  role: ModelRole;
  model: ChatModel;
  budget: BudgetMeter;
  recalling: Promise<MemoryHit[]>;
};

async function* answerWithModel(
  turn: ModelTurn,
  ports: AskPorts,
): AsyncGenerator<UnstampedEvent, void, undefined> {
  const { question, request, role, model, budget } = turn;
  // The planner's own choice is the floor: a model that only words gets its evidence from it.
  const results = role === 'word' ? yield* runPlanOf(request, budget, ports) : [];
  const recalled = await turn.recalling;
  const talk = yield* converse({
    question,
    role,
    model,
    budget,
    results,
    memory: [...sessionMemory(ports), ...recalled],
    nonce: randomBytes(12).toString('hex'),
    floor: (first) => runPlanOf(request, budget, ports, first),
    ports,
  });
  const findings = collectFindings(talk.results);
  const { usage } = budget;
  yield { ...answerEvent(talk.text, 'model', findings, recalled), usage: { ...usage } };
  // Behind the answer: its words came as they were said.
  if (talk.cutOff !== undefined) ports.warn(`the answer is cut off: ${talk.cutOff}`);
  countUses(ports, recalled);
  // What a recalled turn contributed is not stored again as if it were new.
  const answer = recalled.length > 0 ? undefined : talk.text;
  await remember(ports, { question, kind: 'question', answer });
}

async function* runFloorPlan(
  request: Request,
  budget: BudgetMeter,
  ports: AskPorts,
): AsyncGenerator<UnstampedEvent, Findings, undefined> {
  const results = yield* runPlanOf(request, budget, ports);
  const findings = collectFindings(results, { outlines: true });
  if (isEmpty(findings)) failWithStep(results);
  return findings;
}

/** Nothing was found where nothing could be looked at, or where a limit ended the looking. */
function failWithStep(results: readonly StepResult[]): void {
  const isLimit = ({ error }: StepResult) => error?.code === 'resource-exhausted';
  const failed =
    results.find(isLimit) ??
    (results.some(({ status }) => status === 'ok')
      ? undefined
      : results.find(({ error, status }) => error !== undefined && status !== 'skipped'));
  if (failed?.error !== undefined) throw failed.error;
}

async function* runPlanOf(
  request: Request,
  budget: BudgetMeter,
  ports: AskPorts,
  first = 1,
): AsyncGenerator<UnstampedEvent, StepResult[], undefined> {
  const steps = stepsOf(request, ports.tools, ports.config.workspace);
  if (request.kind === 'goal') warnOfRepositoryAbove(request.question, ports);
  const results = yield* runSteps(steps, budget, ports, first);
  if (!isEmpty(collectFindings(results))) {
    warnOfFailures(results, ports);
    return results;
  }
  if (request.kind !== 'goal') return results;
  const next = first + results.length;
  const instead = planWithoutGit(request.question, steps, ports.tools);
  if (instead.length > 0) {
    warnWithoutGit(results, ports);
    return [...results, ...(yield* runSteps(instead, budget, ports, next))];
  }
  const wider = planWider(request.question, ports.tools);
  if (wider.length === 0) return results;
  warnWithoutFile(results, ports);
  return [...results, ...(yield* runSteps(wider, budget, ports, next))];
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
  const results = yield* ports.execute(plan);
  if (ports.signal.aborted) throw KernelError.from(ports.signal.reason, 'canceled');
  return results;
}

/** What a request asks to run, without a model. */
export function stepsOf(request: Request, tools: readonly Tool[], workspace: string): Step[] {
  if (request.kind === 'note') return [];
  if (request.kind === 'goal') {
    // Tools take paths below the workspace; people paste whole ones, of an error for instance.
    const question =
      workspace === '/' ? request.question : request.question.replaceAll(`${workspace}/`, '');
    return planQuestion(question, tools, { repository: isRepository(workspace) });
  }
  const effect = tools.find((tool) => tool.name === request.tool)?.effect ?? 'external';
  return [{ id: 's1', tool: request.tool, input: request.input, needs: [], effect }];
}

async function chooseRole(model: ChatModel, ports: AskPorts): Promise<ModelRole | 'none'> {
  const { role, tested } = await roleOf(model, ports.config, ports.store);
  if (model.remote) noticeRemote(model, ports);
  if (role === 'none') {
    ports.warn(
      `${model.name} did worse than the passages alone in its test, so they are shown alone (--model-role word overrules that)`,
    );
  } else if (!model.remote && !tested && ports.config.modelRole === 'auto') {
    ports.warn(
      `${model.name} was never tested: cuervo model test ${shellWord(ports.config.model)}`,
    );
  }
  return role;
}

/** The first use of a provider says what leaves the machine, and so does the first one otherwise. */
function noticeRemote(model: ChatModel, ports: AskPorts): void {
  const { anthropic, privacy, workspace } = ports.config;
  const how = privacy.personalData === 'send' ? ['all'] : privacy.send.toSorted();
  const suffix = how.length === 0 ? '' : `:${how.join(',')}`;
  const key = `remote-notice:${anthropic.baseUrl ?? 'default'}${suffix}`;
  if (ports.store.getSetting(key) !== undefined) return;
  ports.warn(
    `${model.name} is remote: your question, results of tools (lines of files in ${workspace}) and recalled turns are sent to its provider; protected files are left out, keys of known formats are redacted, and ${personalText(privacy)}. This is said once.`,
  );
  ports.store.setSetting(key, { shownMs: ports.clock.nowMs() });
}

function personalText({ personalData, send }: PrivacySettings): string {
  if (personalData === 'send') return 'personal data is sent as it is (privacy.personal-data)';
  const but = send.length === 0 ? '' : ` but ${send.join(', ')}`;
  return `personal data with a form (mail and IP addresses, phone, card, account and identity numbers)${but} is replaced by words like [EMAIL_1]`;
}

async function recall(question: string, memory: Memory, ports: AskPorts): Promise<MemoryHit[]> {
  try {
    const query = { text: question, limit: 32, project: ports.config.workspace };
    const { signal } = ports;
    const hits = await memory.search(query, { signal });
    // However much was read into memory, it does not crowd out what was said.
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
    return relevantTurns(turns, question).slice(0, maxRecalled);
  } catch (thrown) {
    if (!ports.signal.aborted) {
      ports.warn(
        `earlier turns could not be searched: ${KernelError.from(thrown, 'internal').message}`,
      );
    }
    return [];
  }
}

/** Messages of the session that is continued, as memory of it. */
function sessionMemory(ports: AskPorts): MemoryHit[] {
  const factors = { fused: 1, layerWeight: 1, decay: 1 };
  return ports.store
    .messages(ports.session.id)
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

/** What answers draw on again and again is worth keeping; see the job `promote_decisions`. */
function countUses({ store, scope, clock, warn }: AskPorts, recalled: readonly MemoryHit[]): void {
  if (recalled.length === 0) return;
  try {
    store.memoryUses.count(recalled, clock.nowMs(), scope.id);
  } catch (thrown) {
    warn(
      `it was not counted what memory was used: ${KernelError.from(thrown, 'internal').message}`,
    );
  }
}

/** The turn goes to the session and to memory; a full disk is told, the answer stands. */
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
    evidence: findings.evidence,
    memory: memory.map(({ id, layer, score }) => ({ id, layer, score })),
  };
}

function isEmpty(findings: Findings): boolean {
  return findings.evidence.length === 0 && findings.listings.length === 0;
}

function failWhenEmpty(
  question: string,
  findings: Findings,
  recalled: readonly MemoryHit[],
  ports: AskPorts,
  signal: AbortSignal,
): void {
  if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
  if (!isEmpty(findings) || recalled.length > 0) return;
  const { workspace } = ports.config;
  if (classifyQuestion(question) === 'todo') {
    throw new KernelError('not-found', `no TODO, FIXME, HACK or XXX was found in ${workspace}`, {
      hint: 'Such marks are looked for in comments; to search for something else, ask in other words.',
    });
  }
  throw new KernelError('not-found', `nothing in ${workspace} answers this`, {
    hint: 'Use words that stand in the files, or name another folder with --workspace DIR.',
  });
}
