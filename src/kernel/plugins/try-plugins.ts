import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { installPlugin } from '../../host/install/install-plugin.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import { openPluginStore, type PluginStore } from '../../host/install/plugin-store.ts';
import { transpilerVersion } from '../../host/install/prepare-plugin.ts';
import { bundlesOf } from '../../host/plugin-host.ts';
import { sha256 } from '../../lib/sha256.ts';
import { shellWord } from '../../lib/text/escape.ts';
import type { KernelCore } from '../core.ts';
import { takenName } from './check-description.ts';

/** A plugin that is used without being installed; it holds no grants. */
export type TriedPlugin = { record: PluginRecord; store: PluginStore };

/** Prepared binaries that are kept for the next time. */
const maxKept = 16;
/** A younger one may still be in use. */
const youngMs = 3_600_000;

/**
 * Prepares the files of `options.plugins`, each in a store of its own below the home, where it is
 * found again by its digest.
 *
 * @throws {KernelError} `plugin-fault` for a file that is refused, `not-found`
 */
export async function tryPlugins(core: KernelCore): Promise<TriedPlugin[]> {
  const { config, limits, clock, options } = core;
  const files = options.plugins ?? [];
  if (files.length === 0) return [];
  const builtins = openPluginStore(config.paths.builtins)
    .list()
    .map(({ name }) => name);
  const { readFromFile } = await import('../../packages/sources/file-source.ts');
  core.openHome();
  const tried: TriedPlugin[] = [];
  for (const file of files) {
    const { bytes, notes } = await readFromFile(file, resolve(file), limits.maxPluginBytes);
    for (const note of notes) core.warn(note);
    const { record, store } = await prepareTried(core, bytes, resolve(file));
    const taken = takenName(record.name, builtins);
    if (taken !== undefined) {
      throw new KernelError('plugin-fault', taken, {
        hint: `See what it is with: cuervo plugin inspect ${shellWord(file)}`,
      });
    }
    const own = asTried(record, resolve(file));
    tried.push({ record: own, store: { ...store, list: () => [own] } });
  }
  prune(join(config.home, 'tried'), clock.nowMs());
  return tried;
}

/**
 * Prepares a binary in a store of its own, where it is found again by its digest.
 *
 * @param source absolute, or an address
 * @throws {KernelError} `plugin-fault` for one that is refused
 */
export async function prepareTried(
  core: KernelCore,
  bytes: Buffer,
  source: string,
): Promise<TriedPlugin> {
  const { config, limits, sandbox, clock } = core;
  const folder = join(config.home, 'tried', sha256(bytes));
  const store = openPluginStore(folder);
  const [known] = store.list();
  const isReady =
    known?.transpiler === transpilerVersion &&
    known.maxPages === Math.floor(limits.maxMemoryBytes / 65_536);
  const record = isReady
    ? known
    : await installPlugin(bytes, source, store, {
        bundles: bundlesOf(config.paths.dist),
        limits,
        sandbox,
        signal: new AbortController().signal,
        nowMs: clock.nowMs(),
      }).catch((thrown: unknown) => {
        rmSync(folder, { recursive: true, force: true });
        throw thrown;
      });
  utimesSync(folder, clock.nowMs() / 1_000, clock.nowMs() / 1_000);
  return { record, store };
}

/** Its values belong to this file alone: not to an installed plugin, nor to another file. */
function asTried(record: PluginRecord, path: string): PluginRecord {
  const place = sha256(Buffer.from(path)).slice(0, 12);
  return { ...record, data: `${record.name}~tried-${place}` };
}

function prune(folder: string, nowMs: number): void {
  if (!existsSync(folder)) return;
  const kept = readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, usedMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => other.usedMs - one.usedMs);
  for (const { path, usedMs } of kept.slice(maxKept)) {
    if (nowMs - usedMs > youngMs) rmSync(path, { recursive: true, force: true });
  }
}
