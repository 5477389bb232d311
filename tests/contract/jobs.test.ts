import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { runChild } from './children/run-child.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newPlace(): { path: string; log: string } {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-jobs-'));
  folders.push(folder);
  return { path: join(folder, 'cuervo.db'), log: join(folder, 'log') };
}

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');

describe('leases of jobs between processes', () => {
  it('never let two run a job at once', async () => {
    const { path, log } = newPlace();
    const args = [path, log, '60000', '3'];
    const children = [runChild('hold-job.ts', args), runChild('hold-job.ts', args)];
    await vi.waitUntil(
      () => children.every(({ process: { pid } }) => countOf(log, `-${pid}`) >= 10),
      { timeout: 60_000 },
    );
    for (const child of children) child.process.stdin?.end();
    for (const child of children) expect((await child.ended).code).toBe(0);
    const lines = linesOf(log);
    const begun = lines.filter((line) => line.startsWith('+'));
    expect(lines).toEqual(begun.flatMap((line) => [line, `-${line.slice(1)}`]));
  });

  it('end with a killed process, and the run is recorded as died', async () => {
    const { path, log } = newPlace();
    const leaseMs = 300;
    const child = runChild('hold-job.ts', [path, log, String(leaseMs), '60000']);
    await child.printed('held');
    using store = openStore({ path });
    const claim = { job: 'held', holder: 'other', leaseMs, nowMs: Date.now(), why: () => 'a test' };
    expect(store.jobs.claim(claim)).toBeUndefined();
    child.process.kill('SIGKILL');
    expect((await child.ended).signal).toBe('SIGKILL');
    const [died] = await vi.waitUntil(
      () => {
        const runs = store.jobs.reap(5);
        return runs.length > 0 && runs;
      },
      { timeout: 10_000 },
    );
    expect(died).toMatchObject({ job: 'held', outcome: 'died', finishedMs: 5 });
    expect(store.jobs.records(['held'], 6)).toMatchObject([{ failures: 1, isRunning: false }]);
    expect(store.jobs.claim(claim)).toBeDefined();
  });
});

function countOf(log: string, line: string): number {
  try {
    return linesOf(log).filter((each) => each === line).length;
  } catch {
    return 0; // not there before the first run
  }
}
