import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startOpenAiServer } from '../../tests/fixtures/openai-server/server.ts';
import type { ModelEvent, ModelRequest } from '../contracts/model.ts';
import { faultOf, type ModelFault } from '../contracts/talk.ts';
import { openOpenAi } from './open-openai.ts';

const never = new AbortController().signal;
const read = {
  name: 'file.read',
  description: 'lines of a file',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};
const request: ModelRequest = {
  question: 'Where is the limit?',
  system: 'You answer.',
  messages: [{ role: 'user', text: 'Where is the limit?' }],
  tools: [read],
  toolChoice: 'auto',
  maxOutputTokens: 100,
};

const line = (value: object | string): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const delta = (part: object, finish: string | null = null): string =>
  line({ choices: [{ index: 0, delta: part, finish_reason: finish }] });
const stop = delta({}, 'stop') + line('[DONE]');
const words = (text: string): string => delta({ content: text }) + stop;
const usage = (report: object): string =>
  delta({ content: 'x' }) +
  delta({}, 'stop') +
  line({ choices: [], usage: report }) +
  line('[DONE]');
const calls = (...parts: object[]): string =>
  parts.map((part) => delta({ tool_calls: [part] })).join('') + delta({}, 'tool_calls');
const call = (more: object, path?: string): object => ({
  type: 'function',
  ...more,
  function: {
    name: 'file__read',
    ...(path === undefined ? {} : { arguments: JSON.stringify({ path }) }),
  },
});

async function serve(answer: RequestListener): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(answer);
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function open(url: string) {
  return openOpenAi({
    ...{ name: 'here/test', model: 'test', baseUrl: url, apiKey: '', keyName: 'HERE_API_KEY' },
    isLocal: true,
  });
}

async function eventsOf(url: string): Promise<ModelEvent[]> {
  await using model = await open(url);
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, { signal: never })) events.push(event);
  return events;
}

async function say(body: string): Promise<ModelEvent[]> {
  await using server = await startOpenAiServer(() => ({
    ...{ type: 'body', contentType: 'text/event-stream', body },
  }));
  return await eventsOf(server.url);
}

const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
const pathsOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-call' ? [event.call.input.path] : []));
const endOf = (events: readonly ModelEvent[]) => events.at(-1) as ModelEvent & { type: 'end' };

describe('openOpenAi() with servers that are not quite as they should be', () => {
  it.each([
    [
      'line ends of Windows, comments and events of another kind',
      `: hello\r\n\r\nevent: ping\r\ndata: {}\r\n\r\n${words('It is 7.').replaceAll('\n', '\r\n')}`,
    ],
    ['no line end at its end', `${delta({ content: 'It is 7.' })}${delta({}, 'stop').trimEnd()}`],
    ['words as a list of parts', delta({ content: [{ type: 'text', text: 'It is 7.' }] }) + stop],
    ['thoughts in the words', words('<think>7 or 8</think>\n\nIt is 7.')],
    ['choices that are null', line({ choices: null }) + words('It is 7.')],
  ])('reads %s', async (_, body) => {
    const events = await say(body);
    expect(textOf(events)).toBe('It is 7.');
    expect(endOf(events).stop).toBe('end');
  });

  it.each([
    ['of one id', call({ index: 0, id: 'a' }, 'a.ts'), call({ index: 1, id: 'a' }, 'b.ts')],
    ['of one id, without index', call({ id: 'a' }, 'a.ts'), call({ id: 'a' }, 'b.ts')],
    ['of one index', call({ index: 0, id: 'a' }, 'a.ts'), call({ index: 0, id: 'b' }, 'b.ts')],
    ['without id and index', call({}, 'a.ts'), call({}, 'b.ts')],
    ['far apart', call({ index: 7, id: 'a' }, 'a.ts'), call({ index: 900, id: 'b' }, 'b.ts')],
    ['with numbers for ids', call({ index: 0, id: 1 }, 'a.ts'), call({ index: 1, id: 1 }, 'b.ts')],
  ])('keeps two calls %s apart', async (_, ...parts) => {
    const events = await say(calls(...parts));
    expect(pathsOf(events)).toEqual(['a.ts', 'b.ts']);
    const ids = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.id] : []));
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    [
      'in pieces that each have the name',
      [
        call({ index: 0, id: 'a' }),
        { index: 0, function: { name: 'file__read', arguments: '{"pa' } },
        { index: 0, function: { name: 'file__read', arguments: 'th":"a.ts"}' } },
      ],
    ],
    [
      'in pieces of other ids',
      [
        call({ index: 0, id: 'a' }),
        { index: 0, id: 'b', function: { arguments: '{"path":"a.ts"}' } },
      ],
    ],
    [
      'as an object',
      [{ index: 0, id: 'a', function: { name: 'file__read', arguments: { path: 'a.ts' } } }],
    ],
    [
      'as a text of the object',
      [
        {
          index: 0,
          id: 'a',
          function: { name: 'file__read', arguments: JSON.stringify('{"path":"a.ts"}') },
        },
      ],
    ],
  ])('reads an input %s', async (_, parts) => {
    expect(pathsOf(await say(calls(...parts)))).toEqual(['a.ts']);
  });

  it.each(['', null, '{}'])('takes %j for no input, and two objects for a fault', async (given) => {
    const of = (input: unknown) =>
      calls({ index: 0, id: 'a', function: { name: 'file__read', arguments: input } });
    expect(await say(of(given))).toContainEqual({
      ...{ type: 'tool-call', call: { id: 'a', name: 'file.read', input: {} } },
    });
    const [first] = await say(of('{"path":"a.ts"}{"path":"b.ts"}'));
    expect(first).toMatchObject({ call: { fault: 'the input is not a JSON object' } });
  });

  it.each([
    [
      { prompt_tokens: 100, completion_tokens: 5, cost: 0.5 },
      { inputTokens: 100, outputTokens: 5, usd: 0.5 },
    ],
    [
      { prompt_tokens: -100, completion_tokens: -5, cost: -3 },
      { inputTokens: 0, outputTokens: 0 },
    ],
    [
      { prompt_tokens: '100', completion_tokens: null },
      { inputTokens: 0, outputTokens: 0 },
    ],
    [
      { prompt_tokens: 1e300, completion_tokens: 5, cost: 1e300 },
      { inputTokens: 0, outputTokens: 5 },
    ],
    [
      { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 1e6 } },
      { inputTokens: 100, outputTokens: 0, cachedTokens: 100 },
    ],
  ])('takes of %j what can be', async (report, taken) => {
    expect(endOf(await say(usage(report))).usage).toEqual(taken);
  });

  it('tells a refusal in its words', async () => {
    const events = await say(delta({ refusal: 'I will not.' }) + stop);
    expect(textOf(events)).toBe('I will not.');
    expect(endOf(events).stop).toBe('refused');
  });

  it.each([
    ['thoughts alone', delta({ reasoning_content: 'hm' }) + stop],
    ['thoughts alone', words('<think>hm</think>')],
    ['its thoughts took all of the reply', delta({ content: '<think>hm' }, 'length')],
    ['neither text nor a tool call', stop],
  ])('says that an empty answer is %s', async (why, body) => {
    const error = await say(body).catch((thrown: unknown) => thrown);
    expect(faultOf(error)?.kind).toBe('empty');
    expect(String(error)).toContain(why);
  });

  it('reads an answer that a proxy packed, and nothing that only claims to be', async () => {
    const gzip = (body: Uint8Array | string) =>
      serve((_, response) => {
        response.writeHead(200, {
          'content-type': 'text/event-stream',
          'content-encoding': 'gzip',
        });
        response.end(body);
      });
    await using packed = await gzip(gzipSync(words('It is 7.')));
    expect(textOf(await eventsOf(packed.url))).toBe('It is 7.');
    await using plain = await gzip(words('It is 7.'));
    await expect(eventsOf(plain.url)).rejects.toThrow('broke off');
  });
});

