import { describe, expect, it } from 'vitest';
import { askedText } from '../asked-text.ts';
import { web } from './web.ts';

const readWebPage = (question: string) => web.form?.(askedText(question))?.url;

describe('web.form()', () => {
  it.each([
    ['fetch https://example.org/a.html', 'https://example.org/a.html'],
    ['open https://example.org', 'https://example.org'],
    ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    ['Please summarize the page at https://example.org/a.', 'https://example.org/a'],
    ['get me the text of <https://example.org/a>', 'https://example.org/a'],
    ['what does https://example.org/a say?', 'https://example.org/a'],
    ['what is on http://127.0.0.1:8080/?', 'http://127.0.0.1:8080/'],
  ])('reads "%s"', (question, url) => {
    expect(readWebPage(question)).toBe(url);
  });

  it.each([
    'where is https://example.org used?',
    'which files mention https://example.org/a?',
    'show the code that calls https://example.org/a',
    'error: https://example.org/a answered with status 500',
    'fetch the newest tags',
    'compare https://example.org/a and https://example.org/b',
    'read ftp://example.org/a',
    `fetch https://example.org/ ${'web page '.repeat(200)}zzz`,
    `fetch https://example.org/ ${'"'.repeat(1500)}zzz`,
  ])('leaves "%s" to the search of the text', (question) => {
    expect(readWebPage(question)).toBeUndefined();
  });
});
