import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { treeState } from '../../../tests/support/tree-state.ts';
import type { Config } from '../../contracts/config.ts';
import type { RootPath, WantedPath } from '../../contracts/file-changes.ts';
import { openRootFiles } from '../../host/root-files.ts';
import { sha256 } from '../../lib/sha256.ts';
import { createDirectory, removePath, renameFile, writeFile } from '../../paths/change-file.ts';
import { closeName, openRoot } from '../../paths/open-name.ts';
import { openStore, type StoreWithJournal } from '../../store/open-store.ts';
import { createChangeKeeper } from '../../workspace/keep-changes.ts';
import { createUndoCommands } from './undo-commands.ts';

let place = '';
let work = '';
let store: StoreWithJournal;
const clock = { nowMs: () => 1000 };

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'undo-'));
  work = join(place, 'work');
  mkdirSync(work);
  mkdirSync(join(place, 'home'));
  store = openStore({ path: join(place, 'home', 'cuervo.db') });
});
afterEach(() => {
  store[Symbol.dispose]();
  rmSync(place, { recursive: true, force: true });
});

let ids = 0;
function startRun(command: string, question: string): string {
  ids += 1;
  const id = `run-${String(ids).padStart(4, '0')}`;
  store.startRun({
    id,
    session: undefined,
    command,
    question,
    project: work,
    model: 'none',
    status: 'running',
    startedMs: 1,
    finishedMs: undefined,
  });
  return id;
}

function commands() {
  return createUndoCommands({
    config: { home: join(place, 'home'), workspace: work } as Config,
    clock,
    store: async () => store,
    journaled: async (command, what, change) => change(startRun(command, what)),
  });
}

type Hand = {
  put(path: RootPath, content: Uint8Array, mode: number): void;
  remove(path: RootPath): void;
  link(path: RootPath, target: string): void;
};

/** One run that changes files one after the other, as a plugin does. */
async function run(change: (files: Hand) => void): Promise<string> {
  const id = startRun('run', 'file.write');
  const keeper = createChangeKeeper({
    blobs: join(place, 'home', 'blobs'),
    changes: store.changes,
    clock,
  });
  using files = openRootFiles({ work }, { keeper, run: id });
  const wanted: WantedPath[] = [];
  change({
    put: (path, content, mode) =>
      wanted.push({ ...path, kind: 'file', hash: sha256(content), bytes: () => content, mode }),
    remove: (path) => wanted.push({ ...path, kind: 'absent' }),
    link: (path, target) =>
      wanted.push({ ...path, kind: 'link', hash: sha256(target), bytes: () => bytes(target) }),
  });
  for (const each of wanted) await files.become([each]);
  return id;
}

const at = (path: string) => ({ root: 'work', path });
const bytes = (text: string) => new TextEncoder().encode(text);
const read = (path: string) => readFileSync(join(work, path), 'utf8');

