import { describe, expect, it } from 'vitest';
import { KernelError } from '../contracts/error.ts';
import type { TalkRow } from '../contracts/store.ts';
import type { TalkPart } from '../contracts/talk.ts';
import { openTalk } from './talk-book.ts';

const call = { id: 'c1', name: 'file.read', input: { path: 'a.ts' } };
const question: TalkPart = { kind: 'question', text: 'where?', memory: [], observations: [] };
const reply: TalkPart = { kind: 'reply', text: 'Let me look.', calls: [call] };

function open(parts: readonly TalkPart[], addTalk: (row: TalkRow) => void = () => {}) {
  const warnings: string[] = [];
  const rows = parts.map((part): TalkRow => ({ session: 's', run: 'r1', ts: 1, part }));
  const book = openTalk({
    ...{ session: 's', run: 'r2', clock: { nowMs: () => 2 } },
    store: { talk: () => rows, addTalk },
    warn: (text) => void warnings.push(text),
  });
  return { book, warnings };
}

describe('openTalk()', () => {
  it('begins each conversation with another short word for its markers', () => {
    const markers = Array.from({ length: 20 }, () => open([]).book.marker);
    for (const marker of markers) expect(marker).toMatch(/^(?:[b-z][aeiou]){4}$/);
    expect(new Set(markers).size).toBeGreaterThan(15);
  });

  it('gives what was asked, called, brought and answered', () => {
    const result: TalkPart = {
      ...{ kind: 'result', call: 'c1', source: 'tool file.read', text: 'x = 7' },
      ...{ isError: false, isOurs: false },
    };
    const answer: TalkPart = { kind: 'reply', text: 'It is 7.', calls: [] };
    const { book } = open([
      { kind: 'begin', marker: 'abcdef123456', tools: ['file.read'] },
      ...[question, reply, result, answer],
    ]);
    expect(book).toMatchObject({ marker: 'abcdef123456', tools: ['file.read'] });
    expect(book.turns).toMatchObject([
      {
        ...{ question: 'where?', answer: 'It is 7.' },
        rounds: [{ text: 'Let me look.', calls: [call], results: [{ id: 'c1', text: 'x = 7' }] }],
      },
    ]);
  });

  it('has a result for each call, also of a run that was killed before it', () => {
    const { book } = open([question, reply]);
    expect(book.turns[0]).toMatchObject({
      answer: '[no answer: the run was cut off]',
      rounds: [
        {
          results: [
            { id: 'c1', isError: true, isOurs: true, text: expect.stringContaining('not known') },
          ],
        },
      ],
    });
  });

  it('says why there was no answer', () => {
    const { book } = open([question, { kind: 'stop', stop: 'tokens' }]);
    expect(book.turns[0]?.answer).toBe('[no answer: tokens]');
  });

  it('goes on without a record when the store is locked, and says so once', () => {
    let tries = 0;
    const { book, warnings } = open([], () => {
      tries += 1;
      throw new KernelError('unavailable', 'the store is locked');
    });
    book.keep(question);
    book.keep(reply);
    expect(warnings).toEqual(['this conversation cannot be continued later: the store is locked']);
    // Each would wait for the lock again.
    expect(tries).toBe(1);
  });
});
