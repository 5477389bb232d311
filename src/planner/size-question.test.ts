import { describe, expect, it } from 'vitest';
import { sizeWish } from './size-question.ts';

describe('sizeWish()', () => {
  it.each([
    ['how big is README.md?', { about: 'file', pattern: 'README.md' }],
    ['How large is src/server.ts', { about: 'file', pattern: 'src/server.ts' }],
    ['how long is the file `server.ts`?', { about: 'file', pattern: 'server.ts' }],
    ['how many lines does server.ts have?', { about: 'file', pattern: 'server.ts' }],
    ['how many bytes is logo.png', { about: 'file', pattern: 'logo.png' }],
    ['how many lines are in größe.md?', { about: 'file', pattern: 'größe.md' }],
    ['size of infra/main.tf', { about: 'file', pattern: 'infra/main.tf' }],
    ['what is the size of the src folder?', { about: 'place', path: 'src' }],
    ['how big is packages/api/', { about: 'place', path: 'packages/api' }],
    ['how big is .github?', { about: 'place', path: '.github' }],
    ['how big is LICENSE', { about: 'place', path: 'LICENSE' }],
    ['how large is this repository?', { about: 'place', path: '.' }],
    ['how big is the whole project', { about: 'place', path: '.' }],
    ['how many lines of code are there?', { about: 'place', path: '.' }],
    ['how many lines of code does this project have?', { about: 'place', path: '.' }],
    ['how many lines of code are in src?', { about: 'place', path: 'src' }],
    ['how many lines of Python are there?', { about: 'place', path: '.', globs: ['*.py'] }],
    ['how many lines of go code does it have', { about: 'place', path: '.', globs: ['*.go'] }],
  ])('reads "%s"', (question, wish) => {
    expect(sizeWish(question)).toEqual(wish);
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
    expect(sizeWish(question)).toBeUndefined();
  });
});
