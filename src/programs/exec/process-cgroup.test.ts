import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findCgroupBase, openProcessCgroup } from './process-cgroup.ts';

const user = '/user.slice/user-1000.slice/user@1000.service';
const membership = `4:memory:/other\n0::${user}/app.slice/terminal.scope\n`;
const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** @param groups path -> controllers of the groups below it */
function tree(groups: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'cuervo-cgroups-'));
  roots.push(root);
  for (const [path, counted] of Object.entries(groups)) {
    mkdirSync(join(root, path), { recursive: true });
    writeFileSync(join(root, path, 'cgroup.controllers'), 'cpu memory pids\n');
    writeFileSync(join(root, path, 'cgroup.subtree_control'), `${counted}\n`);
    writeFileSync(join(root, path, 'cgroup.procs'), '');
  }
  return root;
}

describe('findCgroupBase()', () => {
  const all = 'cpu memory pids';

  it('is the nearest group around ours that counts memory and processes', () => {
    const near = tree({ '/': all, [user]: all, [`${user}/app.slice`]: all });
    const folder = join(near, user, 'app.slice');
    expect(findCgroupBase(near, membership, false)).toEqual({ folder, holdsMemory: true });
    const far = tree({ '/': all, [user]: all, [`${user}/app.slice`]: 'pids' });
    const above = { folder: join(far, user), holdsMemory: true };
    expect(findCgroupBase(far, membership, false)).toEqual(above);
  });

  it('is none below our own group, and none that counts nothing', () => {
    const own = `${user}/app.slice/terminal.scope`;
    const root = tree({ '/': '', [user]: 'memory', [`${user}/app.slice`]: 'pids', [own]: all });
    expect(findCgroupBase(root, membership, false)).toBeUndefined();
  });

  it.skipIf(process.geteuid?.() === 0)('is none that we may not write (not as root)', () => {
    const root = tree({ '/': all });
    chmodSync(join(root, 'cgroup.procs'), 0o444);
    expect(findCgroupBase(root, '0::/\n', false)).toBeUndefined();
  });

  it('counts processes alone for root, in either version', () => {
    const root = tree({ '/': 'pids' });
    expect(findCgroupBase(root, '0::/\n', true)).toEqual({
      folder: join(root, '/'),
      holdsMemory: false,
    });
    expect(findCgroupBase(root, '0::/\n', false)).toBeUndefined();
    const first = tree({ '/pids': '' });
    const folder = join(first, 'pids');
    expect(findCgroupBase(first, '8:pids:/\n', true)).toEqual({ folder, holdsMemory: false });
    expect(findCgroupBase(first, '8:pids:/\n', false)).toBeUndefined();
  });
});

describe('openProcessCgroup()', () => {
  it('sets what the kernel bounds, and tells what it ended', () => {
    const folder = tree({ '/': 'memory pids' });
    const limits = { processes: 64, memoryBytes: 4096 };
    using group = openProcessCgroup(limits, { folder, holdsMemory: true });
    const made = dirname(group?.entry ?? '');
    const set = readdirSync(made).map((name) => [name, readFileSync(join(made, name), 'utf8')]);
    expect(Object.fromEntries(set)).toEqual({
      'memory.max': '4096',
      'memory.oom.group': '1',
      'memory.swap.max': '0',
      'pids.max': '64',
    });
    expect(group?.findExcess()).toBeUndefined();
    writeFileSync(join(made, 'memory.events'), 'max 7\noom 0\noom_kill 0\noom_group_kill 0\n');
    expect(group?.findExcess()).toBeUndefined();
    writeFileSync(join(made, 'memory.events'), 'max 7\noom 1\noom_kill 3\noom_group_kill 1\n');
    expect(group?.findExcess()).toBe('more than 4096 bytes of memory');
  });
});

const here = findCgroupBase();

describe.skipIf(here?.holdsMemory !== true)(
  'a control group of this session (needs one that bounds memory: systemd-run --user --scope)',
  () => {
    /** Takes memory and gives it back at once. */
    const burst = (bytes: number) => {
      using group = openProcessCgroup({ processes: 64, memoryBytes: 64 * 1024 * 1024 });
      const taken = `import mmap; page = mmap.mmap(-1, ${bytes}); page.madvise(23); print('held')`;
      const enter = 'echo $$ > "$1" && exec python3 -c "$2"';
      const { signal, stdout } = spawnSync('sh', ['-c', enter, 'sh', group?.entry ?? '', taken]);
      return { signal, said: String(stdout), excess: group?.findExcess() };
    };

    it('ends what is above its memory for a moment', () => {
      const excess = 'more than 67108864 bytes of memory';
      expect(burst(128 * 1024 * 1024)).toEqual({ signal: 'SIGKILL', said: '', excess });
    });

    it('leaves be what is below, and is gone afterwards', () => {
      expect(burst(16 * 1024 * 1024)).toEqual({ signal: null, said: 'held\n', excess: undefined });
      const left = readdirSync(here?.folder ?? '').filter((name) => name.startsWith('cuervo-'));
      expect(left).toEqual([]);
    });
  },
);
