import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import type { HostService } from '../../contracts/host-service.ts';
import type { ReplayReport } from '../../contracts/output/parse-journal.ts';
import { unknownPlugin } from '../../contracts/plugins.ts';
import { readPrepared } from '../../host/install/packed-files.ts';
import { componentFile, type PluginRecord } from '../../host/install/plugin-record.ts';
import type { PluginStore } from '../../host/install/plugin-store.ts';
import { createPluginHost, type PluginHost } from '../../host/plugin-host.ts';
import { replayRun } from '../../journal/replay-run.ts';
import { protectedBelow, rootFolders, workRoot } from '../../lib/files/paths.ts';
import type { Acquire } from '../../packages/sources/acquire-plugin.ts';
import { parseSource, sourceBase } from '../../packages/sources/parse-source.ts';
import { createReadGated } from '../../paths/read-gated.ts';
import { madeAgain, makeAgain, reportedCalls, servedCalls } from '../../protocol/call-names.ts';
import { decodeBytes, encodeBytes } from '../../protocol/frame.ts';
import { createBlobStore } from '../../workspace/blob-store.ts';
import { journaledContent } from '../ask/with-kernel-tools.ts';
import type { KernelCore } from '../core.ts';
import { prepareTried, type TriedPlugin } from '../plugins/try-plugins.ts';
import { createReadAgain } from './read-again.ts';

/** A plugin whose steps alone are run again, and what answers in its place. */
export type Stand = { plugin: string; instead?: TriedPlugin | undefined };

/** Calls the components of runs again, with the recorded answers of the host. */
export type Replays = {
  /** @throws {KernelError} `not-found` where the run called nothing of the plugin */
  replay(
    run: string,
    options: { stand?: Stand | undefined; signal: AbortSignal },
  ): Promise<ReplayReport>;
  /** Runs that called a plugin, the newest first. */
  newest(plugin: string | undefined, limit: number): Promise<string[]>;
  /**
   * What a person named as another version: `NAME` or `NAME@VERSION`.
   *
   * @throws {KernelError} `not-found` where that version is neither here nor at its source
   */
  named(typed: string, options: { signal: AbortSignal }): Promise<Stand>;
  /** The newest runs of an installed plugin, with other bytes in its place. */
  ofUpdate(
    plugin: string,
    bytes: Buffer,
    options: { source: string; limit: number; signal: AbortSignal },
  ): Promise<ReplayReport[]>;
};

