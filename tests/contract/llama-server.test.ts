import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest, ModelTool } from '../../src/contracts/model.ts';
import { faultOf } from '../../src/contracts/talk.ts';
import { openOpenAi } from '../../src/models/open-openai.ts';
import { askServer, listServed } from '../../src/models/openai/parse-server.ts';
import { type Exchange, type Replay, record, replay } from '../fixtures/llama-server/exchanges.ts';
import { chatModelContract, type Served } from './chat-model.contract.ts';

/**
 * The real `llama-server` over SmolLM2-135M: what it answered is in a file, and is answered again.
 * `tests/fixtures/llama-server/record.ts` starts the server and has it written anew.
 */
const { signal } = new AbortController();
const modelName = 'smollm2-135m';

/** @param live address of a real server whose answers are written into the file */
function recorded(name: string, live: string | undefined) {
  const file = join(import.meta.dirname, '../fixtures/llama-server', name);
  const exchanges =
    live === undefined ? (JSON.parse(readFileSync(file, 'utf8')) as Exchange[]) : [];
  afterAll(() => {
    if (live !== undefined) writeFileSync(file, `${JSON.stringify(exchanges, null, 1)}\n`);
  });
  const start = (): Promise<Replay> =>
    live === undefined ? replay(exchanges) : record(live, exchanges);
  const open = async (): Promise<Served> => {
    const server = await start();
    const model = await openOpenAi({
      ...{ name: `llama/${modelName}`, model: modelName, baseUrl: server.url },
      ...{ apiKey: '', keyName: 'LLAMA_API_KEY', isLocal: true },
    });
    return {
      model,
      lastRequest: () => JSON.stringify(server.asked.at(-1)?.body),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  };
  return { start, open };
}

const { start, open } = recorded('exchanges.json', process.env.CUERVO_RECORD_LLAMA_SERVER);
const withTools = recorded('tool-exchanges.json', process.env.CUERVO_RECORD_LLAMA_SERVER_TOOLS);

const noScript = 'nobody tells it what to say';
const noTools = 'the template of this model has no tools, and the server calls none';
const without = {
  ...{ 'bad-input': 'a grammar of the server holds it to the input', empty: noScript },
  ...{ broken: noScript, silence: noScript, connect: noScript, errors: noScript },
  ...{ 'retry-after': noScript, abort: 'an answer that was recorded is there at once' },
};
chatModelContract({
  name: 'openai, the real llama-server over SmolLM2-135M, recorded',
  ...{ open, hasOwnWords: true, without: { ...without, calls: noTools, rounds: noTools } },
});
const noWords = 'the words of this small model have another form than the server reads from them';
chatModelContract({
  name: 'openai, the real llama-server with a template that has tools, recorded',
  ...{ open: withTools.open, hasOwnWords: true },
  without: { ...without, usage: noWords, rounds: noWords, length: noWords },
});

const grep: ModelTool = {
  name: 'search.grep',
  description: 'lines that match a pattern',
  inputSchema: {
    type: 'object',
    properties: { pattern: { type: 'string' } },
    required: ['pattern'],
  },
};

describe('the real llama-server, recorded', () => {
  it('says the context in force, and that it takes no tools', async () => {
    await using server = await start();
    const options = { baseUrl: server.url, apiKey: '', signal };
    expect(await askServer(modelName, options)).toEqual({
      ...{ kind: 'llama-server', contextTokens: 2_048, nativeTools: false, sees: false },
    });
    expect(await listServed(options)).toMatchObject([{ id: modelName, contextTokens: 2_048 }]);
  });

  it('says words where it is to call a tool, and no call that nobody made', async () => {
    await using served = await open();
    const text = 'Where is the retry limit?';
    const events: ModelEvent[] = [];
    const asked: ModelRequest = {
      ...{ question: text, system: 'You answer.', messages: [{ role: 'user', text }] },
      ...{ tools: [grep], toolChoice: 'required', maxOutputTokens: 24 },
    };
    for await (const event of served.model.stream(asked, { signal })) events.push(event);
    expect(served.lastRequest()).toContain('"tool_choice":"required"');
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['text', 'end']));
    expect(events.at(-1)).toMatchObject({ stop: 'length', usage: { outputTokens: 24 } });
  });

  it('refuses a prompt above its context, which is told as that', async () => {
    await using served = await open();
    const text = 'a word and another word '.repeat(800);
    const asked = served.model.stream(
      {
        ...{ question: text, system: '', messages: [{ role: 'user', text }], tools: [] },
        ...{ toolChoice: 'none', maxOutputTokens: 8 },
      },
      { signal },
    );
    const failed = await asked.next().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(faultOf(failed), failed?.message).toMatchObject({ kind: 'overflow' });
    expect(failed?.message).toMatch(/exceeds the available context size/);
  });
});

describe('the real llama-server with a template that has tools, recorded', () => {
  it('says that it takes tools', async () => {
    await using server = await withTools.start();
    expect(await askServer(modelName, { baseUrl: server.url, apiKey: '', signal })).toEqual({
      ...{ kind: 'llama-server', contextTokens: 2_048, nativeTools: true, sees: false },
    });
  });

  const asked = (change: Partial<ModelRequest> = {}): ModelRequest => ({
    ...{ question: 'Where is the retry limit?', system: 'You answer.', tools: [grep] },
    messages: [{ role: 'user', text: 'Where is the retry limit?' }],
    ...{ toolChoice: 'required', maxOutputTokens: 100, ...change },
  });

  it('gives a call in pieces, which is one with its id, its input and its usage', async () => {
    await using served = await withTools.open();
    const events: ModelEvent[] = [];
    for await (const event of served.model.stream(asked(), { signal })) events.push(event);
    expect(events).toEqual([
      {
        type: 'tool-call',
        call: {
          id: expect.stringMatching(/^\w{32}$/),
          name: 'search.grep',
          input: expect.any(Object),
        },
      },
      {
        ...{ type: 'end', stop: 'tool-calls' },
        usage: expect.objectContaining({
          inputTokens: expect.any(Number),
          outputTokens: expect.any(Number),
        }),
      },
    ]);
  });

  it('takes a call and its result back, and calls again', async () => {
    await using served = await withTools.open();
    const call = { id: 'call-1', name: grep.name, input: { pattern: 'limit' } };
    const messages: ModelRequest['messages'] = [
      ...asked().messages,
      { role: 'assistant', text: '', toolCalls: [call] },
      { role: 'tool', results: [{ id: 'call-1', text: 'retry.ts:1: limit = 7', isError: false }] },
    ];
    const events: ModelEvent[] = [];
    for await (const event of served.model.stream(asked({ messages }), { signal }))
      events.push(event);
    expect(served.lastRequest()).toContain('limit = 7');
    expect(events.map(({ type }) => type)).toContain('tool-call');
    expect(events.at(-1)).toMatchObject({ type: 'end' });
  });

  it('is cut off within a call, which is told and not made', async () => {
    await using served = await withTools.open();
    const events: ModelEvent[] = [];
    for await (const event of served.model.stream(asked({ maxOutputTokens: 8 }), { signal }))
      events.push(event);
    expect(events).toMatchObject([
      { type: 'tool-call', call: { fault: expect.any(String) } },
      { type: 'end', stop: 'length' },
    ]);
  });

  it('fails where it cannot read what its own model said, and says so', async () => {
    await using served = await withTools.open();
    const stream = served.model.stream(asked({ toolChoice: 'auto' }), { signal });
    const failed = await stream.next().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(failed?.message).toMatch(/does not match the expected/);
    expect(faultOf(failed)).toBeDefined();
  });
});
