import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type ChatBody,
  type ChatScript,
  lastResult,
  type OpenAiServer,
  startOpenAiServer,
} from '../fixtures/openai-server/server.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, linesOf, type Ran, twoLines } from '../support/run-cuervo.ts';

const question = 'where is the retry limit set?';

/** Asks for a search, and words its answer from the first place that came back. */
const searching: ChatScript = (body) => {
  const result = lastResult(body);
  if (result === undefined) {
    return {
      type: 'message',
      toolCalls: [{ name: 'search__grep', input: { pattern: 'maxRetries = \\d+' } }],
    };
  }
  return { type: 'message', text: `The limit is ${/maxRetries = (\d+)/.exec(result)?.[1]}.` };
};

async function added(place: Place, server: OpenAiServer, ...flags: string[]): Promise<Ran> {
  return await place.cuervo(['model', 'add', server.url, '--name', 'srv', ...flags]);
}

const ask = (place: Place, ...args: string[]): Promise<Ran> =>
  place.cuervo(['ask', '--model', 'srv/test', '--json', ...args]);

function config(place: Place, text: string): void {
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, 'config.toml'), text);
}

/** Parts of a prompt in the order in which a server reads them. */
const partsOf = (body: ChatBody): string[] =>
  [body.tools, ...body.messages].map((part) => JSON.stringify(part));

