import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../contracts/embedder.ts';
import type { JsonObject, ToolEvent, ToolInvoker, ToolOutput } from '../../contracts/tool.ts';
import type { IndexFindings, IndexPieces } from '../../memory/commands/index-pieces.ts';
import { withKernelTools } from './with-kernel-tools.ts';

const file = (path: string, score: number, text: string) => ({
  path,
  score,
  regions: [{ line: 1, text }],
});
const found = {
  passages: [
    { path: 'words.ts', line: 1, score: 10 },
    { path: 'meant.ts', line: 1, score: 8 },
  ],
  words: ['folder'],
  total: 2,
  files: [file('words.ts', 10, 'other'), file('meant.ts', 8, 'alike')],
};

/** Gives the same output for every call. */
const giving = (content: string): ToolInvoker => ({
  tools: () => Promise.resolve([]),
  async *invoke() {
    yield { type: 'output', output: { content, summary: 'as it came' } };
  },
});

const vector = (text: string): Float32Array =>
  /alike|asked/.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0.1, 0.99);
/** The words that nearness was asked of, by question. */
const asked: unknown[] = [];
const embedder: Embedder = {
  name: 'two',
  dimensions: 2,
  embed: vector,
  embedCode: vector,
  nearest: () => () => [],
  nearestInCode: (words) => {
    asked.push(words);
    return () => [0.5];
  },
};

const noFact = (): Promise<never> => Promise.reject(new Error('no model asked for it'));

async function outputOf(
  invoker: ToolInvoker,
  input: { question?: string; regions?: boolean },
  open: () => Embedder = () => embedder,
  pieces?: IndexPieces,
): Promise<{ content: string; summary: string; warnings: string[] }> {
  const warnings: string[] = [];
  const ranking = withKernelTools(invoker, {
    embedder: open,
    warn: (message) => warnings.push(message),
    remember: noFact,
    task: noFact,
    skill: noFact,
    ...(pieces === undefined ? {} : { pieces }),
  });
  const call = async (tool: string, more: JsonObject, step: string): Promise<ToolOutput> => {
    const events: ToolEvent[] = [];
    const options = { signal: new AbortController().signal, timeoutMs: 1000, step };
    for await (const event of ranking.invoke({ tool, input: more }, options)) events.push(event);
    const [event] = events;
    if (event?.type !== 'output') throw new Error('no output came');
    return event.output;
  };
  const searched = await call('search.passages', input, 's1');
  if (!searched.content.includes('"found":')) return { ...searched, warnings };
  expect(searched.content).not.toContain('regions');
  const { found: of } = JSON.parse(searched.content) as { found: string };
  const { question = '' } = input;
  return { ...(await call('passages.rank', { question, found: of }, 's2')), warnings };
}

