import { describe, expect, it } from 'vitest';
import { startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import {
  type ChatBody,
  type ChatReply,
  type ChatScript,
  lastResult,
  type OpenAiServer,
  startOpenAiServer,
} from '../fixtures/openai-server/server.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, linesOf, type Ran } from '../support/run-cuervo.ts';

/** Servers that parse badly what their models say, and models that say it badly. */
const question = 'where is the retry limit set?';
const input = { pattern: 'maxRetries = \\d+' };
const call = JSON.stringify({ name: 'search__grep', arguments: input });
const grep = { name: 'search__grep', input };

async function open(
  place: Place,
  script: ChatScript,
  options: Parameters<typeof startOpenAiServer>[1] = {},
): Promise<OpenAiServer> {
  const server = await startOpenAiServer(script, options);
  const added = await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
  expect(added.code, added.stderr).toBe(0);
  return server;
}

const ask = (place: Place, ...args: string[]): Promise<Ran> =>
  place.cuervo(['ask', '-m', 'srv/test', '--json', ...args]);
const say = (text: string): ChatReply => ({ type: 'message', text });
const streamed = (ran: Ran): string =>
  linesOf(ran, 'text')
    .map(({ delta }) => delta)
    .join('');

describe('a call that a server left in the words', () => {
  it.each([
    `<tool_call>\n${call}\n</tool_call>`,
    `<think>I look.</think>\n${call}`,
    `[TOOL_CALLS]search__grep[ARGS]${JSON.stringify(input)}`,
    `<|channel|>analysis<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.search__grep <|constrain|>json<|message|>${JSON.stringify(input)}<|call|>`,
    `\`\`\`json\n${call}\n\`\`\``,
  ])('is made, and neither shown nor kept as an answer: %s', async (text) => {
    using place = openPlace(fixtureRepository);
    await using server = await open(place, (body) => {
      const result = lastResult(body);
      return say(result === undefined ? text : `It is ${/= (\d+)/.exec(result)?.[1]}.`);
    });
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'model', text: 'It is 7.' });
    expect(linesOf(ran, 'step-finished').map(({ status }) => status)).toEqual(['ok']);
    expect(streamed(ran)).toBe('It is 7.');
    expect(server.requests[1]?.messages.at(-2)).toMatchObject({
      ...{ role: 'assistant', content: null },
      tool_calls: [{ function: { name: 'search__grep', arguments: JSON.stringify(input) } }],
    });
    const kept = await place.cuervo(['memory', 'list', '--json']);
    expect(kept.stdout).not.toContain('search__grep');
  });

  it('is asked for again, once, when it is half a call', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await open(place, (body, { number }) =>
      say(
        number === 1
          ? `<tool_call>${call.slice(0, -4)}`
          : (lastResult(body) ?? '') === ''
            ? `<tool_call>${call}</tool_call>`
            : 'It is 7.',
      ),
    );
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'model', text: 'It is 7.' });
    expect(streamed(ran)).toBe('It is 7.');
    expect(server.requests[1]?.messages.at(-1)?.content).toContain('it has no end. Call the tool');
    expect(JSON.stringify(server.requests.slice(1))).not.toContain('<tool_call>');
  });

  it.each([
    `<tool_call>${call.slice(0, -4)}`,
    call.replace('search__grep', 'weather'),
    `<tool_call>${call.replace('pattern', 'patern')}</tool_call>`,
  ])('is no answer when it is half a call again: %s', async (text) => {
    using place = openPlace(fixtureRepository);
    await using server = await open(place, () => say(text));
    const ran = await ask(place, question);
    expect(ran.code).toBe(7);
    expect(server.requests).toHaveLength(2);
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'extractive', stop: 'model' });
    expect(streamed(ran)).not.toMatch(/"arguments"|<tool_call>/);
    expect(lineOf(ran, 'error').message).toContain('wrote a call of a tool in its words');
  });

  it('is no answer behind words either, which are dropped with it', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await open(place, (_body, { number }) =>
      say(number === 1 ? `Let me look.\n<tool_call>${call.slice(0, -4)}` : 'It is 7.'),
    );
    const ran = await place.cuervo(['ask', '-m', 'srv/test', question]);
    expect(ran.stdout).toMatch(/^It is 7\.\n/);
    expect(server.requests).toHaveLength(2);
  });

  it('is words within an explanation of calls', async () => {
    using place = openPlace(fixtureRepository);
    const text = `A call is written so:\n\n\`\`\`\n<tool_call>${call}</tool_call>\n\`\`\`\n\nThe name comes first.`;
    await using _server = await open(place, () => say(text));
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer').text).toBe(text);
    expect(linesOf(ran, 'step-started')).toEqual([]);
  });
});

