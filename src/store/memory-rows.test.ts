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

it('book.hasFacts() counts what ended, and tells of one layer', () => {
  using store = openStore({ path: ':memory:' });
  const journal = store.memoryJournal;
  const has = (layer?: 'interact' | 'assets') => journal.book.hasFacts(layer);
  journal.append([{ id: '1', record: record('tea', 1) }]);
  expect([has(), has('interact')]).toEqual([false, false]);
  journal.append([{ id: '2', record: { ...record('cake', 1), kind: 'fact', endedMs: 2 } }]);
  expect([has(), has('interact'), has('assets')]).toEqual([true, true, false]);
});