describe('createUndoCommands()', () => {
  it('restores what a run wrote, made and removed, byte for byte, with its permissions', async () => {
    writeFileSync(join(work, 'kept.sh'), 'before\n');
    chmodSync(join(work, 'kept.sh'), 0o755);
    writeFileSync(join(work, 'gone.bin'), Buffer.from([0, 255, 10]));
    const id = await run((files) => {
      files.put(at('kept.sh'), bytes('one'), 0o755);
      files.put(at('kept.sh'), bytes('two'), 0o644);
      files.remove(at('gone.bin'));
      files.put(at('new/deep/file.txt'), bytes('new'), 0o644);
    });
    const undone = await commands().undo(id);
    expect(undone).toMatchObject({ run: id, left: [] });
    expect(undone.paths.toSorted()).toEqual([
      'gone.bin',
      'kept.sh',
      'new',
      'new/deep',
      'new/deep/file.txt',
    ]);
    expect(read('kept.sh')).toBe('before\n');
    expect(statSync(join(work, 'kept.sh')).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(work, 'gone.bin'))).toEqual(Buffer.from([0, 255, 10]));
    expect(existsSync(join(work, 'new'))).toBe(false);
  });

  it.each(['', ' '])('never takes %j for the start of an id', async (start) => {
    await run((files) => files.put(at('a'), bytes('1'), 0o644));
    const refused = { code: 'invalid-argument', message: 'the id of the run is empty' };
    for (const act of ['plan', 'undo', 'diff'] as const)
      await expect(commands()[act](start)).rejects.toMatchObject(refused);
    expect(read('a')).toBe('1');
  });

  it('goes back run by run, and never takes an undo for the last run', async () => {
    writeFileSync(join(work, 'a'), '0');
    for (const text of ['1', '2', '3'])
      await run((files) => files.put(at('a'), bytes(text), 0o644));
    const undo = commands();
    const states: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      await undo.undo((await undo.plan()).run.run);
      states.push(read('a'));
    }
    expect(states).toEqual(['2', '1', '0']);
    await expect(undo.plan()).rejects.toMatchObject({ code: 'not-found' });
    const [newest] = await undo.runs(1);
    expect(newest).toMatchObject({ command: 'undo' });
    await undo.undo(newest?.run ?? '');
    expect(read('a')).toBe('1');
  });

  it('takes a run for the last one again once its undo was taken back, however often', async () => {
    writeFileSync(join(work, 'a'), '0');
    writeFileSync(join(work, 'b'), '0');
    await run((files) => files.put(at('b'), bytes('1'), 0o644));
    const id = await run((files) => files.put(at('a'), bytes('1'), 0o644));
    const undo = commands();
    const undoNewest = async () => undo.undo((await undo.runs(1))[0]?.run ?? '');
    const last = async () => (await undo.plan()).run.run;
    await undo.undo(id);
    await undoNewest();
    expect([read('a'), await last()]).toEqual(['1', id]);
    await undoNewest();
    expect([read('a'), (await last()) === id]).toEqual(['0', false]);
    await undoNewest();
    expect([read('a'), await last()]).toEqual(['1', id]);
    await undo.undo(id);
    expect([read('a'), read('b')]).toEqual(['0', '1']);
  });

  it('refuses all of it when one file was changed since, and keeps that file when forced', async () => {
    writeFileSync(join(work, 'a'), 'a0');
    writeFileSync(join(work, 'b'), 'b0');
    const id = await run((files) => {
      files.put(at('a'), bytes('a1'), 0o644);
      files.put(at('b'), bytes('b1'), 0o644);
    });
    writeFileSync(join(work, 'b'), 'by hand');
    const undo = commands();
    expect((await undo.plan(id)).steps).toEqual([
      { root: 'work', path: 'a', action: 'restore' },
      { root: 'work', path: 'b', action: 'restore', conflict: 'was changed since' },
    ]);
    await expect(undo.undo(id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'b was changed since; nothing was undone',
    });
    expect([read('a'), read('b')]).toEqual(['a1', 'by hand']);
    await undo.undo(id, { force: true });
    expect([read('a'), read('b')]).toEqual(['a0', 'b0']);
    const [newest] = await undo.runs(1);
    await undo.undo(newest?.run ?? '');
    expect(read('b')).toBe('by hand');
  });

  it('leaves a directory that holds something else by now', async () => {
    const id = await run((files) => files.put(at('made/file'), bytes('1'), 0o644));
    writeFileSync(join(work, 'made', 'mine'), 'mine');
    expect(await commands().undo(id)).toEqual({
      run: id,
      paths: ['made/file'],
      left: [{ path: 'made', why: 'the directory holds something else now' }],
      lasting: [],
    });
    expect(read('made/mine')).toBe('mine');
  });

  it('leaves a run alone whose files are as before it, so that it can be taken back later', async () => {
    writeFileSync(join(work, 'a'), '1');
    const first = await run((files) => files.put(at('a'), bytes('2'), 0o644));
    const second = await run((files) => files.put(at('a'), bytes('1'), 0o644));
    const undo = commands();
    expect((await undo.plan(first)).isEmpty).toBe(true);
    expect(await undo.undo(first)).toEqual({ run: first, paths: ['a'], left: [], lasting: [] });
    expect((await undo.allRuns(9)).map((each) => each.run)).toEqual([second, first]);
    for (const expected of ['2', '1']) {
      await undo.undo((await undo.plan()).run.run);
      expect(read('a')).toBe(expected);
    }
  });

  it('never takes a run for the last one that wrote what stood there', async () => {
    const id = await run((files) => files.put(at('a'), bytes('1'), 0o644));
    await run((files) => files.put(at('a'), bytes('1'), 0o644));
    const same = await run((files) => files.put(at('a'), bytes('1'), 0o644));
    const undo = commands();
    expect(await undo.planLast(9)).toMatchObject([{ run: { run: id }, isEmpty: false }]);
    await undo.undo(same);
    expect((await undo.runs(1))[0]).not.toHaveProperty('undoneMs');
  });

  it('calls a run undone whose undo was cut off behind its last file', async () => {
    const id = await run((files) => files.put(at('a'), bytes('1'), 0o644));
    const undo = commands();
    await undo.undo(id);
    const [undone] = await undo.runs(1);
    store.changes.markUndone(id, undefined);
    store.finishRun(undone?.run ?? '', 'cut-off', 1);
    expect((await undo.plan()).isEmpty).toBe(false);
    await undo.undo(id);
    await expect(undo.plan()).rejects.toMatchObject({ code: 'not-found' });
  });

  it('goes on after it was cut off in the middle', async () => {
    writeFileSync(join(work, 'a'), 'a0');
    writeFileSync(join(work, 'b'), 'b0');
    const id = await run((files) => {
      files.put(at('a'), bytes('a1'), 0o644);
      files.put(at('b'), bytes('b1'), 0o644);
    });
    writeFileSync(join(work, 'a'), 'a0');
    expect((await commands().undo(id)).paths).toEqual(['a', 'b']);
    expect([read('a'), read('b')]).toEqual(['a0', 'b0']);
  });

  it('goes on after it was cut off between a folder and what stood in its place', async () => {
    for (const name of ['one', 'two']) {
      mkdirSync(join(work, name));
      writeFileSync(join(work, name, 'a'), name);
    }
    const before = treeState(work);
    const id = await run((files) => {
      for (const path of ['one/a', 'one', 'two/a', 'two']) files.remove(at(path));
      files.link(at('one'), 'two');
      files.put(at('two'), bytes('a file'), 0o644);
    });
    for (const name of ['one', 'two']) rmSync(join(work, name));
    expect((await commands().undo(id)).left).toEqual([]);
    expect(treeState(work)).toEqual(before);
  });

  it('takes a link that stands in place of a file for a change, and never writes through it', async () => {
    const outside = join(place, 'outside');
    writeFileSync(outside, 'mine');
    writeFileSync(join(work, 'a'), 'a0');
    const id = await run((files) => files.put(at('a'), bytes('a1'), 0o644));
    rmSync(join(work, 'a'));
    symlinkSync(outside, join(work, 'a'));
    await expect(commands().undo(id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'a is a link now; nothing was undone',
    });
    await commands().undo(id, { force: true });
    expect([read('a'), readFileSync(outside, 'utf8')]).toEqual(['a0', 'mine']);
    expect(lstatSync(join(work, 'a')).isFile()).toBe(true);
    // What stood there is kept: an undo of the undo brings the link back.
    const [newest] = await commands().runs(1);
    await commands().undo(newest?.run ?? '');
    expect(readlinkSync(join(work, 'a'))).toBe(outside);
  });

  it('takes back a run that moved, removed and made anew, of files that may only be read', async () => {
    for (const name of ['moved', 'gone', 'again']) writeFileSync(join(work, name), `${name} 0`);
    chmodSync(join(work, 'gone'), 0o444);
    const before = treeState(work);
    const id = startRun('run', 'file.move');
    const blobs = join(place, 'home', 'blobs');
    const keeper = createChangeKeeper({ blobs, changes: store.changes, clock });
    const rootFd = openRoot(work);
    const path = (name: string) => ({
      root: 'work',
      rootFd,
      segments: name.split('/'),
      shown: name,
    });
    const scope = { keeper, run: id, isAgreed: true };
    createDirectory(scope, path('dir'));
    renameFile(scope, path('moved'), path('dir/one'));
    renameFile(scope, path('dir/one'), path('dir/two'));
    writeFile(scope, path('moved'), bytes('another'), undefined);
    removePath(scope, path('gone'));
    removePath(scope, path('again'));
    writeFile(scope, path('again'), bytes('again 1'), undefined);
    removePath(scope, path('again'));
    writeFile(scope, path('again'), bytes('again 2'), undefined);
    closeName(rootFd);
    const after = treeState(work);
    expect((await commands().undo(id)).left).toEqual([]);
    expect(treeState(work)).toEqual(before);
    const [newest] = await commands().runs(1);
    await commands().undo(newest?.run ?? '');
    expect(treeState(work)).toEqual(after);
  });

  it('does not write through a link that was put in the way', async () => {
    const outside = join(place, 'outside');
    mkdirSync(outside);
    mkdirSync(join(work, 'dir'));
    writeFileSync(join(work, 'dir', 'a'), '0');
    const id = await run((files) => files.put(at('dir/a'), bytes('1'), 0o644));
    rmSync(join(work, 'dir'), { recursive: true });
    symlinkSync(outside, join(work, 'dir'));
    for (const force of [false, true]) {
      await expect(commands().undo(id, { force })).rejects.toMatchObject({
        code: 'conflict',
        message: 'dir/a is, or passes, a link; links are not written; nothing was undone',
        hint: `Move away what is there, then: cuervo undo ${id}`,
      });
    }
    expect(existsSync(join(outside, 'a'))).toBe(false);
  });

  it('takes back a run that put a link in place of a folder, and does that again', async () => {
    mkdirSync(join(work, 'dir/deep'), { recursive: true });
    mkdirSync(join(work, 'other/deep'), { recursive: true });
    for (const path of ['dir/a', 'dir/deep/b', 'other/a', 'other/deep/b'])
      writeFileSync(join(work, path), path);
    const before = treeState(work);
    const id = await run((files) => {
      for (const path of ['dir/deep/b', 'dir/deep', 'dir/a', 'dir']) files.remove(at(path));
      files.link(at('dir'), 'other');
    });
    const after = treeState(work);
    for (const state of [before, after, before]) {
      const [newest] = await commands().runs(1);
      expect((await commands().undo(newest?.run ?? id)).left).toEqual([]);
      expect(treeState(work)).toEqual(state);
    }
  });

  it('shows a run as each file before and after, as far as it is known', async () => {
    writeFileSync(join(work, 'a'), 'a0');
    const id = await run((files) => {
      files.put(at('a'), bytes('a1'), 0o644);
      files.put(at('b'), bytes('b1'), 0o644);
    });
    const text = (from: Uint8Array | undefined) => from && Buffer.from(from).toString();
    const shown = async () =>
      (await commands().diff(id)).map(({ path, before, after, isAfterLost }) => [
        path,
        text(before),
        text(after),
        isAfterLost,
      ]);
    expect(await shown()).toEqual([
      ['a', 'a0', 'a1', undefined],
      ['b', undefined, 'b1', undefined],
    ]);
    writeFileSync(join(work, 'b'), 'by hand');
    await run((files) => files.put(at('a'), bytes('a2'), 0o644));
    expect(await shown()).toEqual([
      ['a', 'a0', 'a1', undefined],
      ['b', undefined, undefined, true],
    ]);
  });

  it('planLast() shows each of the last runs as it will be, and no more than there are', async () => {
    writeFileSync(join(work, 'a'), 'a0');
    const first = await run((files) => {
      files.put(at('a'), bytes('a1'), 0o644);
      files.put(at('b'), bytes('b1'), 0o644);
    });
    const second = await run((files) => {
      files.put(at('a'), bytes('a2'), 0o644);
      files.remove(at('b'));
    });
    writeFileSync(join(work, 'a'), 'by hand');
    const undo = commands();
    const shown = async (count: number) =>
      (await undo.planLast(count)).map(({ run: { run }, steps }) => ({
        run,
        steps: steps.map(({ path, action, conflict }) => [path, action, conflict]),
      }));
    const newest = {
      run: second,
      steps: [
        ['a', 'restore', 'was changed since'],
        ['b', 'restore', undefined],
      ],
    };
    const oldest = {
      run: first,
      steps: [
        ['a', 'restore', undefined],
        ['b', 'remove', undefined],
      ],
    };
    expect(await shown(1)).toEqual([newest]);
    expect(await shown(2)).toEqual([newest, oldest]);
    expect(await shown(99)).toEqual([newest, oldest]);
    for (const each of [second, first]) await undo.undo(each, { force: true });
    expect([read('a'), existsSync(join(work, 'b'))]).toEqual(['a0', false]);
    await expect(undo.planLast(2)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('knows a run by the start of its id, when only one begins so', async () => {
    const id = await run((files) => files.put(at('a'), bytes('1'), 0o644));
    await run((files) => files.put(at('b'), bytes('1'), 0o644));
    expect((await commands().plan(id)).run.run).toBe(id);
    await expect(commands().plan('run-')).rejects.toMatchObject({ code: 'not-found' });
    await expect(commands().plan('nothing')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('finds a run behind a thousand others, by its id and as the last one that stands', async () => {
    const id = await run((files) => files.put(at('a'), bytes('1'), 0o644));
    for (let times = 0; times < 1100; times += 1) {
      const later = startRun('run', 'file.write');
      const row = { run: later, root: 'work', path: 'b', kind: 'remove', mode: 0, ts: 1 } as const;
      store.changes.add(row);
      store.changes.markUndone(later, 1);
    }
    expect((await commands().plan()).run.run).toBe(id);
    expect(await commands().diff(id)).toHaveLength(1);
    expect((await commands().undo(id)).paths).toEqual(['a']);
  });

  it('says which files it cannot restore, and restores the others when forced', async () => {
    writeFileSync(join(work, 'a'), 'a0');
    writeFileSync(join(work, 'b'), 'b0');
    const id = await run((files) => {
      files.put(at('a'), bytes('a1'), 0o644);
      files.put(at('b'), bytes('b1'), 0o644);
    });
    rmSync(join(place, 'home', 'blobs', sha256('b0')));
    const why = 'cannot be restored: its old content is no longer kept';
    const undo = commands();
    await expect(undo.undo(id)).rejects.toMatchObject({
      code: 'conflict',
      message: `b ${why}; nothing was undone`,
    });
    expect([read('a'), read('b')]).toEqual(['a1', 'b1']);
    expect(await undo.diff(id)).toMatchObject([{ path: 'a' }, { path: 'b', isBeforeLost: true }]);
    expect(await undo.undo(id, { force: true })).toMatchObject({
      paths: ['a'],
      left: [{ path: 'b', why }],
    });
    expect([read('a'), read('b')]).toEqual(['a0', 'b1']);
  });
});
