import { expect, it } from 'vitest';
import { toolOf } from '../../../tests/fixtures/tool-of.ts';
import { readMentions } from '../words/read-mentions.ts';
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
  [
    'one path for each field of a path',
    { oldFile: text, newFile: text, out: text },
    ['oldFile', 'newFile'],
    'compare a.txt with b.txt',
    { oldFile: 'a.txt', newFile: 'b.txt' },
  ],
  [
    'no path twice',
    { path: text, folder: text },
    ['path'],
    'count words of README.md',
    { path: 'README.md' },
  ],
  [
    'one quoted text for each field',
    { search: text, replacement: text },
    ['search', 'replacement'],
    'replace "one" by "two"',
    { search: 'one', replacement: 'two' },
  ],
  [
    'of several numbers those that stand beside their names',
    { months: { type: 'integer' }, interestRate: { type: 'number' } },
    ['months', 'interestRate'],
    'what is paid over 36 months at a rate of 4.5?',
    { months: 36, interestRate: 4.5 },
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
  [{ old: 'a.txt', new: 'b.txt' }, 'compare x.md and y.md', { old: 'x.md', new: 'y.md' }],
  [{ old: 'a.txt', new: 'b.txt' }, 'compare x.md with the last one', undefined],
  [{ page: 'https://example.org/' }, 'is https://a.example/b up?', { page: 'https://a.example/b' }],
  [
    { day: '2026-01-01', title: 'Lunch' },
    'add "Tea" on 2026-03-01',
    { day: '2026-03-01', title: 'Tea' },
  ],
  [{ version: '1.2.3' }, 'which versions satisfy it?', undefined],
  [{ city: 'Rome' }, 'what is the weather?', undefined],
])('fillInput() takes what is written as in the example %j', (example, question, input) => {
  const required = Object.keys(example);
  const properties = Object.fromEntries(required.map((field) => [field, text]));
  const tool = toolOf('x.y', { properties, required, examples: [example] });
  expect(fillInput(tool, readMentions(question, false))).toEqual(input);
});

it.each([
  ['list a.ics from 2026-02-01', { path: 'a.ics', from: '2026-02-01' }],
  ['list a.ics', { path: 'a.ics' }],
  ['list a.ics of 2026', { path: 'a.ics' }],
])('fillInput() takes what is optional and written as its example: %s', (question, input) => {
  const properties = { path: text, from: text, city: text };
  const examples = [{ path: 'b.ics', from: '2026-03-01', city: 'Rome' }];
  const tool = toolOf('x.y', { properties, required: ['path'], examples });
  expect(fillInput(tool, readMentions(question, false))).toEqual(input);
});

it('fillInput() leaves out two optional fields where the question has a word for one', () => {
  const examples = [{ from: '2026-03-01', to: '2026-04-01' }];
  const tool = toolOf('x.y', { properties: { from: text, to: text }, required: [], examples });
  const filled = (question: string) => fillInput(tool, readMentions(question, false));
  expect(filled('events until 2026-05-01')).toEqual({});
  expect(filled('events of 2026-05-01 to 2026-05-03')).toEqual({
    from: '2026-05-01',
    to: '2026-05-03',
  });
});

const units = { type: 'string', enum: ['kilometres', 'miles', 'kilograms', 'pounds'] };
const convert = toolOf('almanac.convert', {
  properties: { amount: { type: 'number' }, from: units, to: units },
  required: ['amount', 'from', 'to'],
  examples: [{ amount: 5, from: 'kilometres', to: 'miles' }],
});
const pace = toolOf('almanac.pace', {
  properties: { kilometres: { type: 'number' }, minutes: { type: 'number' } },
  required: ['kilometres', 'minutes'],
});
const after = toolOf('almanac.add-days', {
  // The examples have another order than the schema.
  properties: { days: { type: 'integer' }, until: text, date: text },
  required: ['days', 'until', 'date'],
  examples: [{ date: '2026-01-01', until: '2026-02-01', days: 30 }],
});
const sum = toolOf('almanac.sum', {
  properties: { one: { type: 'number' }, other: { type: 'number' } },
  required: ['one', 'other'],
});

it.each([
  [convert, 'convert 12 miles to kilometres', { amount: 12, from: 'miles', to: 'kilometres' }],
  [convert, 'how many pounds are 5 kilograms?', { amount: 5, from: 'kilograms', to: 'pounds' }],
  [convert, 'convert three pounds into kilograms', { amount: 3, from: 'pounds', to: 'kilograms' }],
  [convert, 'convert miles to kilometres', undefined],
  [convert, 'convert 5 miles', undefined],
  [pace, 'the pace of 21 km in 105 min', { kilometres: 21, minutes: 105 }],
  [pace, 'the pace of 105 minutes for 21 kilometres', { kilometres: 21, minutes: 105 }],
  [pace, 'the pace of 21km in 105min', { kilometres: 21, minutes: 105 }],
  [pace, 'the pace of 21 km', undefined],
  [sum, 'add 3 and -4.5', { one: 3, other: -4.5 }],
  [sum, 'add 3, 4 and 5', undefined],
  [
    after,
    'what is nine days from 2026-03-01 until 2026-04-01?',
    { days: 9, date: '2026-03-01', until: '2026-04-01' },
  ],
  [after, 'what is nine days from 2026-03-01?', undefined],
])('fillInput() gives %o each field of one form its own part of "%s"', (tool, question, input) => {
  expect(fillInput(tool, readMentions(question, false))).toEqual(input);
});
