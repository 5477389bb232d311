import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import {
  failureOf,
  openTempTree,
  type TempTree,
  wayOfTrees,
} from '../../tests/support/temp-tree.ts';

const read = (tree: TempTree, path: string) => tree.fs.readText(path, 1000).text;
const byDescriptor =
  'is not led outside by a link that is swapped in during the calls (by descriptor alone)';
const openDescriptors = () => readdirSync('/proc/self/fd').length;

describe('openBelow()', () => {
  it('opens files at any depth', () => {
    using tree = openTempTree({ 'a.txt': 'top', 'x/y/z/b.txt': 'deep' });
    expect(read(tree, 'work:a.txt')).toBe('top');
    expect(read(tree, 'x/y/z/b.txt')).toBe('deep');
  });

  it('follows relative links that stay inside', () => {
    using tree = openTempTree({ 'real/a.txt': 'A', 'real/sub/b.txt': 'B', 'top.txt': 'T' });
    symlinkSync('real/a.txt', join(tree.path, 'to-file'));
    symlinkSync('real', join(tree.path, 'to-dir'));
    symlinkSync('../top.txt', join(tree.path, 'real/up'));
    symlinkSync('../sub/../../to-file', join(tree.path, 'real/sub/around'));
    expect(read(tree, 'to-file')).toBe('A');
    expect(read(tree, 'to-dir/sub/b.txt')).toBe('B');
    expect(read(tree, 'to-dir/up')).toBe('T');
    expect(read(tree, 'to-dir/sub/around')).toBe('A');
    expect(tree.fs.stat('to-dir')).toMatchObject({ kind: 'directory', path: 'work:to-dir' });
  });

  it('denies links that lead outside: file, directory, in the middle, absolute', () => {
    using tree = openTempTree({ 'in/a.txt': 'A' });
    mkdirSync(join(tree.outside, 'dir'));
    writeFileSync(join(tree.outside, 'dir/s.txt'), 'secret\n');
    symlinkSync('../secret.txt', join(tree.path, 'file'));
    symlinkSync('../dir', join(tree.path, 'dir'));
    symlinkSync('../../secret.txt', join(tree.path, 'in/file'));
    symlinkSync(join(tree.outside, 'secret.txt'), join(tree.path, 'absolute'));
    symlinkSync(join(tree.path, 'in/a.txt'), join(tree.path, 'absolute-inside'));
    symlinkSync('in/../../work/in/a.txt', join(tree.path, 'out-and-in'));
    symlinkSync('/', join(tree.path, 'slash'));
    const paths = ['file', 'dir/s.txt', 'in/file', 'absolute', 'absolute-inside', 'out-and-in'];
    for (const path of [...paths, 'slash/etc/hostname']) {
      const failure = failureOf(() => read(tree, path));
      expect(failure, path).toMatchObject({ tag: 'denied' });
      expect(failure.val).toBe(`path ${JSON.stringify(path)} leads outside of root work`);
      expect(failureOf(() => tree.fs.stat(path)).tag, path).toBe('denied');
    }
    expect(failureOf(() => tree.fs.listDir('dir')).tag).toBe('denied');
    expect(failureOf(() => tree.fs.listDir('slash')).tag).toBe('denied');
  });

  it('reports dangling links as not found and loops as denied', () => {
    using tree = openTempTree();
    symlinkSync('nothing', join(tree.path, 'dangling'));
    symlinkSync('two', join(tree.path, 'one'));
    symlinkSync('one', join(tree.path, 'two'));
    symlinkSync('self/self', join(tree.path, 'self'));
    expect(failureOf(() => read(tree, 'dangling')).tag).toBe('not-found');
    for (const path of ['one', 'self', 'one/x']) {
      const failure = failureOf(() => read(tree, path));
      expect(failure.tag).toBe('denied');
      expect(failure.val).toContain('more than 16 links');
    }
  });

  it('follows sixteen links and not seventeen', () => {
    using tree = openTempTree({ l0: 'end' });
    for (let n = 1; n <= 17; n += 1) symlinkSync(`l${n - 1}`, join(tree.path, `l${n}`));
    expect(read(tree, 'l16')).toBe('end');
    expect(failureOf(() => read(tree, 'l17')).tag).toBe('denied');
  });

  it('never follows the magic links of /proc', () => {
    using tree = openTempTree();
    symlinkSync('/proc/self/root/etc/hostname', join(tree.path, 'root'));
    symlinkSync('/proc/self/fd/3', join(tree.path, 'fd'));
    expect(failureOf(() => read(tree, 'root')).tag).toBe('denied');
    expect(failureOf(() => read(tree, 'fd')).tag).toBe('denied');
  });

  it('says invalid for what is not a file, without waiting for it', async () => {
    using tree = openTempTree({ 'a.txt': 'A' });
    execFileSync('mkfifo', [join(tree.path, 'fifo')]);
    const server = createServer().listen(join(tree.path, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    mkdirSync(join(tree.path, 'dir'));
    for (const path of ['fifo', 'socket', 'dir', 'a.txt/b']) {
      expect(failureOf(() => read(tree, path)).tag, path).toBe('invalid');
    }
    expect(tree.fs.stat('fifo').kind).toBe('other');
    expect(tree.fs.listDir('work:').map(({ kind }) => kind)).toEqual([
      'file',
      'directory',
      'other',
      'other',
    ]);
    expect(failureOf(() => tree.fs.scan('fifo', scanFor('x'))).tag).toBe('invalid');
    expect(tree.fs.scan('work:', scanFor('A')).filesScanned).toBe(1);
    await new Promise((resolve) => server.close(resolve));
  });

  it.skipIf(process.getuid?.() !== 0)('says invalid for devices (needs root for mknod)', () => {
    using tree = openTempTree();
    execFileSync('mknod', [join(tree.path, 'zero'), 'c', '1', '5']);
    execFileSync('mknod', [join(tree.path, 'tty'), 'c', '5', '0']);
    for (const node of ['zero', 'tty']) {
      expect(failureOf(() => tree.fs.readBytes(node, 0, 10)).tag).toBe('invalid');
      expect(tree.fs.stat(node).kind).toBe('other');
    }
    expect(tree.fs.scan('work:', scanFor('x')).filesScanned).toBe(0);
  });

  it('closes every descriptor, whatever the call came to', () => {
    using tree = openTempTree({ 'a/b/c.txt': 'C' });
    symlinkSync('../secret.txt', join(tree.path, 'out'));
    symlinkSync('a/b', join(tree.path, 'in'));
    const before = openDescriptors();
    for (const path of ['a/b/c.txt', 'in/c.txt', 'out', 'a/b/none', 'a/none/x', 'a/b', 'a/../b']) {
      for (const call of ['stat', 'listDir'] as const) attempt(() => tree.fs[call](path));
      attempt(() => read(tree, path));
      attempt(() => tree.fs.scan(path, scanFor('x')));
      attempt(() => tree.fs.scan(path, { ...scanFor('('), literal: false }));
    }
    expect(openDescriptors()).toBe(before);
  });

  // By path this race is not closed, which `open-name.ts` says and the doctor tells.
  it.skipIf(wayOfTrees === 'path')(
    byDescriptor,
    async () => {
      using tree = openTempTree({ 'spot/a.txt': 'inside\n', 'file.txt': 'inside\n' });
      mkdirSync(join(tree.outside, 'away'));
      writeFileSync(join(tree.outside, 'away/a.txt'), 'secret\n');
      const worker = new Worker(swapper, { eval: true, workerData: tree.path });
      await new Promise((resolve) => worker.once('message', resolve));
      let inside = 0;
      let other = 0;
      for (let attempt = 0; attempt < 4000; attempt += 1) {
        for (const path of ['spot/a.txt', 'file.txt']) {
          try {
            expect(read(tree, path)).toBe('inside\n');
            inside += 1;
          } catch (thrown) {
            if (!(thrown instanceof Error) || thrown.name !== 'HostFailure') throw thrown;
            other += 1;
          }
        }
        if (attempt % 50 === 0) {
          expect(tree.fs.scan('work:', scanFor('secret')).matches).toEqual([]);
        }
      }
      await worker.terminate();
      expect(inside).toBeGreaterThan(0);
      expect(other).toBeGreaterThan(0);
    },
    60_000,
  );
});

/** Exchanges a directory and a file for links to the outside and back, without end. */
const swapper = `
  const { renameSync, symlinkSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const at = (name) => workerData + '/' + name;
  symlinkSync('../away', at('link-spot'));
  symlinkSync('../secret.txt', at('link-file'));
  parentPort.postMessage('ready');
  for (;;) {
    for (const name of ['spot', 'file.txt']) {
      const link = name === 'spot' ? 'link-spot' : 'link-file';
      renameSync(at(name), at('kept'));
      renameSync(at(link), at(name));
      renameSync(at(name), at(link));
      renameSync(at('kept'), at(name));
    }
  }
`;

const scanFor = (pattern: string) => ({
  walk: { include: [], exclude: [], ignoreFiles: false, hidden: false, limit: 1000 },
  pattern,
  literal: true,
  caseInsensitive: false,
  before: 0,
  after: 0,
  limit: 10,
});

function attempt(run: () => unknown): void {
  try {
    run();
  } catch {
    // Which calls fail is not what is asked here.
  }
}
