import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packPackage } from '../../tests/support/open-registry.ts';
import { freeBytes } from '../lib/files/folders.ts';
import { type LockedPackage, partLock } from '../lib/parts/part-lock.ts';
import { addPart } from './add-part.ts';

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-disk-')));
const disk = join(dir, 'disk');
mkdirSync(disk);
const mount = (options: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk]).status === 0;
const isMounted = process.getuid?.() === 0 && mount('size=2m,mode=0700');

const { wanted, bytes } = packPackage('one', { 'x.js': 'x'.repeat(300_000) });
const system = { os: 'linux', cpu: 'x64', libc: 'glibc' } as const;
const lock = partLock('sentence', system, { sentence: [wanted] });
const places = { root: join(dir, 'program'), packages: join(disk, 'packages') };
const signal = new AbortController().signal;
const add = (bring: (wanted: LockedPackage, path: string) => Promise<void>): Promise<void> =>
  addPart(lock, { places, system, bring, signal });
const give = async (_: LockedPackage, path: string): Promise<void> => writeFileSync(path, bytes);

afterAll(() => {
  if (isMounted) spawnSync('umount', [disk]);
  rmSync(dir, { recursive: true });
});

describe.skipIf(!isMounted)('addPart() on a small disk (root may mount one)', () => {
  const filler = join(disk, 'filler');
  const fill = (left: number): void =>
    writeFileSync(filler, Buffer.alloc((freeBytes(disk) ?? 0) - left));

  it('says before it begins that there is no room', async () => {
    fill(100_000);
    await expect(add(give)).rejects.toMatchObject({
      code: 'resource-exhausted',
      message: expect.stringMatching(
        /^sentence needs \d+ [kM]B on the disk of \S+ while it is added; \d+ kB are left$/,
      ),
    });
    rmSync(filler);
  });

  it('says that the disk is full in the middle, and goes on later', async () => {
    const late = async (each: LockedPackage, path: string): Promise<void> => {
      await give(each, path);
      fill(100_000);
    };
    await expect(add(late)).rejects.toMatchObject({
      code: 'resource-exhausted',
      message: 'the disk that holds CUERVO_HOME is full',
    });
    expect(readdirSync(places.packages).filter((name) => !name.startsWith('.'))).toEqual([]);
    rmSync(filler);
    await add(give);
    expect(readdirSync(places.packages)).toEqual([lock.folder]);
  });

  it('names what cannot be written in a read-only home', async () => {
    rmSync(places.packages, { recursive: true });
    expect(mount('remount,ro')).toBe(true);
    await expect(add(give)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^sentence cannot be added: .+ cannot be written \(EROFS\)$/),
    });
    expect(mount('remount,rw')).toBe(true);
  });
});
