import { expect, it } from 'vitest';
import { parseCases } from './parse-cases.ts';

const errorOf = (error: unknown) =>
  parseCases([{ name: 'one', tool: 'count', expect: { error } }], 'a.cases.json', [
    'conflict',
    'invalid-argument',
    'not-found',
    'permission-denied',
  ])[0]?.expect?.error;

it.each([
  ['not-found', { code: 'not-found' }],
  ['invalid-argument: a.txt: line 2', { code: 'invalid-argument', message: 'a.txt: line 2' }],
  [
    { code: 'conflict', message: 'x' },
    { code: 'conflict', message: 'x' },
  ],
])('parseCases() reads the error %j', (given, read) => {
  expect(errorOf(given)).toEqual(read);
});

it('parseCases() names the field and the codes where an error has another one', () => {
  expect(() => errorOf('denied')).toThrow(
    /a\.cases\.json: case "one": "expect\.error\.code" .*"permission-denied"/,
  );
});