describe('withKernelTools()', () => {
  it('orders by words and meaning, and hands no regions on', async () => {
    const { content, warnings } = await outputOf(giving(JSON.stringify(found)), {
      question: 'asked',
      regions: true,
    });
    const { passages, ...rest } = JSON.parse(content);
    expect(passages.map(({ path }: { path: string }) => path)).toEqual(['meant.ts', 'words.ts']);
    expect(rest).toEqual({ words: ['folder'], total: 2 });
    expect(warnings).toEqual([]);
  });

  it('asks how near code comes to the words, up to 64 of them', async () => {
    const input = { question: 'asked', regions: true };
    await outputOf(giving(JSON.stringify({ ...found, words: ['folder', 'file'] })), input);
    expect(asked.at(-1)).toEqual(['folder', 'file']);
    const many = { ...found, words: Array.from({ length: 100 }, (_, at) => `word${at}`) };
    await outputOf(giving(JSON.stringify(many)), input);
    expect(asked.at(-1)).toHaveLength(64);
  });

  it('says which files were not searched because they are not UTF-8', async () => {
    const notText = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
    const { content, warnings } = await outputOf(giving(JSON.stringify({ ...found, notText })), {
      question: 'asked',
      regions: true,
    });
    expect(JSON.parse(content)).toMatchObject({ notText });
    expect(warnings).toEqual([
      'not searched because their content is not UTF-8, though they hold words of the question: "a.txt", "b.txt", "c.txt" and 1 more',
    ]);
  });

  it('leaves what was not asked for regions, and what has none, as it came', async () => {
    const content = JSON.stringify(found);
    expect((await outputOf(giving(content), { question: 'asked' })).content).toBe(content);
    for (const other of ['plain', '{"passages":[]}', '{"passages":[],"files":[{"path":1}]}']) {
      const input = { question: 'asked', regions: true };
      expect(await outputOf(giving(other), input)).toMatchObject({
        content: other,
        summary: 'as it came',
      });
    }
  });

  it('ranks nothing that no search of the plan found', async () => {
    const ranking = withKernelTools(giving('{}'), {
      embedder: () => embedder,
      warn: () => {},
      remember: noFact,
      task: noFact,
      skill: noFact,
    });
    const call = { tool: 'passages.rank', input: { question: 'asked', found: 's1' } };
    const options = { signal: new AbortController().signal, timeoutMs: 1000, step: 's2' };
    const run = async () => {
      for await (const _ of ranking.invoke(call, options));
    };
    await expect(run()).rejects.toThrow('no search of this plan found anything to rank: s1');
  });

  it('keeps the order by words and warns when there is no embedder', async () => {
    const input = { question: 'asked', regions: true };
    const { content, warnings } = await outputOf(giving(JSON.stringify(found)), input, () => {
      throw new Error('no table');
    });
    const paths = JSON.parse(content).passages.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['words.ts', 'meant.ts']);
    expect(warnings).toEqual(['passages are ranked by words alone: no table']);
  });

  describe('with an index', () => {
    const piece = (source: string, cosine: number) => ({
      source,
      text: 'asked\nalike',
      startLine: 7,
      endLine: 8,
      cosine,
      likeness: cosine,
    });
    const prepare = () => {};
    const findings = (over: Partial<IndexFindings> = {}): IndexPieces => ({
      prepare,
      find: async () => ({
        likeness: new Map([['meant.ts', 0.2]]),
        others: [],
        best: new Map(),
        behind: [],
        rerank: async () => undefined,
        ...over,
      }),
    });
    const ask = (pieces: IndexPieces) =>
      outputOf(
        giving(JSON.stringify(found)),
        { question: 'asked', regions: true },
        undefined,
        pieces,
      );
    const pathsOf = ({ content }: { content: string }) =>
      (JSON.parse(content) as { passages: { path: string; line: number }[] }).passages.map(
        ({ path, line }) => `${path}:${line}`,
      );

    it('adds files that words did not find, behind those that they did', async () => {
      const other = piece('other.ts', 0.6);
      const pieces = findings({ others: [other], likeness: new Map([['other.ts', 0.6]]) });
      const output = await ask(pieces);
      expect(pathsOf(output).at(-1)).toBe('other.ts:7');
      expect(pathsOf(output)).toHaveLength(3);
      expect(output.summary).toContain('words, index and meaning');
    });

    it('lets a model that helps code look at the best files once more', async () => {
      const best = new Map(
        ['words.ts', 'meant.ts'].map((path) => [path, piece(path, 0.5)] as const),
      );
      const rerank = async (some: readonly { source: string }[]) => ({
        scores: some.map(({ source }) => (source === 'words.ts' ? 9 : 1)),
        share: 0.9,
      });
      expect(pathsOf(await ask(findings({ best })))[0]).toBe('meant.ts:1');
      expect(pathsOf(await ask(findings({ best, rerank })))[0]).toBe('words.ts:1');
    });

    it('is loaded beside the search, before what it found is known', async () => {
      const steps: string[] = [];
      const prepared: IndexPieces = {
        prepare: (question) => steps.push(`prepare ${question}`),
        find: async () => {
          steps.push('find');
          return undefined;
        },
      };
      await ask(prepared);
      expect(steps).toEqual(['prepare asked', 'find']);
    });

    it('says when it is behind, and answers without one that cannot be read', async () => {
      const behind = await ask(findings({ behind: ['a.ts', 'b.ts'] }));
      expect(behind.warnings[0]).toMatch(
        /^the index is behind: 2 of the files it found have changed/,
      );
      const find = () => Promise.reject(new Error('no table'));
      const broken = await ask({ prepare, find });
      expect(broken.warnings).toEqual(['the index is not used: no table']);
      expect(pathsOf(broken)).toHaveLength(2);
    });
  });
});
