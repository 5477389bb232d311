import { describe, expect, it } from 'vitest';
import { askedText } from '../asked-text.ts';
import { size } from './size.ts';

const readSize = (question: string) => size.form?.(askedText(question));

describe('size.form()', () => {
  it.each([
    ['how big is README.md?', { kind: 'size', about: 'file', pattern: 'README.md' }],
    ['How large is src/server.ts', { kind: 'size', about: 'file', pattern: 'src/server.ts' }],
    ['how long is the file `server.ts`?', { kind: 'size', about: 'file', pattern: 'server.ts' }],
    ['how many lines does server.ts have?', { kind: 'size', about: 'file', pattern: 'server.ts' }],
    ['how many bytes is logo.png', { kind: 'size', about: 'file', pattern: 'logo.png' }],
    ['how many lines are in größe.md?', { kind: 'size', about: 'file', pattern: 'größe.md' }],
    ['size of infra/main.tf', { kind: 'size', about: 'file', pattern: 'infra/main.tf' }],
    ['what is the size of the src folder?', { kind: 'size', about: 'place', path: 'src' }],
    ['how big is packages/api/', { kind: 'size', about: 'place', path: 'packages/api' }],
    ['how big is .github?', { kind: 'size', about: 'place', path: '.github' }],
    ['how big is LICENSE', { kind: 'size', about: 'place', path: 'LICENSE' }],
    ['how large is this repository?', { kind: 'size', about: 'place', path: '.' }],
    ['how big is the whole project', { kind: 'size', about: 'place', path: '.' }],
    ['how many lines of code are there?', { kind: 'size', about: 'place', path: '.' }],
    ['how many lines of code does this project have?', { kind: 'size', about: 'place', path: '.' }],
    ['how many lines of code are in src?', { kind: 'size', about: 'place', path: 'src' }],
    [
      'how many lines of Python are there?',
      { kind: 'size', about: 'place', path: '.', globs: ['*.py'] },
    ],
    [
      'how many lines of go code does it have',
      { kind: 'size', about: 'place', path: '.', globs: ['*.go'] },
    ],
  ])('reads "%s"', (question, wish) => {
    expect(readSize(question)).toEqual(wish);
  });

  it.each([
    'how big can a request be?',
    'how large may the body of an answer get?',
    'how long is a token valid?',
    'how many lines of a passage are shown?',
    'how many bytes of a file are read at once?',
    'how many lines of context does grep print?',
    'where is the size of the cache set?',
    'what is the size limit of a plugin?',
    '',
  ])('leaves "%s" to the search of the text', (question) => {
    expect(readSize(question)).toBeUndefined();
  });
});
