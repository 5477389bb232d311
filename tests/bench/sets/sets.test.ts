import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryEmbedder } from '../../../src/memory/memory-embedder.ts';
import { loadEmbedder } from '../../../src/memory/static/load-embedder.ts';
import { measureCollection } from '../memory-measure.ts';
import { readSets } from '../memory-sets.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cuervo-sets-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const put = (path: string, lines: readonly unknown[]) => {
  mkdirSync(join(directory, path, '..'), { recursive: true });
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(join(directory, path), text.join('\n'));
};

const haystack = {
  question_id: 'q1',
  question_type: 'single-session-user',
  question: 'Which bird did I see at the lake?',
  haystack_session_ids: ['s-car', 's-lake'],
  haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 10:00'],
  haystack_sessions: [
    [
      { role: 'user', content: 'My car needs new tyres.' },
      { role: 'assistant', content: 'Ask two garages for a price.' },
    ],
    [{ role: 'user', content: 'I saw a heron at the lake today.' }],
  ],
  answer_session_ids: ['s-lake'],
};

describe('readSets()', () => {
  it("reads BEIR's layout: texts with titles, and only questions that something answers", () => {
    put('made/corpus.jsonl', [
      { _id: 'd1', title: 'Herons', text: 'They stand in water.' },
      { _id: 'd2', title: '', text: 'Tyres are black.' },
    ]);
    put('made/queries.jsonl', [
      { _id: 'q1', text: 'where do herons stand?' },
      { _id: 'q2', text: 'who knows?' },
    ]);
    const judged = ['query-id\tcorpus-id\tscore', 'q1\td1\t1', 'q1\td2\t0', 'q2\td2\t0'];
    put('made/qrels/test.tsv', judged);
    const [set] = readSets(directory);
    expect(set?.collections[0]?.rows.map(({ key, record }) => [key, record.text])).toEqual([
      ['d1', 'Herons\nThey stand in water.'],
      ['d2', 'Tyres are black.'],
    ]);
    expect(set?.collections[0]?.questions).toEqual([
      { text: 'where do herons stand?', relevant: ['d1'], category: '' },
    ]);
  });

  it("reads TREC's four columns", () => {
    put('made/corpus.jsonl', [{ _id: 'd1', text: 'a' }]);
    put('made/queries.jsonl', [{ _id: 'q1', text: 'b' }]);
    put('made/qrels.tsv', ['q1\t0\td1\t2']);
    expect(readSets(directory)[0]?.collections[0]?.questions[0]?.relevant).toEqual(['d1']);
  });

  it("reads LongMemEval's sessions turn by turn, and judges by session", async () => {
    put('made/longmemeval_s.json', [[haystack]]);
    const [set] = readSets(directory);
    const [collection] = set?.collections ?? [];
    expect(collection?.rows.map(({ record }) => [record.session, record.text])).toEqual([
      ['s-car', 'My car needs new tyres.'],
      ['s-car', 'Ask two garages for a price.'],
      ['s-lake', 'I saw a heron at the lake today.'],
    ]);
    expect(collection?.rows[0]?.record.ts).toBe(Date.UTC(2023, 4, 20, 2, 21));
    const table = new URL('../../../src/memory/static/static-embedder.ste', import.meta.url);
    const embedder = memoryEmbedder(loadEmbedder(table.pathname));
    const arms = await measureCollection(collection!, embedder);
    const [judged] = arms.get('fused') ?? [];
    expect(judged).toMatchObject({ relevant: ['s-lake'], category: 'single-session-user' });
    expect(judged?.found[0]).toBe('s-lake');
    expect(new Set(judged?.found).size).toBe(judged?.found.length);
  });

  it('passes over folders that hold none of these', () => {
    put('other/readme.json', [{ title: 'nothing' }]);
    expect(readSets(directory)).toEqual([]);
  });
});
