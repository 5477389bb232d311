import { statSync } from 'node:fs';
import { namesIn } from '../../../lib/files/names-in.ts';
import { anonymousBytes } from '../../../lib/process/anonymous-bytes.ts';
import type { ExecLimits } from './exec-limits.ts';

/** How often the processes of a program are counted. */
const periodMs = 50;

/**
 * Watches the processes of a sandbox from outside, by its own /proc. The limits that the shell
 * sets hold for single processes, and that on their number does not hold for root: a namespace of
 * root's still counts as root.
 *
 * @param init process id of the first process in the sandbox, as the host counts
 * @param onExcess told once, with a sentence of what was too much
 * @returns ends the watch
 */
export function watchTree(
  init: number,
  limits: ExecLimits,
  onExcess: (reason: string) => void,
): () => void {
  const timer = setInterval(() => {
    const reason = findExcess(`/proc/${init}/root/proc`, limits);
    if (reason === undefined) return;
    clearInterval(timer);
    onExcess(reason);
  }, periodMs);
  return () => clearInterval(timer);
}

function findExcess(folder: string, limits: ExecLimits): string | undefined {
  let processes = 0;
  let bytes = 0;
  // Until the sandbox stands, its first process still sees what the host does.
  if (isOurs(folder)) return undefined;
  for (const name of namesIn(folder)) {
    if (!/^\d+$/.test(name)) continue;
    processes += 1;
    if (processes > limits.processes) return `more than ${limits.processes} processes`;
    bytes += anonymousBytes(`${folder}/${name}/statm`);
  }
  if (bytes <= limits.memoryBytes) return undefined;
  return `more than ${limits.memoryBytes} bytes of memory`;
}

/** Each process namespace has its own /proc, with its own device number. */
function isOurs(folder: string): boolean {
  try {
    return statSync(folder).dev === statSync('/proc').dev;
  } catch {
    return false;
  }
}
