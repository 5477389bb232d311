import type { BudgetMeter } from '../../ask/budget.ts';
import type { UnstampedEvent } from '../../contracts/events.ts';
import type { MemoryHit } from '../../contracts/memory.ts';
import type {
  ChatModel,
  ModelRole,
  ModelStop,
  ModelTool,
  ModelToolCall,
} from '../../contracts/model.ts';
import type { StepResult } from '../../contracts/plan.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import type { Guard } from '../../guard/create-guard.ts';
import type { PromptRound } from '../../models/build-prompt.ts';
import type { AskPorts } from './ask-ports.ts';
import type { TalkBook } from './talk-book.ts';

/** The work done so far, also by a talk that fails. */
export type TalkProgress = {
  /** of every step; those of the planner's own plan when it ran first */
  results: StepResult[];
  /** words of a reply that has not ended yet */
  said: string;
};

export type Reply = {
  text: string;
  calls: ModelToolCall[];
  stop: ModelStop;
  /** that the reply could have */
  maxTokens: number;
  raw?: readonly JsonObject[];
  /** what was said before it turned out to be thoughts */
  dropsAll?: boolean;
};

export type RepliesOptions = {
  question: string;
  role: ModelRole;
  model: ChatModel;
  budget: BudgetMeter;
  memory: readonly MemoryHit[];
  book: TalkBook;
  progress: TalkProgress;
  ports: AskPorts;
  guard: Guard;
  /** of this question; made shorter where there is no room */
  rounds: PromptRound[];
  tools(): readonly ModelTool[];
  /** what calls of a small model may name */
  paths(): string[];
};

/** The checkpoints' actions since the last call. */
export function* tell(guard: Guard): Generator<UnstampedEvent, void, undefined> {
  for (const notice of guard.notices()) yield { type: 'guard', ...notice };
}
