import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FileChange, linkMode } from '../../contracts/file-changes.ts';
import { isProtectedPath, runnerOf } from '../../contracts/protected-names.ts';
import { sha256 } from '../../lib/sha256.ts';
import { openStore, type StoreWithJournal } from '../../store/open-store.ts';
import { createStateKeeper } from '../../workspace/keep-changes.ts';
import { defaultSnapshotLimits, type SnapshotLimits } from './walk-root.ts';
import { createChangeWatcher } from './watch-changes.ts';

let dir = '';
let work = '';
let store: StoreWithJournal;
let kept: number;
let warnings: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'watch-changes-'));
  work = join(dir, 'work');
  mkdirSync(work);
  store = openStore({ path: ':memory:' });
  kept = 0;
  warnings = [];
});
afterEach(() => {
  store[Symbol.dispose]();
  rmSync(dir, { recursive: true, force: true });
});

function watcher(limits: Partial<SnapshotLimits> = {}) {
  const keeper = createStateKeeper({
    blobs: join(dir, 'blobs'),
    changes: store.changes,
    clock: { nowMs: () => 1 },
  });
  return createChangeWatcher({
    isProtected: isProtectedPath,
    runnerOf,
    warn: (text) => warnings.push(text),
    known: join(dir, 'snapshots'),
    limits: { ...defaultSnapshotLimits, ...limits },
    keeper: async () => ({
      ...keeper,
      keep: (bytes) => {
        kept += 1;
        return keeper.keep(bytes);
      },
    }),
  });
}

/** The recorded changes of files, each row without the fields that are the same in all. */
async function watched(change: () => void, limits: Partial<SnapshotLimits> = {}) {
  const run = `run-${store.changes.ofRun.length}-${Math.random()}`;
  const end = await watcher(limits).watch(
    { work },
    { run, step: 's1', program: 'cc', isUnconfined: false },
  );
  change();
  const lasting = await end();
  const rows = store.changes.ofRun(run).map(({ ts, run: _, step, root, ...row }) => {
    expect([ts, step, root]).toEqual([1, 's1', 'work']);
    return row;
  });
  return { rows, lasting };
}

const write = (path: string, text: string, mode = 0o644): void => {
  mkdirSync(join(work, path, '..'), { recursive: true });
  writeFileSync(join(work, path), text);
  chmodSync(join(work, path), mode);
};
const paths = (rows: readonly Pick<FileChange, 'kind' | 'path'>[]) =>
  rows.map(({ kind, path }) => `${kind} ${path}`);
const blobs = () => new Set(readdirSync(join(dir, 'blobs')));

