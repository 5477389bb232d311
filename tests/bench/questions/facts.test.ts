import { describe, expect, it } from 'vitest';
import { contentWords } from '../../../src/memory/content-words.ts';
import { otherNotes, readFactHalf, readUnanswered } from '../facts/read-pairs.ts';

const tune = readFactHalf('tune');
const report = readFactHalf('report');
const pairs = [...tune, ...report];

describe('the pairs of fact and question', () => {
  it('share no stem but names', () => {
    const shared = pairs.flatMap(({ fact, question }) => {
      const names = new Set(question.match(/(?<=\s)\p{Lu}\w+/gu)?.flatMap(contentWords));
      const told = new Set(contentWords(fact));
      return contentWords(question).filter((word) => told.has(word) && !names.has(word));
    });
    expect(shared).toEqual([]);
  });

  it('are 30 in each half, among 200 notes that are all different', () => {
    expect([tune.length, report.length]).toEqual([30, 30]);
    const notes = [...pairs.flatMap(({ fact, near }) => [fact, near]), ...otherNotes()];
    expect(new Set(notes).size).toBe(200);
  });
});

it('half of the questions without an answer are on near subjects', () => {
  const asked = [...readUnanswered('tune'), ...readUnanswered('report')];
  const near = asked.filter(({ about }) => about === 'near');
  expect([asked.length, near.length]).toEqual([40, 20]);
});
