import type { ModelToolCall } from '../model.ts';
import type { Compaction } from './compaction.ts';

/** A text with its source; it is not trusted. */
export type SourcedText = { source: string; text: string };

/** A stored part of a conversation with a model, in order. */
export type TalkPart =
  /** once for a session: the word that marks data, and the tools that the model is shown */
  | { kind: 'begin'; marker: string; tools: readonly string[] }
  | {
      kind: 'question';
      text: string;
      /** what the model was shown with it */
      memory: readonly SourcedText[];
      observations: readonly SourcedText[];
    }
  | { kind: 'reply'; text: string; calls: readonly ModelToolCall[] }
  | ({
      kind: 'result';
      /** id of the call */
      call: string;
      isError: boolean;
      /** words of the kernel, e.g. why a call was not made */
      isOurs: boolean;
    } & SourcedText)
  /** why a prompt was what it was: tokens, what was left out, what was made shorter */
  | {
      kind: 'prompt';
      tokens: number;
      messages: number;
      tools: number;
      leftOut: { observations: number; memory: number; tools: number };
      shortened: number;
    }
  /** from here on the conversation is shown so */
  | ({ kind: 'compaction' } & Compaction)
  /** a run that ended without words of the model */
  | { kind: 'stop'; stop: string };