describe('a server that speaks chat completions', () => {
  it('is added, chosen and asked, with tools, without a key', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(searching, {
      also: { '/props': { default_generation_settings: { n_ctx: 16_384 } } },
    });
    const add = await added(place, server, '--local');
    expect(add.stdout).toBe('  srv/test  32768 tokens  on this machine\n');
    expect((await place.cuervo(['model', 'use', 'srv/test'])).code).toBe(0);
    const ran = await place.cuervo(['ask', question, '--json']);
    expect(lineOf(ran, 'answer')).toMatchObject({
      ...{ mode: 'model', stop: 'answered', text: 'The limit is 7.' },
      evidence: [{ path: 'src/retry/retry-policy.ts', line: 2 }],
    });
    expect(lineOf(ran, 'run-started').model).toBe('srv/test');
    expect(server.headers[0]?.authorization).toBeUndefined();
    expect(linesOf(ran, 'usage').map(({ round }) => round)).toEqual([1, 2]);
    // Nothing leaves the machine, so nothing is said of it.
    expect(ran.stderr).not.toContain('is remote');
    await place.cuervo(['model', 'use', 'none']);
    const without = await place.cuervo(['ask', question, '--json']);
    expect(lineOf(without, 'answer').mode).toBe('extractive');
  });

  it('is remote until somebody says that it is local: keys are redacted, and a note says so', async () => {
    const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const files = { 'limits.ts': `const maxRetries = 7; // ${token}\n` };
    for (const [flag, isRedacted] of [
      [undefined, true],
      ['--local', false],
    ] as const) {
      using place = openPlace(files);
      await using server = await startOpenAiServer(searching);
      const add = await added(place, server, ...(flag === undefined ? [] : [flag]));
      expect(add.stderr.includes('is treated as remote')).toBe(isRedacted);
      const ran = await ask(place, question);
      expect(lineOf(ran, 'answer').text).toBe('The limit is 7.');
      expect(JSON.stringify(server.requests).includes(token)).toBe(!isRedacted);
      expect(ran.stderr.includes('is remote')).toBe(isRedacted);
    }
  });

  it.each([
    (port: string) => port,
    (port: string) => `:${port}`,
    (port: string) => `127.0.0.1:${port}`,
    (port: string) => `localhost:${port}/v1/`,
    (port: string) => `http://127.0.0.1:${port}`,
    (port: string) => `http://127.0.0.1:${port}/v1/chat/completions`,
    (port: string) => `http://127.0.0.1:${port}/v1/models`,
    (port: string) => `http://127.0.0.1:${port}/api/chat`,
  ])('is found at an address as people write it: %s', async (write) => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(searching);
    const source = write(new URL(server.url).port);
    const add = await place.cuervo(['model', 'add', source, '--name', 'srv', '--local']);
    expect(add.stdout).toBe('  srv/test  32768 tokens  on this machine\n');
    expect(lineOf(await ask(place, question), 'answer').text).toBe('The limit is 7.');
  });

  it('is named with its models, and what is no name says so', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(searching);
    await added(place, server, '--local');
    for (const [name, hint] of [
      ['test', 'srv/test'],
      ['srv', 'srv/test'],
      ['svr/test', 'cuervo model add URL --name svr'],
    ] as const) {
      for (const args of [
        ['ask', '-m', name, question],
        ['model', 'use', name],
      ]) {
        const ran = await place.cuervo(args);
        expect(ran.code).toBe(4);
        expect(ran.stderr).toContain(hint);
      }
    }
    const gone = await place.cuervo(['model', 'add', 'no-such-file']);
    expect(gone.code).toBe(4);
    expect(gone.stderr).toContain('cuervo model add http://');
    expect((await place.cuervo(['model', 'use', 'srv/test'])).code).toBe(0);
  });

  it('cannot be called local when it is elsewhere', async () => {
    using place = openPlace();
    const ran = await place.cuervo(['model', 'add', 'https://models.example.org/v1', '--local']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('is not on this machine');
  });

  it('takes its key from the variable of its name, and sends it nowhere else', async () => {
    using place = openPlace(fixtureRepository);
    const apiKey = 'key-of-the-test-server';
    await using server = await startOpenAiServer(searching, { apiKey });
    const env = { SRV_API_KEY: apiKey };
    const args = ['model', 'add', server.url, '--name', 'srv', '--remote'];
    expect((await place.cuervo(args)).stderr).toContain('SRV_API_KEY');
    expect((await place.cuervo(args, { env })).code).toBe(0);
    const right = await place.cuervo(['ask', '-m', 'srv/test', question, '--json'], { env });
    expect(lineOf(right, 'answer').text).toBe('The limit is 7.');
    // Another question, because a reply that is kept needs no key.
    const expired = await place.cuervo(
      ['ask', '-m', 'srv/test', `${question} And why?`, '--json'],
      {
        env: { SRV_API_KEY: 'an-old-key-0000' },
      },
    );
    expect(expired.code).toBe(7);
    expect(lineOf(expired, 'error').message).toContain('SRV_API_KEY was refused');
    expect(JSON.stringify(expired.lines)).not.toContain('an-old-key-0000');
  });

  it('gets its tools in the prompt when it takes none', async () => {
    using place = openPlace(fixtureRepository);
    const script: ChatScript = (body) => {
      const last = body.messages.at(-1)?.content ?? '';
      const value = /maxRetries = (\d+)/.exec(last)?.[1];
      if (value !== undefined) return { type: 'message', text: `It is ${value}.` };
      const input = { pattern: 'maxRetries = \\d+' };
      const call = JSON.stringify({ tool: 'search__grep', input });
      return { type: 'message', text: `I look it up.\n\`\`\`json\n${call}\n\`\`\`` };
    };
    await using server = await startOpenAiServer(script, { takesTools: false });
    await added(place, server, '--local');
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'model', text: 'It is 7.' });
    expect(ran.stderr).toContain('takes no tools');
    const words = linesOf(ran, 'text').map(({ delta }) => delta);
    expect(words.join('')).not.toContain('search__grep');
    // It is not asked for what it refused once.
    const before = server.requests.length;
    await ask(place, 'which retries are there?');
    expect(server.requests.slice(before).every(({ tools }) => tools === undefined)).toBe(true);
  });

  it('keeps the beginning of its prompt byte for byte from round to round and with -c', async () => {
    using place = openPlace(fixtureRepository);
    const script: ChatScript = (_body, { number }) => {
      const patterns = ['maxRetries', 'export', 'const', 'retry'];
      const pattern = patterns[number - 1];
      if (pattern === undefined) return { type: 'message', text: `Answer ${number}.` };
      return { type: 'message', toolCalls: [{ name: 'search__grep', input: { pattern } }] };
    };
    await using server = await startOpenAiServer(script, {
      models: [{ id: 'test', max_model_len: 100_000 }],
    });
    await added(place, server, '--remote');
    const ran = await ask(place, question);
    await ask(place, '-c', 'and who reads it?');
    expect(server.requests).toHaveLength(6);
    const prompts = server.requests.map(partsOf);
    for (const [at, prompt] of prompts.entries()) {
      const before = prompts[at - 1] ?? [];
      expect(prompt.slice(0, before.length)).toEqual(before);
    }
    const used = linesOf(ran, 'usage');
    expect(used.at(-1)?.cachedTokens).toBeGreaterThan((used.at(-1)?.inputTokens ?? 0) / 2);
    // Cached tokens weigh a tenth.
    const sum = used.reduce((all, { inputTokens }) => all + inputTokens, 0);
    expect(used.at(-1)?.spent.tokens).toBeLessThan(sum * 0.6);
  });
});

