import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits, type HostLimits } from '../../../src/host/limits.ts';
import { parseLock } from '../../../src/host/parse-lock.ts';
import { type LoadedPlugin, PluginProcess } from '../../../src/host/plugin-process.ts';
import { openPluginStore } from '../../../src/host/plugin-store.ts';
import { openMessage } from '../../../src/host/prepare-plugin.ts';
import { createProcessSandbox } from '../../../src/host/tier/process-sandbox.ts';
import { root } from './paths.ts';
import type { Place } from './place.ts';

/** A guest that is installed in a place, as a process of the real program is given it. */
export function loadedGuest(
  place: Place,
  name: string,
  limits: HostLimits = defaultLimits,
): LoadedPlugin {
  const lock = join(place.home, 'plugins.lock');
  const record = parseLock(readFileSync(lock, 'utf8'), lock).find((one) => one.name === name);
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
