import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../lib/sha256.ts';
import { pruneBlobs } from './blob-store.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prune-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const dayMs = 24 * 60 * 60 * 1000;
const nowMs = 100 * dayMs;

/** A blob of ten bytes. */
function keep(label: string, ageMs = dayMs): string {
  const text = label.padEnd(10, '.');
  const name = sha256(text);
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), (nowMs - ageMs) / 1000, (nowMs - ageMs) / 1000);
  return name;
}
const left = () => readdirSync(folder).toSorted();
const prune = (maxBytes: number, runs: readonly (readonly string[])[]) =>
  pruneBlobs(folder, { hashesByRun: () => runs }, { maxBytes, nowMs });

describe('pruneBlobs()', () => {
  it('removes nothing below the quota', () => {
    const kept = [keep('a'), keep('b')].toSorted();
    expect(prune(20, [])).toEqual({ bytes: 0, files: 0, keptBytes: 20 });
    expect(left()).toEqual(kept);
  });

  it('removes what no run needs first, then that of the oldest runs, and no more than it must', () => {
    const newer = Array.from({ length: 20 }, () => [] as string[]);
    const [shared, old, older, orphan] = [
      keep('shared'),
      keep('old'),
      keep('older'),
      keep('orphan'),
    ];
    const runs = [[shared], ...newer, [old], [older, shared]];
    expect(prune(30, runs)).toEqual({ bytes: 10, files: 1, keptBytes: 30 });
    expect(left()).not.toContain(orphan);
    prune(20, runs);
    expect(left()).not.toContain(older);
    prune(10, runs);
    expect(left()).toEqual([shared]);
  });

  it('keeps what the newest 20 runs need, whatever the quota', () => {
    const runs = Array.from({ length: 21 }, (_, index) => [keep(`run ${index}`)]);
    prune(0, runs);
    expect(left()).toEqual(runs.slice(0, 20).flat().toSorted());
  });

  it('leaves what was kept a moment ago: a program may run whose row is not written yet', () => {
    const young = keep('young', 1000);
    const old = keep('old');
    prune(0, []);
    expect(left()).toEqual([young]);
    expect(left()).not.toContain(old);
  });

  it('takes nothing of an older run for the sake of what was kept a moment ago', () => {
    const newer = Array.from({ length: 20 }, () => [] as string[]);
    const [young, needed] = [keep('young', 1000), keep('needed')];
    prune(10, [...newer, [needed]]);
    expect(left()).toEqual([young, needed].toSorted());
    prune(9, [...newer, [needed]]);
    expect(left()).toEqual([young]);
  });

  it('removes parts that a crash left, and nothing else that is not a blob', () => {
    for (const name of ['aa.12.part', 'bb.13.part', 'notes.txt']) {
      writeFileSync(join(folder, name), 'x');
      utimesSync(join(folder, name), 1, 1);
    }
    utimesSync(join(folder, 'bb.13.part'), nowMs / 1000, nowMs / 1000);
    prune(1000, []);
    expect(left()).toEqual(['bb.13.part', 'notes.txt']);
  });

  it('takes a folder that is not there for an empty one', () => {
    rmSync(folder, { recursive: true });
    expect(prune(0, [])).toEqual({ bytes: 0, files: 0, keptBytes: 0 });
  });
});
