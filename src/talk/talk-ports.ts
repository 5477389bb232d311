import type { Run, Say, ToolFacts, Turn } from '../contracts/agent.ts';
import type { PrivacySettings } from '../contracts/config.ts';
import type { Evidence, UnstampedEvent } from '../contracts/events.ts';
import type { MemoryHit } from '../contracts/memory.ts';
import type {
  ChatModel,
  ModelImage,
  ModelRole,
  ModelStop,
  ModelTool,
  ModelToolCall,
} from '../contracts/model.ts';
import type { SourcedText } from '../contracts/talk.ts';
import type { JsonObject } from '../contracts/tool.ts';
import type { Guard } from '../guard/create-guard.ts';
import type { Secret } from '../guard/scan-text.ts';
import type { PromptRound } from '../models/build-prompt.ts';
import type { ReplyCache } from '../models/reply-cache.ts';
import type { TalkBook } from './talk-book.ts';

/** The workspace's instructions to models. */
export type ProjectWords = {
  /** instructions that a person agreed to; empty when there are none */
  words: string;
  /** instructions without agreement are data, like any file */
  data: readonly SourcedText[];
};

export type TalkPorts = {
  run: Run;
  say: Say;
  tools: ToolFacts;
  /** of the text that was handed over with the question, best first */
  given: readonly Evidence[];
  /** that were attached to the question, for a model that sees */
  images: readonly ModelImage[];
  project: ProjectWords;
  privacy: PrivacySettings;
  /** of one result, as a model is shown it */
  maxOutputBytes: number;
  replies: ReplyCache;
  /** of what was handed over with the question, and of files; see `WorkspaceSecrets.find` */
  heldSecrets(paths: readonly string[]): Promise<readonly Secret[]>;
  /** Notes that the run has now read an untrusted text. */
  noteRead(source: string): void;
  addSpending(usd: number): void;
  addModelMs(ms: number): void;
};

export type Reply = {
  text: string;
  calls: ModelToolCall[];
  stop: ModelStop;
  /** that the reply could have */
  maxTokens: number;
  raw?: readonly JsonObject[];
  /** the model that answered, where it is another one than was asked */
  by?: string;
  /** what was said before it turned out to be thoughts */
  dropsAll?: boolean;
};

export type RepliesOptions = {
  turn: Pick<Turn, 'question' | 'budget' | 'results' | 'said'>;
  role: ModelRole;
  model: ChatModel;
  memory: readonly MemoryHit[];
  book: TalkBook;
  ports: TalkPorts;
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
