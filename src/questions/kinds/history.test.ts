import { describe, expect, it } from 'vitest';
import { askedText } from '../asked-text.ts';
import { history } from './history.ts';

const readHistory = (question: string) => history.form?.(askedText(question));

describe('history.form()', () => {
  it.each([
    ['what changed recently?', { kind: 'history', about: 'log', limit: 15 }],
    ['What has changed lately', { kind: 'history', about: 'log', limit: 15 }],
    [
      'what happened since yesterday?',
      { kind: 'history', about: 'log', limit: 15, since: 'yesterday.midnight' },
    ],
    [
      'what was changed in the last 3 days?',
      { kind: 'history', about: 'log', limit: 15, since: '3.days.ago' },
    ],
    ['what is new this week', { kind: 'history', about: 'log', limit: 15, since: '1.week.ago' }],
    [
      'what changed since v1.2?',
      { kind: 'history', about: 'log', limit: 15, from: 'v1.2..HEAD', count: true },
    ],
    ['show the last 5 commits', { kind: 'history', about: 'log', limit: 5 }],
    [
      'which commits since v1.2 touched src/x.ts?',
      {
        kind: 'history',
        about: 'log',
        limit: 15,
        path: 'src/x.ts',
        from: 'v1.2..HEAD',
        count: true,
      },
    ],
    ['what was the first commit?', { kind: 'history', about: 'log', limit: 1, oldest: true }],
    ['show the diff of the last commit', { kind: 'history', about: 'commit', commit: 'HEAD' }],
    ['list recent commits', { kind: 'history', about: 'log', limit: 15 }],
    ['what are the latest changes?', { kind: 'history', about: 'log', limit: 15 }],
    ['show me the git log', { kind: 'history', about: 'log', limit: 15 }],
    ['show the commit history', { kind: 'history', about: 'log', limit: 15 }],
    ['when was the last commit?', { kind: 'history', about: 'log', limit: 15 }],
    ['who wrote src/x.ts?', { kind: 'history', about: 'authors', path: 'src/x.ts' }],
    ['Who is the author of README.md', { kind: 'history', about: 'authors', path: 'README.md' }],
    ['who last changed src/x.ts?', { kind: 'history', about: 'log', path: 'src/x.ts', limit: 15 }],
    [
      'when was README.md last changed?',
      { kind: 'history', about: 'log', path: 'README.md', limit: 15 },
    ],
    [
      'what changed in src/host recently?',
      { kind: 'history', about: 'log', path: 'src/host', limit: 15 },
    ],
    [
      'show the history of src/x.ts',
      { kind: 'history', about: 'log', path: 'src/x.ts', limit: 15 },
    ],
    ['how many commits are there?', { kind: 'history', about: 'log', limit: 15, count: true }],
    [
      'How many commits does this repository have',
      { kind: 'history', about: 'log', limit: 15, count: true },
    ],
    ['the number of commits', { kind: 'history', about: 'log', limit: 15, count: true }],
    [
      'how many commits this week?',
      { kind: 'history', about: 'log', limit: 15, since: '1.week.ago', count: true },
    ],
    [
      'how many commits since v1.2?',
      { kind: 'history', about: 'log', limit: 15, from: 'v1.2..HEAD', count: true },
    ],
    [
      'how many commits did Ann make?',
      { kind: 'history', about: 'log', limit: 15, author: 'Ann', count: true },
    ],
    [
      'how many commits has Ann Lee made?',
      { kind: 'history', about: 'log', limit: 15, author: 'Ann Lee', count: true },
    ],
    [
      'how many commits are there on main',
      { kind: 'history', about: 'log', limit: 15, from: 'main', count: true },
    ],
    [
      'how many commits touch src/x.ts?',
      { kind: 'history', about: 'log', path: 'src/x.ts', limit: 15, count: true },
    ],
    [
      'how often was src/x.ts changed?',
      { kind: 'history', about: 'log', path: 'src/x.ts', limit: 15, count: true },
    ],
    ['show commits by bob', { kind: 'history', about: 'log', limit: 15, author: 'bob' }],
    [
      'list the last 5 commits by Jörg Müller',
      { kind: 'history', about: 'log', limit: 5, author: 'Jörg Müller' },
    ],
    [
      'what did Ann change this week?',
      { kind: 'history', about: 'log', limit: 15, since: '1.week.ago', author: 'Ann' },
    ],
    [
      'why was src/x.ts changed?',
      { kind: 'history', about: 'log', path: 'src/x.ts', limit: 5, why: true },
    ],
    ['compare v1.2.0 and HEAD', { kind: 'history', about: 'compare', from: 'v1.2.0', to: 'HEAD' }],
    [
      'what changed between v1.0 and v2.0?',
      { kind: 'history', about: 'compare', from: 'v1.0', to: 'v2.0' },
    ],
    [
      'show the difference between main and feature/x',
      { kind: 'history', about: 'compare', from: 'main', to: 'feature/x' },
    ],
    ['diff v1.0..v1.1', { kind: 'history', about: 'compare', from: 'v1.0', to: 'v1.1' }],
    [
      'how many commits between v1.0 and v1.1',
      { kind: 'history', about: 'log', limit: 15, from: 'v1.0..v1.1', count: true },
    ],
    ['list the tags', { kind: 'history', about: 'tags' }],
    ['which tags are there?', { kind: 'history', about: 'tags' }],
    ['how many releases are there', { kind: 'history', about: 'tags' }],
    ['what is the latest release?', { kind: 'history', about: 'tags' }],
    ['when was the last release?', { kind: 'history', about: 'tags' }],
    ['show v1.2.0', { kind: 'history', about: 'commit', commit: 'v1.2.0' }],
    ['when was version 1.2.0 released?', { kind: 'history', about: 'commit', commit: '1.2.0' }],
    ['which branch am I on?', { kind: 'history', about: 'branches' }],
    ['what is the current branch', { kind: 'history', about: 'branches' }],
    ['list the branches', { kind: 'history', about: 'branches' }],
    ['on which branch are we?', { kind: 'history', about: 'branches' }],
    ['show the last commit', { kind: 'history', about: 'commit', commit: 'HEAD' }],
    ['what did the latest commit change?', { kind: 'history', about: 'commit', commit: 'HEAD' }],
    ['what is in the previous commit?', { kind: 'history', about: 'commit', commit: 'HEAD~1' }],
    ['show commit 1a2b3c4d', { kind: 'history', about: 'commit', commit: '1a2b3c4d' }],
    ['what is uncommitted?', { kind: 'history', about: 'status', patch: true }],
    ['are there uncommitted changes?', { kind: 'history', about: 'status', patch: true }],
    ['which files have I changed?', { kind: 'history', about: 'status', patch: false }],
    ['what did I change?', { kind: 'history', about: 'status', patch: true }],
    ['which files are modified', { kind: 'history', about: 'status', patch: false }],
    ['show the diff', { kind: 'history', about: 'status', patch: true }],
    ['git status', { kind: 'history', about: 'status', patch: false }],
    ['is the working tree clean?', { kind: 'history', about: 'status', patch: false }],
  ] as const)('reads "%s"', (question, wish) => {
    expect(readHistory(question)).toEqual(wish);
  });

  it.each([
    'where is the retry limit set?',
    'how does the cache decide what changed?',
    'how is the current branch determined?',
    'which branch of the code handles errors?',
    'who calls retryWithBackoff?',
    'who wrote retryWithBackoff?',
    'which files are changed by undo?',
    'what happens when a commit fails?',
    'what changes when a plugin is updated?',
    'why are hooks not run on commit?',
    'what is the commit limit?',
    'show me src/cache/lru-cache.ts',
    'show the history of a session',
    'what is left to do?',
    'List the test files',
    'what is the status of an order?',
    'explain the diff algorithm',
    'which changes does undo take back?',
    'which commits does the export leave out?',
    'how many commits are kept in the cache?',
    'how many commits does a rebase replay?',
    'how often is the cache emptied?',
    'compare a.ts and b.ts',
    'what is the difference between a grant and a rule?',
    'what did it change?',
    'what is the release process?',
    'list the tags of a row',
    'which tags does the parser know?',
    'why was the limit changed?',
    '',
  ])('leaves "%s" to the search of the text', (question) => {
    expect(readHistory(question)).toBeUndefined();
  });
});