describe('createChangeWatcher()', () => {
  it('reports files that others run, and no other files', async () => {
    write('.vscode/tasks.json', '{}');
    await watched(() => {
      write('a.txt', 'one');
      write('.vscode/tasks.json', '{ }');
      write('.github/workflows/ci.yml', 'on: push');
    });
    expect(warnings.toSorted()).toEqual([
      'program "cc" changed what a CI service runs without being asked to: .github/workflows, .github/workflows/ci.yml',
      'program "cc" changed what an editor runs without being asked to: .vscode/tasks.json',
    ]);
  });

  it('finds what was written, made and removed, with permissions, links and folders', async () => {
    write('a.txt', 'one');
    write('mode.sh', 'same');
    write('gone/deep/b', 'two', 0o600);
    write('same', 'same');
    symlinkSync('a.txt', join(work, 'link'));
    const { rows, lasting } = await watched(() => {
      write('a.txt', 'changed', 0o755);
      chmodSync(join(work, 'mode.sh'), 0o755);
      rmSync(join(work, 'gone'), { recursive: true });
      write('new/c', 'three');
      unlinkSync(join(work, 'link'));
      symlinkSync('elsewhere', join(work, 'link'));
    });
    expect(lasting).toEqual([]);
    const link = linkMode | 0o777;
    const [before, after] = [sha256('one'), sha256('changed')];
    expect(rows.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      {
        path: 'a.txt',
        kind: 'write',
        beforeHash: before,
        afterHash: after,
        mode: 0o644,
        afterMode: 0o755,
      },
      { path: 'gone', kind: 'remove', mode: 0o755 },
      { path: 'gone/deep', kind: 'remove', mode: 0o755 },
      { path: 'gone/deep/b', kind: 'remove', beforeHash: sha256('two'), mode: 0o600 },
      {
        path: 'link',
        kind: 'write',
        beforeHash: sha256('a.txt'),
        afterHash: sha256('elsewhere'),
        mode: link,
      },
      {
        path: 'mode.sh',
        kind: 'write',
        beforeHash: sha256('same'),
        afterHash: sha256('same'),
        mode: 0o644,
        afterMode: 0o755,
      },
      { path: 'new', kind: 'create', mode: 0o755 },
      { path: 'new/c', kind: 'create', afterHash: sha256('three'), mode: 0o644 },
    ]);
    for (const row of rows)
      if (row.beforeHash !== undefined) expect(blobs()).toContain(row.beforeHash);
  });

  it('takes a file that became a folder for both', async () => {
    write('a', 'file');
    write('b/c', 'inside');
    const { rows } = await watched(() => {
      rmSync(join(work, 'a'));
      write('a/in', 'x');
      rmSync(join(work, 'b'), { recursive: true });
      write('b', 'file');
    });
    expect(paths(rows).toSorted()).toEqual(
      ['remove a', 'create a', 'create a/in', 'remove b/c', 'remove b', 'create b'].toSorted(),
    );
  });

  it('finds nothing where nothing changed, and a change that left size and time as they were', async () => {
    write('a', 'one');
    utimesSync(join(work, 'a'), 1000, 1000);
    expect(await watched(() => {})).toEqual({ rows: [], lasting: [] });
    const { rows } = await watched(() => {
      writeFileSync(join(work, 'a'), 'two');
      utimesSync(join(work, 'a'), 1000, 1000);
    });
    expect(paths(rows)).toEqual(['write a']);
  });

  it('reads again only what changed since the last program', async () => {
    const longAgo = new Date(Date.now() - 60_000);
    for (const name of ['a', 'b', 'c']) write(name, name);
    utimesSync(join(work, 'a'), longAgo, longAgo);
    // Files that were made a moment ago are not trusted; the clock of ctime cannot be set back.
    const age = () => Date.now() - statSync(join(work, 'a')).ctimeMs;
    await vi.waitUntil(() => age() > 50, { interval: 5 });
    await watched(() => {});
    expect(kept).toBe(3);
    await watched(() => {});
    expect(kept).toBe(3);
    // A blob that was pruned is kept anew.
    rmSync(join(dir, 'blobs', sha256('a')));
    await watched(() => {});
    expect(kept).toBe(4);
    expect(blobs()).toContain(sha256('a'));
  });

  it('keeps nothing above the limit, and says what cannot be taken back', async () => {
    write('big', 'x'.repeat(2000));
    const limits = { bytes: 1000 };
    const sentence = /the workspace has 0.0 MiB, limit 0.0 MiB \(workspace.snapshot-bytes\)/;
    expect(await watcher(limits).foresee({ work })).toEqual([expect.stringMatching(sentence)]);
    const { rows, lasting } = await watched(() => write('big', 'y'), limits);
    expect(rows).toEqual([]);
    expect(lasting).toEqual([expect.stringMatching(/^cc: nothing was kept, .*; changed: big$/)]);
    expect(kept).toBe(0);
    expect((await watched(() => {}, limits)).lasting).toEqual([]);
    const many = await watched(() => {}, { entries: 0 });
    expect(many.lasting).toEqual([
      'cc: its changes are unknown: the workspace has more than 0 files',
    ]);
  });

  it('does not keep what git ignores, but takes back what was not there before', async () => {
    write('.gitignore', 'node_modules/\n*.log\nout/\n');
    write('node_modules/m/index.js', 'm');
    write('old.log', 'old');
    const change = () => {
      write('node_modules/m/index.js', 'changed');
      write('old.log', 'changed');
      write('out/made.js', 'made');
    };
    expect(await watcher().foresee({ work })).toEqual([
      'git-ignored files are not kept: node_modules',
    ]);
    const { rows, lasting } = await watched(change);
    expect(paths(rows)).toEqual(['create out', 'create out/made.js']);
    expect(lasting).toEqual(['cc: changed and not kept: old.log']);
    expect(blobs()).not.toContain(sha256('old'));
    // control: with a limit for them they are kept
    rmSync(join(work, 'out'), { recursive: true });
    write('old.log', 'old');
    const all = await watched(change, { ignoredBytes: 1000 });
    expect(paths(all.rows).toSorted()).toEqual([
      'create out',
      'create out/made.js',
      'write old.log',
    ]);
    expect(all.lasting).toEqual([]);
  });

  it('says that ignored files were lost with their folder', async () => {
    write('.gitignore', 'node_modules/\n');
    write('node_modules/m', 'm');
    const { lasting } = await watched(() =>
      rmSync(join(work, 'node_modules'), { recursive: true }),
    );
    expect(lasting).toEqual(['cc: changed and not kept: node_modules']);
  });

  it('keeps no protected file, and none of what lies in .git', async () => {
    write('.env', 'SECRET=1');
    write('.git/objects/aa/bb', 'object');
    const { rows, lasting } = await watched(() => {
      write('.env', 'SECRET=2');
      write('.git/objects/aa/cc', 'object 2');
    });
    expect({ rows, lasting }).toEqual({ rows: [], lasting: ['cc: changed and not kept: .env'] });
    expect(kept).toBe(0);
  });

  it('says when the history of git was changed', async () => {
    write('.git/HEAD', 'ref: refs/heads/main\n');
    write('.git/refs/heads/main', 'a'.repeat(40));
    expect((await watched(() => {})).lasting).toEqual([]);
    const { lasting } = await watched(() => write('.git/refs/heads/main', `${'b'.repeat(40)}\n`));
    expect(lasting).toEqual(['cc: the repository changed (.git); see how with: git reflog']);
  });

  it('follows no link out of the root', async () => {
    write('../outside/secret', 'secret');
    symlinkSync('../outside', join(work, 'out'));
    const { rows } = await watched(() => write('../outside/secret', 'changed'));
    expect(rows).toEqual([]);
    expect(blobs()).toEqual(new Set([sha256('../outside')]));
  });

  it('takes names that no path of a guest could have', async () => {
    const { rows } = await watched(() => {
      write('new\nline', '1');
      write('back\\slash', '2');
    });
    expect(paths(rows).toSorted()).toEqual(['create back\\slash', 'create new\nline']);
  });

  it('leaves a row behind when nobody comes back to look', async () => {
    store.startRun({
      ...{ id: 'r', session: undefined, command: 'run', question: 'x', project: work },
      ...{ model: 'none', status: 'running', startedMs: 1, finishedMs: undefined },
    });
    const by = { run: 'r', program: 'cc', isUnconfined: false };
    const end = await watcher().watch({ work }, by);
    const listed = () => store.changes.runs(work, 10).map(({ lasting }) => lasting);
    expect(listed()).toEqual([[expect.stringContaining('cc ended together with cuervo')]]);
    await end();
    expect(listed()).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'tells what was changed under a name that is not UTF-8',
    async () => {
      const odd = (name: string) => Buffer.from(`${work}/${name}`, 'latin1');
      mkdirSync(join(work, 'in'));
      writeFileSync(odd('in/caf\xe9'), 'old');
      writeFileSync(odd('caf\xe8'), 'stays');
      writeFileSync(join(work, 'caf\ufffd'), 'old');
      const { rows, lasting } = await watched(() => {
        writeFileSync(odd('in/caf\xe9'), 'new text');
        mkdirSync(odd('dir\xff'));
        writeFileSync(join(work, 'caf\ufffd'), 'new text');
      });
      expect(paths(rows)).toEqual(['write caf\ufffd']);
      expect(lasting).toEqual(['cc: changed and not kept: dir\\xff, in/caf\\xe9']);
    },
  );
});
