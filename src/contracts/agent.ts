import type { Clock } from '../lib/ids-clock.ts';
import type { Likenesses } from './embedder.ts';
import type { Evidence, UnstampedEvent } from './events.ts';
import type { Intent, NoteIntent } from './intent.ts';
import type { Recalled } from './memory.ts';
import type { ModelUsage } from './model.ts';
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

/** What one question has spent; asked before each call to a model or a tool. */
export type BudgetMeter = {
  readonly usage: ModelUsage;
  /**
   * @param promptTokens of the prompt that is about to be sent
   * @returns tokens that its reply may have
   * @throws {KernelError} `resource-exhausted` when another round is not covered
   */
  takeRound(promptTokens: number): number;
  /** @throws {KernelError} `resource-exhausted` when so many more tool calls are not covered */
  takeToolCalls(count: number): void;
  roundsLeft(): number;
  toolCallsLeft(): number;
  /** at least 1 */
  timeLeftMs(): number;
  /** Fires `signal` when the time is over, with what `takeRound` would throw, until disposed. */
  watchTime(): Disposable & { signal: AbortSignal };
  /** @returns US dollars of this reply, where they are known */
  addUsage(usage: ModelUsage): number | undefined;
  spent(): {
    rounds: number;
    toolCalls: number;
    /** those out of a provider's cache by what they cost */
    tokens: number;
    /** undefined where the price is unknown */
    usd: number | undefined;
    durationMs: number;
  };
  /** Sentences for a person, each once: what is nearly spent. */
  warnings(): string[];
};

/** The results of the steps of a run, in forms an answer can show. */
export type Findings = {
  /** best first */
  evidence: Row[];
  /** places that are shown as a line each, as the shape of the answer wants it; some results are */
  rows: { title: string; tool: string; pieces: readonly Row[] }[];
  /** results that are not lines of a file: listings, trees, other tools' words */
  listings: {
    title: string;
    text: string;
    kind?: string | undefined;
    /** what has a line each */
    listed?: readonly Listed[];
    /** the words of an installed plugin, which was chosen for the question */
    isChosen?: boolean;
  }[];
  /** pieces in front that the first step looked up, whatever scores the others have */
  leading: number;
};

/** A place with the name of the function, test or section around it, and the comment above it. */
export type Row = Evidence & { within?: string; doc?: { line: number; text: string } };

/** One line of a list. */
export type Listed = { path: string; commit?: string };
