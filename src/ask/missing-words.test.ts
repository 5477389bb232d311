import { describe, expect, it } from 'vitest';
import { inNoPassage, missingWords, nearWords } from './missing-words.ts';

/** Nothing is near to anything but `boiler` to `heating`. */
const likenessesTo = (_: string, words: readonly string[]) => ({
  asked: () => 0,
  nearest: (text: string) =>
    words.map((word) => (word === 'heating' && text.includes('boiler') ? 0.7 : 0.1)),
});
const missing = (question: string, ...texts: string[]): string[] =>
  missingWords(question, texts, { likenessesTo, isEnglish: true });

describe('missingWords()', () => {
  it('names what no text holds where that is half of the question or more', () => {
    const flight = 'trips/a.md\nWe fly from Basel at 07:40.';
    expect(missing('when does the bus to Basel leave?', flight)).toEqual(['bus', 'leave']);
    expect(missing('when do we fly from Basel and land?', flight)).toEqual([]);
  });

  it('takes other forms, beginnings, parts of names, paths and likeness for held', () => {
    expect(missing('where are backups stored?', 'backup.ts\nstore(x)')).toEqual([]);
    expect(missing('where is the config saved?', 'src/save.ts\nreadConfiguration()')).toEqual([]);
    expect(missing('when was the heating last checked?', 'The boiler was checked')).toEqual([]);
    expect(missing('when was the heating checked?', 'The car was checked')).toEqual(['heating']);
    expect(missing('where is the thread?', 'one\nthe', 'two\nthreads')).toEqual([]);
  });

  it('names a name in any case, and the height that is asked for never', () => {
    const text = 'The cache is cleared when a session ends';
    expect(missing('which session cache uses Redis?', text)).toEqual(['redis']);
    expect(missing('which session cache is cleared as JSON?', text)).toEqual([]);
    expect(missing('since when is the cache of 3.3 cleared?', text)).toEqual(['3.3']);
    expect(missing('since when is the cache of 3.3 cleared?', `${text} of 3.3`)).toEqual([]);
    expect(missing('how high is the deductible?', 'The deductible is 200')).toEqual([]);
  });

  it('says nothing of a text that tells what happened', () => {
    expect(missing('it broke\nwhen I left', 'x')).toEqual([]);
    expect(missing(`is it ${'safe '.repeat(90)}`, 'x')).toEqual([]);
    expect(missing('is it safe?')).toEqual([]);
    expect(missing('is it safe?', 'x')).toEqual(['safe']);
  });
});

it('inNoPassage() says each word once, whatever else is left out', () => {
  const piece = { path: 'a.md', line: 1, endLine: 1, text: 'x', score: 1 };
  const said = (...leftOut: string[]): string[] =>
    inNoPassage({ text: 'where is the newest lamp?' }, [piece], leftOut, likenessesTo);
  expect(said()).toEqual(['"newest", "lamp" (in no passage)']);
  expect(said('newest (not compared)')).toEqual(['"lamp" (in no passage)']);
  expect(said('newest lamp')).toEqual([]);
});

it('nearWords() names the words that passages have, and those that none has', () => {
  const piece = {
    path: 'books/a.md',
    line: 1,
    endLine: 1,
    text: 'The Wall has five stars',
    score: 1,
  };
  const near = (question: string, ...leftOut: string[]): string =>
    nearWords(question, [piece], leftOut);
  expect(near('which books have five stars?')).toBe('near "books", "five", "stars"');
  expect(near('which books without pictures have stars?')).toBe(
    'near "books", "stars"; none has "without", "pictures"',
  );
  expect(near('which books have pictures?', '"pictures" (in no passage)')).toBe('near "books"');
  expect(near('what is a lamp?')).toBe('near your words');
  expect(near(`five stars\n${'x '.repeat(9)}`)).toBe('near your words');
  const many = nearWords(
    'a1 b2 c3 d4 e5 f6 g7 h8 i9',
    [{ ...piece, text: 'a1 b2 c3 d4 e5 f6 g7 h8 i9' }],
    [],
  );
  expect(many).toBe('near "a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", …');
});