export function createReplays(
  core: KernelCore,
  ports: {
    installed: PluginStore;
    builtins: PluginStore;
    tried: readonly TriedPlugin[];
    acquire: Acquire;
    processBundle: string;
  },
): Replays {
  const { installed, builtins, tried, acquire, processBundle } = ports;
  const { store, limits, sandbox, config } = core;

  /** Its plugins get nothing but the recorded answers; others than built-in ones have no files. */
  const hostOf = (services: ReadonlyMap<string, HostService>, instead?: TriedPlugin): PluginHost =>
    createPluginHost({
      stores: [
        { store: builtins, builtin: true },
        ...[...(instead === undefined ? [] : [instead]), ...tried].map((each) => ({
          ...{ store: each.store, builtin: false },
        })),
        { store: installed, builtin: false },
      ],
      // Built-in tools look at files again where the answer was too large to record.
      permit: ({ builtin }) => ({
        denied: {},
        roots: builtin ? rootFolders([workRoot], config) : {},
      }),
      ...{
        protectedPaths: protectedBelow(config),
        services,
        processBundle,
        sandbox,
        limits,
        replays: true,
      },
    });

  /** It answers under the name that the person gave to the one it stands for. */
  const standIn = async (name: string, bytes: Buffer, source: string): Promise<TriedPlugin> => {
    const made = await prepareTried(core, bytes, source);
    const record = { ...made.record, name };
    return { record, store: { ...made.store, list: () => [record] } };
  };

  const replays: Replays = {
    replay: async (run, { stand, signal }) => {
      const report = await replayRun(run, (await store()).events(run), {
        open: (services) => hostOf(services, stand?.instead),
        ...{ served: new Set(servedCalls), reported: reportedCalls },
        // What stands for a built-in plugin has no files.
        again: {
          plugins: builtins.list().flatMap(({ name }) => (name === stand?.plugin ? [] : [name])),
          ...{ calls: madeAgain, answer: makeAgain },
        },
        ...{ encode: encodeBytes, decode: decodeBytes },
        ...{ journaled: journaledContent, only: stand?.plugin },
        payload: (digest) => readPayload(config.home, digest),
        readAgain: createReadAgain(createReadGated(config)),
        ...{ timeoutMs: limits.callTimeoutMs, signal },
      });
      if (stand !== undefined && report.steps.length === 0)
        throw new KernelError('not-found', `run ${run} called nothing of ${stand.plugin}`, {
          hint: `Replay runs that did: cuervo runs replay --last 5 --plugin ${stand.plugin}`,
        });
      return report;
    },
    newest: async (plugin, limit) => (await store()).runsWithSteps(plugin, limit),
    named: async (typed, { signal }) => {
      const at = typed.indexOf('@', 1);
      if (at < 0) return { plugin: typed };
      const [name, version] = [typed.slice(0, at), typed.slice(at + 1)];
      const known = [...installed.list(), ...builtins.list()];
      const now = known.find((record) => record.name === name);
      if (now === undefined) throw unknownPlugin(name, known);
      if (now.version === version) return { plugin: name };
      const before = installed.previous(name);
      const kept = before?.version === version ? keptBytes(before, installed) : undefined;
      if (kept !== undefined)
        return { plugin: name, instead: await standIn(name, kept, before?.source ?? name) };
      const source = versionAtSource(now, version);
      if (source === undefined) throw noVersion(name, version, { now, before });
      const { bytes } = await acquire.from(source, { signal });
      return { plugin: name, instead: await standIn(name, bytes, source) };
    },
    ofUpdate: async (plugin, bytes, { source, limit, signal }) => {
      const runs = await replays.newest(plugin, limit);
      if (runs.length === 0) return [];
      const stand = { plugin, instead: await standIn(plugin, bytes, source) };
      const reports: ReplayReport[] = [];
      for (const run of runs) reports.push(await replays.replay(run, { stand, signal }));
      return reports;
    },
  };
  return replays;
}

/** Undefined for what was never recorded, pruned, or damaged since. */
function readPayload(home: string, digest: string): string | undefined {
  try {
    return Buffer.from(createBlobStore(join(home, 'blobs')).read(digest)).toString();
  } catch {
    return undefined;
  }
}

function keptBytes(record: PluginRecord, installed: PluginStore): Buffer | undefined {
  for (const folder of [join(installed.kept, record.sha256), installed.folderOf(record)]) {
    const bytes = readPrepared(folder, componentFile);
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}

/** Registries keep all versions; a file or an address has one. */
function versionAtSource({ source }: PluginRecord, version: string): string | undefined {
  if (source === 'built-in') return undefined;
  const parsed = parseSource(source, '/');
  if (parsed.kind === 'npm') return `${sourceBase(parsed)}@${version}`;
  return parsed.kind === 'oci' ? `${sourceBase(parsed)}:${version}` : undefined;
}

function noVersion(
  name: string,
  version: string,
  { now, before }: { now: PluginRecord; before: PluginRecord | undefined },
): KernelError {
  const here = [now, before].flatMap((record) => (record === undefined ? [] : [record.version]));
  const text = `there is no version ${version} of ${name}; here is ${here.join(' and ')}`;
  return new KernelError('not-found', text, {
    hint: 'Give its binary instead: cuervo runs replay ID --plugin FILE',
  });
}
