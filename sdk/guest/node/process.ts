import { guestHost } from '../guest-host.ts';

const nothing = (): undefined => undefined;

function exit(): never {
  throw new TypeError('process.exit does not exist in a plugin: return, or throw a ToolError');
}

function nextTick(run: (...values: unknown[]) => void, ...values: unknown[]): void {
  queueMicrotask(() => run(...values));
}

const stream = (level: 'info' | 'warn') => ({
  isTTY: false,
  columns: 80,
  write: (text: unknown): boolean => {
    guestHost.write?.(level, String(text).replace(/\n$/, ''));
    return true;
  },
  on: nothing,
  once: nothing,
  emit: () => false,
});

/** The fields that packages read: no environment, no arguments, no sign of Node. */
const guestProcess = {
  title: 'plugin',
  browser: true,
  env: {} as Record<string, string>,
  argv: [] as string[],
  execArgv: [] as string[],
  execPath: '',
  pid: 1,
  platform: 'wasi',
  arch: 'wasm32',
  version: '',
  versions: {} as Record<string, string>,
  release: {},
  config: {},
  features: {},
  exitCode: undefined,
  stdout: stream('info'),
  stderr: stream('warn'),
  stdin: { isTTY: false, on: nothing, once: nothing },
  cwd: () => '/',
  umask: () => 0,
  uptime: () => 0,
  hrtime: Object.assign(() => [0, 0], { bigint: () => 0n }),
  memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
  emitWarning: (warning: unknown): void => guestHost.write?.('warn', String(warning)),
  nextTick,
  exit,
  abort: exit,
  kill: exit,
  chdir: exit,
  on: nothing,
  once: nothing,
  off: nothing,
  addListener: nothing,
  removeListener: nothing,
  removeAllListeners: nothing,
  prependListener: nothing,
  emit: () => false,
  listeners: () => [],
  listenerCount: () => 0,
  binding: exit,
};

export const {
  title,
  browser,
  env,
  argv,
  execArgv,
  execPath,
  pid,
  platform,
  arch,
  version,
  versions,
  release,
  config,
  features,
  exitCode,
  stdout,
  stderr,
  stdin,
  cwd,
  umask,
  uptime,
  hrtime,
  memoryUsage,
  emitWarning,
  kill,
  chdir,
  abort,
  on,
  once,
  off,
  addListener,
  removeListener,
  removeAllListeners,
  prependListener,
  emit,
  listeners,
  listenerCount,
  binding,
} = guestProcess;
export { exit, guestProcess as process, nextTick };
export default guestProcess;
