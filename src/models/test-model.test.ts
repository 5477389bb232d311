import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findTestModel } from '../../tests/fixtures/find-test-model.ts';
import { KernelError } from '../contracts/error.ts';
import type { ChatModel, ModelEvent, ModelRequest } from '../contracts/model.ts';
import { choiceItems } from './model-exam.ts';
import { openLlama } from './open-llama.ts';
import { testModel } from './test-model.ts';
import { unconfined as confine } from './unconfined-fixture.ts';

const signal = new AbortController().signal;
const usage = { inputTokens: 1, outputTokens: 1 };

/** A model whose words are written here. */
function speak(reply: (question: string, request: ModelRequest) => string): ChatModel {
  return {
    name: 'written',
    remote: false,
    reach: {
      promptTokens: 3_000,
      answerTokens: 160,
      rounds: 2,
      tools: 8,
      nativeTools: false,
      mustCall: true,
    },
    price: undefined,
    contextTokens: 4_096,
    digest: async () => 'written',
    countTokens: (text) => text.length,
    async *stream(request): AsyncGenerator<ModelEvent, void, undefined> {
      const [message] = request.messages;
      if (message?.role !== 'user') throw new Error('no question');
      const question = message.text.slice(message.text.lastIndexOf('Question: ') + 10);
      const text = reply(question, request);
      if (request.toolChoice === 'required') {
        yield { type: 'tool-call', call: { id: '1', name: text, input: {} } };
        yield { type: 'end', stop: 'tool-calls', usage };
        return;
      }
      yield { type: 'text', delta: text };
      yield { type: 'end', stop: 'end', usage };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

const rightChoice = (question: string): string | undefined =>
  choiceItems.find((item) => item.question === question)?.tool;
const rightWords = (question: string): string =>
  question.includes('tried again')
    ? 'Seven times (src/http/retry.ts:12).'
    : 'In grants.toml, docs/security.md:40.';
const right = (question: string): string => rightChoice(question) ?? rightWords(question);

/** A clock that moves by so much at every look. */
function ticking(stepMs: number): () => number {
  let nowMs = 0;
  return () => {
    nowMs += stepMs;
    return nowMs;
  };
}

describe('testModel()', () => {
  it('lets a model choose that is right', async () => {
    const labels: string[] = [];
    const score = await testModel(speak(right), {
      signal,
      onProgress: ({ done, total }) => labels.push(`${done}/${total}`),
      nowMs: ticking(1_000),
    });
    expect(score).toEqual({
      choose: 1,
      word: 1,
      role: 'choose',
      charsPerSecond: expect.closeTo(35.5),
      tookMs: 17_000,
    });
    expect(labels).toEqual(['0/8', '1/8', '2/8', '3/8', '4/8', '5/8', '6/8', '7/8', '8/8']);
  });

  it.each([
    [1, 'choose'],
    [2, 'word'],
    [6, 'word'],
  ])('with %i wrong choices gives the role %s', async (wrong, role) => {
    const bad = new Set(choiceItems.slice(0, wrong).map((item) => item.question));
    const model = speak((question) => (bad.has(question) ? 'file.nothing' : right(question)));
    expect(await testModel(model, { signal, nowMs: ticking(100) })).toMatchObject({ role });
  });

  it.each([
    ['that are slow', rightWords, 10_000],
    ['without the fact', () => 'It is in the file.', 100],
    [
      'against the fact',
      () => 'Not 7 times: that is not known, and grants.toml is never used.',
      100,
    ],
  ])('gives no role to words %s', async (_name, words, stepMs) => {
    const model = speak((question) =>
      rightChoice(question) === undefined ? words(question) : 'x',
    );
    expect(await testModel(model, { signal, nowMs: ticking(stepMs) })).toMatchObject({
      role: 'none',
    });
  });

  it('counts a late or broken reply as wrong, and goes on', async () => {
    const model = speak((question) => {
      if (question === choiceItems[0]?.question) throw new KernelError('tool-failed', 'cut');
      return right(question);
    });
    expect(await testModel(model, { signal })).toMatchObject({ choose: 5 / 6, role: 'choose' });
  });

  it('tells why a model never replied instead of scoring it', async () => {
    const model = speak(() => {
      throw new KernelError('unavailable', 'the key was refused');
    });
    await expect(testModel(model, { signal })).rejects.toMatchObject({
      message: 'the key was refused',
    });
  });

  it('does not score a provider that kept silent all the time, as it does a local model', async () => {
    const model = speak(() => {
      throw new KernelError('deadline-exceeded', 'the time was up');
    });
    await expect(testModel({ ...model, remote: true }, { signal })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'written said nothing within the time of each question of its test',
    });
    expect(await testModel(model, { signal })).toMatchObject({ choose: 0, word: 0, role: 'none' });
  });

  it('stops on abort', async () => {
    const abort = new AbortController();
    const model = speak(() => {
      abort.abort();
      throw new Error('stopped');
    });
    await expect(testModel(model, { signal: abort.signal })).rejects.toMatchObject({
      code: 'canceled',
    });
  });

  it('bounds every reply, and offers tools only where one is to be chosen', async () => {
    const seen: ModelRequest[] = [];
    const model = speak((question, request) => {
      seen.push(request);
      return right(question);
    });
    await testModel(model, { signal });
    expect(seen).toHaveLength(8);
    for (const request of seen) {
      expect(request.maxOutputTokens).toBeLessThanOrEqual(128);
      expect(request.tools.length > 0).toBe(request.toolChoice === 'required');
    }
  });
});

const childPath = fileURLToPath(new URL('./llama/child.ts', import.meta.url));

describe.each([
  ['stories260K', 'none'],
  ['smollm2', 'word'],
] as const)('testModel() with %s', (name, role) => {
  const path = findTestModel(name);
  it.skipIf(path === undefined)(
    `gives the role ${role} or less (skipped where CUERVO_TEST_MODELS has no ${name})`,
    async () => {
      await using model = await openLlama({ path: path ?? '', childPath, confine });
      const score = await testModel(model, { signal });
      // How fast this machine is today is not a property of the code.
      expect(['none', role]).toContain(score.role);
      expect(score.choose).toBeLessThan(5 / 6);
      expect(score.charsPerSecond).toBeGreaterThan(0);
    },
    90_000,
  );
});
