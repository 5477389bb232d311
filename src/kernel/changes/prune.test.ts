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
import type { Config } from '../../contracts/config.ts';
import { sha256 } from '../../lib/sha256.ts';
import { openStore, type StoreWithJournal } from '../../store/open-store.ts';
import { createPruneBlobs } from './prune.ts';

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

function prune(blobBytes = 1000, atMs = nowMs) {
  const protection = { added: [], lifted: [] };
  const config = { home: join(dir, 'home'), workspace: join(dir, 'work'), protection, blobBytes };
  const pruneBlobs = createPruneBlobs({
    config: config as unknown as Config,
    store: async () => store,
  });
  return pruneBlobs(atMs, { signal: new AbortController().signal });
}
const blob = (text: string): string => {
  file(`home/blobs/${sha256(text)}`, dayMs, text);
  return sha256(text);
};

describe('createPruneBlobs()', () => {
  it('removes pre-images above the quota but for those of the newest runs', async () => {
    const change = { root: 'work', path: 'a', kind: 'write' as const, mode: 0o644, ts: 1 };
    for (let number = 0; number < 25; number += 1) {
      const beforeHash = blob(`run ${number}`);
      store.changes.add({ ...change, run: `r${number}`, beforeHash });
    }
    const report = await prune(1);
    expect(report).toMatchObject({ blobs: { files: 5 }, dryRuns: 0, parts: 0 });
    const left = readdirSync(join(dir, 'home/blobs'));
    expect(left).toContain(sha256('run 24'));
    expect(left).toContain(sha256('run 5'));
    expect(left).not.toContain(sha256('run 4'));
  });

  it('sweeps parts of cut-off writes, and nothing of anybody else', async () => {
    const [stray, young] = [
      'work/sub/.cuervo-0123456789abcdef.part',
      'work/.cuervo-0123456789abcdee.part',
    ];
    file(stray, dayMs);
    file(young, 0);
    file('work/.cuervo-notes.part', dayMs);
    expect(await prune()).toMatchObject({ parts: 1 });
    expect(readdirSync(join(dir, 'work')).toSorted()).toEqual([
      '.cuervo-0123456789abcdee.part',
      '.cuervo-notes.part',
      'sub',
    ]);
    expect(existsSync(join(dir, stray))).toBe(false);
  });

  it('walks the workspace once, and again after a run that did not end', async () => {
    const hourMs = 60 * 60 * 1000;
    const stray = 'work/.cuervo-0123456789abcdef.part';
    expect(await prune()).toMatchObject({ parts: 0 });
    file(stray, dayMs);
    expect(await prune(1000, nowMs + hourMs)).toMatchObject({ parts: 0 });
    const run = { command: 'run', question: 'x', model: 'none', status: 'running' };
    const row = { ...run, session: undefined, finishedMs: undefined, startedMs: nowMs };
    store.startRun({ ...row, id: 'other', project: '/elsewhere' });
    expect(await prune(1000, nowMs + 2 * hourMs)).toMatchObject({ parts: 0 });
    store.startRun({ ...row, id: 'cut-off', project: join(dir, 'work') });
    expect(await prune(1000, nowMs + 3 * hourMs)).toMatchObject({ parts: 1 });
    file(stray, dayMs);
    expect(await prune(1000, nowMs + dayMs)).toMatchObject({ parts: 0 });
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
    expect(await prune()).toMatchObject({ dryRuns: 2 });
    expect(readdirSync(join(dir, 'home/dry-runs')).toSorted()).toEqual(['making', 'week']);
  });
});
