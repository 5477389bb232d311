import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kernel, openKernel } from '../../src/index.ts';

type Correction = {
  language: string;
  kind: 'direct' | 'indirect';
  told: string;
  said: string;
  question: string;
  newer: string;
  older: string;
};
type Addition = { language: string; told: string; said: string; question: string };

export type FactFigures = {
  /** of 40: `ask` shows the newer fact first, and names the older one */
  corrections: number;
  /** of 40: facts on near subjects that were ended by mistake */
  wronglyEnded: number;
  /** of 60 questions that begin like facts: stored */
  stored: number;
  /** one line for each that went wrong */
  failures: string[];
};

const signal = new AbortController().signal;

/** Says and asks what `questions/` holds, each case in a home of its own, as a person would. */
export async function measureFacts(options: { models?: string } = {}): Promise<FactFigures> {
  const figures: FactFigures = { corrections: 0, wronglyEnded: 0, stored: 0, failures: [] };
  for (const { told, said, question, newer, older } of read<Correction>('corrections')) {
    const answer = await inHome(options, async (ask) => {
      await ask(told);
      await ask(said);
      return await ask(question);
    });
    const [first = '', ...behind] = answer.split('replaces:');
    if (first.includes(newer) && behind.join().includes(older)) figures.corrections += 1;
    else figures.failures.push(`correction: ${told} / ${said} / ${question}: ${oneLine(answer)}`);
  }
  for (const { told, said } of read<Addition>('additions')) {
    const held = await inHome(options, async (ask, kernel) => {
      await ask(told);
      await ask(said);
      return (await factsOf(kernel)).filter(({ holds }) => holds).length;
    });
    if (held === 2) continue;
    figures.wronglyEnded += 1;
    figures.failures.push(`addition: ${told} / ${said}: ${held} hold`);
  }
  const questions = read<{ text: string }>('fact-like-questions');
  figures.stored = await inHome(options, async (ask, kernel) => {
    for (const { text } of questions) await ask(text);
    const facts = await factsOf(kernel);
    figures.failures.push(...facts.map(({ text }) => `stored: ${text}`));
    return facts.length;
  });
  return figures;
}

type Ask = (words: string) => Promise<string>;

async function inHome<Value>(
  { models }: { models?: string },
  work: (ask: Ask, kernel: Kernel) => Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-facts-'));
  const [home, workspace] = [join(folder, 'home'), join(folder, 'work')];
  mkdirSync(workspace);
  if (models !== undefined) {
    mkdirSync(home, { mode: 0o700 });
    symlinkSync(models, join(home, 'models'));
  }
  try {
    let nowMs = Date.UTC(2026, 2, 12, 9);
    const clock = { nowMs: () => nowMs };
    await using kernel = await openKernel({ home, workspace, clock });
    return await work(async (words) => {
      nowMs += 60_000;
      let text = '';
      for await (const event of kernel.ask(words, { signal })) {
        if (event.type === 'answer') text = event.text;
      }
      return text;
    }, kernel);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function factsOf(kernel: Kernel): Promise<{ text: string; holds: boolean }[]> {
  const memory = await kernel.memory();
  const kinds = ['fact', 'decision', 'preference'];
  const rows = await memory.list({ kinds }, { signal, limit: 999 });
  return rows.map(({ record }) => ({
    text: record.text,
    holds: record.replacedBy === undefined && record.endedMs === undefined,
  }));
}

function read<Row>(name: string): Row[] {
  const path = join(import.meta.dirname, 'questions', `${name}.jsonl`);
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200);
}