describe('thoughts that a server left in the words', () => {
  it.each([
    'It may be 7 or 8.\n</think>\n\nIt is 7.',
    'It is 7.<think>Or 8?</think>',
    '[THINK]Or 8?[/THINK]It is 7.',
    '<|channel|>analysis<|message|>Or 8?<|end|><|start|>assistant<|channel|>final<|message|>It is 7.<|return|>',
  ])('are not in the answer, and not sent back: %j', async (text) => {
    using place = openPlace(fixtureRepository);
    await using server = await open(place, () => say(text));
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer').text).toBe('It is 7.');
    expect((await place.cuervo(['ask', '-m', 'srv/test', question])).stdout).not.toContain('8');
    await ask(place, '-c', 'and who reads it?');
    expect(JSON.stringify(server.requests.at(-1)?.messages)).not.toMatch(/or 8|think/i);
  });

  it('are words where an answer speaks of their marks', async () => {
    using place = openPlace(fixtureRepository);
    const text = 'The tag `</think>` ends thoughts:\n\n```\n<think>a</think>\n```\n\nNo more.';
    await using _server = await open(place, () => say(text));
    expect(lineOf(await ask(place, question), 'answer').text).toBe(text);
  });
});

const refuse = (message: string): ChatReply => ({ type: 'error', status: 400, message });

describe('an optional field that a server refuses', () => {
  const isStreaming = (body: ChatBody): boolean => body.stream === true && body.tools !== undefined;
  const whole = (body: ChatBody, text: string): ChatReply =>
    body.stream === true
      ? say(text)
      : {
          ...{ type: 'body', contentType: 'application/json' },
          body: JSON.stringify({
            choices: [{ message: { content: text }, finish_reason: 'stop' }],
          }),
        };

  it.each<[string, string, (body: ChatBody) => boolean]>([
    [
      'stream_options',
      "Unknown parameter: 'stream_options'",
      ({ stream_options }) => stream_options !== undefined,
    ],
    [
      'max_tokens',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ({ max_tokens }) => max_tokens !== undefined,
    ],
    [
      'tool_choice',
      'tool_choice is not supported by this engine',
      ({ tool_choice }) => tool_choice !== undefined,
    ],
    [
      'content',
      "Invalid value for 'content': expected a string, got null.",
      ({ messages }) => messages.some(({ content }) => content === null),
    ],
    ['stream', 'tools are not supported with stream=true', isStreaming],
    [
      'additionalProperties',
      'Invalid JSON payload: Unknown name "additionalProperties" at tools[0]',
      ({ tools }) => JSON.stringify(tools ?? []).includes('additionalProperties'),
    ],
  ])('%s is left out, in the next question at once', async (field, message, isSent) => {
    using place = openPlace(fixtureRepository);
    await using server = await open(place, (body) => {
      if (isSent(body)) return refuse(message);
      const result = lastResult(body);
      return result === undefined && body.stream === true
        ? { type: 'message', toolCalls: [grep] }
        : whole(body, 'It is 7.');
    });
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'model', text: 'It is 7.' });
    const note = `srv refuses the field "${field}", and is asked without it from now on`;
    expect(ran.stderr.split(note)).toHaveLength(2);
    if (field === 'max_tokens') {
      expect(server.requests.at(-1)?.max_completion_tokens).toBeGreaterThan(0);
    }
    const before = server.requests.length;
    const again = await ask(place, `${question} And why?`);
    expect(again.code).toBe(0);
    expect(again.stderr).not.toContain('refuses the field');
    expect(server.requests.slice(before).filter(isSent)).toEqual([]);
  });

  it('is left out one after the other, whatever form the refusal has', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await open(place, (body) => {
      const extra = ['stream_options', 'max_completion_tokens', 'max_tokens', 'tool_choice'].find(
        (field) => field in body,
      );
      if (extra === undefined) return say('It is 7.');
      const detail = [{ type: 'extra_forbidden', loc: ['body', extra], msg: 'not permitted' }];
      return { ...{ type: 'error', status: 422, message: '' }, body: { detail } };
    });
    expect(lineOf(await ask(place, question), 'answer').text).toBe('It is 7.');
    expect(server.requests).toHaveLength(5);
  });
});

