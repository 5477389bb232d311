import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** What a process started, and what that did: a sandbox puts processes of its own between. */
function descendantsOf(ancestor: number): number[] {
  const found = [ancestor];
  for (const parent of found) found.push(...childrenOf(parent));
  return found.slice(1);
}

/** Each thread knows what it started. */
function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const texts = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'));
    return texts.flatMap((text) => text.split(' ').filter(Boolean).map(Number));
  } catch {
    return []; // it has ended
  }
}

/** State and processor time, in ticks of 10 ms, of a process that is there. */
function statOf(pid: number): { state: string; ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.replace(/^.*\) /, '').split(' ');
    return { state: fields[0] as string, ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return undefined;
  }
}

export function isRunning(pid: number): boolean {
  const state = statOf(pid)?.state;
  return state !== undefined && state !== 'Z';
}

/** The descendants of a process once they have computed for so long. */
export async function whenBusy(ancestor: number, ticks: number): Promise<number[]> {
  for (;;) {
    const pids = descendantsOf(ancestor);
    const all = pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0), 0);
    if (all >= ticks) return pids;
    // No event tells that another process computes.
    await setTimeout(10);
  }
}

/** The same once they compute no more. */
export async function whenQuiet(ancestor: number, ticks: number): Promise<number[]> {
  for (let before = -1; ; ) {
    const pids = await whenBusy(ancestor, ticks);
    const all = pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0), 0);
    // What only looks whether something came takes a tick now and then.
    if (all - before <= 2) return pids;
    before = all;
    await setTimeout(500);
  }
}
