import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findTestModel } from '../../tests/fixtures/find-test-model.ts';
import { unconfined as confine } from '../../tests/support/unconfined.ts';
import type { ChatModel, ModelEvent, ModelRequest } from '../contracts/model.ts';
import { openPromptStates } from './llama/prompt-states.ts';
import { forExam } from './model-reach.ts';
import { chooseFrom, type LlamaModel, openLlama } from './open-llama.ts';

const childPath = fileURLToPath(new URL('./llama/child.ts', import.meta.url));
const stories = findTestModel('stories260K');
const smollm2 = findTestModel('smollm2');
const never = new AbortController().signal;

const tools: ModelRequest['tools'] = [
  {
    name: 'search.grep',
    description: 'lines that match a pattern',
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', minLength: 1 },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
        literal: { type: 'boolean' },
      },
      required: ['pattern'],
    },
  },
  {
    name: 'file.read',
    description: 'text of a file',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];

function request(change: Partial<ModelRequest> = {}): ModelRequest {
  const messages = [{ role: 'user', text: 'Where is the retry limit set?' }] as const;
  return {
    question: 'Where is the retry limit set?',
    system: 'You answer.',
    messages,
    tools: [],
    toolChoice: 'none',
    maxOutputTokens: 40,
    ...change,
  };
}

async function collect(
  model: ChatModel,
  asked: ModelRequest,
  signal = never,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked, { signal })) events.push(event);
  return events;
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
}

/** Within .02: some processors round a batch of tokens differently from one token after the other. */
const near = (weights: readonly number[]): unknown[] =>
  weights.map((weight) => expect.closeTo(weight, 1.4));

describe('chooseFrom()', () => {
  it('takes what is ahead by the margin, less what would be chosen anyway', () => {
    expect(chooseFrom([-0.2, -2, -3], undefined, 0)).toBe(0);
    expect(chooseFrom([-0.2, -2, -3], undefined, 1.8)).toBe(0);
    expect(chooseFrom([-0.2, -2, -3], undefined, 1.9)).toBeUndefined();
    expect(chooseFrom([-0.2, -2, -3], [-0.1, -4, -3], 0)).toBe(1);
    expect(chooseFrom([0], undefined, 5)).toBe(0);
    expect(chooseFrom([], undefined, 0)).toBeUndefined();
  });
});

describe('openLlama()', () => {
  it('refuses what is not a model before anything native runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cuervo-llama-'));
    const path = join(folder, 'text.gguf');
    await writeFile(path, 'not a model');
    // No process could be started with this: the refusal comes first.
    const options = { childPath: '/nonexistent', confine };
    await expect(openLlama({ ...options, path })).rejects.toMatchObject({
      code: 'invalid-argument',
      message: `${path} is not a GGUF model that can be used: it does not begin with "GGUF"`,
    });
    await expect(openLlama({ ...options, path: join(folder, 'no.gguf') })).rejects.toMatchObject({
      code: 'not-found',
    });
    await rm(folder, { recursive: true });
  });
});

