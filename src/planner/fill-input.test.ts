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
  [
    'a choice that is optional, as a word of its own',
    { path: text, sum: { type: 'string', enum: ['a', 'crc32', 'adler32'] } },
    ['path'],
    'compute the adler32 checksum of film.srt',
    { path: 'film.srt', sum: 'adler32' },
  ],
  ['a number below 0', { by: { type: 'number' } }, ['by'], 'move it by -1.5 seconds', { by: -1.5 }],
  [
    'a number that is no part of a path',
    { path: text, rows: { type: 'integer' } },
    ['path', 'rows'],
    'show 2026-report.csv with 5 rows',
    { path: '2026-report.csv', rows: 5 },
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

it.each([
  [
    { range: '10.0.0.0/8' },
    'what is the last address of 172.16.0.0/12?',
    { range: '172.16.0.0/12' },
  ],
  [{ address: '10.1.2.3' }, 'which ranges hold 192.168.7.9?', { address: '192.168.7.9' }],
  [
    { from: '2026-01-01', to: '2026-12-31' },
    'sum up 2025-03-01 to 2025-04-30, please',
    { from: '2025-03-01', to: '2025-04-30' },
  ],
  [{ to: 'ana@example.org' }, 'look up (bo.b@mail.example.net).', undefined],
  [{ to: 'ana@example.org' }, 'look up (bob@example.net).', { to: 'bob@example.net' }],
  [{ version: '1.2.3' }, 'which versions satisfy it?', undefined],
  [{ city: 'Rome' }, 'what is the weather?', undefined],
])('fillInput() takes what is written as in the example %j', (example, question, input) => {
  const required = Object.keys(example);
  const properties = Object.fromEntries(required.map((field) => [field, text]));
  const tool = toolOf('x.y', { properties, required, examples: [example] });
  expect(fillInput(tool, readMentions(question, false))).toEqual(input);
});
