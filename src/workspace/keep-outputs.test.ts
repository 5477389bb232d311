import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutputOwner } from '../contracts/kept-outputs.ts';
import { sha256 } from '../lib/sha256.ts';
import { openStore, type StoreWithJournal } from '../store/open-store.ts';
import { createOutputKeeper, type OutputLimits } from './keep-outputs.ts';

let folder = '';
let store: StoreWithJournal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keep-outputs-'));
  store = openStore({ path: ':memory:' });
  const run = { session: undefined, command: 'run', question: '', model: 'none', status: 'ok' };
  store.startRun({ ...run, id: 'r1', project: '/a', startedMs: 1, finishedMs: 2 });
});
afterEach(() => {
  store[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const blobs = () => join(folder, 'blobs');
const owner: OutputOwner = { run: 'r1', step: 's1', plugin: 'shell', program: 'seq' };
const open = (limits?: OutputLimits, project = '/a') =>
  createOutputKeeper({
    ...{ blobs: blobs(), project, rows: store.outputs, clock: { nowMs: () => 7 } },
    ...(limits === undefined ? {} : { limits }),
  });

function print(keeper: ReturnType<typeof open>, text: string, more: Partial<OutputOwner> = {}) {
  const sink = keeper.open({ ...owner, ...more });
  for (let at = 0; at < text.length; at += 1000)
    sink.write('stdout', Buffer.from(text.slice(at, at + 1000)));
  sink.end();
  return sha256(text);
}

describe('createOutputKeeper()', () => {
  it('keeps both outputs whole, by their hash, readable to their owner alone', () => {
    const keeper = open();
    const sink = keeper.open(owner);
    sink.write('stdout', Buffer.from('one '));
    sink.write('stderr', Buffer.from('bad'));
    sink.write('stdout', Buffer.from('two'));
    expect(keeper.list('r1', 's1')).toEqual([]);
    sink.end();
    expect(keeper.list('r1', 's1')).toEqual([
      { ...owner, stream: 'stdout', hash: sha256('one two'), bytes: 7, isCut: false, ts: 7 },
      { ...owner, stream: 'stderr', hash: sha256('bad'), bytes: 3, isCut: false, ts: 7 },
    ]);
    expect(readdirSync(blobs()).sort()).toEqual([sha256('one two'), sha256('bad')].sort());
    expect(readFileSync(join(blobs(), sha256('one two')), 'utf8')).toBe('one two');
    expect(statSync(join(blobs(), sha256('bad'))).mode & 0o777).toBe(0o600);
  });

  it('hands out parts of it to the plugin whose program printed it', () => {
    const keeper = open();
    const id = print(keeper, 'abcdef');
    const part = keeper.read('shell', id, 2, 3);
    expect(Buffer.from(part ?? []).toString()).toBe('cde');
    expect(keeper.read('shell', id, 6, 3)).toHaveLength(0);
    expect(keeper.read('other', id, 2, 3)).toBeUndefined();
    expect(open(undefined, '/b').read('shell', id, 2, 3)).toBeUndefined();
    expect(keeper.read('shell', '../r1', 0, 3)).toBeUndefined();
  });

  it('keeps the beginning of what is more than one program may have, and says so', () => {
    const keeper = open({ programBytes: 2500, allBytes: 10_000 });
    print(keeper, 'x'.repeat(9000));
    expect(keeper.list('r1', 's1')).toMatchObject([
      { bytes: 2500, isCut: true, hash: sha256('x'.repeat(2500)) },
    ]);
  });

  it('lets the oldest go where all together are too many, but nothing that an undo needs', () => {
    const keeper = open({ programBytes: 5000, allBytes: 5000 });
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(2000));
    const [first = '', second = '', ...rest] = texts.map((text) => {
      const change = { root: 'work', path: 'p', kind: 'write' as const, mode: 0o644, ts: 1 };
      if (text.startsWith('a')) store.changes.add({ ...change, beforeHash: sha256(text) });
      return print(keeper, text, { run: `run-${text[0]}` });
    });
    expect(keeper.list('run-a', 's1')).toEqual([]);
    expect(readdirSync(blobs()).sort()).toEqual([first, ...rest].sort());
    expect(keeper.read('shell', second, 0, 1)).toBeUndefined();
  });

  it('keeps nothing, and harms nobody, where it cannot write', () => {
    const keeper = createOutputKeeper({
      ...{
        blobs: '/dev/null/blobs',
        project: '/a',
        rows: store.outputs,
        clock: { nowMs: () => 7 },
      },
    });
    print(keeper, 'abc');
    expect(keeper.list('r1', 's1')).toEqual([]);
  });
});
