import { describe, expect, it } from 'vitest';
import { KernelError } from '../contracts/error.ts';
import type { ChatModel, ModelEvent, ModelRequest } from '../contracts/model.ts';
import { choiceItems, examTools, wordItems } from './model-exam.ts';
import type { LlamaModel } from './open-llama.ts';
import { type ExamOutcome, testModel } from './test-model.ts';

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
        const [name = '', ...input] = text.split(' ');
        if (name !== 'none') {
          const call = { id: '1', name, input: { value: input.join(' ') } };
          yield { type: 'tool-call', call };
        }
        yield { type: 'end', stop: name === 'none' ? 'end' : 'tool-calls', usage };
        return;
      }
      yield { type: 'text', delta: text };
      yield { type: 'end', stop: 'end', usage };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** What is right for a question of the exam, by how many calls went before. */
function right(question: string, request: ModelRequest): string {
  const item = choiceItems.find((each) => each.question === question);
  if (item === undefined) return rightWords[question] ?? 'The data does not say.';
  const calls = request.messages.filter(({ role }) => role === 'tool').length;
  const { tool, input } = item.steps[calls] ?? {};
  if (tool === undefined) return 'none';
  return input === undefined ? tool : `${tool} ${input.source.replaceAll('\\', '')}`;
}

const rightWords: Record<string, string> = Object.fromEntries(
  wordItems.map(({ question, evidence: [piece] }) => [
    question,
    /colour|people/.test(question) ? 'The data does not say.' : (piece?.text ?? ''),
  ]),
);
const isChoice = (question: string): boolean =>
  choiceItems.some((item) => item.question === question);

/** A clock that moves by so much at every look. */
function ticking(stepMs: number): () => number {
  let nowMs = 0;
  return () => {
    nowMs += stepMs;
    return nowMs;
  };
}

const aims = { firstTokenMs: 8_000, durationMs: 600_000 };
const options = { signal, aims, nowMs: ticking(100) };

describe('the exam', () => {
  it('has sixty choices, one in six without a right tool, some with inputs and of two steps', () => {
    expect(choiceItems).toHaveLength(60);
    expect(choiceItems.filter(({ steps }) => steps.length === 0)).toHaveLength(10);
    expect(choiceItems.filter(({ steps }) => steps.length === 2)).toHaveLength(6);
    const inputs = choiceItems.filter(({ steps }) => steps[0]?.input !== undefined);
    expect(inputs.length).toBeGreaterThan(20);
    expect(wordItems).toHaveLength(12);
    const names = examTools.map(({ name }) => name);
    for (const { steps } of choiceItems)
      for (const { tool } of steps) expect(names).toContain(tool);
    expect(new Set(choiceItems.map(({ question }) => question)).size).toBe(60);
  });

  it('takes the evidence itself for a right answer, and its opposite for a wrong one', () => {
    for (const { question, fact, contradiction } of wordItems) {
      expect(rightWords[question]).toMatch(fact);
      expect(rightWords[question]).not.toMatch(contradiction);
    }
  });
});

