import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { markUntrusted } from '../../../src/guard/mark-untrusted.ts';
import { buildPrompt } from '../../../src/models/build-prompt.ts';
import { type LlamaChild, openChild } from '../../../src/models/llama/open-child.ts';
import type { ChatTurn } from '../../../src/models/llama/parse-protocol.ts';
import { openPromptStates } from '../../../src/models/llama/prompt-states.ts';
import { toTurns } from '../../../src/models/open-llama.ts';
import { findTestModel } from '../../fixtures/find-test-model.ts';
import { unconfined as confine } from '../../support/unconfined.ts';
import type { Bench } from '../bench-context.ts';
import { benchLine, failedLine, type Target } from '../bench-line.ts';
import { median } from '../measure.ts';

const childPath = fileURLToPath(new URL('../../../src/models/llama/child.ts', import.meta.url));
const alonePath = join(import.meta.dirname, '..', 'children', 'llama-alone.mjs');
const contextTokens = 2_048;
const answerTokens = 48;
const peer = 'node-llama-cpp alone';

type Times = { firstMs: number; restMs: number; tokens: number };

const evidence = Array.from(
  { length: 6 },
  (_, index) =>
    `[data k7 from src/http/retry-${index}.ts:${index * 12}]\nexport const maxRetries${index} = ${index + 3}; // a failed request is tried again as often\n[end of data k7]`,
).join('\n\n');
const system = 'You answer the question from the data given. Be brief. Cite as path:line.';

function turnsFor(question: string): ChatTurn[] {
  return [
    { role: 'system', text: system },
    { role: 'user', text: `${evidence}\n\nQuestion: ${question}` },
  ];
}

/** What SmolLM2's template puts behind a question: two tokens more than plain words would take. */
const turnEnd = '<|im_end|>\n<|im_start|>assistant\n';

const questions = [
  'How many times is a failed request tried again?',
  'Where does the limit of retries stand?',
  'Which files set how often a request is repeated?',
  'What is the largest number of retries?',
  'What is said about failed requests?',
];

async function ours(
  child: LlamaChild,
  turns: readonly ChatTurn[],
  maxTokens: number,
): Promise<Times> {
  const startMs = performance.now();
  let firstMs = 0;
  const signal = new AbortController().signal;
  for await (const reply of child.generate({ turns, maxTokens }, { signal })) {
    if (reply.type === 'text' && firstMs === 0) firstMs = performance.now() - startMs;
    if (reply.type === 'end') {
      return { firstMs, restMs: performance.now() - startMs - firstMs, tokens: reply.outputTokens };
    }
  }
  throw new Error('the model said no end');
}

type Alone = AsyncDisposable & { ask<Answer>(request: object): Promise<Answer> };

async function openAlone(path: string, threads: number): Promise<Alone> {
  const args = [alonePath, path, `${contextTokens}`, `${threads}`];
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('node-llama-cpp ended');
    return JSON.parse(value);
  };
  await next();
  return {
    ask: async (request) => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return (await next()) as never;
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      child.kill();
    },
  };
}

type Pair = { child: LlamaChild; alone: Alone; forget(): Promise<unknown> };

function llamaBench(
  target: Target,
  run: (pair: Pair) => Promise<{ value: number; peerValue: number; runs: number; note?: string }>,
): Bench {
  return {
    ...target,
    run: async () => {
      const path = findTestModel('smollm2');
      if (path === undefined) return failedLine(target, 'CUERVO_TEST_MODELS has no smollm2');
      const threads = Math.max(1, availableParallelism() - 1);
      await using child = await openChild({
        ...{ childPath, confine, path, contextTokens, threads, use: 'chat' },
      });
      await using alone = await openAlone(path, threads);
      // Another conversation, of which nothing is kept.
      const other: ChatTurn[] = [{ role: 'user', text: 'Hello.' }];
      const forget = () => ours(child, other, 8);
      return benchLine(target, { ...(await run({ child, alone, forget })), peer });
    },
  };
}

