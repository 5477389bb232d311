import { expect, it } from 'vitest';
import { splitWords } from './words.ts';

it.each([
  ['count text=one', ['count', 'text=one']],
  ["count text='one two' n=1", ['count', 'text=one two', 'n=1']],
  ['count \'{"text":"a b"}\'', ['count', '{"text":"a b"}']],
  ['count text="say \\"no\\""', ['count', 'text=say "no"']],
  ['a\\ b  c', ['a b', 'c']],
  ["text=''", ['text=']],
  ['  ', []],
  ["open 'quote", ['open', "'quote"]],
])('splitWords() reads %s as a shell does', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});
