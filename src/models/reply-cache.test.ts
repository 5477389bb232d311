import { describe, expect, it } from 'vitest';
import type { ChatModel, ModelEvent, ModelRequest } from '../contracts/model.ts';
import { createReplyCache, type ReplyContext } from './reply-cache.ts';

const model = {
  ...{ name: 'm', contextTokens: 1000, reach: { mustCall: false } },
  digest: async () => 'd',
} as unknown as ChatModel;
const end: ModelEvent = {
  ...{ type: 'end', stop: 'end' },
  usage: { inputTokens: 5, outputTokens: 5 },
};
const words: ModelEvent[] = [{ type: 'text', delta: 'It is 7.' }, end];

function request(marker: string, text = 'where?'): ModelRequest {
  return {
    ...{ question: text, system: 's', tools: [], toolChoice: 'auto', maxOutputTokens: 10 },
    messages: [{ role: 'user', text: `${marker} ${text}` }],
  };
}

const context = (marker: string, hasEffects = false): ReplyContext => ({
  marker,
  hasEffects,
  isReading: (tool) => tool.startsWith('search.'),
});

function open() {
  const kept = new Map<string, { reply: string; madeMs: number }>();
  const clock = { ms: 1_000_000, nowMs: () => clock.ms };
  const asked = { store: 0 };
  const store = {
    keptReply: (key: string, sinceMs: number) => {
      asked.store += 1;
      const found = kept.get(key);
      return found !== undefined && found.madeMs >= sinceMs ? found.reply : undefined;
    },
    keepReply: (key: string, reply: string) => void kept.set(key, { reply, madeMs: clock.ms }),
  };
  return { cache: createReplyCache({ store, clock }), clock, asked };
}

describe('createReplyCache()', () => {
  it('gives a reply again, for nothing, also in a conversation with another marker', async () => {
    const { cache } = open();
    const first = await cache.find(model, request('AAAA1111'), context('AAAA1111'));
    expect(first.events).toBeUndefined();
    expect(first.missed).toBe('new');
    first.keep(words);
    const again = await cache.find(model, request('BBBB2222'), context('BBBB2222'));
    expect(again.missed).toBeUndefined();
    expect((await cache.find(model, request('B'), context('B', true))).missed).toBe('effects');
    expect(again.events).toEqual([
      words[0],
      { ...end, usage: { inputTokens: 0, outputTokens: 0 } },
    ]);
    const other = await cache.find(model, request('BBBB2222', 'who?'), context('BBBB2222'));
    expect(other.events).toBeUndefined();
  });

  it('looks into the store for a day, and no longer', async () => {
    const { cache, clock, asked } = open();
    (await cache.find(model, request('A'), context('A'))).keep(words);
    const find = async () => (await cache.find(model, request('A'), context('A'))).events;
    const before = asked.store;
    clock.ms += 23 * 3_600_000;
    expect(await find()).toBeDefined();
    expect(asked.store).toBe(before + 1);
    clock.ms += 3_600_001;
    expect(await find()).toBeUndefined();
  });

  it('keeps nothing of a question that changed something, and no reply that would', async () => {
    const { cache } = open();
    const call = (name: string): ModelEvent[] => [
      { type: 'tool-call', call: { id: '1', name, input: {} } },
      { ...end, stop: 'tool-calls' } as ModelEvent,
    ];
    (await cache.find(model, request('A'), context('A', true))).keep(words);
    (await cache.find(model, request('A', 'b'), context('A'))).keep(call('file.write'));
    (await cache.find(model, request('A', 'c'), context('A'))).keep(call('search.grep'));
    const found = async (text: string) =>
      (await cache.find(model, request('A', text), context('A'))).events !== undefined;
    expect([await found('where?'), await found('b'), await found('c')]).toEqual([
      ...[false, false, true],
    ]);
  });
});
