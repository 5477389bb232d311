import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { WantedPath } from '../../../src/contracts/file-changes.ts';
import { openRootFiles } from '../../../src/host/root-files.ts';
import { openKernel } from '../../../src/index.ts';
import { newId, systemClock } from '../../../src/lib/ids-clock.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { createChangeKeeper } from '../../../src/workspace/keep-changes.ts';
import { createRandom } from '../../bench/tree/random.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { treeState } from '../../support/tree-state.ts';

export type Change = 'edit' | 'undo' | 'apply';
export const changes: readonly Change[] = ['edit', 'undo', 'apply'];

export type KillReport = {
  /** attempts, and how many of them were really killed; a point behind the end kills nobody */
  attempts: number;
  killed: number;
  /** of the killed ones: those that had changed some of the files, and not all of them */
  inBetween: number;
  failures: string[];
};

type Place = { dir: string; work: string; home: string };
type Tree = Readonly<Record<string, string>>;

/** Contents differ in length, so that half of one is neither. */
const content = (name: string, word: string): string => `${name} ${word}\n`.repeat(300);

/**
 * Kills a change at random points of it, and looks each time whether every file is the old one or
 * the new one, whether the list of runs says what happened, whether nothing of the change is left
 * lying about, and whether it can be taken back or gone on with to the very end.
 */
export async function killChanges(
  what: Change,
  options: { attempts: number; seed: number },
): Promise<KillReport> {
  const random = createRandom(options.seed);
  const report: KillReport = { attempts: 0, killed: 0, inBetween: 0, failures: [] };
  const all = await attempt(what, 0);
  for (let count = 0; count < options.attempts; count += 1) {
    const point = 1 + random.below(all.points);
    const { failures, isKilled, isInBetween } = await attempt(what, point);
    report.attempts += 1;
    report.killed += isKilled ? 1 : 0;
    report.inBetween += isInBetween ? 1 : 0;
    report.failures.push(...failures.map((text) => `${what} at point ${point}: ${text}`));
  }
  report.failures.push(...all.failures.map((text) => `${what}, not killed: ${text}`));
  return report;
}

