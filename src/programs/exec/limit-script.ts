import { type ExecLimits, maxOpenFiles } from './exec-limits.ts';

/**
 * A POSIX shell that lowers the limits of itself and becomes the program. It is told apart from
 * the command by the argument vector alone: no text of a guest is ever part of the script.
 *
 * A limit that is lower already stays as it is. `-u` counts processes in bash, `-p` in dash and
 * busybox; each refuses the other's letter.
 *
 * @param countsOwn true where a namespace of its own counts the processes; elsewhere the limit
 *   would count everything that the user runs
 */
function limitScript(limits: ExecLimits, countsOwn: boolean): string {
  return `${limitSettings(limits, countsOwn)}; exec "$@"`;
}

function limitSettings(limits: ExecLimits, countsOwn: boolean): string {
  const kibibytes = Math.max(1, Math.ceil(limits.memoryBytes / 1024));
  const blocks = Math.max(1, Math.ceil(limits.fileBytes / 512));
  const settings = [
    'ulimit -c 0',
    `ulimit -t ${limits.cpuSeconds}`,
    `ulimit -d ${kibibytes}`,
    `ulimit -f ${blocks}`,
    `ulimit -n ${maxOpenFiles}`,
    ...(countsOwn ? [`ulimit -u ${limits.processes} || ulimit -p ${limits.processes}`] : []),
  ];
  return `{ ${settings.join('; ')}; } 2>/dev/null`;
}

/**
 * The same outside of a sandbox, for what enters a control group first; that is what counts the
 * processes then. The file is an argument, never part of the script.
 */
export function enteringVector(
  limits: ExecLimits,
  entry: string,
  program: string,
  args: readonly string[],
): string[] {
  const script = `echo $$ > "$1" && shift && ${limitScript(limits, false)}`;
  return ['/bin/sh', '-c', script, 'sh', entry, program, ...args];
}

/** Program and arguments behind the script; `sh` is what the shell calls itself. */
export function limitedVector(
  limits: ExecLimits,
  countsOwn: boolean,
  program: string,
  args: readonly string[],
): string[] {
  return ['/bin/sh', '-c', limitScript(limits, countsOwn), 'sh', program, ...args];
}
