import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Duplex, type Writable } from 'node:stream';

/**
 * `spawn` whose child always has its pipes. On a system without free descriptors Node returns a
 * child without pipes and reports it by `error` soon after; this gives it pipes that take
 * everything and return nothing.
 */
export function spawnChild(
  program: string,
  args: readonly string[],
  options: SpawnOptions & { stdio: readonly unknown[] },
): ChildProcess {
  const child = spawn(program, args, options);
  if ((child.stdio as unknown) !== undefined) return child;
  const stdio = options.stdio.map((what) => (what === 'pipe' ? emptyPipe() : null));
  const [stdin = null, stdout = null, stderr = null] = stdio;
  return Object.assign(child, { stdio, stdin, stdout, stderr }) as ChildProcess;
}

function emptyPipe(): Duplex {
  return new Duplex({
    read() {
      this.push(null);
    },
    write: (_chunk, _encoding, done) => done(),
  });
}

/** Ends a child that leads a group, and all in it: also what a sandbox has not yet tied to its end. */
export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  } catch {
    // On Windows there are no groups; elsewhere it has just ended.
    child.kill('SIGKILL');
  }
}

/** The signal behind an exit code: shells and sandboxes return 128 plus its number. */
export function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
}

/**
 * Keeps a list of processes and kills what is still on it when its input ends, which is when
 * cuervo is gone, however it went; with each what it started, which may lead a group of its own.
 */
const script = `
pids=
below() {
  list=
  { read -r list < "/proc/$1/task/$1/children"; } 2>/dev/null
  for child in $list; do pids="$pids $child"; below "$child"; done
}
while read -r op pid; do
  case $op in
    +) pids="$pids $pid" ;;
    -) rest=; for one in $pids; do [ "$one" = "$pid" ] || rest="$rest $one"; done; pids=$rest ;;
  esac
done
for one in $pids; do below "\${one#-}"; done
[ -z "$pids" ] || kill -9 $pids`;

/**
 * Lets plugin processes die with the kernel, even when that is killed: a guest that computes
 * never sees that its input has ended, so somebody else has to look. The caller owns it.
 */
export type OrphanReaper = Disposable & {
  /** Called ahead of a child that nothing else ends, so that it is watched as soon as it is there. */
  begin(): void;
  /** @param whom `group` for a process that leads one, which then goes as a whole */
  watch(child: ChildProcess, whom?: 'process' | 'group'): void;
};

/** Started by the first process to watch; without a POSIX shell it does nothing. */
export function createOrphanReaper(): OrphanReaper {
  let stdin: Writable | undefined;
  return {
    begin: () => {
      if (process.platform !== 'win32') stdin ??= startShell();
    },
    watch: (child, whom = 'process') => {
      if (child.pid === undefined || process.platform === 'win32') return;
      const pid = whom === 'group' ? -child.pid : child.pid;
      stdin ??= startShell();
      stdin.write(`+ ${pid}\n`);
      child.once('exit', () => {
        if (stdin?.writable) stdin.write(`- ${pid}\n`);
      });
    },
    [Symbol.dispose]: () => stdin?.end(),
  };
}

/** One for the whole process, for children that end with cuervo and not before. */
export const orphanReaper = createOrphanReaper();

/** @returns what it is told by */
function startShell(): Writable {
  const shell = spawnChild('/bin/sh', ['-c', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    cwd: '/',
    // A session of its own: Ctrl+C in the terminal must not end it before the others.
    detached: true,
  });
  // Ignored: without the shell only this protection is missing.
  shell.on('error', () => {});
  const stdin = shell.stdin as Writable & { unref?(): void };
  stdin.on('error', () => {});
  // It waits for the end of this process and must not delay it.
  shell.unref();
  stdin.unref?.();
  return stdin;
}
