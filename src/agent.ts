import type {
  Answer,
  Baseline,
  BudgetMeter,
  Events,
  PlanPorts,
  RunOptions,
  Say,
  ToolIntent,
  Turn,
} from './contracts/agent.ts';
import { KernelError } from './contracts/error.ts';
import type { UnstampedEvent } from './contracts/events.ts';
import type { Intent } from './contracts/intent.ts';
import type { Recalled } from './contracts/memory.ts';
import type { ModelRole } from './contracts/model.ts';
import type { NestedCalls, Step, StepResult } from './contracts/plan.ts';

/** What `answerQuestion` goes through: a port for each step of the way. */
export type AgentPorts = {
  /** as it was typed, without blanks at its ends */
  question: string;
  /** What its words mean. @throws {KernelError} where they are no question; nothing is stored then */
  read(): Promise<Intent>;
  /** Opens the session that it belongs to, memory and the model. */
  open(): Promise<QuestionPorts>;
};

export type QuestionPorts = {
  say: Say;
  memory: {
    /** Keeps, ends or lists facts where that is what a person wants; else there is a question. */
    act(intent: Intent): Promise<{ done: string } | { intent: ToolIntent }>;
    /** Earlier turns and facts that the question speaks of. */
    recall(): Promise<Recalled>;
  };
  plans: PlanPorts;
  /** The planner's own plan, run; its steps are numbered from `first`, default 1. */
  baseline(turn: Turn, first?: number): Events<Baseline>;
  model: {
    budget(): BudgetMeter;
    /** `none` where passages answer alone; words of one that did not pass its test come behind them */
    role(): Promise<{ role: ModelRole | 'none'; hasPassed?: boolean }>;
    /**
     * Rounds until it answers; `cutOff` is why its words are not whole.
     *
     * @throws {KernelError} why it does not
     */
    converse(turn: Turn, role: ModelRole): Events<{ answer: Answer; cutOff?: string | undefined }>;
  };
  answers: {
    /** @throws {KernelError} `not-found` where there is nothing to show */
    ofPassages(turn: Turn, baseline: Baseline): Promise<Answer>;
    /** What stands before the words of a model that did not pass its test. */
    before(turn: Turn, baseline: Baseline): Promise<string>;
    /** In place of the model's words. @throws {KernelError} what is no failure of a model */
    instead(turn: Turn, failure: KernelError): Events<Answer>;
  };
  journal: {
    /** An act is a row of memory already. */
    keepAct(intent: Intent): void;
    /** The turn, for the session and for memory. */
    keepTurn(turn: Turn, answer: Answer): Promise<void>;
    /** The places that a question which goes on may mean. */
    keepShown(baseline: Baseline): void;
    /** Writes down why the model said no more. @returns it as a person is told */
    stop(failure: KernelError): KernelError;
  };
};

/**
 * One question, from its words to the journal: reading, recall, plan, run, rounds with a model,
 * answer. `cuervo ask` and each message of a chat begin here; `cuervo run` knows its one step and
 * enters at `runPlan`.
 */
export async function* answerQuestion(ports: AgentPorts): Events<void> {
  const { question } = ports;
  const reading = await ports.read();
  const { say, memory, plans, baseline, model, answers, journal } = await ports.open();

  const act = await memory.act(reading);
  if ('done' in act) {
    yield* runPlan([], plans);
    journal.keepAct(reading);
    yield* tell({ text: act.done, mode: 'extractive', evidence: [], memory: [] });
    return;
  }

  const recalling = memory.recall();
  const budget = model.budget();
  const turn: Turn = {
    ...{ question, intent: act.intent, recalling, budget, results: [], said: '' },
    run: (steps, options) => runPlan(steps, plans, { ...options, budget }),
  };
  const { role, hasPassed = true } = await model.role();
  if (role === 'none') {
    const found = yield* baseline(turn);
    const answer = await answers.ofPassages(turn, found);
    journal.keepShown(found);
    yield* tell(answer);
    await journal.keepTurn(turn, answer);
    return;
  }

  let before = '';
  try {
    // A model that only words answers gets its evidence from the planner's own choice.
    if (role === 'word') {
      const found = yield* baseline(turn);
      turn.results.push(...found.results);
      if (!hasPassed) before = await answers.before(turn, found);
    }
    if (before !== '') yield { type: 'text', delta: before, mode: 'extractive' };
    const { answer, cutOff } = yield* behind(before, model.converse(turn, role));
    yield { type: 'answer', ...answer, text: before + answer.text };
    // After the answer, whose words are already streamed.
    if (cutOff !== undefined) say.warn(`the answer is cut off: ${cutOff}`);
    await journal.keepTurn(turn, answer);
  } catch (thrown) {
    const failure = journal.stop(KernelError.from(thrown, 'internal'));
    const answer = yield* answers.instead(turn, failure);
    // The passages are in the answer.
    if (before !== '') yield { type: 'text', delta: '', replaces: true };
    yield* tell(answer, before === '' ? turn.said.trim().length : 0);
    await journal.keepTurn(turn, answer);
    throw failure;
  }
}

/** Makes steps a plan, which is told before any of them runs, and runs it. */
export async function* runPlan(
  steps: readonly Step[],
  { makePlan, execute, signal }: PlanPorts,
  { budget, nested, ...options }: RunOptions & { budget?: BudgetMeter } = {},
): Events<StepResult[]> {
  const plan = makePlan(steps);
  yield { type: 'plan', ...plan };
  if (budget === undefined) return yield* execute(plan, { ...options, nested: { ...nested } });
  budget.takeToolCalls(plan.steps.length);
  const admit: NestedCalls['admit'] = (calls) => {
    budget.takeToolCalls(calls.length);
    return nested?.admit?.(calls) ?? calls;
  };
  const how = { ...options, nested: { ...nested, admit }, maxMs: budget.timeLeftMs() };
  const results = yield* execute(plan, how);
  // What a person stopped is not answered from the half of it.
  if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
  return results;
}

/** Events of a model, whose words may take the place of all that was told. */
async function* behind<Value>(before: string, events: Events<Value>): Events<Value> {
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
    const replaces = value.type === 'text' && value.replaces === true && before !== '';
    yield replaces ? { ...value, delta: before + value.delta } : value;
  }
}

/** @param told characters that were told already, as they came */
function* tell(answer: Answer, told = 0): Generator<UnstampedEvent> {
  yield { type: 'text', delta: answer.text.slice(told), mode: 'extractive' };
  yield { type: 'answer', ...answer };
}
