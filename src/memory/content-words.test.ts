import { describe, expect, it } from 'vitest';
import { contentWords, spaceWords } from './content-words.ts';

describe('contentWords()', () => {
  it('lowers, splits, drops stop words and keeps order and repeats', () => {
    expect(contentWords("The Heron, the heron: don't run.ts:41 in snake_case")).toEqual([
      'heron',
      'heron',
      'run',
      'ts',
      '41',
      'snak',
      'cas',
    ]);
  });

  it.each([
    ['releases', 'released', 'releasing', 'release'],
    ['happens', 'happened', 'happening', 'happen'],
    ['planned', 'planning', 'plans', 'plan'],
    ['studies', 'study', 'studied', 'study'],
    ['passes', 'passed', 'passing', 'pass'],
  ])('takes %s, %s, %s and %s for one word', (...forms) => {
    expect(new Set(contentWords(forms.join(' '))).size).toBe(1);
  });

  it.each(['day', 'bus', 'thing', 'string', 'class', 'need'])('does not shorten %s', (word) => {
    expect(contentWords(word)).toEqual([word]);
  });

  it('takes Latin letters with and without accents for one', () => {
    expect(contentWords('naïve Größe')).toEqual(contentWords('naive Große'));
  });

  it('leaves marks of other scripts in their words', () => {
    expect(contentWords('Йод ガ हिन्दी')).toEqual(['йод', 'ガ', 'हिन्दी']);
  });

  it('drops what is longer than the longest word of the index', () => {
    expect(contentWords(`${'x'.repeat(40)} ${'y'.repeat(41)}`)).toEqual(['x'.repeat(40)]);
  });

  it('gives nothing for text without words', () => {
    expect(contentWords(' \u0000 \ud800 !? "')).toEqual([]);
  });
});

describe('spaceWords()', () => {
  it('sets words of unspaced scripts apart and leaves the rest', () => {
    expect(spaceWords('see 部署密码 now').split(/\s+/)).toEqual(['see', '部署', '密码', 'now']);
    expect(spaceWords('plain text, 1 字')).toBe('plain text, 1 字');
  });

  it('changes nothing when it is done again', () => {
    for (const text of [
      '部署密码提示是蓝鹭',
      'a 部署密码 b',
      'リリースは木曜日に',
      'รหัสผ่านคือนกกระสา x',
    ]) {
      const once = spaceWords(text);
      expect(spaceWords(once)).toBe(once);
    }
  });
});
