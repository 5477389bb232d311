import { openAnthropic } from '../../src/models/open-anthropic.ts';
import { openOpenAi } from '../../src/models/open-openai.ts';
import { type Reply, startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import { openScripted } from '../fixtures/open-scripted.ts';
import { type ChatReply, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { chatModelContract, type Said, type Served } from './chat-model.contract.ts';

const outward = (name: string): string => name.replaceAll('.', '__');
/** Short, so that a silence is one soon. */
const silence = { firstTokenMs: 5_000, idleMs: 300 };

function pick(said: readonly Said[], number: number): Said {
  return (said[number - 1] ?? said.at(-1)) as Said;
}

function anthropicReply(said: Said): Reply {
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
  const server = await startAnthropicServer(
    (_body, { number }) => anthropicReply(pick(said, number)),
    { apiKey: 'test-9f2c' },
  );
  const model = await openAnthropic({
    model: 'm',
    apiKey: 'test-9f2c',
    baseUrl: server.url,
    silence,
  });
  return {
    model,
    lastRequest: () => JSON.stringify(server.requests.at(-1)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function openAiReply(said: Said, isNative: boolean): ChatReply {
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
    const server = await startOpenAiServer(
      (_body, { number }) => openAiReply(pick(said, number), isNative),
      { takesTools: isNative },
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

chatModelContract({ name: 'anthropic', open: openOnAnthropic });
chatModelContract({ name: 'openai', open: openOnOpenAi(true) });
chatModelContract({
  name: 'openai, tools in the prompt',
  open: openOnOpenAi(false),
  without: {
    'bad-input': 'words that are no JSON are words',
  },
});
const noServer = 'its words are written in the test';
chatModelContract({
  name: 'scripted',
  open: openOnScript,
  without: {
    ...{ 'bad-input': noServer, broken: noServer, silence: noServer, errors: noServer },
    ...{ 'retry-after': noServer, abort: noServer },
  },
});
