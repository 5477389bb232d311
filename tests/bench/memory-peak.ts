import { readFileSync, writeFileSync } from 'node:fs';

/** The kernel's numbers of memory are in KiB; a MB here is 1,000,000 bytes. */
const megabytesOf = (kibibytes: number): number => (kibibytes * 1024) / 1e6;

/** What a process started, and what that did: in a sandbox Node is a child of what sets that up. */
export function childrenOf(pid: number | string): string[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return children.filter(Boolean).flatMap((child) => [child, ...childrenOf(child)]);
}

/**
 * Begins to look at the memory of a process.
 *
 * @returns a function that gives by how many MB its most was above what it is now
 */
export function memoryPeak(pid: number | string): () => number {
  // Forgets the most that it had before.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = peakOf(pid);
  return () => megabytesOf(peakOf(pid) - before);
}

function peakOf(pid: number | string): number {
  const [, kibibytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kibibytes === undefined) throw new Error(`process ${pid} tells no VmHWM`);
  return Number(kibibytes);
}
