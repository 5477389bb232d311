import { expect, it } from 'vitest';
import { asGuide } from './guide-question.ts';
import { parseQuestion } from './parse-question.ts';

const weights = (question: string) =>
  Object.fromEntries(
    asGuide(parseQuestion(question), question).terms.map(({ word, weight }) => [word, weight]),
  );

it('asGuide() counts what is to be done less than what it is done to', () => {
  expect(weights('how do I write a plugin?')).toEqual({ write: 0.3, plugin: 1 });
  expect(weights('how to configure the cache')).toEqual({ configure: 0.3, cache: 1 });
});

it('asGuide() leaves a verb that sections are called after', () => {
  expect(weights('how do I install the collection?')).toEqual({ install: 1, collection: 1 });
});

it('asGuide() leaves a verb that stands alone, and other questions', () => {
  expect(weights('how do I contribute?')).toEqual({ contribute: 1 });
  expect(weights('where is the cache written?')).toEqual({ cache: 1, written: 1 });
});
