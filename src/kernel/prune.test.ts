import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../config/load-config.ts';
import { sha256 } from '../lib/sha256.ts';
import { openStore, type StoreWithJournal } from '../store/open-store.ts';
import { createPruner } from './prune.ts';

let dir = '';
let store: StoreWithJournal;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'prune-'));
  for (const name of ['work/sub', 'home/blobs', 'home/dry-runs']) {
    mkdirSync(join(dir, name), { recursive: true });
  }
  store = openStore({ path: ':memory:' });
});
afterEach(() => {
  store[Symbol.dispose]();
  rmSync(dir, { recursive: true, force: true });
});

const dayMs = 24 * 60 * 60 * 1000;
const nowMs = 1000 * dayMs;
const age = (path: string, ageMs: number): void =>
  utimesSync(join(dir, path), (nowMs - ageMs) / 1000, (nowMs - ageMs) / 1000);
const file = (path: string, ageMs: number, text = ''): void => {
  writeFileSync(join(dir, path), text);
  age(path, ageMs);
};

function pruner(blobBytes = 1000) {
  const protection = { added: [], lifted: [] };
  const config = { home: join(dir, 'home'), workspace: join(dir, 'work'), protection, blobBytes };
  return createPruner({ config: config as unknown as Config, store: async () => store });
}
const blob = (text: string): string => {
  file(`home/blobs/${sha256(text)}`, dayMs, text);
  return sha256(text);
};

describe('createPruner()', () => {
  it('removes pre-images above the quota but for those of the newest runs', async () => {
    const change = { root: 'work', path: 'a', kind: 'write' as const, mode: 0o644, ts: 1 };
    for (let number = 0; number < 25; number += 1) {
      const beforeHash = blob(`run ${number}`);
      store.changes.add({ ...change, run: `r${number}`, beforeHash });
    }
    const report = await pruner(1).pruneBlobs(nowMs);
    expect(report).toMatchObject({ blobs: { files: 5 }, dryRuns: 0, parts: 0 });
    const left = readdirSync(join(dir, 'home/blobs'));
    expect(left).toContain(sha256('run 24'));
    expect(left).toContain(sha256('run 5'));
    expect(left).not.toContain(sha256('run 4'));
  });

  it('prunes after a run once in an hour', async () => {
    const first = blob('one');
    await pruner(0).afterRun(nowMs);
    expect(existsSync(join(dir, 'home/blobs', first))).toBe(false);
    const second = blob('two');
    await pruner(0).afterRun(nowMs + 1000);
    expect(existsSync(join(dir, 'home/blobs', second))).toBe(true);
    await pruner(0).afterRun(nowMs + dayMs);
    expect(existsSync(join(dir, 'home/blobs', second))).toBe(false);
  });

  it('sweeps parts of cut-off writes, and nothing of anybody else', async () => {
    const [stray, young] = [
      'work/sub/.cuervo-0123456789abcdef.part',
      'work/.cuervo-0123456789abcdee.part',
    ];
    file(stray, dayMs);
    file(young, 0);
    file('work/.cuervo-notes.part', dayMs);
    expect(await pruner().pruneBlobs(nowMs)).toMatchObject({ parts: 1 });
    expect(readdirSync(join(dir, 'work')).toSorted()).toEqual([
      '.cuervo-0123456789abcdee.part',
      '.cuervo-notes.part',
      'sub',
    ]);
    expect(existsSync(join(dir, stray))).toBe(false);
  });

  it('forgets dry runs after a week, and cut-off ones after a day', async () => {
    const record = { run: 'r', workspace: '/', takenAtMs: 1, original: [], copy: [] };
    for (const [name, ageDays, isBound] of [
      ['old', 8, true],
      ['week', 6, true],
      ['cut', 2, false],
      ['making', 0, false],
    ] as const) {
      mkdirSync(join(dir, 'home/dry-runs', name));
      if (isBound) file(`home/dry-runs/${name}/record.json`, 0, JSON.stringify(record));
      age(`home/dry-runs/${name}`, ageDays * dayMs);
    }
    expect(await pruner().pruneBlobs(nowMs)).toMatchObject({ dryRuns: 2 });
    expect(readdirSync(join(dir, 'home/dry-runs')).toSorted()).toEqual(['making', 'week']);
  });
});