describe('a prompt that is too long for a server', () => {
  it.each([
    [400, 'Sequence overflow in slot 3'],
    [413, 'Payload Too Large'],
    [422, 'unprocessable'],
  ])('is tried once shorter after status %i, in whatever words', async (status, message) => {
    using place = openPlace({ ...fixtureRepository, 'long.txt': 'retry limit\n'.repeat(4000) });
    await using server = await open(
      place,
      (body) => {
        if (JSON.stringify(body.messages).length > 14_000)
          return { type: 'error', status, message };
        const rounds = body.messages.filter(({ role }) => role === 'tool').length;
        if (rounds >= 3) return say('It fits.');
        const path = { path: 'long.txt', start: 1 + rounds * 100, end: 500 + rounds * 100 };
        return { type: 'message', toolCalls: [{ name: 'file__read', input: path }] };
      },
      { models: [{ id: 'test', max_model_len: 100_000 }] },
    );
    expect(lineOf(await ask(place, question), 'answer').text).toBe('It fits.');
    const refused = await ask(place, 'limit '.repeat(2_500));
    expect(refused.code).toBe(7);
    expect(lineOf(refused, 'error').message).toContain(message);
    expect(server.requests.length).toBeGreaterThan(4);
  });

  it('is as long as the server says from then on', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await open(
      place,
      (body) => {
        const { max_tokens = 0, messages } = body;
        if (max_tokens > 1_024) {
          return refuse('This one has room for a context of 4,096 tokens and no more.');
        }
        const rounds = messages.filter(({ role }) => role === 'tool').length;
        return rounds > 1 ? say('It is 7.') : { type: 'message', toolCalls: [grep] };
      },
      { models: [{ id: 'test', max_model_len: 100_000 }] },
    );
    expect(lineOf(await ask(place, question), 'answer').text).toBe('It is 7.');
    expect(server.requests.map(({ max_tokens }) => max_tokens)).toEqual([
      4_000, 1_024, 1_024, 1_024,
    ]);
  });
});

describe('a server that leaves something out', () => {
  it('needs no reason for the end before its last line', async () => {
    using place = openPlace(fixtureRepository);
    const part = 'data: {"choices":[{"delta":{"content":"It is 7."}}]}\n\n';
    await using server = await open(place, () => ({
      ...{ type: 'body', contentType: 'text/event-stream' },
      body: `${part}data: [DONE]\n\n`,
    }));
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer')).toMatchObject({ stop: 'answered', text: 'It is 7.' });
    expect(streamed(ran)).toBe('It is 7.');
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['application/json', '{"error":{"message":"the model is still loading","code":400}}'],
    ['application/json', '{\n "error": "the model is still loading",\n "code": 400\n}'],
    ['text/event-stream', '{"error":{"message":"the model is still loading","code":400}}'],
    [
      'text/event-stream',
      'data: {"error":{"message":"the model is still loading","code":400}}\n\n',
    ],
  ])('is told with its reason where it fails with status 200: %s %s', async (contentType, body) => {
    using place = openPlace(fixtureRepository);
    await using _server = await open(place, () => ({ type: 'body', contentType, body }));
    const ran = await ask(place, question);
    expect(ran.code).toBe(7);
    expect(lineOf(ran, 'error').message).toContain('the model is still loading');
    expect(lineOf(ran, 'answer').text).toContain('the model is still loading');
  });

  it('is added with --model where it has no list of models', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(() => say('It is 7.'), { hasList: false });
    const args = ['model', 'add', server.url, '--name', 'srv', '--local'];
    const without = await place.cuervo(args);
    expect(without.code).not.toBe(0);
    expect(without.stderr).toContain('--model NAME');
    const added = await place.cuervo([...args, '--model', 'test']);
    expect(added.stdout).toBe('  srv/test  on this machine\n');
    expect((await place.cuervo(['model', 'use', 'srv/test'])).code).toBe(0);
    const ran = await place.cuervo(['ask', question, '--json']);
    expect(lineOf(ran, 'answer').text).toBe('It is 7.');
  });
});

