import type { PreparedFile } from '../install/plugin-record.ts';
import type { LoadedPlugin, PluginProcess } from './plugin-process.ts';

/** A spare starts after this time without calls, so a short command never pays for it. */
const calmMs = 250;

type Roots = Readonly<Record<string, string>>;

/**
 * One process that was started ahead and runs nothing yet. It has its roots and the files that
 * several plugins share. So it can become any plugin with exactly these roots, and knows nothing of
 * one of them. The caller owns it.
 */
export type SpareProcess = AsyncDisposable & {
  /** The spare, if it fits; whoever takes it owns it. */
  take(roots: Roots): PluginProcess | undefined;
  /** Says that a call is over: when nothing happens for a while, a spare is started. */
  keep(roots: Roots): void;
};

/**
 * @param start starts a process that runs nothing
 * @param shared files that several plugins have, for it to compile ahead
 * @param example a plugin that comes with cuervo, for it to try out; most share their engine with it
 */
export function createSpareProcess(ports: {
  start(roots: Roots): PluginProcess;
  shared(): Iterable<PreparedFile>;
  example(): LoadedPlugin | undefined;
}): SpareProcess {
  let spare: { key: string; process: PluginProcess } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isCalm = false;
  let wanted: Roots = {};
  let closed = false;

  const startOne = (key: string, roots: Roots): void => {
    try {
      const process = ports.start(roots);
      spare = { key, process };
      process.prepare(ports.shared());
      const example = ports.example();
      if (example !== undefined) process.rehearse(example);
    } catch {
      // Nobody waits for it: the plugin that cannot start says why when it is called.
    }
  };

  const stopTimer = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };

  /** One timer for many calls: if a call came meanwhile, it waits again. */
  const waitForCalm = (): void => {
    isCalm = true;
    timer = setTimeout(() => {
      timer = undefined;
      if (!isCalm) {
        waitForCalm();
        return;
      }
      const key = keyOf(wanted);
      if (spare?.key === key && !spare.process.ended) return;
      void spare?.process[Symbol.asyncDispose]();
      startOne(key, wanted);
    }, calmMs);
    timer.unref();
  };

  return {
    take: (roots) => {
      stopTimer();
      if (spare === undefined || spare.key !== keyOf(roots)) return undefined;
      const { process } = spare;
      spare = undefined;
      return process.ended ? undefined : process;
    },
    keep: (roots) => {
      isCalm = false;
      wanted = roots;
      if (!closed && timer === undefined) waitForCalm();
    },
    [Symbol.asyncDispose]: async () => {
      closed = true;
      stopTimer();
      await spare?.process[Symbol.asyncDispose]();
      spare = undefined;
    },
  };
}

function keyOf(roots: Roots): string {
  return JSON.stringify(Object.entries(roots).sort(([one], [other]) => (one < other ? -1 : 1)));
}