describe('the context of a model', () => {
  const silent = { models: [{ id: 'test' }] };
  const unsaid =
    /^note: the server does not say the context of srv\/test, and 4096 tokens are assumed; set the key context below \[models\."srv\/test"\] in .*models\.toml$/m;

  it.each([
    ['llama-server', { '/props': { default_generation_settings: { n_ctx: 24_000 } } }],
    [
      'Ollama, loaded',
      { '/api/ps': { models: [{ name: 'test:latest', context_length: 24_000 }] }, '/api/show': {} },
    ],
    [
      'Ollama, by its Modelfile',
      { '/api/ps': { models: [] }, '/api/show': { parameters: 'stop "x"\nnum_ctx    24000' } },
    ],
    ['LM Studio', { '/api/v0/models': { data: [{ id: 'test', loaded_context_length: 24_000 }] } }],
  ])('is asked of %s', async (_, also) => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(searching, { ...silent, also });
    await added(place, server, '--local');
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer').text).toBe('The limit is 7.');
    expect(ran.stderr).not.toMatch(unsaid);
    // A quarter of a shorter context than this would be a shorter answer.
    expect(server.requests[0]?.max_tokens).toBe(4000);
  });

  it.each([
    ['vLLM', { max_model_len: 24_000 }],
    ['OpenRouter', { context_length: 24_000 }],
    ['llama-server', { meta: { n_ctx: 24_000 } }],
  ])('is in the list of %s', async (_, said) => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(searching, {
      models: [{ id: 'test', ...said }],
    });
    expect((await added(place, server, '--local')).stdout).toContain('24000 tokens');
    await ask(place, question);
    expect(server.requests[0]?.max_tokens).toBe(4000);
  });

  it('is warned of in one line that names the key where nobody says it, and given with --context', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(searching, silent);
    const add = await added(place, server, '--local');
    expect(add.stderr).toContain('does not say the context of srv/test');
    expect(add.stderr).toContain('--context TOKENS');
    const ran = await ask(place, question);
    expect(ran.stderr.match(new RegExp(unsaid, 'gm'))).toHaveLength(1);
    expect(server.requests[0]?.max_tokens).toBe(1024);

    writeFileSync(join(place.home, 'models.toml'), '[models."srv/test"]\ncontext = 20000\n');
    const keyed = await ask(place, question);
    expect(keyed.stderr).not.toMatch(unsaid);
    expect(server.requests.at(-1)?.max_tokens).toBe(4000);

    const given = await added(place, server, '--local', '--context', '16_000');
    expect(given.stdout).toContain('16000 tokens');
    const wrong = await added(place, server, '--local', '--context', 'many');
    expect(wrong).toMatchObject({ code: 2 });
    expect(twoLines(wrong).error).toBe('--context takes tokens, not "many"');
  });

  it('is learnt from the words of an error, and kept', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(
      (body, request) =>
        request.number === 1
          ? {
              ...{ type: 'error', status: 400 },
              message: "This model's maximum context length is 3000 tokens.",
            }
          : searching(body, request),
      silent,
    );
    await added(place, server, '--local');
    const ran = await ask(place, question);
    expect(ran.stderr).toContain('srv/test has a context of 3000 tokens');
    expect((await place.cuervo(['model', 'show', 'srv/test'])).stdout).toContain('3000 tokens');
    expect((await ask(place, question)).stderr).not.toMatch(unsaid);
    expect(server.requests.at(-1)?.max_tokens).toBe(750);
  });
});

