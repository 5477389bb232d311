import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '../../../src/contracts/events.ts';
import { markUntrusted } from '../../../src/guard/mark-untrusted.ts';
import { buildPrompt, type PromptTurn } from '../../../src/models/build-prompt.ts';
import { estimateTokens } from '../../../src/models/count-tokens.ts';
import { createReplyCache } from '../../../src/models/reply-cache.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { openScripted } from '../../fixtures/open-scripted.ts';
import { startOpenAiServer } from '../../fixtures/openai-server/server.ts';
import { grants, nextStep, openProject, question } from '../../support/coding-task.ts';
import { lineOf, linesOf } from '../../support/run-cuervo.ts';
import type { Bench } from '../bench-context.ts';
import { dist } from '../bench-host.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { median, timed } from '../measure.ts';
import { eventsOf, openScriptedKernel } from '../open-scripted-kernel.ts';
import { runProgram } from '../run-program.ts';

/** A home and a small workspace, removed when it is disposed. */
function openFolders(): Disposable & { home: string; workspace: string } {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-talk-'));
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  for (let at = 0; at < 7; at += 1)
    writeFileSync(join(workspace, `f${at}.txt`), `file ${at} says so.\n`.repeat(40));
  return {
    ...{ home: join(folder, 'home'), workspace },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const round: Target = { name: 'talk.round', unit: 'ms', reach: '<= 5 ms' };
const rounds = 10;

/** From the first plan to the last reply, less the time in which steps run. */
const talkRound: Bench = {
  ...round,
  run: async () => {
    using folders = openFolders();
    await using kernel = await openScriptedKernel({
      ...folders,
      reply: ({ messages }, number) => {
        const done = messages.filter(({ role }) => role === 'tool').length;
        if (done >= rounds) return { text: 'All of it says so.' };
        const call = (path: string) => ({ name: 'file.read', input: { path, start: number } });
        return { calls: [call('f1.txt'), call('f2.txt')] };
      },
    });
    const ask = async (): Promise<number> => {
      let firstMs = 0;
      let lastMs = 0;
      let toolMs = 0;
      let stepsMs = 0;
      const look = (event: RunEvent): void => {
        const nowMs = performance.now();
        if (event.type === 'plan') {
          if (firstMs === 0) firstMs = nowMs;
          stepsMs = nowMs;
        } else if (event.type === 'step-finished') {
          toolMs += nowMs - stepsMs;
          stepsMs = nowMs;
        } else if (event.type === 'usage') lastMs = nowMs;
      };
      await eventsOf(kernel.ask('what do the files of the project say?'), look);
      return (lastMs - firstMs - toolMs) / rounds;
    };
    for (let warmUp = 0; warmUp < 3; warmUp += 1) await ask();
    const samples: number[] = [];
    for (let run = 0; run < 20; run += 1) samples.push(await ask());
    return benchLine(round, { value: median(samples), runs: samples.length });
  },
};

const prompt: Target = { name: 'talk.prompt', unit: 'ms', reach: '<= 5 ms' };

/** A question with its call, its result and its answer is four messages. */
function turnOf(index: number): PromptTurn {
  const id = `c${index}`;
  const source = 'tool file.read';
  const text = `line ${index} of the file, which says something\n`.repeat(20);
  return {
    ...{ run: `r${index}`, question: `what does file ${index} say?`, memory: [], observations: [] },
    rounds: [
      {
        text: 'Let me look.',
        calls: [{ id, name: 'file.read', input: { path: `f${index}.txt` } }],
        results: [{ id, source, text, isError: false }],
      },
    ],
    answer: `It says ${index}.`,
  };
}

const talkPrompt: Bench = {
  ...prompt,
  run: async () => {
    const earlier = Array.from({ length: 50 }, (_, index) => turnOf(index));
    const build = async () => {
      const counted = new Map<string, number>();
      const countTokens = (text: string): number => {
        const known = counted.get(text) ?? estimateTokens(text, 4);
        counted.set(text, known);
        return known;
      };
      const made = buildPrompt(
        {
          ...{ role: 'choose', question: 'and now?', earlier, tools: [], observations: [] },
          ...{ memory: [], budgetTokens: Number.POSITIVE_INFINITY, countTokens },
          ...{ nonce: 'abcdef123456', nowMs: 0 },
        },
        { mark: markUntrusted },
      );
      if (made.messages.length < 200) throw new Error(`${made.messages.length} messages`);
    };
    for (let warmUp = 0; warmUp < 20; warmUp += 1) await build();
    const samples: number[] = [];
    for (let run = 0; run < 100; run += 1) samples.push(await timed(build));
    return benchLine(prompt, { value: median(samples), runs: samples.length });
  },
};

const request = {
  ...{ question: 'q', system: 's', tools: [], toolChoice: 'none' as const, maxOutputTokens: 100 },
  messages: [{ role: 'user' as const, text: 'where is it set? '.repeat(1000) }],
};
const context = { marker: 'abcdef123456', hasEffects: false, isReading: () => true };

/** @param isWarm in memory; else out of the database */
function cacheBench(target: Target, isWarm: boolean): Bench {
  return {
    ...target,
    run: async () => {
      using folders = openFolders();
      using store = openStore({ path: join(folders.workspace, 'cuervo.db') });
      const model = openScripted({ name: 'scripted', reply: () => ({ text: 'x' }) });
      const clock = { nowMs: () => Date.now() };
      const cache = createReplyCache({ store, clock });
      const usage = { inputTokens: 1, outputTokens: 1 };
      const text = 'It is set in retry.ts. '.repeat(100);
      const kept = await cache.find(model, request, context);
      kept.keep([
        { type: 'text', delta: text },
        { type: 'end', stop: 'end', usage },
      ]);
      const samples: number[] = [];
      for (let run = 0; run < 1000; run += 1) {
        const asked = isWarm ? cache : createReplyCache({ store, clock });
        samples.push(
          await timed(async () => {
            const { events } = await asked.find(model, request, context);
            if (events === undefined) throw new Error('the reply was not kept');
          }),
        );
      }
      const value = samples.toSorted((a, b) => a - b)[Math.floor(samples.length * 0.99)] ?? 0;
      return benchLine(target, { value, runs: samples.length, note: '99th percentile' });
    },
  };
}

const task: Target = { name: 'talk.task', unit: 'tokens', reach: '<= 0.35x' };

/** A coding task of twelve rounds: what it weighs beside sending all of it uncached. */
const talkTask: Bench = {
  ...task,
  run: async () => {
    using place = openProject();
    await using server = await startOpenAiServer(
      ({ messages, tools = [] }) => {
        const results = messages.flatMap(({ role, content }) =>
          role === 'tool' ? [content ?? ''] : [],
        );
        const said = nextStep(
          results,
          tools.map((tool) => tool.function.name),
        );
        return 'text' in said
          ? { type: 'message', text: said.text }
          : { type: 'message', toolCalls: [said] };
      },
      { models: [{ id: 'test', max_model_len: 200_000 }] },
    );
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--remote']);
    const args = ['ask', '-m', 'srv/test', question, '--json', ...grants];
    const ran = await place.cuervo(args, { env: { HOME: place.dir } });
    lineOf(ran, 'answer');
    const used = linesOf(ran, 'usage');
    const peerValue = used.reduce((sum, each) => sum + each.inputTokens + each.outputTokens, 0);
    const value = used.at(-1)?.spent.tokens ?? peerValue;
    const shorter = ran.stderr.match(/was made shorter/g)?.length ?? 0;
    const note = `${used.length} rounds, ${shorter} compactions`;
    return benchLine(task, { ...{ value, runs: 1, note }, peer: 'uncached', peerValue });
  },
};

const heap: Target = { name: 'talk.heap', unit: 'MB', reach: '<= 20 MB' };
const turns = 500;

const talkHeap: Bench = {
  ...heap,
  run: async () => {
    using folders = openFolders();
    const child = join(import.meta.dirname, '..', 'children', 'talk-heap.ts');
    const args = ['--expose-gc', child, `${turns}`, folders.home, folders.workspace];
    const { code, stdout, stderr } = await runProgram(process.execPath, args, {
      cwd: folders.workspace,
    });
    if (code !== 0) throw new Error(`the child ended with ${code}: ${stderr.trim()}`);
    return benchLine(heap, { value: Number(stdout) / 1e6, runs: 1, note: `${turns} turns` });
  },
};

const start: Target = { name: 'chat.start', unit: 'ms', reach: '<= 400 ms' };

/** From the start of the process to the line that is typed into, at a terminal of its own. */
const chatStart: Bench = {
  ...start,
  run: async () => {
    using folders = openFolders();
    const words = [process.execPath, join(dist, 'cuervo.cjs'), 'chat'];
    const line = words.map((word) => `'${word}'`).join(' ');
    const open = async (): Promise<number> => {
      const startedMs = performance.now();
      const child = spawn('script', ['-qec', line, '/dev/null'], {
        cwd: folders.workspace,
        env: { ...process.env, CUERVO_HOME: folders.home, NO_COLOR: '1', TERM: 'xterm' },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      let shown = '';
      const shownMs = await new Promise<number>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', () => reject(new Error(`no line came: ${shown}`)));
        child.stdout.on('data', (chunk: Buffer) => {
          shown += chunk.toString();
          // The line is drawn, and the cursor stands behind its mark.
          if (shown.includes('> \u001b[3G')) resolve(performance.now());
        });
      });
      child.stdin.end('\u0004');
      await ended;
      return shownMs - startedMs;
    };
    await open();
    const samples: number[] = [];
    for (let run = 0; run < 10; run += 1) samples.push(await open());
    return benchLine(start, { value: median(samples), runs: samples.length });
  },
};

export const talkBenches: readonly Bench[] = [
  talkRound,
  talkPrompt,
  cacheBench({ name: 'talk.cache.memory', unit: 'ms', reach: '<= 1 ms' }, true),
  cacheBench({ name: 'talk.cache.store', unit: 'ms', reach: '<= 10 ms' }, false),
  talkTask,
  talkHeap,
  chatStart,
];
