import { describe, expect, it } from 'vitest';
import type { Embedder } from '../contracts/embedder.ts';
import type { ToolEvent, ToolInvoker } from '../contracts/tool.ts';
import { rankPassages } from './rank-passages.ts';

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
const embedder: Embedder = { name: 'two', dimensions: 2, embed: vector, embedCode: vector };

async function outputOf(
  invoker: ToolInvoker,
  input: { question?: string; regions?: boolean },
  open: () => Embedder = () => embedder,
): Promise<{ content: string; summary: string; warnings: string[] }> {
  const warnings: string[] = [];
  const ranked = rankPassages(invoker, open, (message) => warnings.push(message));
  const events: ToolEvent[] = [];
  const call = { tool: 'search.passages', input };
  const options = { signal: new AbortController().signal, timeoutMs: 1000, step: 's1' };
  for await (const event of ranked.invoke(call, options)) events.push(event);
  const [event] = events;
  if (event?.type !== 'output') throw new Error('no output came');
  return { ...event.output, warnings };
}

describe('rankPassages()', () => {
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

  it('keeps the order by words and warns when there is no embedder', async () => {
    const input = { question: 'asked', regions: true };
    const { content, warnings } = await outputOf(giving(JSON.stringify(found)), input, () => {
      throw new Error('no table');
    });
    const paths = JSON.parse(content).passages.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['words.ts', 'meant.ts']);
    expect(warnings).toEqual(['passages are ranked by words alone: no table']);
  });
});