describe('--strict with a model', () => {
  it('exits 4 where the model words evidence that leaves something out, and 0 where it chooses', async () => {
    using place = openPlace({ 'logs/app.log': 'WARN slow\nWARN slower\nINFO done\n' });
    await using server = await startOpenAiServer(() => ({ type: 'message', text: 'Two.' }));
    await added(place, server, '--local');
    const asked = 'how many warnings are in logs/app.log?';
    const worded = await ask(place, '--strict', '--model-role', 'word', asked);
    expect({ code: worded.code, ...lineOf(worded, 'answer') }).toMatchObject({
      ...{ code: 4, mode: 'model', text: expect.stringContaining('Two.') },
      leftOut: ['how many warnings (not counted)'],
    });
    expect(worded.stderr).toContain('the evidence leaves out: how many warnings (not counted)');
    const chosen = await ask(place, '--strict', '--model-role', 'choose', asked);
    expect({ code: chosen.code, left: lineOf(chosen, 'answer').leftOut }).toEqual({
      code: 0,
      left: undefined,
    });
  });
});

describe('what is kept of a conversation', () => {
  const failing: ChatScript = (body, { number }) =>
    // Once more, because a prompt that is long is tried shorter.
    number === 2 || number === 3
      ? { type: 'error', status: 400, message: 'out of order' }
      : lastResult(body) === undefined
        ? { type: 'message', text: 'Let me look.', toolCalls: [grep] }
        : { type: 'message', text: 'It is 7, as I saw before.' };
  const grep = { id: 'call_of_before', name: 'search__grep', input: { pattern: 'maxRetries' } };

  it('is there after a failure: the answer is passages, and -c goes on with the real messages', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(failing);
    await added(place, server, '--local');
    const failed = await ask(place, question);
    expect(failed.code).toBe(7);
    const answer = lineOf(failed, 'answer');
    expect(answer).toMatchObject({ mode: 'extractive', stop: 'model' });
    expect(answer.text).toContain('The model did not answer: ');
    expect(answer.text).toContain('cuervo ask -c "go on"');
    expect(answer.evidence[0]?.path).toBe('src/retry/retry-policy.ts');
    const went = await ask(place, '-c', 'go on');
    expect(lineOf(went, 'answer')).toMatchObject({
      mode: 'model',
      text: 'It is 7, as I saw before.',
    });
    const { messages } = server.requests.at(-1) as ChatBody;
    expect(messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'assistant', 'user'],
    ]);
    expect(messages[2]?.tool_calls?.[0]?.id).toBe('call_of_before');
    expect(messages[3]?.content).toContain('maxRetries = 7');
  });

  it('is there after a kill in the midst of a reply', async () => {
    using place = openPlace(fixtureRepository);
    const script: ChatScript = (body, { number }) => {
      if (number === 1) return { type: 'message', toolCalls: [grep] };
      return number === 2
        ? { type: 'hang', text: 'It is' }
        : {
            type: 'message',
            text: `Seen: ${/maxRetries = \d+/.exec(lastResult(body) ?? '')?.[0]}`,
          };
    };
    await using server = await startOpenAiServer(script);
    await added(place, server, '--local');
    const killed = await place.cuervo(['ask', '-m', 'srv/test', question, '--json'], {
      onLine: (line, child) => {
        if (line.includes('"type":"text"')) child.kill('SIGKILL');
      },
      unchecked: true,
    });
    expect(killed.code).toBeNull();
    const went = await ask(place, '-c', 'go on');
    expect(lineOf(went, 'answer').text).toBe('Seen: maxRetries = 7');
  });

  it('is there after Ctrl+C: exit code 130, what was found, and no further step', async () => {
    using place = openPlace(fixtureRepository);
    const script: ChatScript = (_body, { number }) =>
      number === 1
        ? { type: 'message', toolCalls: [grep] }
        : number === 2
          ? { type: 'hang', text: 'It is' }
          : { type: 'message', text: 'On.' };
    await using server = await startOpenAiServer(script);
    await added(place, server, '--local');
    const ran = await place.cuervo(['ask', '-m', 'srv/test', question, '--json'], {
      onLine: (line, child) => {
        if (line.includes('"type":"text"')) child.kill('SIGINT');
      },
    });
    expect(ran.code).toBe(130);
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'extractive', stop: 'interrupted' });
    expect(lineOf(ran, 'answer').text).toMatch(/^It\b/);
    expect(linesOf(ran, 'step-started')).toHaveLength(1);
    await ask(place, '-c', 'go on');
    expect(JSON.stringify(server.requests.at(-1))).toContain('call_of_before');
  });

  it('is forked at a run, resumed apart, and deleted', async () => {
    using place = openPlace(fixtureRepository);
    const script: ChatScript = (body) => ({
      type: 'message',
      text: `I know ${body.messages.filter(({ role }) => role === 'user').length} questions.`,
    });
    await using server = await startOpenAiServer(script);
    await added(place, server, '--local');
    const first = await ask(place, 'which heron is grey?');
    await ask(place, '-c', 'which owl is white?');
    const [session] = (await place.cuervo(['session', 'list', '--json'])).rows;
    const run = lineOf(first, 'answer').run ?? '';
    const fork = await place.cuervo([
      ...['session', 'fork', String(session?.id), '--through', run, '--json'],
    ]);
    const id = String(fork.rows[0]?.id);
    const resumed = await place.cuervo([
      ...['session', 'resume', id, 'which crow is black?', '-m', 'srv/test', '--json'],
    ]);
    expect(lineOf(resumed, 'answer').text).toBe('I know 2 questions.');
    const last = JSON.stringify(server.requests.at(-1));
    expect(last).toContain('heron');
    expect(last).not.toContain('owl');
    expect((await place.cuervo(['session', 'delete', id, '--yes'])).code).toBe(0);
    expect((await place.cuervo(['session', 'show', id])).code).toBe(4);
    expect((await place.cuervo(['session', 'show', String(session?.id)])).code).toBe(0);
  });
});

