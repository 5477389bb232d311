import { describe, expect, it } from 'vitest';
import { turnContext, vectorText } from './texts.ts';

const tsMs = Date.UTC(2026, 10, 21, 23, 59);

describe('vectorText()', () => {
  it('is speaker, date and the single turn, of a fact the text alone', () => {
    const text = 'the hint is the heron';
    const context = turnContext({ who: 'user', text, tsMs, previous: 'before', next: 'after' });
    expect(vectorText({ text, context, kind: 'answer' })).toBe(
      'user (11:59 pm on 21 November, 2026): the hint is the heron',
    );
    // what a person told to be kept holds by itself; what a plugin said does not
    expect(vectorText({ text, context, kind: 'fact' })).toBe(text);
    expect(vectorText({ text, context, kind: 'fact', source: 'some-plugin' })).toContain('user (');
  });

  it('is the text alone where nobody said it', () => {
    expect(vectorText({ text: 'a heron', context: 'a heron', kind: 'text' })).toBe('a heron');
    expect(vectorText({ text: 'a heron', context: 'src (old): a frog', kind: 'text' })).toBe(
      'a heron',
    );
  });

  it('reads code as the words that its names are made of, behind its path and what it defines', () => {
    const text = 'const maxRetry = readHTTPHeader();';
    expect(vectorText({ text, context: text, kind: 'code', source: 'src/net.ts' })).toBe(
      'src net max Retry const max Retry read HTTP Header',
    );
  });

  it('takes the first 8,000 characters', () => {
    const text = 'x'.repeat(9_000);
    expect(vectorText({ text, context: '', kind: 'text' })).toHaveLength(8_000);
  });
});
