import { describe, expect, it } from 'vitest';
import { ownTools, toolOf } from '../../tests/fixtures/tool-of.ts';
import { readIntent } from './read-intent.ts';

const words = { type: 'array', items: { type: 'string' } };
const tags = toolOf('docs.tag', { properties: { words, most: { type: 'integer' } } });
const tools = [...ownTools, tags];
const route = (text: string) => readIntent(text, tools);

describe('readIntent()', () => {
  it.each([
    ['search.todos', 'search.todos', {}],
    ['run search.todos', 'search.todos', {}],
    ['search.grep {"pattern": "x y"}', 'search.grep', { pattern: 'x y' }],
    ['search.grep\n{"pattern":\n"x"}', 'search.grep', { pattern: 'x' }],
    ['search.grep pattern="x y" limit=3', 'search.grep', { pattern: 'x y', limit: 3 }],
    ['run docs.tag words=a words=b', 'docs.tag', { words: ['a', 'b'] }],
  ])('takes "%s" as a call', (text, tool, input) => {
    expect(route(text)).toEqual({ kind: 'call', tool, input, mentions: expect.anything() });
  });

  it.each([
    ['remember that releases happen on Thursdays', 'releases happen on Thursdays'],
    ['Please remember: the code is 4711', 'the code is 4711'],
    ['note: buy milk', 'buy milk'],
    ['keep in mind that it rains', 'it rains'],
  ])('takes "%s" as something to keep', (text, kept) => {
    expect(route(text)).toMatchObject({ kind: 'note', act: 'tell', as: 'fact', text: kept });
  });

  it.each([
    'where is the limit?',
    'do you remember the limit?',
    'remember where the limit is?',
    'no.such tool',
    'search.unknown {"a": 1}',
    'search.grep pattern=x finds nothing',
    'noteworthy files',
  ])('takes "%s" as a question', (text) => {
    expect(route(`  ${text}\n`)).toMatchObject({ kind: 'ask', question: text });
  });

  it('takes a traceback as no wish for lines of its files', () => {
    const trace =
      'it fails:\n  File "lib/a.py", line 12, in run\n  File "lib/b.py", line 3, in go\nValueError: bad';
    expect(route(trace)).toMatchObject({ kind: 'ask', readings: [{ kind: 'how' }] });
    expect(route('line 12 of lib/a.py')).toMatchObject({ readings: [{ kind: 'file' }, {}] });
  });

  it.each(['???', '...', '¿?'])('refuses %j, which has no words', (text) => {
    expect(() => route(text)).toThrow(`the question has no words: ${text}`);
    expect(route('.')).toMatchObject({ kind: 'ask' });
  });

  it('looks for no form in a text that is longer than a question', () => {
    const kindOf = (text: string) => {
      const intent = route(text);
      return intent.kind === 'ask' ? intent.readings[0].kind : intent.kind;
    };
    expect(kindOf('who calls openFile?')).toBe('references');
    expect(kindOf(`who calls ${'openFile '.repeat(60)}`)).toBe('where');
  });

  it('refuses an empty question', () => {
    for (const text of ['', ' \n\t']) {
      expect(() => route(text)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
    }
  });

  it('refuses one above the limit and names both numbers', () => {
    expect(route('x'.repeat(32_768))).toMatchObject({ kind: 'ask' });
    expect(() => route('x'.repeat(32_769))).toThrow(
      'the question has 32769 characters, limit 32768',
    );
  });

  it('says that the input of a call is not JSON', () => {
    expect(() => route('search.grep {pattern}')).toThrow('the input of search.grep is not JSON');
  });

  it('says what a field of a call takes', () => {
    expect(() => route('docs.tag most=few')).toThrow('most takes integer');
  });
});
