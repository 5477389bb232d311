import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kernel, openKernel } from '../../src/index.ts';
import { startAnthropicServer } from '../fixtures/anthropic-server/server.ts';

type Correction = { told: string; said: string; question: string; newer: string; older: string };
type Message = { text: string };

/** The ways in which a person corrects a fact. */
export const ways = ['remember', 'unasked', 'offer', 'model'] as const;
export type Way = (typeof ways)[number];

export type FactFigures = {
  /**
   * of 40 corrections: `ask` shows the newer fact first. By `remember …` with a yes, and where nobody
   * can be asked; by a message that is offered; by a model that calls `memory.remember`
   */
  corrections: Readonly<Record<Way, number>>;
  /** of 40 facts on near subjects that were told: ended by mistake */
  wronglyEnded: number;
  /** of 60 messages of work and 60 questions that begin like facts: kept */
  keptWrongly: number;
  /** of the 40 facts that were told before these: replaced or ended */
  replacedWrongly: number;
  /** one line for each that went wrong */
  failures: string[];
};

const { signal } = new AbortController();
/** "no, …", "actually …" in front of what is put right. */
const beginning =
  /^(?:no|actually|correction|from now on|nein|tatsächlich|eigentlich|en realidad|en fait|non|não|na verdade)\s*[,:]?\s+/i;
/** "remember that …" in front of what is told, or behind it. */
const act =
  /^(?:remember|note|keep in mind|don't forget|merke dir|denk daran|vergiss nicht|recuerda|no olvides|ten en cuenta|retiens|n'oublie pas|note|souviens-toi|lembra|não esqueça|anota|lembre-se de)\s*[,:]?\s*(?:that|dass|que)?\s+|, remember that$/gi;

/** Says and asks what `questions/` holds, each correction in a home of its own, as a person would. */
export async function measureFacts(options: { models?: string } = {}): Promise<FactFigures> {
  const corrections = { remember: 0, unasked: 0, offer: 0, model: 0 };
  const failures: string[] = [];
  for (const correction of read<Correction>('corrections')) {
    for (const way of ways) {
      const answer = await correctedBy(way, correction, options);
      // the first row under "From memory:"
      const [, , , first = ''] = answer.split('\n');
      if (first.includes(correction.newer)) corrections[way] += 1;
      else failures.push(`${way}: ${correction.told} / ${correction.said}: ${oneLine(answer)}`);
    }
  }
  let wronglyEnded = 0;
  for (const { told, said } of read<Correction>('additions')) {
    const held = await inHome(options, async (ask, kernel) => {
      await ask(told);
      await ask(said);
      return (await factsOf(kernel)).every(({ holds }) => holds);
    });
    if (held) continue;
    wronglyEnded += 1;
    failures.push(`addition: ${told} / ${said}: one is ended`);
  }
  const { kept, replaced } = await inHome(options, async (ask, kernel) => {
    const told = read<Correction>('corrections').map((each) => each.told);
    const messages = [...read<Message>('work-messages'), ...read<Message>('fact-like-questions')];
    for (const [at, { text }] of messages.entries()) {
      const [fact] = told.slice(at, at + 1);
      if (fact !== undefined) await ask(fact);
      await ask(text);
    }
    const facts = await factsOf(kernel);
    const said = new Set(messages.map(({ text }) => text));
    return {
      kept: facts.filter(
        ({ text }) => said.has(text) || [...said].some((all) => all.endsWith(text)),
      ),
      replaced: facts.filter(({ holds }) => !holds),
    };
  });
  failures.push(...kept.map(({ text }) => `kept: ${text}`));
  failures.push(...replaced.map(({ text }) => `replaced: ${text}`));
  return {
    ...{ corrections, wronglyEnded, failures },
    keptWrongly: kept.length,
    replacedWrongly: replaced.length,
  };
}

async function correctedBy(
  way: Way,
  { told, said, question }: Correction,
  options: { models?: string },
): Promise<string> {
  const newer = said.replace(act, '').replace(beginning, '');
  const yes = way === 'unasked' ? {} : { askYesNo: async () => true };
  if (way !== 'model') {
    const isOfForm = beginning.test(said) || /no longer|ya no|n'est plus|já não/.test(said);
    const correction =
      way !== 'offer' ? `remember that ${newer}` : isOfForm ? said : `no, ${newer}`;
    return await inHome({ ...options, ...yes }, async (ask) => {
      await ask(told);
      await ask(correction);
      return await ask(question);
    });
  }
  const apiKey = 'key-of-the-local-server';
  const replaces = told.replace(act, '');
  await using server = await startAnthropicServer(
    (_body, { number }) =>
      number === 1
        ? {
            type: 'message',
            toolUses: [{ name: 'memory__remember', input: { text: newer, replaces } }],
          }
        : { type: 'message', text: 'Noted.' },
    { apiKey },
  );
  process.env.ANTHROPIC_API_KEY = apiKey;
  process.env.ANTHROPIC_BASE_URL = server.url;
  const model = 'claude-test';
  return await inHome({ ...options, ...yes }, async (ask) => {
    await ask(told);
    await ask(said, model);
    return await ask(question);
  });
}

type Ask = (words: string, model?: string) => Promise<string>;

async function inHome<Value>(
  { models, askYesNo }: { models?: string; askYesNo?: () => Promise<boolean> },
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
    const base = {
      ...{ home, workspace, clock: { nowMs: () => nowMs } },
      ...(askYesNo === undefined ? {} : { askYesNo }),
    };
    await using kernel = await openKernel({ ...base, model: 'none' });
    const answerOf = async (from: Kernel, words: string): Promise<string> => {
      let text = '';
      for await (const event of from.ask(words, { signal })) {
        if (event.type === 'answer') text = event.text;
      }
      return text;
    };
    return await work(async (words, model) => {
      nowMs += 60_000;
      if (model === undefined) return await answerOf(kernel, words);
      await using other = await openKernel({ ...base, model });
      return await answerOf(other, words);
    }, kernel);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function factsOf(kernel: Kernel): Promise<{ text: string; holds: boolean }[]> {
  const memory = await kernel.memory();
  const kinds = ['fact', 'decision', 'preference', 'model'];
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
