import { describe, expect, it } from 'vitest';
import { historyWish } from './history-question.ts';

describe('historyWish()', () => {
  it.each([
    ['what changed recently?', { about: 'log', limit: 10 }],
    ['What has changed lately', { about: 'log', limit: 10 }],
    ['what happened since yesterday?', { about: 'log', limit: 10, since: 'yesterday.midnight' }],
    ['what was changed in the last 3 days?', { about: 'log', limit: 10, since: '3.day.ago' }],
    ['what is new this week', { about: 'log', limit: 10, since: '1.week.ago' }],
    ['what changed since v1.2?', { about: 'log', limit: 10, from: 'v1.2..HEAD' }],
    ['show the last 5 commits', { about: 'log', limit: 5 }],
    ['list recent commits', { about: 'log', limit: 10 }],
    ['what are the latest changes?', { about: 'log', limit: 10 }],
    ['show me the git log', { about: 'log', limit: 10 }],
    ['show the commit history', { about: 'log', limit: 10 }],
    ['when was the last commit?', { about: 'log', limit: 10 }],
    ['who wrote src/x.ts?', { about: 'authors', path: 'src/x.ts' }],
    ['Who is the author of README.md', { about: 'authors', path: 'README.md' }],
    ['who last changed src/x.ts?', { about: 'log', path: 'src/x.ts', limit: 10 }],
    ['when was README.md last changed?', { about: 'log', path: 'README.md', limit: 10 }],
    ['what changed in src/host recently?', { about: 'log', path: 'src/host', limit: 10 }],
    ['show the history of src/x.ts', { about: 'log', path: 'src/x.ts', limit: 10 }],
    ['which branch am I on?', { about: 'branches' }],
    ['what is the current branch', { about: 'branches' }],
    ['list the branches', { about: 'branches' }],
    ['on which branch are we?', { about: 'branches' }],
    ['show the last commit', { about: 'commit', commit: 'HEAD' }],
    ['what did the latest commit change?', { about: 'commit', commit: 'HEAD' }],
    ['what is in the previous commit?', { about: 'commit', commit: 'HEAD~1' }],
    ['show commit 1a2b3c4d', { about: 'commit', commit: '1a2b3c4d' }],
    ['what is uncommitted?', { about: 'status', patch: true }],
    ['are there uncommitted changes?', { about: 'status', patch: true }],
    ['which files have I changed?', { about: 'status', patch: false }],
    ['what did I change?', { about: 'status', patch: true }],
    ['which files are modified', { about: 'status', patch: false }],
    ['show the diff', { about: 'status', patch: true }],
    ['git status', { about: 'status', patch: false }],
    ['is the working tree clean?', { about: 'status', patch: false }],
  ] as const)('reads "%s"', (question, wish) => {
    expect(historyWish(question)).toEqual(wish);
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
    '',
  ])('leaves "%s" to the search of the text', (question) => {
    expect(historyWish(question)).toBeUndefined();
  });
});
