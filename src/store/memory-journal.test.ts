import { expect, it } from 'vitest';
import type { MemoryRecord } from '../contracts/memory.ts';
import { openStore } from './open-store.ts';

const record = (text: string, ts: number): MemoryRecord => ({
  ...{ layer: 'interact', text, context: text, kind: 'question', tags: [], project: '/work', ts },
});

it('pending() takes the rows with most words of a question where not all are taken', () => {
  using store = openStore({ path: ':memory:' });
  const journal = store.memoryJournal;
  const texts = ['the deploy key', 'the deploy day and key', 'tea', 'coffee', 'cake'];
  journal.append(texts.map((text, at) => ({ id: `${at}`, record: record(text, at) })));
  const idsOf = (limit: number, words: string[]) =>
    journal.pending({ limit, order: 'newest', words }).map(({ id }) => id);
  expect(idsOf(2, ['deploy', 'day'])).toEqual(['1', '0']);
  expect(idsOf(2, [])).toEqual(['4', '3']);
  expect(idsOf(5, ['deploy'])).toEqual(['4', '3', '2', '1', '0']);
  const oldest = journal.pending({ limit: 4, order: 'oldest' });
  expect(oldest.map(({ id }) => id)).toEqual(['0', '1', '2', '3']);
  journal.remove(oldest.map(({ seq }) => seq));
  expect(idsOf(5, ['deploy'])).toEqual(['4']);
});
