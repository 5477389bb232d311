import { expect, it } from 'vitest';
import { nowhere } from '../asked-text.ts';
import { listing } from './listing.ts';

const readListing = (question: string) => listing.fallback?.(question, 'list', nowhere);

it.each([
  ['list the test files', { pattern: '*test*', tree: false }],
  ['list the python files', { pattern: '*.py', tree: false }],
  ['list all JavaScript files', { pattern: '*.{js,jsx,mjs,cjs}', tree: false }],
  ['list all TypeScript files', { pattern: '*.{ts,tsx,mts,cts}', tree: false }],
  ['list the Java files', { pattern: '*.java', tree: false }],
  ['list all ruby files', { pattern: '*.rb', tree: false }],
  ['list all Ruby and Python files', { pattern: '*.{rb,py}', tree: false }],
  ['how many C++ files are there?', { pattern: '*.{cpp,cc,cxx,hpp,hh,hxx,h}', tree: false }],
  ['list all C files', { pattern: '*.{c,h}', tree: false }],
  ['list C# files in src', { pattern: '**/src/**/*.cs', tree: false }],
  ['list all .ts files', { pattern: '*.ts', tree: false }],
  ['list all .ts and .tsx files', { pattern: '*.{ts,tsx}', tree: false }],
  ['list all files ending in .proto', { pattern: '*.proto', tree: false }],
  ['list the py files', { pattern: '*.py', tree: false }],
  ['list all YAML files', { pattern: '*.{yml,yaml}', tree: false }],
  ['list all config files', { pattern: '*{config,rc}*', tree: false }],
  ['list *.wit', { pattern: '*.wit', tree: false }],
  ['list *.ts in src/host', { pattern: '*.ts', path: 'src/host', tree: false }],
  ['which files are in src/retry?', { pattern: '*', path: 'src/retry', tree: false }],
  ['list all files in the docs folder', { pattern: '*', path: 'docs', tree: false }],
  ['list all markdown files in docs', { pattern: '**/docs/**/*.md', tree: false }],
  ['which files are in kernel?', { pattern: '**/kernel/**/*', tree: false }],
  ['list the files in python', { pattern: '*.py', tree: false }],
  ['list files in .github', { pattern: '*', path: '.github', tree: false }],
  [
    'which yaml files are in .github/workflows?',
    { pattern: '*.{yml,yaml}', path: '.github/workflows', tree: false },
  ],
  ['list all python test files', { pattern: '*test*.py', tree: false }],
  ['list all go tests', { pattern: '*test*.go', tree: false }],
  ['list the spec files in typescript', { pattern: '*spec*.{ts,tsx,mts,cts}', tree: false }],
  ['list all files in the project', { pattern: '*', tree: true }],
  ['list all files', { pattern: '*', tree: true }],
  ['what is in docs?', { pattern: '**/docs/**/*', tree: false }],
  ["what's in packages", { pattern: '**/packages/**/*', tree: false }],
  ['show the packages folder', { pattern: '*', path: 'packages', tree: false }],
  ['list all package.json files', { pattern: 'package.json', tree: false }],
  ['find every Cargo.toml', { pattern: 'Cargo.toml', tree: false }],
  ['which files are called config.ts?', { pattern: 'config.ts', tree: false }],
  ['show the structure of the project', { pattern: '*', tree: true }],
])('readListing() of "%s"', (question, listing) => {
  expect(readListing(question)).toEqual({ kind: 'listing', ...listing });
});

it.each([
  'list the capabilities of a plugin',
  'which files are left out when words are counted by windows of lines',
  'How many symbolic links may one path go through?',
  'what config does the parser need for nested comments?',
  'list the files that open a socket twice',
  'list the routes in server.go',
  'list the files that import socket',
  'list all go files that import net',
  'which python files use asyncio?',
  'list files mentioning retries',
])('readListing() is undefined for what lists no files: "%s"', (question) => {
  expect(readListing(question)).toBeUndefined();
});
