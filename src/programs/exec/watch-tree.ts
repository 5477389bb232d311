import { statSync } from 'node:fs';
import { namesIn } from '../../lib/files/folders.ts';
import { memoryFolders } from './bwrap-arguments.ts';
import type { ExecLimits } from './exec-limits.ts';
import { folderBytes, ownBytes, sharedBytes, sharedOfSystem, socketBytes } from './tree-memory.ts';

/** How often the processes of a program are counted. */
const periodMs = 50;
/** The part of the time that goes into it at most, where there are many. */
const share = 1 / 4;

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
  const sharedAtStart = sharedOfSystem();
  const look = (): void => {
    const startedMs = performance.now();
    const reason = findExcess(init, limits, sharedAtStart);
    if (reason !== undefined) onExcess(reason);
    else timer = setTimeout(look, Math.max(periodMs, (performance.now() - startedMs) / share));
  };
  let timer = setTimeout(look, periodMs);
  return () => clearTimeout(timer);
}

function findExcess(init: number, limits: ExecLimits, sharedAtStart: number): string | undefined {
  const root = `/proc/${init}/root`;
  // Until the sandbox stands, its first process still sees what the host does.
  if (isOurs(`${root}/proc`)) return undefined;
  const processes = namesIn(`${root}/proc`).filter((name) => /^\d+$/.test(name));
  if (processes.length > limits.processes) return `more than ${limits.processes} processes`;
  const folders = processes.map((name) => `${root}/proc/${name}`);
  const inFolders = folderBytes(memoryFolders.map((each) => root + each));
  const sockets = socketBytes(`/proc/${init}/net`);
  const own = folders.reduce((sum, each) => sum + ownBytes(each), inFolders + sockets);
  // To look for what is shared is dear, and most programs have none.
  const grown = sharedOfSystem() - sharedAtStart - inFolders;
  const isMuch =
    own + grown > limits.memoryBytes && own + sharedBytes(folders, grown) > limits.memoryBytes;
  if (!isMuch && own <= limits.memoryBytes) return undefined;
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
