import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stopWords } from '../lib/text/words.ts';
import { readIntent } from './read-intent.ts';
import { isKindWord } from './read-rows.ts';
import { inUsualCase } from './usual-case.ts';

const firstOf = (text: string) => {
  const intent = readIntent(text, []);
  return intent.kind === 'ask' ? intent.readings[0] : undefined;
};

const page = readFileSync(join(import.meta.dirname, '../../docs/ask.md'), 'utf8');
/** The examples of each kind on the page, but for those that need a workspace. */
const examples = [...page.matchAll(/^\| (\w+) \| ([^|]*\|)/gm)].flatMap(([, kind, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) =>
    firstOf(text)?.kind === kind ? [[kind, text] as const] : [],
  ),
);

/** In capitals what kinds are told by, and nothing that the question names. */
const shouted = (text: string): string => {
  const named = JSON.stringify(firstOf(text));
  return text.replace(/(?<![\w./-])[a-z]+(?![\w./-])/g, (word) =>
    !named.includes(`"${word}"`) && (stopWords.has(word) || isKindWord(word))
      ? word.toUpperCase()
      : word,
  );
};

describe('inUsualCase()', () => {
  it('finds an example of nearly every kind on the page', () => {
    expect(new Set(examples.map(([kind]) => kind)).size).toBeGreaterThan(18);
  });

  it.each(examples.filter(([, text]) => shouted(text) !== text))(
    'makes the same %s of "%s" in capitals',
    (_, text) => {
      expect(firstOf(shouted(text))).toEqual(firstOf(text));
    },
  );

  it.each([
    ['list the PDF files', 'list the pdf files'],
    ['Where Are The Tests For Reader?', 'where are the tests for Reader?'],
  ])('reads "%s" as "%s"', (text, usual) => {
    expect(inUsualCase(text)).toBe(usual);
  });

  it.each([
    'OTHER',
    'where is Command defined?',
    'what changed in May?',
    'It fails. Is Error set?',
  ])('leaves "%s" as it stands', (text) => {
    expect(inUsualCase(text)).toBe(text);
  });
});
