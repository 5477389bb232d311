import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { modelProviders } from '../../src/contracts/output/parse-model.ts';
import { openAnthropic } from '../../src/models/open-anthropic.ts';
import { openLlama } from '../../src/models/open-llama.ts';
import { openOpenAi } from '../../src/models/open-openai.ts';
import { type Reply, startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import { startDeafServer } from '../fixtures/deaf-server.ts';
import { openScripted } from '../fixtures/open-scripted.ts';
import { type ChatReply, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { smallGguf } from '../fixtures/small-gguf.ts';
import { unconfined as confine } from '../support/unconfined.ts';
import {
  type ChatModelCase,
  chatModelContract,
  type Said,
  type Served,
} from './chat-model.contract.ts';
import { noting } from './support/noting.ts';

const outward = (name: string): string => name.replaceAll('.', '__');
/** Short, so that a silence is one soon. */
const silence = { firstTokenMs: 5_000, idleMs: 300 };
const connectMs = 300;

function pick(said: readonly Said[], number: number): Said {
  return (said[number - 1] ?? said.at(-1)) as Said;
}

type Answered = Exclude<Said, { say: 'no connection' }>;

/** A server for what is said, or an address where nobody takes a connection. */
async function serve<Server extends AsyncDisposable & { url: string; requests: readonly object[] }>(
  said: readonly Said[],
  start: (answer: (number: number) => Answered) => Promise<Server>,
): Promise<AsyncDisposable & { url: string; requests: readonly object[] }> {
  const isAnswered = (one: Said): one is Answered => one.say !== 'no connection';
  if (said.every(isAnswered)) return await start((number) => pick(said, number) as Answered);
  const deaf = await startDeafServer();
  return { ...deaf, requests: [] };
}

function anthropicReply(said: Answered): Reply {
  switch (said.say) {
    case 'text':
      return {
        type: 'message',
        text: said.text,
        ...(said.isCut ? { stopReason: 'max_tokens' } : {}),
      };
    case 'call':
      return {
        type: 'message',
        ...(said.text === undefined ? {} : { text: said.text }),
        toolUses: said.calls.map(({ name, input, json }) => ({
          name: outward(name),
          ...(json === undefined ? { input: { ...input } } : { json }),
        })),
      };
    case 'nothing':
      return { type: 'empty' };
    case 'broken':
      return { type: 'drop', text: said.text };
    case 'silence':
      return { type: 'hang', text: said.text };
    case 'error': {
      const { status, message, headers = {} } = said;
      return { type: 'error', status, message, headers };
    }
  }
}

async function openOnAnthropic(said: readonly Said[]): Promise<Served> {
  const server = await serve(said, (answer) =>
    startAnthropicServer((_body, { number }) => anthropicReply(answer(number)), {
      apiKey: 'test-9f2c',
    }),
  );
  const model = await openAnthropic({
    model: 'm',
    apiKey: 'test-9f2c',
    baseUrl: server.url,
    silence,
    connectMs,
  });
  return {
    model,
    lastRequest: () => JSON.stringify(server.requests.at(-1)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function openAiReply(said: Answered, isNative: boolean): ChatReply {
  switch (said.say) {
    case 'text':
      return { type: 'message', text: said.text, ...(said.isCut ? { finish: 'length' } : {}) };
    case 'call': {
      if (isNative) {
        return {
          type: 'message',
          ...(said.text === undefined ? {} : { text: said.text }),
          toolCalls: said.calls.map(({ name, ...call }) => ({ name: outward(name), ...call })),
        };
      }
      const calls = said.calls.map(({ name, input }) =>
        JSON.stringify({ tool: outward(name), input }),
      );
      const text = [said.text ?? '', '```json', ...calls, '```'].join('\n').trim();
      return { type: 'message', text };
    }
    case 'nothing':
      return { type: 'message' };
    case 'broken':
      return { type: 'drop', text: said.text };
    case 'silence':
      return { type: 'hang', text: said.text };
    case 'error': {
      const { status, message, headers = {} } = said;
      return { type: 'error', status, message, headers };
    }
  }
}

const openOnOpenAi =
  (isNative: boolean) =>
  async (said: readonly Said[]): Promise<Served> => {
    const server = await serve(said, (answer) =>
      startOpenAiServer((_body, { number }) => openAiReply(answer(number), isNative), {
        takesTools: isNative,
      }),
    );
    const model = await openOpenAi({
      ...{
        name: 'test/m',
        model: 'm',
        baseUrl: server.url,
        apiKey: 'test-9f2c',
        keyName: 'TEST_API_KEY',
      },
      isLocal: false,
      silence,
      connectMs,
      ...(isNative ? {} : { nativeTools: false }),
    });
    return {
      model,
      lastRequest: () => JSON.stringify(server.requests.at(-1)),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  };

async function openOnScript(said: readonly Said[]): Promise<Served> {
  const requests: string[] = [];
  const model = openScripted({
    name: 'scripted',
    reply: (request, number) => {
      requests.push(JSON.stringify(request));
      const one = pick(said, number);
      if (one.say === 'call') {
        const calls = one.calls.map(({ name, input }) => ({ name, input: { ...input } }));
        return { text: one.text ?? '', calls };
      }
      if (one.say === 'text') return { text: one.text, ...(one.isCut ? { stop: 'length' } : {}) };
      return { text: '' };
    },
  });
  return {
    model,
    lastRequest: () => requests.at(-1) ?? '',
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

const noServer = 'its words are written in the test';
chatModelContract({
  name: 'scripted',
  open: openOnScript,
  without: {
    ...{ 'bad-input': noServer, broken: noServer, silence: noServer, errors: noServer },
    ...{ connect: noServer, 'retry-after': noServer, abort: noServer },
  },
});

/** A model process that says what it is told, in place of native code. */
const scriptedProcess = `
  import { writeSync } from 'node:fs';
  import { createInterface } from 'node:readline';
  const said = SAID;
  let number = 0;
  const say = (message) => writeSync(3, JSON.stringify(message) + '\\n');
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { type, id, offered } = JSON.parse(line);
    if (type === 'open') {
      const sizes = { contextTokens: 4096, trainedTokens: 4096, dimensions: 0, memoryBytes: 1 };
      return say({ type: 'ready', asciiPerToken: 3, hasTemplate: true, ...sizes });
    }
    if (type === 'cancel') return say({ type: 'failed', id: said.at(-1).id, code: 'canceled', message: '' });
    const one = said[Math.min(number, said.length - 1)];
    one.id = id;
    const end = { type: 'end', id, stop: one.isCut ? 'length' : 'end', inputTokens: 9, outputTokens: 9 };
    const isCall = one.say === 'call';
    if (type === 'choose') {
      say({ type: 'weights', id, weights: offered.map(({ name }) => isCall === (name !== 'none') ? -0.1 : -9) });
      return say(end);
    }
    number += 1;
    if (type === 'call') say({ type: 'text', id, delta: JSON.stringify(one.calls[0].input) });
    else if (one.text) say({ type: 'text', id, delta: one.text });
    if (one.say === 'broken') process.exit(9);
    if (one.say !== 'silence') say(end);
  });
`;

const folder = mkdtempSync(join(tmpdir(), 'cuervo-contract-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function openOnProcess(said: readonly Said[]): Promise<Served> {
  const path = join(folder, 'm.gguf');
  writeFileSync(path, smallGguf());
  const childPath = join(folder, `${randomUUID()}.mjs`);
  writeFileSync(
    childPath,
    scriptedProcess.replace('SAID', () => JSON.stringify(said)),
  );
  return noting(await openLlama({ path, childPath, confine }));
}

/** The compiler names a provider that is not held to the contract. */
const held: Readonly<Record<(typeof modelProviders)[number], readonly ChatModelCase[]>> = {
  anthropic: [{ name: 'anthropic', open: openOnAnthropic }],
  openai: [
    { name: 'openai', open: openOnOpenAi(true) },
    {
      name: 'openai, tools in the prompt',
      open: openOnOpenAi(false),
      without: { 'bad-input': 'words that are no JSON are words' },
    },
  ],
  llama: [
    {
      name: 'llama, a process that follows a script',
      open: openOnProcess,
      without: {
        ...{ calls: 'it makes one call at a time', 'bad-input': 'a grammar holds it to the input' },
        ...{
          silence: 'a process of ours is waited for',
          connect: 'no server',
          errors: 'no server',
          'retry-after': 'no server',
        },
      },
    },
  ],
};
for (const models of Object.values(held)) for (const each of models) chatModelContract(each);
