import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  type AnthropicServer,
  lastToolResult,
  type Reply,
  type Script,
  startAnthropicServer,
} from '../../tests/fixtures/anthropic-server/server.ts';
import { holdPort } from '../../tests/support/hold-port.ts';
import { KernelError } from '../contracts/error.ts';
import type { ChatModel, ModelEvent, ModelMessage, ModelRequest } from '../contracts/model.ts';
import { openAnthropic } from './open-anthropic.ts';

const apiKey = 'test-key-5f3a9c';
const never = new AbortController().signal;
const grep = {
  name: 'search.grep',
  description: 'lines that match a pattern',
  inputSchema: {
    type: 'object',
    properties: { pattern: { type: 'string' } },
    required: ['pattern'],
  },
};

function request(change: Partial<ModelRequest> = {}): ModelRequest {
  const messages: ModelMessage[] = [{ role: 'user', text: 'Where is the retry limit?' }];
  return {
    question: 'Where is the retry limit set?',
    system: 'You answer.',
    messages,
    tools: [grep],
    toolChoice: 'auto',
    maxOutputTokens: 100,
    ...change,
  };
}

async function collect(model: ChatModel, asked = request(), signal = never): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked, { signal })) events.push(event);
  return events;
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
}

async function serve(script: Script): Promise<AnthropicServer> {
  return startAnthropicServer(script, { apiKey, models: ['claude-test'] });
}

function open(
  server: { url: string },
  { timeoutMs, ...change }: { model?: string; apiKey?: string; timeoutMs?: number } = {},
) {
  return openAnthropic({
    model: 'claude-test',
    apiKey,
    baseUrl: server.url,
    ...change,
    ...(timeoutMs === undefined ? {} : { silence: { firstTokenMs: timeoutMs, idleMs: timeoutMs } }),
  });
}

