import { describe, expect, it, vi } from 'vitest';
import { contentWords, isCommonWord, isQuestionWord, unspacedWords } from '../content-words.ts';

describe('isCommonWord()', () => {
  it('knows words of scripts without spaces as a question has them', () => {
    for (const word of unspacedWords) expect([word, contentWords(word)]).toEqual([word, [word]]);
    expect(contentWords('发布在什么时候').filter((word) => !isCommonWord(word))).toEqual(['发布']);
    expect(contentWords('quand').every(isQuestionWord)).toBe(true);
  });

  it('loads no dictionary for a question of a script with spaces', async () => {
    const segmenter = vi.spyOn(Intl, 'Segmenter');
    try {
      vi.resetModules();
      const fresh = await import('../content-words.ts');
      expect(fresh.isCommonWord('when')).toBe(false);
      expect(fresh.isCommonWord('quand')).toBe(true);
      expect(segmenter).not.toHaveBeenCalled();
      // The control: splitting a run of such a script makes one.
      const { contentWords: split } = await import('../content-words.ts');
      split('发布在什么时候');
      expect(segmenter).toHaveBeenCalled();
    } finally {
      segmenter.mockRestore();
    }
  });
});