describe('the budget of a question', () => {
  const endless: ChatScript = (_body, { number }) => ({
    type: 'message',
    toolCalls: [{ name: 'search__grep', input: { pattern: `retry${'.?'.repeat(number)}` } }],
  });

  it.each([
    ['--max-tokens', '1', 'tokens'],
    ['--max-time', '0.001', 'duration-ms'],
    ['--max-cost', '0.0000001', 'usd'],
  ])('ends with %s %s: exit code 5, and the passages', async (flag, value, stop) => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(endless);
    await added(place, server, '--remote');
    const prices = '[models."srv/test"]\ninput = 1\noutput = 2\n';
    writeFileSync(join(place.home, 'models.toml'), prices);
    const ran = await ask(place, flag, value, question);
    expect(ran.code).toBe(5);
    const answer = lineOf(ran, 'answer');
    expect(answer).toMatchObject({ mode: 'extractive', stop });
    expect(answer.evidence[0]?.path).toBe('src/retry/retry-policy.ts');
    expect(server.requests).toEqual([]);
  });

  it('refuses --max-cost where nobody knows the price', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(endless);
    await added(place, server, '--remote');
    const ran = await ask(place, '--max-cost', '1', question);
    expect(ran.code).toBe(2);
    expect(lineOf(ran, 'error').message).toContain('the price of srv/test is unknown');
    expect(server.requests).toEqual([]);
  });

  it('is counted by estimate where it does not say what a reply took, and where the reply broke off', async () => {
    using place = openPlace(fixtureRepository);
    const body = 'data: {"choices":[{"delta":{"content":"The limit is 7."}}]}\n\n';
    const end = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';
    await using server = await startOpenAiServer(
      (_, { number }) => ({
        ...{ type: 'body', contentType: 'text/event-stream' },
        body: number === 1 ? body : `${body}${end}`,
      }),
      { models: [{ id: 'test', pricing: { prompt: '0.0001', completion: '0.001' } }] },
    );
    await added(place, server, '--remote');
    const broken = await ask(place, question);
    const [first, second] = linesOf(broken, 'usage');
    expect(first?.inputTokens).toBeGreaterThan(500);
    expect(first?.spent.usd).toBeGreaterThan(0.05);
    expect(second?.spent.usd).toBeGreaterThan(2 * (first?.spent.usd ?? 0));
  });

  it('counts the money of a day, and warns when most of it is spent', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(searching, {
      models: [{ id: 'test', pricing: { prompt: '0.001', completion: '0.001' } }],
    });
    await added(place, server, '--remote');
    config(place, '[budget]\nusd = 100\n');
    const first = await ask(place, question);
    const usd = lineOf(first, 'answer').usage?.usd ?? 0;
    expect(usd).toBeGreaterThan(1);
    config(place, `[budget]\nusd = 100\nday-usd = ${(2.4 * usd).toFixed(2)}\n`);
    const second = await ask(place, `${question} really`);
    const third = await ask(place, `${question} once more`);
    const all = [first, second, third];
    expect(all.map(({ stderr }) => stderr).join('')).toContain('(budget.day-usd)');
    const spent = all.find(({ code }) => code === 5) ?? (await ask(place, `${question} again`));
    expect(lineOf(spent, 'answer')).toMatchObject({ mode: 'extractive', stop: 'day-usd' });
  });

  it('tells the model of the last round, and refuses too many calls to it and not to the person', async () => {
    using place = openPlace(fixtureRepository);
    config(place, '[budget]\nrounds = 3\n');
    const many = Array.from({ length: 50 }, (_, at) => ({
      ...{ name: 'search__grep', input: { pattern: `retry|x${at}` } },
    }));
    const script: ChatScript = (body, { number }) => {
      if (number === 1) return { type: 'message', toolCalls: many };
      const isLast = body.messages.at(-1)?.content?.includes('This is the last round') === true;
      return isLast
        ? { type: 'message', text: `Refused: ${refused(body)}.` }
        : { type: 'message', toolCalls: [{ name: 'search__grep', input: { pattern: 'limit' } }] };
    };
    const refused = ({ messages }: ChatBody): number =>
      messages.filter(({ content }) => content?.includes('at most 16 calls')).length;
    await using server = await startOpenAiServer(script);
    await added(place, server, '--remote');
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'model', text: 'Refused: 34.' });
    expect(ran.code).toBe(0);
  });
});

