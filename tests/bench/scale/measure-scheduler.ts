import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dist } from '../bench-host.ts';
import { type BenchLine, benchLine, failedLine, type Target } from '../bench-line.ts';

const target: Target = { name: 'scale.scheduler.idle-cpu', unit: 'ms', reach: '<= 10 ms' };
const settleMs = 5_000;
const watchedMs = 10_000;
/** Linux counts processor time in hundredths of a second. */
const tickMs = 10;

/** Processor time of `cuervo scheduler run` within ten seconds in which nothing is due. */
export async function measureScheduler(): Promise<BenchLine> {
  const stat = (pid: number) => `/proc/${pid}/stat`;
  if (!existsSync(stat(process.pid))) return failedLine(target, 'not measured: there is no /proc');
  const home = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
  const child = spawn(process.execPath, [join(dist, 'cuervo.cjs'), 'scheduler', 'run'], {
    cwd: home,
    env: { ...process.env, CUERVO_HOME: home },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  try {
    const usedMs = (): number => {
      const fields =
        readFileSync(stat(child.pid ?? 0), 'utf8')
          .split(') ')[1]
          ?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * tickMs;
    };
    await sleep(settleMs);
    const before = usedMs();
    await sleep(watchedMs);
    return benchLine(target, { value: usedMs() - before, runs: 1, note: 'in 10 s' });
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}
