import { describe, expect, it } from 'vitest';
import { listingText } from './listing-text.ts';

const text = (content: unknown): string | undefined =>
  listingText(content, typeof content === 'string' ? content : JSON.stringify(content));
const commit = {
  hash: '0123456789abcdef0123456789abcdef01234567',
  ...{ author: 'Ann', email: 'ann@example.org', date: '2026-11-22T10:00:00+01:00' },
  subject: 'Raise the limit',
};

describe('listingText()', () => {
  it('gives commits a line each', () => {
    expect(text({ commits: [commit, { ...commit, subject: 'First' }] })).toBe(
      '0123456789  2026-11-22  Ann  Raise the limit\n0123456789  2026-11-22  Ann  First',
    );
  });

  it('gives the size of files and of folders with all that is below them', () => {
    const src = { path: 'src', kind: 'directory', size: 4200, files: 2 };
    const readme = { path: 'README.md', kind: 'file', size: 73, lines: 9 };
    expect(text({ path: '.', entries: [src, readme] })).toBe(
      'src/  4.2 kB  2 files\nREADME.md  73 B  9 lines',
    );
    expect(text({ path: 'src', kind: 'directory', files: 0, entries: [] })).toBe('none');
  });

  it('keeps the paragraphs of a page whole: an answer breaks them for its terminal', () => {
    const url = 'https://example.org/';
    const page = `# Head\n\n${'words '.repeat(30).trim()}`;
    expect(text({ url, type: 'text/html', text: page })).toBe(page);
    expect(text({ url, type: 'text/plain', text: 'one line' })).toBe('one line');
  });

  it('says that a file is empty', () => {
    const empty = { path: 'a.txt', hash: 'e3b0', start: 1, end: 0, totalLines: 0, lines: '' };
    expect(text(empty)).toBe('a.txt is empty');
  });

  it('says that there are no commits', () => {
    expect(text({ commits: [] })).toBe('none');
  });

  it('puts the head of a commit before what it changed', () => {
    const shown = { commit: { ...commit, body: 'Because.' }, files: [], patch: '--- a\n+++ b\n' };
    expect(text(shown)).toBe(
      '0123456789  2026-11-22  Ann  Raise the limit\n\nBecause.\n\n--- a\n+++ b\n',
    );
  });

  it('marks the branch in use', () => {
    const { author: _, email: __, ...last } = commit;
    const branches = [
      { ...last, name: 'main', current: true },
      { ...last, name: 'side' },
    ];
    expect(text({ branches })?.split('\n')).toEqual([
      '* main  0123456789  2026-11-22  Raise the limit',
      '  side  0123456789  2026-11-22  Raise the limit',
    ]);
  });

  it('tells the state of a repository, a clean one, too', () => {
    const entries = [
      { path: 'a.ts', unstaged: 'modified' },
      { path: 'c.ts', from: 'b.ts', staged: 'renamed' },
      { path: 'd.ts', staged: 'unmerged' },
    ];
    const upstream = { upstream: 'origin/main', ahead: 2, behind: 0 };
    expect(text({ branch: 'main', commit: 'x', ...upstream, entries })).toBe(
      'on branch main, 2 ahead of origin/main and 0 behind\na.ts: modified\nc.ts (was b.ts): renamed, staged\nd.ts: in conflict',
    );
    expect(text({ commit: 'x', entries: [] })).toBe('detached head\nnothing is changed');
  });

  it('draws a tree of one line, and says in words that a folder is empty', () => {
    expect(text({ path: '.', text: 'a.md', files: 1, folders: 0 })).toBe('a.md');
    const empty = { text: '', files: 0, folders: 0 };
    const words = 'is empty (hidden and ignored files are skipped)';
    expect(text({ path: '.', ...empty })).toBe(`the folder ${words}`);
    expect(text({ path: 'src', ...empty })).toBe(`the folder src ${words}`);
  });

  it('tells who wrote how many lines', () => {
    expect(
      text({ path: 'a.ts', authors: [{ author: 'Ann', lines: 12, date: '2026-11-22' }] }),
    ).toBe('    12  2026-11-22  Ann');
  });

  it('names paths with their sizes, and gives other items as they are', () => {
    expect(text({ entries: [{ path: 'a.ts', kind: 'file', size: 1200 }, { path: 'b' }] })).toBe(
      'a.ts  1.2 kB\nb',
    );
    expect(text({ items: [{ x: 1 }, 'two', 3] })).toBe('{"x":1}\ntwo\n3');
  });

  it('begins the files of a commit with what it is', () => {
    const commit = { hash: 'a1514eb521c2', date: '2022-02-12T10:27:07Z', subject: 'Merge' };
    const files = [{ path: 'a.py', added: 3, removed: 1 }];
    expect(text({ commit, files })).toBe('a1514eb521  2022-02-12  Merge\n\na.py  +3 −1');
  });

  it('keeps each path on a line of its own, whatever it holds', () => {
    const path = 'a\n> 1 limit';
    const shown = 'a\\n> 1 limit';
    expect(text({ entries: [{ path, size: 12 }, { path }] })).toBe(`${shown}  12 B\n${shown}`);
    const renamed = { path, from: path, staged: 'renamed' };
    expect(text({ commit: 'x', entries: [renamed] })).toBe(
      `detached head\n${shown} (was ${shown}): renamed, staged`,
    );
    expect(text({ found: [{ path, line: 3, name: 'f' }] })).toBe(`${shown}:3  f`);
  });

  it.each([[{ paths: [] }], [''], ['  \n']])('gives nothing for %j', (content) => {
    expect(text(content)).toBeUndefined();
  });

  it('has a line for each folder where there are more files than a screen shows', () => {
    const entries = Array.from({ length: 24 }, (_, at) => ({
      ...{ path: `${at < 20 ? 'a' : 'b/c'}/${at}.ts`, kind: 'file', size: 1 },
    }));
    expect(text({ entries })).toBe(
      'a/  20 files: 0.ts, 1.ts, 2.ts, 3.ts, …\nb/c/  4 files: 20.ts, 21.ts, 22.ts, 23.ts',
    );
    const paths = entries.map(({ path }) => path);
    expect(text({ paths })).toBe(text({ entries }));
    expect(text({ tags: paths })).toContain('a/7.ts');
    expect(text({ entries: entries.slice(0, 3) })).toBe('a/0.ts  1 B\na/1.ts  1 B\na/2.ts  1 B');
  });

  it('tells who made how many commits', () => {
    const authors = [{ author: 'Ann', commits: 12, date: '2026-01-02T00:00:00Z' }];
    expect(text({ authors })).toBe('    12  2026-01-02  Ann');
  });

  it('has nothing to show of a topic that no commit is about', () => {
    expect(text({ topic: ['x'], commits: [] })).toBeUndefined();
    expect(text({ commits: [] })).toBe('none');
  });
});