describe.skipIf(stories === undefined)(
  'openLlama() with stories260K (skipped where CUERVO_TEST_MODELS has none)',
  () => {
    const open = (): Promise<LlamaModel> => openLlama({ path: stories ?? '', childPath, confine });

    it('streams text and counts it', async () => {
      await using model = await open();
      expect(model).toMatchObject({
        name: 'stories260K.gguf',
        remote: false,
        contextTokens: 2_048,
        trainedTokens: 2_048,
        hasTemplate: false,
      });
      const events = await collect(model, request());
      expect(events.filter((event) => event.type === 'text').length).toBeGreaterThan(10);
      expect(textOf(events).length).toBeGreaterThan(20);
      expect(events.at(-1)).toMatchObject({
        type: 'end',
        stop: 'length',
        usage: { outputTokens: 40 },
      });
    });

    it('gives the same text for the same request', async () => {
      await using model = await open();
      expect(textOf(await collect(model, request()))).toBe(textOf(await collect(model, request())));
    });

    it('writes a valid call under the grammar, whatever it knows', async () => {
      await using model = await open();
      const values = { paths: ['README.md', 'src/a.ts'] };
      for (const question of ['Where is the limit?', 'Once upon a time', '日本語']) {
        for (const maxOutputTokens of [128, 700]) {
          const messages = [{ role: 'user', text: question }] as const;
          const asked = {
            messages,
            tools,
            toolChoice: 'required',
            maxOutputTokens,
            values,
          } as const;
          const events = await collect(model, request(asked));
          expect(textOf(events)).toBe('');
          const [call] = events;
          // It may find that none of them fits.
          if (call?.type !== 'tool-call') {
            expect(events).toMatchObject([{ type: 'end', stop: 'end' }]);
            continue;
          }
          expect(events[1]).toMatchObject({ type: 'end', stop: 'tool-calls' });
          const { name, input } = call.call;
          if (name === 'file.read') expect(values.paths).toContain(input.path);
          else expect(input).toMatchObject({ pattern: expect.stringMatching(/./) });
          expect(Object.values(input)).not.toContain(null);
        }
      }
    });

    it('says how likely it calls each tool, and none', async () => {
      await using model = await open();
      const { tools: names, weights } = await model.weigh(request({ tools }), { signal: never });
      expect(names).toEqual(['search.grep', 'file.read', 'none']);
      const shares = weights.map(Math.exp);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
      expect(await model.weigh(request({ tools }), { signal: never })).toEqual({
        tools: names,
        weights: near(weights),
      });
    });

    it('calls nothing when no tool is ahead by the margin of its test', async () => {
      await using model = await openLlama({
        ...{ path: stories ?? '', childPath, confine },
        measured: { ...forExam({ firstTokenMs: 8_000, durationMs: 600_000 }), margin: 1_000 },
      });
      const asked = request({ tools, maxOutputTokens: 128, toolChoice: 'required' });
      expect(await collect(model, asked)).toMatchObject([{ type: 'end', stop: 'end' }]);
      const events = await collect(model, { ...asked, toolChoice: 'auto' });
      expect(textOf(events)).not.toBe('');
    });

    it('measures how fast it is here', async () => {
      await using model = await open();
      const { prefill, decode, memoryBytes } = await model.measure({ signal: never });
      expect(prefill).toBeGreaterThan(1);
      expect(decode).toBeGreaterThan(1);
      expect(memoryBytes).toBeGreaterThan(1_000_000);
    });

    it('throws canceled on abort, and serves the next request', async () => {
      await using model = await open();
      const abort = new AbortController();
      const stream = model.stream(request({ maxOutputTokens: 1_000 }), { signal: abort.signal });
      expect(await stream.next()).toMatchObject({ value: { type: 'text' } });
      abort.abort();
      await expect(stream.next()).rejects.toMatchObject({ code: 'canceled' });
      expect(textOf(await collect(model, request()))).not.toBe('');
      await expect(collect(model, request(), AbortSignal.abort())).rejects.toMatchObject({
        code: 'canceled',
      });
    });

    it('serves requests that come at once one after the other', async () => {
      await using model = await open();
      const [a, b] = await Promise.all([collect(model, request()), collect(model, request())]);
      expect(textOf(a)).toBe(textOf(b));
    });

    it('gives up waiting for another request on abort', async () => {
      await using model = await open();
      const first = model.stream(request({ maxOutputTokens: 1_000 }), { signal: never });
      await first.next();
      const abort = new AbortController();
      const second = collect(model, request(), abort.signal);
      abort.abort();
      await expect(second).rejects.toMatchObject({ code: 'canceled' });
      await first.return();
      expect(textOf(await collect(model, request()))).not.toBe('');
    });

    it('refuses a prompt above its context and says both sizes', async () => {
      await using model = await open();
      const messages = [{ role: 'user', text: 'word '.repeat(4_000) }] as const;
      await expect(collect(model, request({ messages }))).rejects.toMatchObject({
        code: 'invalid-argument',
        message: expect.stringMatching(/^the prompt has \d{4,} tokens, the model's context 2048$/),
      });
    });

    it('estimates no fewer tokens than there are', async () => {
      await using model = await open();
      const text = 'export const maxRetries = 7; // how often a request is tried again\n'.repeat(8);
      const events = await collect(
        model,
        request({ system: '', messages: [{ role: 'user', text }], maxOutputTokens: 1 }),
      );
      const end = events.at(-1);
      if (end?.type !== 'end') throw new Error('no end');
      expect(model.countTokens(text)).toBeGreaterThan(end.usage.inputTokens * 0.9);
    });

    it('says the same after a process that read the beginning out of a file', async () => {
      const root = await mkdtemp(join(tmpdir(), 'cuervo-states-'));
      const options = {
        root: join(root, 'states'),
        key: Buffer.alloc(32, 1),
        model: 'm',
        engine: 'e',
      };
      // However quickly this small model reads.
      const states = openPromptStates({ ...options, leastMs: 0 });
      if (states === undefined) throw new Error('no folder');
      const path = stories ?? '';
      const kept = (): string[] => readdirSync(states.folder);
      const asked = (text: string, offered: ModelRequest['tools'] = []): ModelRequest =>
        request({ messages: [{ role: 'user', text }], tools: offered });
      const ask = async (question: string): Promise<string> => {
        await using model = await openLlama({ path, childPath, confine, states });
        return textOf(await collect(model, asked(question)));
      };
      const weigh = async (question: string): Promise<number[]> => {
        await using model = await openLlama({ path, childPath, confine, states });
        return (await model.weigh(asked(question, tools), { signal: never })).weights;
      };
      const plain = async (question: string): Promise<string> => {
        await using model = await open();
        return textOf(await collect(model, asked(question)));
      };
      const first = await ask('Where is the limit?');
      expect(kept()).toHaveLength(1);
      const [before] = kept();
      expect(await ask('Where is the limit?')).toBe(first);
      expect(await ask('Once upon a time')).toBe(await plain('Once upon a time'));
      // It was of use each time, and no other was written.
      expect(kept()).toEqual([before]);
      // One whose name is right and whose content is no state of this model is of no use.
      const part = states.part() ?? '';
      await writeFile(part, 'no state at all');
      const system = [{ role: 'system', text: request().system }];
      await states.keep(JSON.stringify({ system, offered: [] }), part, 15);
      expect(kept()).not.toEqual([before]);
      expect(await ask('Where is the limit?')).toBe(first);
      expect(kept()).toEqual([]);
      const weights = await weigh('Where is the limit?');
      expect(await weigh('Where is the limit?')).toEqual(near(weights));
      expect(await weigh('Where is the limit?')).toEqual(near(weights));
      // Another question is further away than that.
      expect(await weigh('Once upon a time')).not.toEqual(near(weights));
      expect(kept().filter((name) => name.endsWith('.state'))).toHaveLength(1);
      await rm(root, { recursive: true });
    }, 60_000);

    it('tells its digest', async () => {
      await using model = await open();
      expect(await model.digest()).toMatch(/^[0-9a-f]{64}$/);
      expect(await model.digest()).toBe(await model.digest());
    });

    it('says that a file is cut off', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'cuervo-llama-'));
      const path = join(folder, 'cut.gguf');
      await writeFile(path, (await readFile(stories ?? '')).subarray(0, 600_000));
      await expect(openLlama({ path, childPath, confine })).rejects.toMatchObject({
        code: 'invalid-argument',
        message: expect.stringMatching(/cut\.gguf .* it is cut off at 600000 of 1185376 bytes$/),
      });
      await rm(folder, { recursive: true });
      const model = await open();
      await model[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await expect(collect(model, request())).rejects.toMatchObject({ code: 'unavailable' });
    });
  },
);

describe.skipIf(smollm2 === undefined)(
  'openLlama() with SmolLM2-135M (skipped where CUERVO_TEST_MODELS has none)',
  () => {
    it('chooses tools with their inputs in the form of its template', async () => {
      await using model = await openLlama({
        ...{ path: smollm2 ?? '', childPath, confine },
        measured: forExam({ firstTokenMs: 8_000, durationMs: 600_000 }),
      });
      const question = 'Show me the text of the file src/config.ts.';
      const messages = [{ role: 'user', text: `Question: ${question}` }] as const;
      const [call] = await collect(
        model,
        request({ question, messages, tools, toolChoice: 'required', maxOutputTokens: 128 }),
      );
      expect(call).toMatchObject({
        call: { name: 'file.read', input: { path: 'src/config.ts' } },
      });
    }, 60_000);

    it('words an answer from the evidence by the chat template of its file', async () => {
      await using model = await openLlama({ path: smollm2 ?? '', childPath, confine });
      const text =
        'Evidence: Paris is the capital of France.\n\nQuestion: What is the capital of France?';
      const events = await collect(model, request({ messages: [{ role: 'user', text }] }));
      expect(textOf(events)).toContain('Paris');
    });
  },
);
