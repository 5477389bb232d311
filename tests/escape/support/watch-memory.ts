import { readdirSync, readFileSync } from 'node:fs';

/**
 * The largest resident memory of this process and of one of its descendants, looked at again and
 * again until disposed; bytes. Where there is no `/proc`, that of this process alone.
 */
export function watchMemory(): Disposable & { own(): number; child(): number } {
  let own = 0;
  let child = 0;
  const look = (): void => {
    own = Math.max(own, process.memoryUsage.rss());
    for (const pid of childrenOf('self', 0)) child = Math.max(child, residentOf(pid));
  };
  look();
  const timer = setInterval(look, 20);
  return { own: () => own, child: () => child, [Symbol.dispose]: () => clearInterval(timer) };
}

/** A sandbox has its program as a child of a child. */
function childrenOf(parent: string, depth: number): string[] {
  if (depth > 4) return [];
  try {
    return readdirSync(`/proc/${parent}/task`).flatMap((task) =>
      readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .flatMap((pid) => [pid, ...childrenOf(pid, depth + 1)]),
    );
  } catch {
    return [];
  }
}

function residentOf(pid: string): number {
  try {
    return (
      Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    );
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
