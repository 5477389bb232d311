import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openKernel } from '../../../src/index.ts';

/**
 * Does a change of files twice: with a disk that fills up in the middle of it, or cannot be written
 * at all, and once more when there is room again. Prints what came of both.
 *
 * `node change-on-full-disk.ts WORK HOME DISK edit|undo|apply full|read-only`, DISK one of the two
 * folders, the mount point of a small file system
 */
const [work = '', home = '', disk = '', what = '', how = ''] = process.argv.slice(2);
const filler = join(disk, 'filler');
/** Room for a few of the files that are changed, and not for all of them. */
const roomBytes = 64 * 1024;
const names = Array.from({ length: 12 }, (_, index) => `d${index % 3}/f${index}.txt`);

/** Twice as long when it is new, so that each edit takes more room; no two files share it. */
const newer = 'newer-and-longer';
const content = (name: string, word: string): string => `${name} ${word}\n`.repeat(1000);

for (const name of names) {
  mkdirSync(dirname(join(work, name)), { recursive: true });
  writeFileSync(join(work, name), content(name, 'old'));
}
const edits = names.map((path) => ({ path, old: 'old', new: newer, all: true }));
const options = { home, workspace: work, allow: ['fs-write:work'] };

async function edit(dryRun: boolean): Promise<void> {
  await using kernel = await openKernel({ ...options, dryRun });
  let failed: Error | undefined;
  for await (const event of kernel.run('file.multi-edit', { edits })) {
    if (event.type !== 'error') continue;
    failed = Object.assign(new Error(event.message), { code: event.code, hint: event.hint });
  }
  if (failed !== undefined) throw failed;
}

async function change(): Promise<void> {
  if (what === 'edit') return await edit(false);
  await using kernel = await openKernel(options);
  if (what === 'undo') await kernel.undo.undo((await kernel.undo.plan()).run.run);
  else await kernel.apply.apply((await kernel.apply.plan()).run);
}

/** How many files hold each word, and what else lies there. */
function look() {
  const counts = { old: 0, newer: 0, neither: 0, parts: 0 };
  for (const name of readdirSync(work, { recursive: true, encoding: 'utf8' })) {
    if (/\.cuervo-[0-9a-f]+\.part$/.test(name)) counts.parts += 1;
    if (!name.endsWith('.txt')) continue;
    const text = readFileSync(join(work, name), 'utf8');
    if (text === content(name, 'old')) counts.old += 1;
    else if (text === content(name, newer)) counts.newer += 1;
    else counts.neither += 1;
  }
  return counts;
}

async function attempt() {
  const failed = await change().then(
    () => undefined,
    (thrown: { code?: string; message: string; hint?: string }) => ({
      code: thrown.code,
      message: thrown.message,
      hint: thrown.hint,
    }),
  );
  return { failed, files: look() };
}

if (what !== 'edit') await edit(what === 'apply');
const remount = (option: string) => execFileSync('mount', ['-o', `remount,${option}`, disk]);
if (how === 'full') {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - roomBytes)));
} else remount('ro');
const full = await attempt();
if (how === 'full') rmSync(filler);
else remount('rw');
const again = await attempt();
await using kernel = await openKernel(options);
const runs = (await kernel.undo.allRuns(10)).map(({ command, status, changes }) => ({
  ...{ command, status, changes },
}));
console.log(JSON.stringify({ full, again, runs }));
