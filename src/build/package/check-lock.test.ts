import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NpmLock } from '../part-lock.ts';
import { checkLock } from './published-manifest.ts';

const root = resolve(import.meta.dirname, '../../..');
const lockNow = (): NpmLock =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as NpmLock;
const mac = 'node_modules/@lancedb/lancedb-darwin-arm64';

describe('checkLock()', () => {
  it('takes the lock of this repository', () => {
    expect(() => checkLock(lockNow())).not.toThrow();
  });

  it('names a package of a supported system that has no integrity', () => {
    const lock = lockNow();
    delete lock.packages[mac]?.integrity;
    expect(() => checkLock(lock)).toThrow(/no integrity of @lancedb\/lancedb-darwin-arm64 \d/);
  });

  it('names a package of a supported system that npm left out', () => {
    const lock = lockNow();
    delete lock.packages[mac];
    expect(() => checkLock(lock)).toThrow(/no integrity of @lancedb\/lancedb-darwin-arm64 \d/);
  });

  it('does not ask for a system that is not supported', () => {
    const lock = lockNow();
    delete lock.packages['node_modules/@lancedb/lancedb-linux-x64-musl'];
    delete lock.packages['node_modules/@node-llama-cpp/linux-riscv64'];
    expect(() => checkLock(lock)).not.toThrow();
  });

  it('is the lock where nothing takes a place but the empty folder of this repository', () => {
    const links = Object.values(lockNow().packages).filter(({ link }) => link === true);
    expect(new Set(links.map(({ resolved }) => resolved))).toEqual(new Set(['src/build/nothing']));
  });
});
