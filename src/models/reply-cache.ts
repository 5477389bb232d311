import { createHash } from 'node:crypto';
import type { ChatModel, ModelEvent, ModelRequest } from '../contracts/model.ts';
import type { cacheMisses } from '../contracts/output/parse-events.ts';
import type { Store } from '../contracts/store.ts';

const storeMs = 24 * 3_600_000;
const maxStoreBytes = 16 * 1024 * 1024;
const maxReplyBytes = 256 * 1024;

export type ReplyContext = {
  /** the random word in this conversation's markers */
  marker: string;
  /** a step of this question changed something, or may have */
  hasEffects: boolean;
  /** whether a tool only reads */
  isReading(tool: string): boolean;
};

/** Replies to requests that are the very same, so that nothing is asked twice. */
export type ReplyCache = {
  find(
    model: ChatModel,
    request: ModelRequest,
    context: ReplyContext,
  ): Promise<{
    /** the reply, which costs nothing now */
    events?: ModelEvent[];
    /** why the model has to be asked; absent with `events` */
    missed?: CacheMiss;
    /** Keeps the model's reply, if it may be used again. */
    keep(events: readonly ModelEvent[]): void;
  }>;
};

/**
 * `off`: replies are not kept; `effects`: the question changed something; `small-model`: it is held
 * to a grammar; `new`: no such request within a day; `unreadable`: what was kept cannot be read.
 */
export type CacheMiss = (typeof cacheMisses)[number];

/** Keeps nothing. */
export const noReplies: ReplyCache = { find: async () => ({ missed: 'off', keep: () => {} }) };

export function createReplyCache(ports: {
  store: Pick<Store, 'keptReply' | 'keepReply'>;
  clock: { nowMs(): number };
}): ReplyCache {
  const { store, clock } = ports;
  const write = (key: string, reply: string): void => {
    try {
      store.keepReply(key, reply, { nowMs: clock.nowMs(), maxBytes: maxStoreBytes });
    } catch {
      // Ignored: a locked store costs a cached reply, not the answer.
    }
  };

  return {
    find: async (model, request, { marker, hasEffects, isReading }) => {
      const refused = hasEffects ? 'effects' : model.reach.mustCall ? 'small-model' : undefined;
      if (refused !== undefined) return { missed: refused, keep: () => {} };
      const key = await keyOf(model, request, marker);
      const keep = (events: readonly ModelEvent[]): void => {
        const reply = JSON.stringify(events);
        if (!isWhole(events) || reply.includes(marker) || reply.length > maxReplyBytes) return;
        const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
        if (calls.every(({ name }) => isReading(name))) write(key, reply);
      };
      try {
        const reply = store.keptReply(key, clock.nowMs() - storeMs);
        if (reply === undefined) return { missed: 'new', keep };
        return { keep, events: (JSON.parse(reply) as ModelEvent[]).map(withoutUsage) };
      } catch {
        return { missed: 'unreadable', keep };
      }
    },
  };
}

/** A hash of everything that can change the reply. */
async function keyOf(model: ChatModel, request: ModelRequest, marker: string): Promise<string> {
  const { name, origin = '', contextTokens, asks } = model;
  const parts = [name, origin, contextTokens, asks, await model.digest(), request];
  const text = JSON.stringify(parts).replaceAll(marker, 'MARKER');
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Whether a reply may be kept. A provider's own form is valid in its conversation alone, and a
 * replacement's reply is no other model's.
 */
function isWhole(events: readonly ModelEvent[]): boolean {
  const last = events.at(-1);
  if (last?.type !== 'end' || last.raw !== undefined || last.by !== undefined) {
    return false;
  }
  return last.stop === 'end' || last.stop === 'tool-calls';
}

function withoutUsage(event: ModelEvent): ModelEvent {
  if (event.type !== 'end') return event;
  return { ...event, usage: { inputTokens: 0, outputTokens: 0 } };
}
