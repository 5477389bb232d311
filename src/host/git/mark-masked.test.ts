import { execFileSync } from 'node:child_process';
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

/** What git says where it meets masks, with the index that it is given. */
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

  it('tells nothing of the content, touches no index, and leaves nothing behind', () => {
    const before = readFileSync(join(work(), '.git/index'));
    using marked = markMasked('status', [survey()], join(dir, 'masks'));
    expect(marked.indexes).toHaveLength(1);
    marked[Symbol.dispose]();
    expect(readdirSync(join(dir, 'masks'))).toEqual([]);
    expect(readFileSync(join(work(), '.git/index'))).toEqual(before);
  });
});

describe('markIndex()', () => {
  it('leaves alone what it cannot read', () => {
    const index = readFileSync(join(work(), '.git/index'));
    expect(markIndex(index, () => true)).toHaveLength(index.length);
    const damaged = Buffer.from(index);
    damaged[40] = (damaged[40] ?? 0) ^ 1;
    for (const bytes of [damaged, index.subarray(0, 50), Buffer.alloc(0), Buffer.from('DIRC')])
      expect(markIndex(bytes, () => true)).toBeUndefined();
  });
});