const eventOf = (type: string, more: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

function emptyCall(name: string): string {
  const block = { type: 'tool_use', id: 'i', name, input: {} };
  const start = eventOf('content_block_start', { index: 0, content_block: block });
  return start + eventOf('content_block_stop', { index: 0 });
}

/** Answers with the same text again and again until nobody listens any more. */
async function serveWithoutEnd(status: number, again: string) {
  const counts = { written: 0 };
  const server = createServer((asked, answer) => {
    asked.resume();
    answer.on('error', () => {});
    answer.writeHead(status, { 'content-type': 'text/event-stream' });
    const pump = (): void => {
      do counts.written += again.length;
      while (!answer.destroyed && answer.write(again));
      answer.once('drain', pump);
    };
    pump();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get written() {
      return counts.written;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What the stream throws, after the events it gave. */
async function failureOf(model: ChatModel, asked = request()): Promise<KernelError> {
  const thrown: unknown = await collect(model, asked).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof KernelError)) throw new Error('nothing was thrown', { cause: thrown });
  expect(`${thrown.message} ${thrown.hint} ${thrown.stack} ${String(thrown.cause)}`).not.toContain(
    apiKey,
  );
  return thrown;
}

describe('openAnthropic()', () => {
  it('streams text, with usage and the stop reason', async () => {
    await using server = await serve(() => ({
      type: 'message',
      text: 'It is in src/http/retry.ts:12.',
    }));
    await using model = await open(server);
    expect(model).toMatchObject({ name: 'claude-test', remote: true, contextTokens: 200_000 });
    expect(await model.digest()).toBe('claude-test');
    const events = await collect(model);
    expect(events.filter((event) => event.type === 'text').length).toBeGreaterThan(3);
    expect(textOf(events)).toBe('It is in src/http/retry.ts:12.');
    expect(events.at(-1)).toEqual({
      type: 'end',
      stop: 'end',
      usage: { inputTokens: expect.any(Number), outputTokens: 10 },
    });
    expect(server.requests[0]).toMatchObject({
      model: 'claude-test',
      max_tokens: 100,
      system: [{ type: 'text', text: 'You answer.', cache_control: { type: 'ephemeral' } }],
      stream: true,
      tools: [{ name: 'search__grep', input_schema: grep.inputSchema }],
      tool_choice: { type: 'auto' },
    });
  });

  it('counts nothing where a server tells no usage', async () => {
    await using server = await serve(() => ({ type: 'message', text: 'x', withoutUsage: true }));
    await using model = await open(server);
    expect((await collect(model)).at(-1)).toEqual({
      type: 'end',
      stop: 'end',
      usage: { inputTokens: 0, outputTokens: 0 },
    });
  });

  it('makes a second answer out of the tool result it was sent', async () => {
    await using server = await serve((body): Reply => {
      const result = lastToolResult(body);
      if (result !== undefined) return { type: 'message', text: `The tool said: ${result}.` };
      return {
        type: 'message',
        text: 'Let me look.',
        toolUses: [{ name: 'search__grep', input: { pattern: 'retry' } }],
      };
    });
    await using model = await open(server);
    const first = await collect(model);
    const calls = first.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
    expect(calls).toEqual([{ id: 'toolu_1_0', name: 'search.grep', input: { pattern: 'retry' } }]);
    expect(first.at(-1)).toMatchObject({ type: 'end', stop: 'tool-calls' });
    const messages: ModelMessage[] = [
      ...request().messages,
      { role: 'assistant', text: textOf(first), toolCalls: calls },
      { role: 'tool', results: [{ id: 'toolu_1_0', text: 'limit is 7', isError: false }] },
    ];
    expect(textOf(await collect(model, request({ messages })))).toBe('The tool said: limit is 7.');
    expect(server.requests).toHaveLength(2);
  });

  it('keeps several calls apart, and calls without words or input', async () => {
    const toolUses = [
      { name: 'search__grep', input: { pattern: '"quoted" – ünïcode' } },
      { name: 'search__grep', input: {} },
    ];
    await using server = await serve(() => ({ type: 'message', toolUses }));
    await using model = await open(server);
    const calls = (await collect(model)).flatMap((e) => (e.type === 'tool-call' ? [e.call] : []));
    expect(calls.map((call) => call.input)).toEqual(toolUses.map((use) => use.input));
    const messages: ModelMessage[] = [
      ...request().messages,
      { role: 'assistant', text: '', toolCalls: calls },
      { role: 'tool', results: calls.map(({ id }) => ({ id, text: 'none', isError: true })) },
    ];
    expect((await collect(model, request({ messages, toolChoice: 'none' }))).at(-1)).toMatchObject({
      stop: 'tool-calls',
    });
    expect(server.requests[1]?.tool_choice).toEqual({ type: 'none' });
  });

  it('gives a call whose input is none as one with a fault, and takes the next', async () => {
    await using server = await serve(() => ({
      type: 'message',
      toolUses: [
        { name: 'search__grep', json: '{"pattern": "re' },
        { name: 'search__grep', json: '"re"' },
        { name: 'search__grep', input: { pattern: 're' } },
      ],
    }));
    await using model = await open(server);
    const calls = (await collect(model)).flatMap((e) => (e.type === 'tool-call' ? [e.call] : []));
    const none = { name: 'search.grep', input: {}, fault: 'the input is not a JSON object' };
    expect(calls).toEqual([
      { id: 'toolu_1_0', ...none },
      { id: 'toolu_1_1', ...none },
      { id: 'toolu_1_2', name: 'search.grep', input: { pattern: 're' } },
    ]);
  });

  it.each([
    ['max_tokens', 'length'],
    ['refusal', 'refused'],
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
  ])('maps the stop reason %s to %s', async (stopReason, stop) => {
    await using server = await serve(() => ({ type: 'message', text: 'words', stopReason }));
    await using model = await open(server);
    expect((await collect(model)).at(-1)).toMatchObject({ type: 'end', stop });
  });

  it('asks for a call where one is required, and declares no tools where there are none', async () => {
    await using server = await serve(() => ({ type: 'message', text: 'x' }));
    await using model = await open(server);
    await collect(model, request({ toolChoice: 'required' }));
    await collect(model, request({ tools: [], toolChoice: 'none' }));
    expect(server.requests[0]?.tool_choice).toEqual({ type: 'any' });
    expect(server.requests[1]).not.toHaveProperty('tools');
    expect(server.requests[1]).not.toHaveProperty('tool_choice');
  });

  it.each<[string, Reply, Partial<KernelError>]>([
    [
      '429 for good',
      { type: 'error', status: 429, message: 'slow down' },
      {
        code: 'unavailable',
        message: expect.stringMatching(/limits the rate of this key \(429\): slow down/),
      },
    ],
    [
      '529',
      { type: 'error', status: 529, message: 'Overloaded' },
      {
        code: 'unavailable',
        message: expect.stringMatching(/is overloaded \(529\)/),
      },
    ],
    [
      '500',
      { type: 'error', status: 500, message: 'oops' },
      { code: 'unavailable', message: expect.stringMatching(/status 500: oops/) },
    ],
    [
      '400',
      { type: 'error', status: 400, message: `prompt is too long, key ${apiKey}` },
      {
        code: 'invalid-argument',
        message: expect.stringMatching(/refused the request: prompt is too long, key \[key\]/),
      },
    ],
    [
      'an account that is empty',
      { type: 'error', status: 400, message: 'Your credit balance is too low' },
      {
        code: 'unavailable',
        message: expect.stringMatching(/refused the request: Your credit balance is too low/),
        hint: expect.stringMatching(/^check your account there, .*--model none/),
      },
    ],
    [
      'a page in place of the API',
      { type: 'page', text: '<html><body>Log in</body></html>' },
      {
        code: 'unavailable',
        message: expect.stringMatching(
          /answered with "text\/html", which is not an answer of a model/,
        ),
        hint: expect.stringMatching(/^check the address/),
      },
    ],
    [
      'a cut connection',
      { type: 'drop', text: 'half an ans' },
      {
        code: 'unavailable',
        message: expect.stringMatching(
          /^http:\/\/127.0.0.1:\d+ broke off in the middle of its answer \(/,
        ),
      },
    ],
    [
      'a stream without its end',
      { type: 'unfinished', text: 'half' },
      {
        code: 'unavailable',
        message: expect.stringMatching(/broke off: its stream ended before the message did/),
      },
    ],
    [
      'an empty message',
      { type: 'empty' },
      {
        code: 'unavailable',
        message: expect.stringMatching(/empty answer: neither text nor a tool call/),
      },
    ],
    [
      'an answer of blanks',
      { type: 'message', text: '  \n ' },
      { code: 'unavailable', message: expect.stringMatching(/empty answer/) },
    ],
    [
      'an answer without an end',
      { type: 'message', text: 'on and on '.repeat(120_000) },
      {
        code: 'unavailable',
        message: "the model's answer has more than 1048576 characters and does not end",
      },
    ],
    [
      'an error inside the stream',
      { type: 'error-event', text: 'half', errorType: 'overloaded_error', message: 'Overloaded' },
      {
        code: 'unavailable',
        message: expect.stringMatching(/ended its answer with "overloaded_error": Overloaded/),
      },
    ],
  ])('says what %s is, with a hint and without the key', async (_name, reply, expected) => {
    await using server = await serve(() => reply);
    await using model = await open(server);
    expect(await failureOf(model)).toMatchObject({
      hint: expect.stringContaining('--model none'),
      ...expected,
    });
  });

  it.each([
    ['an error', 400, 'x'.repeat(65_536), /status 400|refused the request/],
    ['one line', 200, 'x'.repeat(65_536), /more than 67108864 bytes and does not end/],
    ['calls', 200, emptyCall('a'), /more than 1000 calls and does not end/],
    ['names', 200, emptyCall('a'.repeat(65_536)), /more than 1048576 characters/],
  ])('does not read %s without an end', async (_name, status, again, says) => {
    await using server = await serveWithoutEnd(status, again);
    await using model = await open(server);
    const failure = await failureOf(model);
    expect(failure.message).toMatch(says);
    expect(server.written).toBeLessThan(256 * 1024 * 1024);
  });

  it.each(['silence', 'more'] as const)(
    'tells an error whose body never ends, with %s after its sentence',
    async (then) => {
      const reply = { type: 'endless-error', status: 400, message: 'no such thing', then } as const;
      await using server = await serve(() => reply);
      await using model = await open(server, { timeoutMs: 500 });
      const failure = await failureOf(model);
      expect(failure).toMatchObject({ code: 'invalid-argument' });
      expect(failure.message).toMatch(/refused the request: 400 no such thing/);
      expect(failure.message.length).toBeLessThan(400);
    },
    5_000,
  );

  it('says that the key was refused', async () => {
    await using server = await startAnthropicServer(() => ({ type: 'empty' }), {
      apiKey: 'another',
    });
    await using model = await open(server);
    expect(await failureOf(model)).toMatchObject({
      code: 'unavailable',
      message: `the key in ANTHROPIC_API_KEY was refused by ${server.url}: invalid x-api-key`,
      hint: expect.stringContaining('set ANTHROPIC_API_KEY'),
    });
    expect(server.attempts).toBe(1);
  });

  it('names a model that the provider does not have', async () => {
    await using server = await serve(() => ({ type: 'empty' }));
    await using model = await open(server, { model: 'claude-typo' });
    expect((await failureOf(model)).message).toContain('has no model "claude-typo"');
  });

  it('names the base URL that cannot be reached', async () => {
    using closed = await holdPort();
    const url = `http://127.0.0.1:${closed.port}`;
    await using model = await openAnthropic({
      model: 'claude-test',
      apiKey,
      baseUrl: url,
    });
    expect(await failureOf(model)).toMatchObject({
      code: 'unavailable',
      message: `${url} cannot be reached (ECONNREFUSED)`,
      hint: expect.stringContaining('ANTHROPIC_BASE_URL'),
    });
  });

  it('needs a key', async () => {
    await expect(openAnthropic({ model: 'claude-test', apiKey: ' ' })).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('set ANTHROPIC_API_KEY'),
    });
  });

  it('stops when it is aborted, in the middle and before', async () => {
    await using server = await serve(() => ({ type: 'hang', text: 'beginning' }));
    await using model = await open(server);
    const abort = new AbortController();
    const stream = model.stream(request(), { signal: abort.signal });
    expect(await stream.next()).toMatchObject({ value: { type: 'text' } });
    abort.abort();
    await expect(collectRest(stream)).rejects.toMatchObject({ code: 'canceled' });
    await expect(collect(model, request(), AbortSignal.abort())).rejects.toMatchObject({
      code: 'canceled',
    });
    expect(server.attempts).toBe(1);
  });

  it('gives up on a provider that falls silent', async () => {
    await using server = await serve(() => ({ type: 'hang', text: 'beginning' }));
    await using model = await open(server, { timeoutMs: 200 });
    expect((await failureOf(model)).message).toBe('the model sent nothing for 0.2 s');
  });
});

async function collectRest(stream: AsyncGenerator<ModelEvent>): Promise<void> {
  for await (const _ of stream);
}
