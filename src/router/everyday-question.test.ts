import { describe, expect, it } from 'vitest';
import { readCollection } from './collection-question.ts';
import { readEveryday } from './everyday-question.ts';
import { toEnglish } from './to-english.ts';

const definition = (name: string) => ({ kind: 'definition', name, isName: true });

describe('readEveryday()', () => {
  it.each([
    ['Where is SecureCookieSession defined?', definition('SecureCookieSession')],
    ['where is run defined?', definition('run')],
    ['what is KeywordCxt?', definition('KeywordCxt')],
    ['show DualOptions', definition('DualOptions')],
    ['where is the type Decoder?', definition('Decoder')],
    ['isValidNumber', definition('isValidNumber')],
    ['definition of `getLineInfo`', definition('getLineInfo')],
    [
      'what is the difference between Indent and Compact?',
      { kind: 'comparison', names: ['Indent', 'Compact'] },
    ],
    ['which tests cover Compact?', { kind: 'tests', name: 'Compact' }],
    ['what is in README.md?', { kind: 'file', path: 'README.md', lines: {} }],
    [
      'lines 10 to 20 of queues.py',
      { kind: 'file', path: 'queues.py', lines: { start: 10, end: 20 } },
    ],
    ['what is this?', { kind: 'about' }],
    ['summarise this project', { kind: 'about' }],
    ['how do I add a subcommand?', { kind: 'guide' }],
    ['what is new in 8.18?', { kind: 'changes', version: '8.18' }],
    ['show the changelog', { kind: 'changes' }],
    ['which version is this?', { kind: 'manifest', about: 'version' }],
    ['which Node version does it need?', { kind: 'manifest', about: 'engine' }],
    ['how do I run the tests?', { kind: 'manifest', about: 'test' }],
    ['how do I build it?', { kind: 'manifest', about: 'build' }],
    ['what scripts are there?', { kind: 'manifest', about: 'scripts' }],
    [
      'which version of Werkzeug do we need?',
      { kind: 'manifest', about: 'dependency', name: 'Werkzeug' },
    ],
    ['who needs fast-uri?', { kind: 'manifest', about: 'dependency', name: 'fast-uri' }],
  ])('reads "%s"', (question, reading) => {
    expect(readEveryday(question)).toEqual(reading);
  });

  it.each([
    'how are expired tokens refreshed?',
    'where is the retry limit set?',
    'what is caching?',
    'show commits',
    'how does the parser build a tree?',
    'why do the tests run twice?',
    'where is the version compared?',
    '???',
    `${'x'.repeat(500)} is defined where?`,
  ])('leaves "%s" to others', (question) => {
    expect(readEveryday(question)).toBeUndefined();
  });
});

describe('readCollection()', () => {
  it.each([
    ['list all exceptions', 'errors and exceptions'],
    ['which environment variables are read?', 'environment variables'],
    ['list the routes', 'routes'],
    ['show all commands in src/cli', 'commands'],
  ])('reads "%s"', (question, of) => {
    expect(readCollection(question)).toMatchObject({ kind: 'collection', of });
  });

  it.each([
    'which errors are thrown when a file is missing?',
    'which options does the parser take for strings with escapes?',
    'where are errors handled?',
  ])('leaves "%s" to others', (question) => {
    expect(readCollection(question)).toBeUndefined();
  });
});

describe('toEnglish()', () => {
  it.each([
    ['Wo ist appendString definiert?', 'where is appendString defined?'],
    ['¿Dónde está definido compileSchema?', 'where is compileSchema defined?'],
    ['Où est défini wrapGenerator ?', 'where is wrapGenerator defined?'],
    ['Onde está definido isIdentifierStart?', 'where is isIdentifierStart defined?'],
    ['Wer benutzt parseConfig?', 'who uses parseConfig?'],
    ['¿quién usa dominantField?', 'who uses dominantField?'],
    ['Was steht in README.md?', 'what is in README.md?'],
    ['Wer hat sessions.py zuletzt geändert?', 'who changed sessions.py last?'],
    ['parseConfig 在哪里定义?', 'where is parseConfig defined?'],
    ['parseConfigはどこで定義されていますか？', 'where is parseConfig defined?'],
  ])('reads "%s"', (question, english) => {
    expect(toEnglish(question)).toBe(english);
  });

  it('leaves English and unknown questions as they are', () => {
    for (const text of ['where is X defined?', 'Warum ist der Himmel blau?'])
      expect(toEnglish(text)).toBe(text);
  });
});