/** Turns as `ask` makes them of a question and its evidence. */
function askedTurns(question: string): ChatTurn[] {
  const prompt = buildPrompt(
    {
      ...{ role: 'word', question, tools: [], memory: [], nowMs: 0, nativeTools: false },
      observations: [{ source: 'src/http/retry.ts:12', text: 'export const maxRetries = 7;' }],
      ...{ budgetTokens: contextTokens, countTokens: (text) => text.length, nonce: 'k7k7k7k7' },
    },
    { mark: markUntrusted },
  );
  return toTurns({ ...prompt, maxOutputTokens: 2 });
}

/** The first word of a process that reads the beginning of its prompt from a file, and of one that does not. */
const kept: Target = { name: 'llama.kept', unit: 'ms', reach: '< 1x' };
const keptBench: Bench = {
  ...kept,
  run: async () => {
    const path = findTestModel('smollm2');
    if (path === undefined) return failedLine(kept, 'CUERVO_TEST_MODELS has no smollm2');
    const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-states-'));
    const options = { root: join(folder, 'states'), key: Buffer.alloc(32), model: '', engine: '' };
    const states = openPromptStates(options);
    const first = async (question: string, from: typeof states): Promise<number> => {
      const threads = Math.max(1, availableParallelism() - 1);
      await using child = await openChild({
        ...{ childPath, confine, path, contextTokens, threads, use: 'chat', states: from },
      });
      return (await ours(child, askedTurns(question), 2)).firstMs;
    };
    await first('What is this?', states);
    const [a, b]: [number[], number[]] = [[], []];
    for (const question of questions) {
      a.push(await first(question, states));
      b.push(await first(question, undefined));
    }
    rmSync(folder, { recursive: true, force: true });
    const note = 'a process that has just loaded the model';
    const measured = { value: median(a), peerValue: median(b), runs: a.length, note };
    return benchLine(kept, { ...measured, peer: 'nothing kept' });
  },
};

export const llamaBenches: readonly Bench[] = [
  keptBench,
  llamaBench(
    { name: 'llama.first', unit: 'ms', reach: '<= 1.1x' },
    async ({ child, alone, forget }) => {
      const [a, b]: [number[], number[]] = [[], []];
      for (const question of questions) {
        await forget();
        a.push((await ours(child, turnsFor(question), 8)).firstMs);
        const request = { turns: turnsFor(question), maxTokens: 8, forgets: true };
        b.push((await alone.ask<Times>(request)).firstMs);
      }
      return { value: median(a), peerValue: median(b), runs: a.length };
    },
  ),
  llamaBench({ name: 'llama.decode', unit: 'ms', reach: '<= 1.05x' }, async ({ child, alone }) => {
    const [a, b]: [number[], number[]] = [[], []];
    for (const question of questions) {
      const turns = turnsFor(question);
      const mine = await ours(child, turns, answerTokens);
      const theirs = await alone.ask<Times>({ turns, maxTokens: answerTokens });
      if (mine.tokens > 1) a.push(mine.restMs / (mine.tokens - 1));
      if (theirs.tokens > 1) b.push(theirs.restMs / (theirs.tokens - 1));
    }
    const note = 'a token of an answer; 1.05x is 0.95x of its tokens in a second';
    return { value: median(a), peerValue: median(b), runs: a.length, note };
  }),
  llamaBench({ name: 'llama.second', unit: 'ms', reach: '<= 1.2x' }, async ({ child, alone }) => {
    const [a, b]: [number[], number[]] = [[], []];
    await ours(child, turnsFor('What is this?'), 4);
    for (const question of questions) {
      a.push((await ours(child, turnsFor(question), 4)).firstMs);
      const before = `${system}\n${evidence}\n\nQuestion: `;
      const after = `${question}${turnEnd}`;
      b.push((await alone.ask<Times>({ before, after })).firstMs);
    }
    const note = 'the first word of a second question, beside its new tokens alone';
    return { value: median(a), peerValue: median(b), runs: a.length, note };
  }),
];
