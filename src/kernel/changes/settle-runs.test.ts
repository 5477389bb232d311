import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../contracts/config.ts';
import { linkMode } from '../../contracts/file-changes.ts';
import { processHolder } from '../../lib/files/lock-file.ts';
import { sha256 } from '../../lib/sha256.ts';
import { openStore, type StoreWithJournal } from '../../store/open-store.ts';
import { settleRuns } from './settle-runs.ts';

let dir = '';
let work = '';
let store: StoreWithJournal;
const config = () => ({ home: join(dir, 'home'), workspace: work }) as Config;
/** Above every number that a system gives. */
const gonePid = 2 ** 31 - 1;
const part = (pid: number) => `.cuervo-${pid.toString(16).padStart(8, '0')}0123abcd.part`;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'settle-'));
  work = join(dir, 'work');
  mkdirSync(join(work, 'd'), { recursive: true });
  mkdirSync(join(dir, 'home'));
  store = openStore({ path: join(dir, 'home', 'cuervo.db') });
  store.startRun({
    ...{ id: 'r', session: undefined, command: 'run', question: 'x', project: work },
    ...{ model: 'none', status: 'running', startedMs: 5, finishedMs: undefined },
  });
});
afterEach(() => {
  store[Symbol.dispose]();
  rmSync(dir, { recursive: true, force: true });
});

/** As if another process had begun the run, which is gone by now. */
function endProcess(): void {
  const [, start, space] = processHolder().split(' ');
  const database = new BetterSqlite3(join(dir, 'home', 'cuervo.db'));
  database.prepare('UPDATE runs SET holder = ?').run(`${gonePid} ${start} ${space}`);
  database.close();
}

const change = (path: string, before: string, after: string) =>
  store.changes.add({
    ...{ run: 'r', root: 'work', path, kind: 'write', mode: 0o644, ts: 7 },
    ...{ beforeHash: sha256(before), afterHash: sha256(after) },
  });
const paths = () => store.changes.ofRun('r').map(({ path }) => path);

describe('settleRuns()', () => {
  it('takes out rows of what was not made, and closes the run', () => {
    for (const [name, text] of [
      ['made', 'new'],
      ['not-made', 'old'],
      ['changed-since', 'by hand'],
    ] as const) {
      writeFileSync(join(work, 'd', name), text, { mode: 0o644 });
      change(`d/${name}`, 'old', 'new');
    }
    endProcess();
    settleRuns(store, config());
    expect(paths()).toEqual(['d/made', 'd/changed-since']);
    expect(store.run('r')).toMatchObject({ status: 'cut-off', finishedMs: 7 });
  });

  it('takes out rows of what was to be made below a link that still stands in the way', () => {
    mkdirSync(join(work, 'other'));
    writeFileSync(join(work, 'other/a'), 'old', { mode: 0o644 });
    symlinkSync('other', join(work, 'link'));
    const row = { run: 'r', root: 'work', path: 'link', ts: 7 };
    const mode = linkMode | 0o777;
    store.changes.add({ ...row, kind: 'remove', mode, beforeHash: sha256('other') });
    store.changes.add({ ...row, kind: 'create', mode: 0o755 });
    const made = { kind: 'create', mode: 0o644, afterHash: sha256('old') } as const;
    store.changes.add({ ...row, path: 'link/a', ...made });
    endProcess();
    settleRuns(store, config());
    expect(paths()).toEqual([]);
  });

  it('removes the parts of that process beside the files of the run, and no others', () => {
    for (const name of [part(gonePid), part(process.pid), `d/${part(gonePid)}`, 'd/a'])
      writeFileSync(join(work, name), 'old');
    mkdirSync(join(work, 'other'));
    writeFileSync(join(work, 'other', part(gonePid)), '');
    change('d/a', 'old', 'new');
    endProcess();
    settleRuns(store, config());
    const left = [part(gonePid), `d/${part(gonePid)}`, part(process.pid), `other/${part(gonePid)}`];
    expect(left.map((name) => existsSync(join(work, name)))).toEqual([false, false, true, true]);
  });

  it('leaves a run alone whose process lives', () => {
    writeFileSync(join(work, 'd/a'), 'old');
    change('d/a', 'old', 'new');
    settleRuns(store, config());
    expect(paths()).toEqual(['d/a']);
    expect(store.run('r')).toMatchObject({ status: 'running' });
  });

  it('leaves the record open where the workspace cannot be looked at', () => {
    change('d/a', 'old', 'new');
    endProcess();
    rmSync(work, { recursive: true });
    settleRuns(store, config());
    expect(store.run('r')).toMatchObject({ status: 'running' });
  });
});
