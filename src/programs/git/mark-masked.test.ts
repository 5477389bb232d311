import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markIndex } from './mark-index.ts';
import { type MaskedRoot, markMasked } from './mark-masked.ts';

let dir = '';
const work = () => join(dir, 'work');
const git = (...args: string[]) => {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: dir, GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.org'];
  return execFileSync('git', [...who, ...args], { cwd: work(), encoding: 'utf8', env });
};
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(work(), path)), { recursive: true });
  writeFileSync(join(work(), path), text);
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mark-masked-'));
  for (const path of ['.npmrc', '.env', 'sub/.env', 'keys.pem/in/side', 'sub/plain', 'a', 'zz'])
    write(path, `${path}\n`);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const survey = (): MaskedRoot => ({
  name: 'work',
  folder: work(),
  survey: {
    files: ['.npmrc', '.env', 'sub/.env', '.git/config'],
    folders: ['keys.pem', '.git/hooks'],
    repositories: ['.git'],
  },
});

/** The output of git where it meets masks, with the given index. */
function statusWithMasks(): string[] {
  using marked = markMasked('status', [survey()], join(dir, 'masks'));
  const index = marked.indexes[0]?.source ?? join(work(), '.git/index');
  execFileSync('cp', ['-r', work(), join(dir, 'masked')]);
  const masked = join(dir, 'masked');
  for (const path of ['.npmrc', '.env', 'sub/.env']) {
    rmSync(join(masked, path));
    writeFileSync(join(masked, path), '');
  }
  rmSync(join(masked, 'keys.pem/in'), { recursive: true });
  execFileSync('cp', [index, join(masked, '.git/index')]);
  const args = ['--no-optional-locks', 'status', '--porcelain'];
  const said = execFileSync('git', args, { cwd: masked, encoding: 'utf8' });
  rmSync(masked, { recursive: true });
  return said.split('\n').filter((line) => line !== '');
}

describe('markMasked()', () => {
  it.each([2, 3, 4])('lets git see masks as unchanged (index of version %i)', (version) => {
    if (version === 3) git('update-index', '--skip-worktree', 'zz');
    else git('update-index', `--index-version=${version}`);
    expect(readFileSync(join(work(), '.git/index')).readUInt32BE(4)).toBe(version);
    expect(statusWithMasks()).toEqual([]);
    write('sub/plain', 'changed\n');
    expect(statusWithMasks()).toEqual([' M sub/plain']);
  });

  it('knows names of SHA-256, too', () => {
    rmSync(join(work(), '.git'), { recursive: true });
    git('init', '--quiet', '--object-format=sha256');
    git('add', '.');
    git('commit', '--quiet', '-m', 'one');
    expect(statusWithMasks()).toEqual([]);
    write('.npmrc', '.npmrc\n');
    expect(statusWithMasks()).toEqual([]);
    write('.npmrc', 'changed\n');
    expect(statusWithMasks()).toEqual([' M .npmrc']);
  });

  it('is needed: without it the same files are called modified and deleted', () => {
    using marked = markMasked('commit', [survey()], join(dir, 'masks'));
    expect(marked.indexes).toEqual([]);
    write('.env', '');
    rmSync(join(work(), 'keys.pem/in'), { recursive: true });
    expect(git('status', '--porcelain')).toBe(' M .env\n D keys.pem/in/side\n');
  });

  it('leaves what was really changed to git: content, mode, kind, gone', () => {
    write('.npmrc', 'other\n');
    chmodSync(join(work(), '.env'), 0o755);
    unlinkSync(join(work(), 'sub/.env'));
    symlinkSync('plain', join(work(), 'sub/.env'));
    unlinkSync(join(work(), 'keys.pem/in/side'));
    expect(statusWithMasks().map((line) => line.slice(3))).toEqual([
      '.env',
      '.npmrc',
      'keys.pem/in/side',
      'sub/.env',
    ]);
  });

  it('takes a file that was only touched for what it is', () => {
    write('.npmrc', '.npmrc\n');
    expect(statusWithMasks()).toEqual([]);
  });

  it('reveals no content, touches no index, and leaves nothing behind', () => {
    const before = readFileSync(join(work(), '.git/index'));
    using marked = markMasked('status', [survey()], join(dir, 'masks'));
    expect(marked.indexes).toHaveLength(1);
    marked[Symbol.dispose]();
    expect(readdirSync(join(dir, 'masks'))).toEqual([]);
    expect(readFileSync(join(work(), '.git/index'))).toEqual(before);
  });
});

/** An index with a sum that is right, whatever stands in it. */
function indexOf(entries: number, ...parts: Buffer[]): Buffer {
  const header = Buffer.from([...Buffer.from('DIRC'), 0, 0, 0, 2, 0, 0, 0, 0]);
  header.writeUInt32BE(entries, 8);
  const body = Buffer.concat([header, ...parts]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

/** An index of version 2, all numbers 0. */
const entryOf = (name: string): Buffer =>
  Buffer.concat([Buffer.alloc(62), Buffer.from(name), Buffer.alloc(8 - ((62 + name.length) % 8))]);

describe('markIndex()', () => {
  it('looks at each name once, and not for one that does not end', () => {
    const looked: string[] = [];
    const look = ({ path }: { path: string }): boolean => looked.push(path) > 0;
    expect(markIndex(indexOf(2, entryOf('.env'), entryOf('b')), look)).toBeDefined();
    expect(looked).toEqual(['.env', 'b']);
    expect(markIndex(indexOf(3, ...Array(3).fill(entryOf('.env'))), look)).toBeUndefined();
    expect(markIndex(indexOf(2, entryOf('b'), entryOf('.env')), look)).toBeUndefined();
    expect(looked).toEqual(['.env', 'b', '.env', 'b']);
    // Without a NUL behind it the search for the next entry would begin anew, as often as is said.
    expect(markIndex(indexOf(0xffffffff, Buffer.alloc(10_000, 1)), look)).toBeUndefined();
  });

  it('leaves alone what it cannot read', () => {
    const index = readFileSync(join(work(), '.git/index'));
    expect(markIndex(index, () => true)).toHaveLength(index.length);
    const damaged = Buffer.from(index);
    damaged[40] = (damaged[40] ?? 0) ^ 1;
    for (const bytes of [damaged, index.subarray(0, 50), Buffer.alloc(0), Buffer.from('DIRC')])
      expect(markIndex(bytes, () => true)).toBeUndefined();
  });
});