describe('a server that misbehaves', () => {
  const half = { type: 'drop', text: 'The limit is set in the ' } as const;

  it('is asked to go on when its answer breaks off, and the words are kept', async () => {
    using place = openPlace(fixtureRepository);
    const script: ChatScript = (_body, { number }) =>
      number === 1 ? half : { type: 'message', text: 'policy.' };
    await using server = await startOpenAiServer(script);
    await added(place, server, '--local');
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer').text).toBe('The limit is set in the policy.');
    expect(ran.stderr).toContain('it is asked to go on');
    expect(server.requests[1]?.messages.at(-2)).toMatchObject({
      ...{ role: 'assistant', content: 'The limit is set in the ' },
    });
  });

  it('keeps its partial words when it breaks off again', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(() => half);
    await added(place, server, '--local');
    const ran = await ask(place, question);
    expect(ran.code).toBe(7);
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'extractive', stop: 'model' });
    expect(lineOf(ran, 'answer').text).toMatch(
      /^The limit is set in the .*The model did not answer/s,
    );
  });

  it('is asked again when every third request fails', async () => {
    using place = openPlace(fixtureRepository);
    const script: ChatScript = (body, { number }) => {
      if (number % 3 === 0) {
        const headers = { 'retry-after': number % 2 === 0 ? '0' : new Date().toUTCString() };
        return { type: 'error', status: number === 3 ? 429 : 529, message: 'busy', headers };
      }
      const rounds = body.messages.filter(({ role }) => role === 'tool').length;
      if (rounds >= 5) return { type: 'message', text: `Done after ${rounds}.` };
      const pattern = `retry${'.?'.repeat(rounds)}`;
      return { type: 'message', toolCalls: [{ name: 'search__grep', input: { pattern } }] };
    };
    await using server = await startOpenAiServer(script);
    await added(place, server, '--local');
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer')).toMatchObject({ mode: 'model', text: 'Done after 5.' });
    expect(ran.stderr).toContain('asking again in');
  });

  it('may be slow, before its answer and in the midst of it', async () => {
    using place = openPlace(fixtureRepository);
    config(place, '[models]\nfirst-token-timeout-ms = 5000\nidle-timeout-ms = 5000\n');
    const script: ChatScript = () => ({
      type: 'message',
      text: 'It was slow, and right.',
      waitMs: 1500,
    });
    await using server = await startOpenAiServer(script);
    await added(place, server, '--local');
    expect(lineOf(await ask(place, question), 'answer').text).toBe('It was slow, and right.');
  });

  it.each<[string, ChatScript, RegExp]>([
    ['falls silent', () => ({ type: 'hang', text: '' }), /sent nothing for 0.4 s/],
    ['says nothing at all, twice', () => ({ type: 'message' }), /empty answer/],
    [
      'answers with a page',
      () => ({ type: 'body', contentType: 'text/html', body: '<html>Log in</html>' }),
      /answered with "text\/html"/,
    ],
    [
      'redirects elsewhere',
      () => ({ type: 'redirect', to: 'https://elsewhere.example.org/v1' }),
      /redirects to https:\/\/elsewhere\.example\.org/,
    ],
    ['never ends', () => ({ type: 'endless', text: 'and so on '.repeat(400) }), /does not end/],
    [
      'fails inside its stream',
      () => ({ type: 'error-event', text: '', message: 'CUDA error' }),
      /CUDA error/,
    ],
    [
      'has no room for the prompt, however short',
      () => ({ type: 'error', status: 400, message: 'the request exceeds the context size' }),
      /exceeds the context size/,
    ],
  ])('is told when it %s: exit code 7, and the passages', async (_, script, words) => {
    using place = openPlace(fixtureRepository);
    config(place, '[models]\nfirst-token-timeout-ms = 4000\nidle-timeout-ms = 400\n');
    await using server = await startOpenAiServer(script);
    await added(place, server, '--local');
    const ran = await ask(place, question);
    expect(lineOf(ran, 'error').message).toMatch(words);
    expect(ran.code).toBe(7);
    const answer = lineOf(ran, 'answer');
    expect(answer).toMatchObject({ mode: 'extractive', stop: 'model' });
    expect(answer.evidence[0]?.path).toBe('src/retry/retry-policy.ts');
  });

  it('gets a shorter prompt when the first was too long for it', async () => {
    using place = openPlace({ ...fixtureRepository, 'long.txt': 'retry limit\n'.repeat(4000) });
    const script: ChatScript = (body) => {
      const bytes = JSON.stringify(body.messages).length;
      if (bytes > 14_000) {
        return { type: 'error', status: 400, message: 'the request exceeds the context size' };
      }
      const rounds = body.messages.filter(({ role }) => role === 'tool').length;
      if (rounds >= 3) return { type: 'message', text: 'It fits.' };
      const input = { path: 'long.txt', start: 1 + rounds * 100, end: 500 + rounds * 100 };
      return { type: 'message', toolCalls: [{ name: 'file__read', input }] };
    };
    await using server = await startOpenAiServer(script, {
      models: [{ id: 'test', max_model_len: 100_000 }],
    });
    await added(place, server, '--remote');
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer').text).toBe('It fits.');
    expect(ran.stderr).toContain('was made shorter');
  });

  it('is replaced only by what models.fallback names, and never when the command line named it', async () => {
    using place = openPlace(fixtureRepository);
    await using bad = await startOpenAiServer(() => ({
      ...{ type: 'error', status: 401, message: 'no' },
    }));
    await using good = await startOpenAiServer(() => ({
      type: 'message',
      text: 'From the other.',
    }));
    await added(place, bad, '--local');
    await place.cuervo(['model', 'add', good.url, '--name', 'other', '--local']);
    config(place, 'model = "srv/test"\n[models]\nfallback = ["other/test"]\n');
    const replaced = await place.cuervo(['ask', question, '--json']);
    expect(lineOf(replaced, 'answer').text).toBe('From the other.');
    expect(replaced.stderr).toContain('srv/test is replaced by other/test of models.fallback');
    const pinned = await ask(place, question);
    expect(pinned.code).toBe(7);
    expect(lineOf(pinned, 'answer').mode).toBe('extractive');
  });
});

