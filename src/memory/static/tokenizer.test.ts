import { describe, expect, it } from 'vitest';
import { createTokenizer } from './load-embedder.ts';

const vocabulary = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  'token',
  '##izer',
  '##s',
  'a',
  'cafe',
  '!',
  '一',
  '##a',
];
const pieces = (text: string): string[] =>
  createTokenizer(vocabulary.join('\n'))(text).map((id) => vocabulary[id] as string);

describe('createTokenizer()', () => {
  it('takes the longest pieces, in lower case', () => {
    expect(pieces('Tokenizers a')).toEqual(['token', '##izer', '##s', 'a']);
  });

  it('takes accents off and signs and ideographs apart', () => {
    expect(pieces('café!a')).toEqual(['cafe', '!', 'a']);
    expect(pieces('a一a')).toEqual(['a', '一', 'a']);
  });

  it('knows a word with a strange part not at all, nor one of more than 100 characters', () => {
    expect(pieces('tokenq a')).toEqual(['[UNK]', 'a']);
    expect(pieces('a'.repeat(100))).toHaveLength(100);
    expect(pieces('a'.repeat(101))).toEqual(['[UNK]']);
  });

  it('reads marks that are written out, and drops what cannot be seen', () => {
    expect(pieces('a [CLS]a')).toEqual(['a', '[CLS]', 'a']);
    expect(pieces('to\u200bken\u0007')).toEqual(['token']);
    expect(pieces(' \n\t ')).toEqual([]);
  });
});