describe('testModel()', () => {
  it('lets a model choose that is right', async () => {
    const labels: string[] = [];
    const score = await testModel(speak(right), {
      ...options,
      nowMs: ticking(1_000),
      onProgress: ({ done, total }) => labels.push(`${done}/${total}`),
    });
    expect(score).toMatchObject({ choose: 1, none: 1, word: 1, role: 'choose', tookMs: 72_000 });
    expect(labels.slice(0, 2)).toEqual(['0/72', '0/72']);
    expect(labels.at(-1)).toBe('72/72');
  });

  it.each([
    [10, 'choose'],
    [11, 'word'],
    [60, 'word'],
  ])('with %i wrong choices gives the role %s', async (wrong, role) => {
    const bad = new Set(choiceItems.slice(0, wrong).map((item) => item.question));
    const model = speak((question, request) =>
      bad.has(question) ? 'file.nothing' : right(question, request),
    );
    expect(await testModel(model, options)).toMatchObject({ role, choose: (60 - wrong) / 60 });
  });

  it('does not let a model choose that calls something where nothing fits', async () => {
    const model = speak((question, request) => {
      const said = right(question, request);
      return said === 'none' && isChoice(question) ? 'file.tree' : said;
    });
    expect(await testModel(model, options)).toMatchObject({
      ...{ choose: 50 / 60, none: 0, role: 'word' },
    });
  });

  it('takes a call with the wrong input, and a missing second step, for wrong', async () => {
    const model = speak((question, request) => {
      const said = right(question, request);
      if (!isChoice(question)) return said;
      const isSecond = request.messages.some(({ role }) => role === 'tool');
      return isSecond ? 'none' : (said.split(' ')[0] ?? '');
    });
    const wrong = choiceItems.filter(
      ({ steps }) => steps[0]?.input !== undefined || steps.length === 2,
    ).length;
    expect(await testModel(model, options)).toMatchObject({ choose: (60 - wrong) / 60 });
  });

  it.each([
    ['that are slow', right, 10_000],
    ['without the fact', () => 'It is in the file.', 100],
    ['against the fact', () => 'That is not known, and never given.', 100],
  ])('gives no role to words %s', async (_name, words, stepMs) => {
    const model = speak((question, request) =>
      isChoice(question) ? 'x' : words(question, request),
    );
    expect(await testModel(model, { ...options, nowMs: ticking(stepMs) })).toMatchObject({
      role: 'none',
    });
  });

  it('goes on where it was interrupted, and asks nothing twice', async () => {
    const known: Record<string, ExamOutcome> = {};
    const abort = new AbortController();
    let asked = 0;
    const model = speak((question, request) => {
      asked += 1;
      if (asked === 20) {
        abort.abort();
        throw new Error('stopped');
      }
      return right(question, request);
    });
    const onOutcome = (id: string, outcome: ExamOutcome): void => {
      known[id] = outcome;
    };
    await expect(
      testModel(model, { ...options, signal: abort.signal, onOutcome }),
    ).rejects.toMatchObject({ code: 'canceled' });
    expect(Object.keys(known)).toHaveLength(19);
    const forecasts: number[] = [];
    const score = await testModel(model, {
      ...options,
      known,
      onForecast: (forecast) => forecasts.push(forecast.known),
    });
    expect(score).toMatchObject({ choose: 1, word: 1 });
    expect(forecasts).toEqual([19]);
    // Six questions take two requests.
    expect(asked).toBe(20 + 72 - 19 + 6);
  });

  it('says first what it costs, or that nobody knows', async () => {
    const model = speak(right);
    const told: unknown[] = [];
    const onForecast = (forecast: unknown): void => void told.push(forecast);
    await testModel({ ...model, price: { input: 1, output: 10 } }, { ...options, onForecast });
    await testModel(model, { ...options, onForecast });
    expect(told).toEqual([
      { choices: 60, answers: 12, known: 0, usd: expect.closeTo(0.074, 2) },
      { choices: 60, answers: 12, known: 0 },
    ]);
  });

  it('counts a broken reply as wrong, and goes on', async () => {
    const model = speak((question, request) => {
      if (question === choiceItems[0]?.question) throw new KernelError('tool-failed', 'cut');
      return right(question, request);
    });
    expect(await testModel(model, options)).toMatchObject({ choose: 59 / 60, role: 'choose' });
  });

  it('tells soon why a model never replied instead of scoring it', async () => {
    let asked = 0;
    const model = speak(() => {
      asked += 1;
      throw new KernelError('unavailable', 'the key was refused');
    });
    await expect(testModel(model, options)).rejects.toMatchObject({
      message: 'the key was refused',
    });
    expect(asked).toBe(6);
  });

  it('does not score a provider that kept silent all the time', async () => {
    const model = speak(() => {
      throw new KernelError('deadline-exceeded', 'the time was up');
    });
    await expect(testModel({ ...model, remote: true }, options)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'written said nothing within the time of each question of its test',
    });
    expect(await testModel(model, options)).toMatchObject({ choose: 10 / 60, role: 'none' });
  });

  it('bounds every reply, and offers tools only where one is to be chosen', async () => {
    const seen: ModelRequest[] = [];
    const model = speak((question, request) => {
      seen.push(request);
      return right(question, request);
    });
    await testModel(model, options);
    expect(seen).toHaveLength(78);
    for (const request of seen) {
      expect(request.maxOutputTokens).toBeLessThanOrEqual(128);
      expect(request.tools.length > 0).toBe(request.toolChoice === 'required');
    }
  });
});

/** A model of a file whose odds are written here. */
function weigh(
  odds: (question: string, request: ModelRequest) => { weights: number[]; neutral?: number[] },
): LlamaModel {
  const tools = [...examTools.map(({ name }) => name), 'none'];
  return {
    ...speak(right),
    trainedTokens: 32_768,
    hasTemplate: true,
    measure: async () => ({ prefill: 450, decode: 30, memoryBytes: 1e9 }),
    weigh: async (request) => ({ tools, ...odds(request.question, request) }),
  };
}

function oddsFor(name: string, weight: number): number[] {
  const names = [...examTools.map((tool) => tool.name), 'none'];
  return names.map((each) => (each === name ? weight : -3));
}

describe('testModel() of a file', () => {
  const chosen = (question: string, request: ModelRequest): string =>
    right(question, request).split(' ')[0] ?? '';

  it('measures it, and says what follows', async () => {
    const model = weigh((question, request) => ({
      weights: oddsFor(chosen(question, request), -1),
    }));
    const told: unknown[] = [];
    const score = await testModel(model, { ...options, onForecast: (each) => told.push(each) });
    expect(score).toMatchObject({
      ...{ choose: 1, none: 1, word: 1, role: 'choose' },
      measured: { prefill: 450, decode: 30, margin: 0, subtractsNeutral: false, memoryBytes: 1e9 },
      reach: { promptTokens: 3_600, tools: 8, firstTokenMs: 8_000 },
    });
    expect(told).toEqual([
      { choices: 60, answers: 12, known: 0, seconds: expect.toSatisfy((n: number) => n > 10) },
    ]);
  });

  it('finds the margin below which it had better choose nothing', async () => {
    const model = weigh((question, request) => {
      const name = chosen(question, request);
      // Where nothing fits it is not sure of anything, and right elsewhere.
      return { weights: name === 'none' ? oddsFor('file.tree', -2.5) : oddsFor(name, -1) };
    });
    const score = await testModel(model, options);
    expect(score).toMatchObject({ choose: 1, none: 1, role: 'choose' });
    expect(score.measured?.margin).toBeGreaterThan(0.5);
  });

  it('takes off what it would choose anyway, where that is better', async () => {
    const model = weigh((question, request) => {
      const weights = oddsFor(chosen(question, request), -1);
      const neutral = oddsFor('file.tree', 4);
      return { weights: weights.map((weight, index) => weight + (neutral[index] ?? 0)), neutral };
    });
    expect(await testModel(model, options)).toMatchObject({
      ...{ choose: 1, measured: { subtractsNeutral: true } },
    });
  });
});