/** As these servers, and those behind a gateway, word it. */
const overflows: readonly (readonly [server: string, status: number, body: object])[] = [
  ['Ollama', 400, { error: { message: 'input length exceeds the context length' } }],
  [
    'vLLM',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
      },
    },
  ],
  [
    'vLLM, prompt alone',
    400,
    {
      error: {
        message:
          'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
      },
    },
  ],
  [
    'LM Studio',
    400,
    {
      error:
        'Trying to keep the first 5210 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    },
  ],
  [
    'LM Studio, its engine',
    400,
    { error: 'Cannot truncate prompt with n_keep (4500) >= n_ctx (4096)' },
  ],
  [
    'llama-server',
    400,
    {
      error: {
        message:
          'request (5210 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
      },
    },
  ],
  ['llama-server, full', 500, { error: { message: 'context shift is disabled' } }],
  [
    'OpenRouter',
    400,
    { error: { message: "This endpoint's maximum context length is 4096 tokens." } },
  ],
  [
    'a server behind OpenRouter',
    400,
    {
      error: {
        message: 'Provider returned error',
        metadata: {
          raw: '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
        },
      },
    },
  ],
  ['OpenAI, by its code', 400, { error: { message: 'Bad.', code: 'context_length_exceeded' } }],
  [
    'Gemini',
    400,
    {
      error: {
        message:
          'The input token count (1050000) exceeds the maximum number of tokens allowed (1048576).',
      },
    },
  ],
  [
    'text-generation-inference',
    422,
    { error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096.' },
  ],
  ['a server that writes numbers in groups', 400, { error: 'The context window is 4,096 tokens' }],
  ['one that counts in front', 413, { error: 'it has a 4,096 token context' }],
  ['Bedrock', 400, { error: { message: 'Input is too long for requested model.' } }],
];

describe('openOpenAi() with a prompt that is too long', () => {
  const faultFor = async (status: number, body: object): Promise<ModelFault | undefined> => {
    await using server = await serve((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    const error = await eventsOf(server.url).catch((thrown: unknown) => thrown);
    return faultOf(error);
  };

  it.each(overflows)('understands %s', async (_, status, body) => {
    const fault = await faultFor(status, body);
    expect(fault?.kind).toBe('overflow');
    const [limit] = /\b(?:4,?096|200000|1048576)\b/.exec(JSON.stringify(body)) ?? [];
    expect(fault?.limitTokens).toBe(
      limit === undefined ? undefined : Number(limit.replace(',', '')),
    );
  });

  it.each([
    [400, { error: { message: 'messages: text content blocks must be non-empty' } }, 'refused'],
    [400, { error: { message: 'Unrecognized request argument supplied: max_tokens' } }, 'refused'],
    [401, { error: { message: 'no key' } }, 'refused'],
    ...[408, 409, 425, 500, 529].map(
      (status) => [status, { error: { message: 'later' } }, 'busy'] as const,
    ),
    [429, { error: { message: 'tokens per minute: too many tokens' } }, 'limited'],
  ] as const)('takes status %i with %j for %s', async (status, body, kind) => {
    expect((await faultFor(status, body))?.kind).toBe(kind);
  });
});
