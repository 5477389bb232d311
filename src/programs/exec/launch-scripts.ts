/** Limits of one program; a person can set each. */
export type ExecLimits = {
  /** wall time, and what a command that asks for 0 gets */
  timeoutMs: number;
  /** between the signal to end, when time is over, and the one that cannot be refused */
  graceMs: number;
  cpuSeconds: number;
  /** data of each process, and resident memory of all of them together */
  memoryBytes: number;
  /** of each file that is written */
  fileBytes: number;
  /** processes and threads at once */
  processes: number;
  /** of both outputs together that reach the guest */
  outputBytes: number;
};

export const defaultExecLimits: ExecLimits = {
  timeoutMs: 120_000,
  graceMs: 5000,
  cpuSeconds: 60,
  memoryBytes: 2 * 1024 * 1024 * 1024,
  fileBytes: 256 * 1024 * 1024,
  processes: 512,
  outputBytes: 1024 * 1024,
};

/** Limits of a guest's command; no allocation of ours follows a number of the guest. */
export const commandLimits = {
  programCharacters: 128,
  args: 4096,
  /** UTF-8 bytes of all arguments; one argument alone may have 128 KiB on Linux */
  argBytes: 100_000,
  stdinBytes: 4 * 1024 * 1024,
} as const;

/** Open files of each process. */
const maxOpenFiles = 1024;

/** Bytes of each writable folder in memory: `/tmp`, `/dev/shm` and the home. */
export const maxScratchBytes = 256 * 1024 * 1024;

/** An output above it is kept whole beside what the guest gets, for a person and for later calls. */
export const keptFromBytes = 48 * 1024;

/** Output beyond the cap is read and dropped, so that a program can finish; but not for ever. */
export const maxDroppedBytes = 64 * 1024 * 1024;

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

/** In a sandbox with its own network the port is always free. */
const proxyPort = 61080;

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]', '::1'];

/**
 * Settings for Java programs, which read no variables: Maven and Gradle hand these to their JVM.
 *
 * @param direct hosts that are reached without the proxy
 */
function javaProperties(direct: readonly string[]): string {
  const proxy = ['http', 'https'].flatMap((scheme) => [
    `-D${scheme}.proxyHost=127.0.0.1`,
    `-D${scheme}.proxyPort=${proxyPort}`,
  ]);
  return [...proxy, `-Dhttp.nonProxyHosts=${direct.join('|')}`].join(' ');
}

/**
 * The variables by which programs learn of a proxy. What a program serves to itself on loopback
 * goes past it, unless that address is an origin that was granted.
 *
 * @param origins as `URL.origin` writes them
 */
export function proxyEnvironment(origins: readonly string[]): Record<string, string> {
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const granted = new Set(origins.map((origin) => new URL(origin).hostname));
  const direct = loopbackHosts
    .filter((host) => !granted.has(host) && !granted.has(`[${host}]`))
    .filter((host) => !host.startsWith('['));
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: direct.join(','),
    no_proxy: direct.join(','),
    MAVEN_OPTS: javaProperties(direct),
    GRADLE_OPTS: javaProperties(direct),
    // Node uses a proxy only when told to.
    NODE_USE_ENV_PROXY: '1',
  };
}

/** The path of the proxy's socket in a sandbox. */
export const proxySocketPlace = '/run/cuervo-proxy.sock';
/** And the one through which git finds a host of ssh. */
export const sshSocketPlace = '/run/cuervo-ssh.sock';

/** Connections that the program's processes may have open; each has a process. */
const maxForwarded = 64;

/** How `/proc/net/tcp` of a little-endian machine shows the listening forwarder. */
const listening = `0100007F:${proxyPort.toString(16).toUpperCase()}0A`;

/**
 * A POSIX shell that starts `socat` between a port of the sandbox's own loopback and the socket
 * of the proxy, waits until it listens, at most some five seconds, and becomes the program. No
 * text of a guest is ever part of the script. The forwarder is nobody's child but the
 * namespace's, so that a program which waits for all of its children does not wait for it.
 *
 * @param forwarder absolute path of `socat`
 */
export function forwardingVector(forwarder: string, vector: readonly string[]): string[] {
  const from = `TCP4-LISTEN:${proxyPort},bind=127.0.0.1,reuseaddr,fork,backlog=64,max-children=${maxForwarded}`;
  const script = [
    `( "$1" '${from}' 'UNIX-CONNECT:${proxySocketPlace}' </dev/null >/dev/null 2>&1 & )`,
    'shift',
    'heard() { while read -r _ at _ state _',
    `do [ "$at$state" = ${listening} ] && return 0`,
    'done </proc/net/tcp; return 1; }',
    'n=0',
    'until heard || [ $n -ge 500 ]; do n=$((n + 1)); sleep 0.01; done',
    'exec "$@"',
  ].join('\n');
  return ['/bin/sh', '-c', script, 'sh', forwarder, ...vector];
}
