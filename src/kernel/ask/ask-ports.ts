import type { Config } from '../../contracts/config.ts';
import type { Likenesses } from '../../contracts/embedder.ts';
import type { KernelError } from '../../contracts/error.ts';
import type { Evidence, UnstampedEvent } from '../../contracts/events.ts';
import type { Intent } from '../../contracts/intent.ts';
import type { Memory, MemoryUpkeep } from '../../contracts/memory.ts';
import type { MemoryJournal, MemorySources, MemoryUses } from '../../contracts/memory-store.ts';
import type { ChatModel } from '../../contracts/model.ts';
import type { Plan, Step, StepResult } from '../../contracts/plan.ts';
import type { SessionRow, Store } from '../../contracts/store.ts';
import type { Tool } from '../../contracts/tool.ts';
import type { Secret } from '../../guard/scan-text.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import type { ReplyCache } from '../../models/reply-cache.ts';
import type { KernelOptions } from '../kernel-options.ts';
import type { RunScope } from '../run-events.ts';
import type { ProjectWords } from './project-words.ts';

/** The parts of the kernel that one question needs. */
export type AskPorts = {
  /** as it was typed, without blanks at its ends */
  question: string;
  /** in words that stand alone, where it goes on with the last one */
  readAs: string | undefined;
  /** see `AskOptions` */
  isExplained: boolean;
  isChat: boolean;
  /** a person said which kind of question it is */
  isSettled: boolean;
  /** see `AskOptions` */
  columns: number | undefined;
  /** of the text that was handed over with the question, best first */
  given: readonly Evidence[];
  config: Config;
  clock: Clock;
  /** stands still while a person is asked */
  budgetClock: Clock;
  scope: RunScope;
  session: SessionRow;
  store: Store & {
    readonly unwritable?: KernelError | undefined;
    readonly memoryUses: MemoryUses;
    readonly memorySources: MemorySources;
    readonly memoryJournal: MemoryJournal;
  };
  memory: Memory & Pick<MemoryUpkeep, 'list'>;
  /** absent where no person can be asked */
  askYesNo: KernelOptions['askYesNo'];
  /** this run was started with a grant of memory */
  mayRemember: boolean;
  model: ChatModel | undefined;
  /** as it was named */
  modelName: string;
  /** why the model that was named cannot be asked */
  modelFailure: KernelError | undefined;
  /** what the workspace says to models */
  project: ProjectWords;
  replies: ReplyCache;
  /** of plugins: what a model may call */
  tools: readonly Tool[];
  /** these and those of the kernel: what a plan without a model is made of */
  planTools: readonly Tool[];
  /** reads other words, as those of the question were read */
  readIntent(text: string): Intent;
  /** whether a plugin is built in; the words of any other are not trusted */
  isBuiltin(plugin: string): boolean;
  /** how alike texts are to one and to some of its words; undefined where no embedder can be loaded */
  likenessesTo(text: string, words: readonly string[]): Likenesses | undefined;
  signal: AbortSignal;
  /** orders, checks and prices steps */
  makePlan(steps: readonly Step[]): Plan;
  /**
   * @param onResult called for each step as it ends
   * @param options.maxMs of each step, where it is less than what steps have
   */
  execute(
    plan: Plan,
    onResult?: (result: StepResult) => void,
    options?: { maxMs?: number },
  ): AsyncGenerator<UnstampedEvent, StepResult[], undefined>;
  /** whether a step only looks, as rules know it */
  onlyReads(step: Step): boolean;
  isReading(tool: string): boolean;
  /** whether steps changed something, or may have */
  hasEffects(results: readonly StepResult[]): boolean;
  /** paths of files that this run changed, relative to the workspace */
  changedPaths(): string[];
  /** of what was handed over with the question, and of files; see `WorkspaceSecrets.find` */
  heldSecrets(paths: readonly string[]): Promise<readonly Secret[]>;
  /** Notes that the run has now read an untrusted text. */
  noteRead(source: string): void;
  addSpending(usd: number): void;
  warn(message: string): void;
  /** what holds for all questions of a conversation, and is said with the first */
  warnOnce(message: string): void;
};
