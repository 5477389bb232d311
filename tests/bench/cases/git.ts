import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKernel } from '../../../src/index.ts';
import type { Bench } from '../bench-context.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, pause, timed } from '../measure.ts';
import { runProgram } from '../run-program.ts';

const status: Target = { name: 'git.status', unit: 'ms', reach: '<= 1.5x + 40 ms' };

const files = 10_000;
const filesPerFolder = 50;
/** Long enough for the next instance to be ready, as between two questions. */
const idleMs = 50;
/** More than the coarsest clock by which git tells whether a file may have changed unseen. */
const settleMs = 2100;

/** A warm kernel's `git.status` beside git's own, with what a person has changed by hand. */
const gitStatus: Bench = {
  ...status,
  run: async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cuervo-bench-git-'));
    const work = join(dir, 'work');
    try {
      for (let index = 0; index < files; index += 1) {
        const folder = join(work, `d${Math.floor(index / filesPerFolder)}`);
        if (index % filesPerFolder === 0) mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `f${index}.txt`), `line ${index}\n`.repeat(20));
      }
      const git = (...args: string[]) => execFileSync('git', args, { cwd: work, stdio: 'ignore' });
      git('init', '--quiet');
      git('add', '.');
      git('-c', 'user.name=n', '-c', 'user.email=n@example.org', 'commit', '--quiet', '-m', 'all');
      await pause(settleMs);
      git('status');
      for (const name of ['d0/f1.txt', 'd9/f460.txt']) writeFileSync(join(work, name), 'changed\n');
      writeFileSync(join(work, 'd3/new.txt'), 'new\n');
      await using kernel = await openKernel({ home: join(dir, 'home'), workspace: work });
      const ours = async (): Promise<number> => {
        await pause(idleMs);
        return await timed(async () => {
          for await (const event of kernel.run('git.status', {})) {
            if (event.type === 'error') throw new Error(event.message);
            if (event.type !== 'result') continue;
            const { entries } = JSON.parse(event.content) as { entries: unknown[] };
            if (entries.length !== 3) throw new Error(`status found ${entries.length} paths`);
          }
        });
      };
      const args = ['status', '--porcelain=v2', '-z', '--branch', '--untracked-files=all'];
      const theirs = async (): Promise<number> => {
        await pause(idleMs);
        return await timed(async () => await runProgram('git', args, { cwd: work }));
      };
      const runs = 11;
      const { a, b } = await interleave({ runs, warmUps: 2 }, ours, theirs);
      const note = `${files} files, 3 of them changed`;
      return benchLine(status, { value: a, runs, peer: 'git', peerValue: b, note });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

export const gitBenches: readonly Bench[] = [gitStatus];
