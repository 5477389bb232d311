import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLock } from '../../../src/host/install/parse-lock.ts';
import { openPluginStore } from '../../../src/host/install/plugin-store.ts';
import { openMessage } from '../../../src/host/install/prepare-plugin.ts';
import { defaultLimits, type HostLimits } from '../../../src/host/limits.ts';
import { type LoadedPlugin, PluginProcess } from '../../../src/host/run/plugin-process.ts';
import { createProcessSandbox } from '../../../src/sandbox/process-sandbox.ts';
import { root } from './paths.ts';
import type { Place } from './place.ts';

/** A guest that is installed in a place, as a process of the real program is given it. */
export function loadedGuest(
  place: Place,
  name: string,
  limits: HostLimits = defaultLimits,
): LoadedPlugin {
  const lock = join(place.home, 'plugins.lock');
  const record = parseLock(readFileSync(lock, 'utf8'), lock).plugins.find(
    (one) => one.name === name,
  );
  if (record === undefined) throw new Error(`the guest ${name} is not installed`);
  return {
    open: { ...openMessage(record, limits), protectedPaths: {} },
    files: () => openPluginStore(place.home).read(record),
  };
}

/** The real program, and nothing in it. The caller owns it. */
export function emptyProcess(roots: Readonly<Record<string, string>> = {}): PluginProcess {
  return new PluginProcess({
    bundle: join(root, 'dist/process.cjs'),
    roots,
    withheld: {},
    sandbox: createProcessSandbox('auto'),
    startTimeoutMs: 10_000,
  });
}
