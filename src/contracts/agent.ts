import type { Clock } from '../lib/ids-clock.ts';
import type { BudgetMeter } from './budget.ts';
import type { Likenesses } from './embedder.ts';
import type { UnstampedEvent } from './events.ts';
import type { Findings } from './findings.ts';
import type { Intent, NoteIntent } from './intent.ts';
import type { Recalled } from './memory.ts';
import type { NestedCalls, Plan, Step, StepResult } from './plan.ts';
import type { AnswerShape } from './questions.ts';
import type { Tool } from './tool.ts';

/** Events of a run while it goes on; the value is what came of it. */
export type Events<Value> = AsyncGenerator<UnstampedEvent, Value, undefined>;

/** Where and when a question is answered, for all who work on it. */
export type Run = {
  readonly id: string;
  /** id of the session that it belongs to */
  readonly session: string;
  readonly workspace: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** A person who reads and may be asked. */
export type Say = {
  warn(message: string): void;
  /** what holds for all questions of a conversation, and is said with the first */
  warnOnce(message: string): void;
  /** absent where no person can be asked */
  askYesNo:
    | ((text: string, options: { signal: AbortSignal }) => Promise<boolean | undefined>)
    | undefined;
};

/** Orders, checks and prices steps, and carries them out. */
export type PlanPorts = {
  makePlan(steps: readonly Step[]): Plan;
  /** @param options.maxMs of each step, where it is less than what steps have */
  execute(plan: Plan, options: RunOptions & { maxMs?: number }): Events<StepResult[]>;
  readonly signal: AbortSignal;
};

export type RunOptions = {
  /** called for each step as it ends, those that tools made among them */
  onResult?(result: StepResult): void;
  nested?: NestedCalls;
};

/** Makes steps a plan and runs it within the budget of the question. */
export type RunSteps = (steps: readonly Step[], options?: RunOptions) => Events<StepResult[]>;

/** What is known of tools. */
export type ToolFacts = {
  /** of plugins: what a model may call */
  readonly tools: readonly Tool[];
  /** these and those of the kernel: what a plan without a model is made of */
  readonly planTools: readonly Tool[];
  /** whether a plugin is built in; the words of any other are not trusted */
  isBuiltin(plugin: string): boolean;
  /** whether a step only looks, as rules know it */
  onlyReads(step: Step): boolean;
  isReading(tool: string): boolean;
  /** paths of files that this run changed, relative to the workspace */
  changedPaths(): string[];
  /** how alike texts are to one and to some of its words; undefined where no embedder can be loaded */
  likenessesTo(text: string, words: readonly string[]): Likenesses | undefined;
};

/** Is answered by running tools. */
export type ToolIntent = Exclude<Intent, NoteIntent>;

/** A question on its way to an answer, and what came of it so far. */
export type Turn = {
  /** as it was typed, without blanks at its ends */
  readonly question: string;
  readonly intent: ToolIntent;
  readonly recalling: Promise<Recalled>;
  readonly budget: BudgetMeter;
  readonly run: RunSteps;
  /** of every step, also of a talk that fails */
  readonly results: StepResult[];
  /** words of a reply that has not ended yet */
  said: string;
};

/** What a person is shown at the end. */
export type Answer = Omit<Extract<UnstampedEvent, { type: 'answer' }>, 'type'>;

/** What the planner's own plan brought, and the shape of the answer that shows it. */
export type Baseline = {
  results: StepResult[];
  found: Findings;
  shape: AnswerShape;
  /** as the workspace has the question read */
  intent: ToolIntent;
};
