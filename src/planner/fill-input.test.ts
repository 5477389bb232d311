import { expect, it } from 'vitest';
import { toolOf } from '../../tests/fixtures/tool-of.ts';
import { readMentions } from '../router/read-mentions.ts';
import { fillInput } from './fill-input.ts';

const text = { type: 'string' };

it.each([
  ['a quoted text', { text }, ['text'], 'count the words in "one two"', { text: 'one two' }],
  ['a path', { path: text }, ['path'], 'count words of README.md', { path: 'README.md' }],
  ['a number', { limit: { type: 'integer' } }, ['limit'], 'the first 12 words', { limit: 12 }],
  ['the question', { query: text }, ['query'], 'find ships', { query: 'find ships' }],
  ['a name', { symbol: text }, ['symbol'], 'explain maxRetries', { symbol: 'maxRetries' }],
  [
    'an address of the web',
    { url: text },
    ['url'],
    'fetch TypeScript from "https://example.org/a?b=1".',
    { url: 'https://example.org/a?b=1' },
  ],
  ['nothing that is optional', { path: text }, [], 'count words of README.md', {}],
])('fillInput() takes %s', (_, properties, required, question, input) => {
  expect(fillInput(toolOf('x.y', { properties, required }), readMentions(question, false))).toEqual(
    input,
  );
});

it.each([
  ['a path', { path: text }, ['path']],
  ['a number', { limit: { type: 'number' } }, ['limit']],
  ['an address of the web', { url: text }, ['url']],
  ['an object', { options: { type: 'object' } }, ['options']],
])('fillInput() is undefined when %s is required and not said', (_, properties, required) => {
  expect(
    fillInput(
      toolOf('x.y', { properties, required }),
      readMentions('list all TypeScript "files"', false),
    ),
  ).toBeUndefined();
});
