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
  [
    'a path that is optional',
    { path: text },
    [],
    'count words of README.md',
    { path: 'README.md' },
  ],
  ['nothing else that is optional', { symbol: text }, [], 'explain maxRetries', {}],
  [
    'all paths for a list of files',
    { files: { type: 'array', items: text } },
    ['files'],
    'join a.pdf and b.pdf',
    { files: ['a.pdf', 'b.pdf'] },
  ],
  [
    'the choice that is said',
    { unit: { type: 'string', enum: ['metres', 'miles'] } },
    ['unit'],
    'how far is that in Miles?',
    { unit: 'miles' },
  ],
])('fillInput() takes %s', (_, properties, required, question, input) => {
  expect(fillInput(toolOf('x.y', { properties, required }), readMentions(question, false))).toEqual(
    input,
  );
});

it.each([
  ['a path', { path: text }, ['path']],
  ['a number', { limit: { type: 'number' } }, ['limit']],
  ['an address of the web', { url: text }, ['url']],
  ['a choice', { unit: { type: 'string', enum: ['metres'] } }, ['unit']],
  ['an object', { options: { type: 'object' } }, ['options']],
])('fillInput() is undefined when %s is required and not said', (_, properties, required) => {
  expect(
    fillInput(
      toolOf('x.y', { properties, required }),
      readMentions('list all TypeScript "files"', false),
    ),
  ).toBeUndefined();
});