async function attempt(what: Change, point: number) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-kill-')));
  const place: Place = { dir, work: join(dir, 'work'), home: join(dir, 'home') };
  try {
    mkdirSync(place.work);
    mkdirSync(place.home, { mode: 0o700 });
    const { from, to } = await prepare(what, place);
    const child = await runChild([place.work, place.home, what, String(point)]);
    const failures: string[] = [];
    if (!child.isKilled && child.code !== 0)
      failures.push(`ended with ${child.code}: ${child.said}`);
    const done = judgeTree(place.work, { from, to, failures });
    await judgeRuns(what, place, { from, to, isKilled: child.isKilled, failures });
    const isInBetween = child.isKilled && done.some(Boolean) && !done.every(Boolean);
    return { failures, isKilled: child.isKilled, isInBetween, points: Number(child.printed) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Brings the workspace to where the change begins. @returns the tree before and behind it */
async function prepare(what: Change, { work, home }: Place): Promise<{ from: Tree; to: Tree }> {
  const names = Array.from({ length: 12 }, (_, index) => `d${index % 3}/f${index}.txt`);
  for (const name of names) write(join(work, name), content(name, 'old'));
  chmodSync(join(work, 'd0/f0.txt'), 0o755);
  const old = treeState(work);
  const edited: Tree = Object.fromEntries(
    Object.entries(old).map(([path, state]) => {
      const [mode] = state.split(' ');
      return [path, path.endsWith('.txt') ? `${mode} ${sha256(content(path, 'new'))}` : state];
    }),
  );
  if (what === 'edit') return { from: old, to: edited };
  if (what === 'apply') {
    const options = { home, workspace: work, allow: ['fs-write:work'], dryRun: true };
    await using kernel = await openKernel(options);
    const edits = names.map((path) => ({ path, old: 'old', new: 'new', all: true }));
    for await (const event of kernel.run('file.multi-edit', { edits })) {
      if (event.type === 'error') throw new Error(event.message);
    }
    return { from: old, to: edited };
  }
  // A run that did all that there is: an undo of it does the same the other way round.
  write(join(work, 'gone/deep/file'), content('gone', 'old'));
  write(join(work, 'becomes-folder'), content('becomes-folder', 'old'));
  write(join(work, 'becomes-file/in'), content('in', 'old'));
  write(join(work, 'becomes-link'), content('becomes-link', 'old'));
  symlinkSync('nowhere', join(work, 'link'));
  const before = treeState(work);
  await makeRun({ work, home }, [
    ...names.map((path) => file(path, content(path, 'new'))),
    ...['new/one', 'new/deep/two'].map((path) => file(path, content(path, 'new'))),
    ...['gone/deep/file', 'gone/deep', 'gone'].map((path) => absent(path)),
    file('becomes-folder/in', content('in', 'new')),
    ...[absent('becomes-file/in'), file('becomes-file', content('becomes-file', 'new'))],
    ...[link('becomes-link', 'nowhere'), link('link', 'elsewhere')],
  ]);
  return { from: treeState(work), to: before };
}

const at = (path: string) => ({ root: 'work', path });
const absent = (path: string): WantedPath => ({ ...at(path), kind: 'absent' });
const file = (path: string, text: string): WantedPath => {
  const bytes = Buffer.from(text);
  return { ...at(path), kind: 'file', hash: sha256(bytes), bytes: () => bytes, mode: 0o644 };
};
const link = (path: string, target: string): WantedPath => {
  const bytes = Buffer.from(target);
  return { ...at(path), kind: 'link', hash: sha256(bytes), bytes: () => bytes };
};

async function makeRun(
  { work, home }: Pick<Place, 'work' | 'home'>,
  wanted: readonly WantedPath[],
): Promise<void> {
  using store = openStore({ path: join(home, 'cuervo.db') });
  const run = newId(Date.now());
  store.startRun({
    ...{ id: run, session: undefined, command: 'run', question: 'x', project: work },
    ...{ model: 'none', status: 'running', startedMs: Date.now(), finishedMs: undefined },
  });
  const keeper = createChangeKeeper({
    ...{ blobs: join(home, 'blobs'), changes: store.changes, clock: systemClock },
  });
  using files = openRootFiles({ work }, { keeper, run });
  // A folder in place of a file, and the other way round, are two changes of one path.
  const folder: WantedPath = { ...at('becomes-folder'), kind: 'directory', mode: 0o755 };
  await files.become([...wanted, folder]);
  store.finishRun(run, 'ok', Date.now());
}

/** Whether each path that the change is about was changed already. */
function judgeTree(
  work: string,
  { from, to, failures }: { from: Tree; to: Tree; failures: string[] },
): boolean[] {
  const now = treeState(work);
  const isPart = (path: string): boolean => /(?:^|\/)\.cuervo-[0-9a-f]{16}\.part$/.test(path);
  const done: boolean[] = [];
  for (const path of new Set([...Object.keys(from), ...Object.keys(to), ...Object.keys(now)])) {
    if (isPart(path) || from[path] === to[path]) continue;
    // A path at which a file and a folder change places is free for a moment.
    const isSwapped = isFile(from[path]) !== isFile(to[path]) && from[path] !== undefined;
    const isFree = isSwapped && now[path] === undefined;
    if (now[path] !== from[path] && now[path] !== to[path] && !isFree) {
      failures.push(`${path} is ${now[path] ?? 'gone'}, neither ${from[path]} nor ${to[path]}`);
    }
    if (isFile(from[path]) || isFile(to[path])) done.push(now[path] === to[path]);
  }
  return done;
}

const isFile = (state: string | undefined): boolean => state?.includes(' ') === true;

/** What the next command says of it, and what can still be done. */
async function judgeRuns(
  what: Change,
  { work, home }: Place,
  expected: { from: Tree; to: Tree; isKilled: boolean; failures: string[] },
): Promise<void> {
  const { from, to, isKilled, failures } = expected;
  await using kernel = await openKernel({ home, workspace: work });
  const command = what === 'edit' ? 'run' : what;
  const runs = (await kernel.undo.allRuns(10)).filter((row) => row.command === command);
  const newest = what === 'undo' || runs.length > 0 ? runs[0] : undefined;
  const now = treeState(work);
  const changed = Object.keys({ ...from, ...to }).filter((path) => now[path] !== from[path]);
  const left = Object.keys(now).filter((path) => path.includes('.cuervo-'));
  if (left.length > 0) failures.push(`left lying about: ${left.join(', ')}`);
  const isDone =
    changed.length ===
    Object.keys({ ...from, ...to }).filter((path) => from[path] !== to[path]).length;
  if (newest === undefined) {
    if (changed.length > 0) failures.push(`${changed.length} changes, and no run is listed`);
  } else {
    const wanted = isKilled ? 'cut-off' : 'ok';
    // Killed behind its last row, it may have been done.
    if (newest.status !== wanted && !(isKilled && isDone && newest.status === 'ok')) {
      failures.push(`listed as ${newest.status}, wanted ${wanted}`);
    }
    const steps = (await kernel.undo.plan(newest.run).catch(() => undefined))?.steps ?? [];
    const paths = new Set(steps.map(({ path }) => path));
    const untold = changed.filter((path) => !paths.has(path));
    const invented = [...paths].filter((path) => !changed.includes(path));
    if (untold.length > 0) failures.push(`changed and not listed: ${untold.join(', ')}`);
    if (invented.length > 0) failures.push(`listed and not changed: ${invented.join(', ')}`);
  }
  await goOn(what, kernel, newest?.changes ?? 0);
  const aim = what === 'edit' ? from : to;
  const end = treeState(work);
  for (const path of new Set([...Object.keys(aim), ...Object.keys(end)])) {
    if (end[path] !== aim[path])
      failures.push(`${path} in the end: ${end[path]}, not ${aim[path]}`);
  }
}

/** An edit is taken back, the others are gone on with. */
async function goOn(
  what: Change,
  kernel: Awaited<ReturnType<typeof openKernel>>,
  edited: number,
): Promise<void> {
  if (what === 'edit') {
    if (edited > 0) await kernel.undo.undo((await kernel.undo.plan()).run.run);
    return;
  }
  const next =
    what === 'undo'
      ? kernel.undo.plan().then(async ({ run }) => await kernel.undo.undo(run.run))
      : kernel.apply.plan().then(async ({ run }) => await kernel.apply.apply(run));
  // Where it was done already there is nothing to go on with.
  await next.catch((thrown: unknown) => {
    if ((thrown as { code?: string }).code !== 'not-found') throw thrown;
  });
}

async function runChild(args: readonly string[]) {
  const script = resolve(import.meta.dirname, '../children/change-and-die.ts');
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...compileCache },
  });
  const texts = { out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    texts.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    texts.error += chunk.toString();
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((done, fail) => {
    child.once('error', fail);
    child.once('close', (...ended) => done(ended));
  });
  const said = texts.error.slice(0, 500);
  return { isKilled: signal === 'SIGKILL', code, said, printed: texts.out.trim() };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