describe('a call that is nearly right', () => {
  const path = 'src/retry/retry-policy.ts';

  it.each<[string, object]>([
    ['file__read', { path, start: '1', end: '3' }],
    ['file__read', { path, start: null }],
    ['file_read', { path }],
    ['functions.file__read', { path }],
    ['file.read()', { path }],
    ['call_tool', { name: 'file_read', input: JSON.stringify({ path, start: '1' }) }],
  ])('is made as it was meant, and the model is told: %s %j', async (name, given) => {
    using place = openPlace(fixtureRepository);
    let told = '';
    await using _server = await open(place, (body) => {
      told = lastResult(body) ?? '';
      if (told !== '') return say('It is 7.');
      return { type: 'message', toolCalls: [{ name, json: JSON.stringify(given) }] };
    });
    const ran = await ask(place, question);
    expect(linesOf(ran, 'step-finished')).toMatchObject([{ status: 'ok' }]);
    expect(linesOf(ran, 'step-started')).toMatchObject([{ tool: 'file.read' }]);
    expect(told).toMatch(/\[taken as it was meant: (?:the name is file\.read|file\.read: start: )/);
    expect(told).toContain('maxRetries = 7');
  });

  it.each<[string, (number: number) => object]>([
    ['the same', () => ({ path: 'no-such-file.ts' })],
    ['another of its kind', (number) => ({ path: `no-such-file-${number}.ts` })],
  ])('ends the rounds early when %s fails again and again', async (_, inputOf) => {
    using place = openPlace(fixtureRepository);
    await using server = await open(place, (body, { number }) => ({
      ...{ type: 'message' },
      ...(body.tool_choice === 'none'
        ? { text: 'It is not there.' }
        : { toolCalls: [{ name: 'file__read', input: inputOf(number) }] }),
    }));
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'model', text: 'It is not there.' });
    expect(server.requests.length).toBeLessThan(6);
  });

  it('is answered for by passages where the model goes on with it', async () => {
    using place = openPlace(fixtureRepository);
    const missing = { name: 'file__read', input: { path: 'no-such-file.ts' } };
    await using server = await open(place, () => ({ type: 'message', toolCalls: [missing] }));
    const ran = await ask(place, question);
    expect(ran.code).toBe(7);
    expect(server.requests).toHaveLength(3);
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'extractive', stop: 'model' });
    expect(lineOf(ran, 'answer').evidence[0]?.path).toBe(path);
  });

  it('is no circle where something worked in between', async () => {
    using place = openPlace(fixtureRepository);
    const missing = { name: 'file__read', input: { path: 'no-such-file.ts' } };
    await using _server = await open(place, (_body, { number }) =>
      number > 6
        ? say('It is 7.')
        : { type: 'message', toolCalls: [number % 2 === 0 ? grep : missing] },
    );
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer').text).toBe('It is 7.');
    expect(linesOf(ran, 'step-finished')).toHaveLength(6);
  });
});

describe('another server that speaks the Messages API', () => {
  const apiKey = 'test-key-of-the-local-server';

  it('may leave calls and thoughts in its words, and refuse what is optional', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startAnthropicServer(
      (body) => {
        if (JSON.stringify(body).includes('cache_control')) {
          return { type: 'error', status: 400, message: 'cache_control: Extra inputs' };
        }
        const isBegun = JSON.stringify(body.messages).includes('tool_result');
        return {
          type: 'message',
          text: isBegun ? 'Or 8?\n</think>\nIt is 7.' : `<tool_call>${call}</tool_call>`,
        };
      },
      { apiKey },
    );
    const env = { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url };
    const ran = await place.cuervo(['ask', '-m', 'claude-test', question, '--json'], { env });
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'model', text: 'It is 7.' });
    expect(linesOf(ran, 'step-finished')).toMatchObject([{ status: 'ok' }]);
    expect(server.requests).toHaveLength(3);
  });
});
