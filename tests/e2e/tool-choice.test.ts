import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tool } from '../../src/contracts/tool.ts';
import { dotProduct } from '../../src/lib/numbers.ts';
import { contentWords } from '../../src/lib/text/words.ts';
import { loadEmbedder } from '../../src/memory/static/load-embedder.ts';
import { chooseTools } from '../../src/questions/tools/choose-tools.ts';
import { otherTools } from '../fixtures/other-tools.ts';
import { openPlace, type Place } from '../support/place.ts';

type Goal = { goal: string; tools: string[] };

const root = resolve(import.meta.dirname, '../..');
const goals = readFileSync(join(root, 'tests/fixtures/tool-goals.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Goal);

let place: Place;
let tools: Tool[];
beforeAll(async () => {
  place = openPlace({ 'a.txt': 'a\n' });
  const { stdout } = await place.cuervo(['tools', '--json']);
  const own = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Tool);
  tools = [...own, ...otherTools];
});
afterAll(() => place[Symbol.dispose]());

describe('chooseTools() over the tools that come along and those of others', () => {
  const { embed, nearest } = loadEmbedder(join(root, 'src/memory/static/static-embedder.ste'));

  /** @returns the share of goals whose tool is among the first */
  const found = (first: number, byMeaning: boolean): number => {
    const hits = goals.filter(({ goal, tools: wanted }) => {
      const own = embed(goal);
      const words = contentWords(goal);
      const likenesses = {
        asked: (text: string): number => dotProduct(own, embed(text)),
        nearest: nearest(words),
      };
      const chosen = chooseTools(words, tools, byMeaning ? likenesses : undefined);
      return chosen.slice(0, first).some(({ tool }) => wanted.includes(tool.name));
    });
    return hits.length / goals.length;
  };

  it('finds the tool of nine goals in ten among the first three of at least fifty', () => {
    expect(tools.length).toBeGreaterThanOrEqual(50);
    expect(goals.length).toBeGreaterThanOrEqual(60);
    expect(found(3, true)).toBeGreaterThanOrEqual(0.9);
    // What a local model is shown at most.
    expect(found(8, true)).toBeGreaterThanOrEqual(0.95);
  });

  it('finds fewer by words alone', () => {
    expect(found(3, false)).toBeLessThan(found(3, true));
  });
});