describe('tools of a model', () => {
  it('are found and called beyond those that it is shown', async () => {
    using place = openPlace(fixtureRepository);
    const script: ChatScript = (body, { number }) => {
      if (number === 1) {
        const input = { query: 'how hard functions are to read, by complexity' };
        return { type: 'message', toolCalls: [{ name: 'find_tools', input }] };
      }
      if (number === 2) {
        const input = { name: 'search.complexity', input: { limit: 3 } };
        return { type: 'message', toolCalls: [{ name: 'call_tool', input }] };
      }
      const found = body.messages
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content);
      return { type: 'message', text: `Found: ${found[0]?.includes('search.complexity')}` };
    };
    await using server = await startOpenAiServer(script);
    await added(place, server, '--remote');
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer').text).toBe('Found: true');
    expect(linesOf(ran, 'step-started').map(({ tool }) => tool)).toEqual(['search.complexity']);
    expect(server.requests[0]?.tools?.map(({ function: { name } }) => name)).not.toContain(
      'search__complexity',
    );
  });

  it('are described, and scripted in one call whose reads are steps', async () => {
    using place = openPlace(fixtureRepository);
    const path = 'src/retry/retry-policy.ts';
    const code = `return tools.file.read({ path: '${path}' }).lines.length`;
    const calls = [
      { name: 'describe_tool', input: { name: 'search.complexity' } },
      { name: 'run_script', input: { code } },
    ];
    const script: ChatScript = (body, { number }) => {
      const call = calls[number - 1];
      if (call !== undefined) return { type: 'message', toolCalls: [call] };
      const told = body.messages.filter(({ role }) => role === 'tool').map((each) => each.content);
      const isTold = told[0]?.includes('"limit"') === true && /\b\d{3,}\b/.test(told[1] ?? '');
      return { type: 'message', text: `Told: ${isTold}` };
    };
    await using server = await startOpenAiServer(script);
    await added(place, server, '--remote');
    const ran = await ask(place, question);
    expect(lineOf(ran, 'answer').text).toBe('Told: true');
    const started = linesOf(ran, 'step-started').map(({ step, tool }) => [step, tool]);
    expect(started).toEqual([
      [expect.any(String), 'script.run'],
      [`${started[0]?.[0]}.1`, 'file.read'],
    ]);
  });

  it('show evidence as files are after the last change', async () => {
    using place = openPlace(fixtureRepository);
    const path = 'src/retry/retry-policy.ts';
    const calls = [
      { name: 'file__read', input: { path } },
      { name: 'file__edit', input: { path, old: 'maxRetries = 7', new: 'maxRetries = 9' } },
    ];
    const script: ChatScript = (_body, { number }) => {
      const call = calls[number - 1];
      return call === undefined
        ? { type: 'message', text: 'It is nine now.' }
        : { type: 'message', toolCalls: [call] };
    };
    await using server = await startOpenAiServer(script);
    await added(place, server, '--remote');
    const ran = await ask(place, 'set the retry limit to nine', '--allow', 'fs-write:work');
    const piece = lineOf(ran, 'answer').evidence.find((one) => one.path === path);
    expect(readFileSync(join(place.work, path), 'utf8')).toContain('maxRetries = 9');
    expect(piece?.text).toContain('maxRetries = 9');
    expect(piece?.text).not.toContain('maxRetries = 7');
  });

  it('is told with its tokens, time, money and kept rounds, as the journal has them', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(searching);
    await added(place, server, '--remote');
    writeFileSync(
      join(place.home, 'models.toml'),
      '[models."srv/test"]\ninput = 20\noutput = 30\n',
    );
    const told = async (): Promise<string> => {
      const ran = await place.cuervo(['ask', '--model', 'srv/test', question]);
      return /^ {2}(\d+ rounds?, .*)$/m.exec(ran.stderr)?.[1] ?? ran.stderr;
    };
    const spent = async () => {
      const { cost } = (await place.cuervo(['explain', '--json'])).rows[0] ?? {};
      return cost as Record<
        'requests' | 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'usd',
        number
      >;
    };
    const first = await told();
    const { requests, usd, ...journal } = await spent();
    expect(requests).toBe(2);
    const line = /^2 rounds, ([\d,]+) tokens, \$([\d.]+), [\d.]+ m?s$/.exec(first);
    // What the provider had read before costs a tenth, and counts as much.
    const counted = journal.inputTokens - 0.9 * journal.cachedTokens + journal.outputTokens;
    expect(Math.abs(Number(line?.[1]?.replace(',', '')) - counted)).toBeLessThan(2);
    expect(line?.[2]).toBe(usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2));
    // The first round of the same question is the same request.
    expect(await told()).toMatch(/, [12] rounds? of them kept from before$/);
  });

  it('are not asked twice for the very same, unless something was changed', async () => {
    using place = openPlace(fixtureRepository);
    await using server = await startOpenAiServer(searching);
    await added(place, server, '--local');
    await ask(place, question);
    expect(server.requests).toHaveLength(2);
    config(place, '[memory]\n');
    const again = await ask(place, question);
    expect(lineOf(again, 'answer').text).toBe('The limit is 7.');
    const repeated = server.requests.length;
    config(place, '[models]\ncache = false\n');
    await ask(place, question);
    expect(server.requests.length).toBe(repeated + 2);
  });
});
