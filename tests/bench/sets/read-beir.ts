import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Collection } from '../memory-sets.ts';
import { rowOf } from './row-of.ts';

type Text = { _id: string; title?: string; text: string };

/** `qrels/test.tsv`, or another file of that folder, or `qrels.tsv`. */
export function hasQrels(folder: string): boolean {
  return existsSync(join(folder, 'corpus.jsonl')) && qrelsPath(folder) !== undefined;
}

/** BEIR's layout: texts and questions by `_id`, and which text answers which question. */
export function readBeir(folder: string): Collection {
  const lines = (name: string): Text[] =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Text);
  const relevant = new Map<string, string[]>();
  const judged = readFileSync(qrelsPath(folder) ?? '', 'utf8').split(/\r?\n/);
  for (const line of judged) {
    const [query = '', text = '', score] = columnsOf(line);
    // the line of names has no number
    if (!(Number(score) > 0)) continue;
    relevant.set(query, [...(relevant.get(query) ?? []), text]);
  }
  return {
    rows: lines('corpus.jsonl').map(({ _id, title = '', text }) => {
      const whole = title === '' ? text : `${title}\n${text}`;
      return rowOf(_id, { layer: 'assets', text: whole, context: whole, kind: 'text', ts: 0 });
    }),
    questions: lines('queries.jsonl').flatMap(({ _id, text }) => {
      const own = relevant.get(_id);
      return own === undefined ? [] : [{ text, relevant: own, category: '' }];
    }),
  };
}

/** `query text score`, or TREC's `query 0 text score`. */
function columnsOf(line: string): string[] {
  const columns = line.split('\t');
  return columns.length === 4 ? columns.toSpliced(1, 1) : columns;
}

function qrelsPath(folder: string): string | undefined {
  const [own, single] = [join(folder, 'qrels'), join(folder, 'qrels.tsv')];
  if (existsSync(single)) return single;
  if (!existsSync(own) || !statSync(own).isDirectory()) return undefined;
  const names = readdirSync(own).filter((name) => name.endsWith('.tsv'));
  const name = names.includes('test.tsv') ? 'test.tsv' : names.sort()[0];
  return name === undefined ? undefined : join(own, name);
}
