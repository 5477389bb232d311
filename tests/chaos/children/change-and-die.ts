import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Does one change of files and is killed in the middle of it, by SIGKILL, at a point that is given:
 * before or behind a call that changes the disk, or in the middle of a write. Without a point it
 * lives, and prints how many there were.
 *
 * `node change-and-die.ts WORK HOME edit|undo|apply [POINT]`
 */
const [work = '', home = '', what = '', point = '0'] = process.argv.slice(2);
const dieAt = Number(point);
let points = 0;
let isArmed = false;

function pass(): void {
  if (!isArmed) return;
  points += 1;
  if (points === dieAt) process.kill(process.pid, 'SIGKILL');
}

type Call = (...args: never[]) => unknown;
const watched = [
  ...['openSync', 'fsyncSync', 'fsync', 'fchmodSync', 'chmodSync', 'renameSync', 'unlinkSync'],
  ...['rmSync', 'rmdirSync', 'mkdirSync', 'symlinkSync'],
] as const;
const patched = fs as unknown as Record<(typeof watched)[number] | 'writeFileSync', Call>;
for (const name of watched) {
  const call = patched[name];
  patched[name] = (...args) => {
    pass();
    const value = call(...args);
    pass();
    return value;
  };
}
const writeWhole = fs.writeFileSync;
patched.writeFileSync = ((...args: Parameters<typeof fs.writeFileSync>) => {
  const [to, content] = args;
  pass();
  points += isArmed ? 1 : 0;
  if (isArmed && points === dieAt && typeof to === 'number') {
    const bytes = Buffer.from(content as Uint8Array);
    fs.writeSync(to, bytes.subarray(0, bytes.length >> 1));
    process.kill(process.pid, 'SIGKILL');
  }
  writeWhole(...args);
  pass();
}) as Call;
syncBuiltinESMExports();

const { openKernel } = await import('../../../src/index.ts');
await using kernel = await openKernel({ home, workspace: work, allow: ['fs-write:work'] });
if (what === 'edit') {
  const edits = fs
    .readdirSync(work, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.txt'))
    .sort()
    .map((path) => ({ path, old: 'old', new: 'new', all: true }));
  for await (const event of kernel.run('file.multi-edit', { edits })) {
    if (event.type === 'step-started') isArmed = true;
    if (event.type === 'error') throw new Error(event.message);
  }
} else if (what === 'undo') {
  const { run } = await kernel.undo.plan();
  isArmed = true;
  await kernel.undo.undo(run.run);
} else {
  const { run } = await kernel.apply.plan();
  isArmed = true;
  await kernel.apply.apply(run);
}
isArmed = false;
console.log(points);
