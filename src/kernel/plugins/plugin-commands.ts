import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import type {
  InspectReport,
  ListedPlugin,
  PluginInfo,
  PublishedTarget,
  UpdatedPlugin,
} from '../../contracts/output/parse-plugin-output.ts';
import { nobody, unknownPlugin } from '../../contracts/plugins.ts';
import { labelText } from '../../host/install/component/label.ts';
import type { Bundles } from '../../host/install/examine-plugin.ts';
import { type Inspected, inspectPlugin } from '../../host/install/install-plugin.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import { openPluginStore, type PluginStore } from '../../host/install/plugin-store.ts';
import type { HostLimits } from '../../host/limits.ts';
import { wrapText } from '../../lib/text/columns.ts';
import {
  folderOf,
  type PublishRequest,
  publishPlugin,
  workflowFor,
} from '../../packages/publish/publish-plugin.ts';
import type { PluginLanguage } from '../../packages/publish/workflow.ts';
import type { Acquire, AcquiredPlugin } from '../../packages/sources/acquire-plugin.ts';
import { pluginSandboxText } from '../../sandbox/plugin-sandbox.ts';
import type { ProcessSandbox } from '../../sandbox/process-sandbox.ts';
import type { Replays } from '../journal/create-replays.ts';
import { takenName } from './check-description.ts';
import {
  type InstallPorts,
  type InstallRequest,
  installAcquired,
  reportOf,
} from './install-plugin.ts';
import { listPlugins } from './list-plugins.ts';
import {
  installLocked,
  type LockedOutcome,
  type LockedRequest,
  writeLocked,
} from './locked-plugins.ts';
import { rollBack, type UpdateRequest, updatePlugins } from './update-plugins.ts';

export type PluginCommands = {
  /** Facts about a plugin, installable or not; its content never makes this throw. */
  inspect(source: string, options: { signal: AbortSignal }): Promise<InspectReport>;
  /** A report in plain words: what the binary can and cannot do. Safe to print. */
  label(report: InspectReport): string;
  /**
   * @param source a `.wasm`, a folder, `https://…`, `npm:NAME[@RANGE]` or `oci://REGISTRY/NAME[:TAG]`
   * @throws {KernelError} `plugin-fault` when it is refused, `canceled` without consent,
   *   `permission-denied` and `conflict` where its name is somebody else's, `invalid-argument` for a
   *   grant that is invalid, of a root that does not exist or that it could not use
   */
  install(source: string, request: InstallRequest): Promise<PluginRecord>;
  /** Installs what `plugins.lock` of the workspace names, or that of the home. */
  installLocked(request: LockedRequest): Promise<LockedOutcome[]>;
  /** Puts an installed plugin into `plugins.lock` of the workspace. */
  lock(name: string): void;
  /** @param name undefined means all */
  update(name: string | undefined, request: UpdateRequest): Promise<UpdatedPlugin[]>;
  /** Goes back to the version before. */
  rollback(name: string, options: { signal: AbortSignal }): ReturnType<typeof rollBack>;
  /** An installed plugin by its name, or one of a source; nothing is installed. */
  info(what: string, options: { signal: AbortSignal }): Promise<PluginInfo>;
  /** Publishes a plugin, after showing what would go out; `dryRun` sends nothing. */
  publish(source: string, request: PublishRequest): Promise<PublishedTarget[]>;
  /** A workflow of GitHub that publishes it to these targets. */
  workflow(
    source: string,
    targets: readonly string[],
    options: { signal: AbortSignal; languageOf(folder: string): PluginLanguage | undefined },
  ): Promise<string>;
  list(): ListedPlugin[];
  /** Removes the plugin, all that it was granted and what it kept. @throws {KernelError} `not-found` */
  remove(name: string): Promise<PluginRecord>;
};

export function createPluginCommands(
  ports: Omit<InstallPorts, 'prepare'> & {
    acquire: Acquire;
    bundles: Bundles;
    limits: HostLimits;
    sandbox: ProcessSandbox;
    environment(): Readonly<Record<string, string | undefined>>;
    workspace: string;
    home: string;
    replayed: Replays['ofUpdate'];
  },
): PluginCommands {
  const { builtins, installed, grants, limits, clock, acquire, publishers } = ports;
  const prepare = (signal: AbortSignal) => ({
    bundles: ports.bundles,
    limits,
    sandbox: ports.sandbox,
    signal,
    nowMs: clock.nowMs(),
  });
  const install = { ...ports, prepare };

  const isKept = (name: string): boolean => grants.entries().some(({ plugin }) => plugin === name);

  const takenBy = (record: PluginRecord | undefined): string | undefined =>
    takenName(
      record?.name,
      builtins.list().map(({ name }) => name),
    );

  const inspectAcquired = async (acquired: AcquiredPlugin, signal: AbortSignal) => {
    const folder = mkdtempSync(join(tmpdir(), 'cuervo-inspect-'));
    const { bytes, file, identities } = acquired;
    try {
      const store = openPluginStore(folder);
      const report = async (found: Inspected) => {
        const taken = takenBy(found.record);
        const reasons = taken === undefined ? found.reasons : [...found.reasons, taken];
        return reportOf(acquired, { ...found, reasons }, identities[0] ?? nobody);
      };
      return await inspectPlugin(bytes, file, store, prepare(signal), report);
    } catch (thrown) {
      return refusal(acquired, thrown);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  return {
    inspect: async (source, { signal }) => {
      const report = await inspectAcquired(await acquire.from(source, { signal }), signal);
      return { ...report, tier: ports.sandbox.tier().name };
    },
    label: (report) => {
      const text = labelText(report);
      if (report.verdict !== 'installable') return text;
      const tier = pluginSandboxText(ports.sandbox.tier());
      return [text, '', ...wrapText('It is confined by: ', tier)].join('\n');
    },
    install: async (source, request) =>
      await installAcquired(await acquire.from(source, request), request, install),
    installLocked: (request) =>
      installLocked({ workspace: ports.workspace, home: ports.home }, request, install),
    lock: (name) => {
      const record = installed.list().find((each) => each.name === name);
      if (record === undefined) throw unknownPlugin(name, installed.list());
      writeLocked(record, ports.workspace);
    },
    update: (name, request) => updatePlugins(name, request, install),
    rollback: (name, options) => rollBack(name, options, install),
    info: async (what, { signal }) => {
      const all = [...installed.list(), ...builtins.list()];
      const record = all.find(({ name }) => name === what);
      if (record === undefined) {
        // A word alone is a name, unless a file is called so.
        if (/^[\w-]+$/.test(what) && !existsSync(what)) throw unknownPlugin(what, all);
        const report = await inspectAcquired(await acquire.from(what, { signal }), signal);
        const versions = await acquire.versions(what, { signal });
        return { ...report, ...(versions === undefined ? {} : { versions }) };
      }
      const store = record.source === 'built-in' ? builtins : installed;
      const report = await inspectAcquired(installedAs(record, store), signal);
      const previous = installed.previous(what)?.version;
      const listed = listPlugins({ builtins, installed, grants }).find(({ name }) => name === what);
      return {
        ...report,
        // It has that name because it is installed.
        ...(record.source === 'built-in' ? { verdict: 'installable', reasons: [] } : {}),
        name: record.name,
        installed: {
          source: record.source,
          grants: listed?.grants ?? [],
          ...(previous === undefined ? {} : { previous }),
        },
      };
    },
    publish: async (source, request) => {
      const { signal } = request;
      const acquired = await acquire.from(source, { signal });
      const report = await inspectAcquired(acquired, signal);
      return await publishPlugin(request, {
        acquired,
        report,
        folder: folderOf(source),
        environment: ports.environment(),
        oci: () => acquire.access(signal),
      });
    },
    workflow: async (source, targets, { signal, languageOf }) => {
      const report = await inspectAcquired(await acquire.from(source, { signal }), signal);
      return await workflowFor(report.name ?? 'plugin', source, { targets, languageOf });
    },
    list: () => listPlugins({ builtins, installed, grants }),
    remove: async (name) => {
      if (builtins.list().some((record) => record.name === name)) {
        throw new KernelError('invalid-argument', `"${name}" is built in and cannot be removed`, {
          hint: 'See where each plugin comes from with: cuervo plugin list',
        });
      }
      const kept = isKept(name);
      const record = installed.remove(name);
      publishers.unpin(name);
      await ports.clearValues(record.data ?? name);
      if (kept) {
        const what = `${record.name}@${record.sha256}`;
        await ports.journaled('plugin remove', what, () => grants.take(name, undefined));
      }
      return record;
    },
  };
}

/** The binary of an installed plugin, which was judged when it was installed. */
function installedAs(record: PluginRecord, store: PluginStore): AcquiredPlugin {
  const { name, source, identity, resolved = source } = record;
  const bytes = store.component(record);
  if (bytes === undefined) {
    throw new KernelError('plugin-fault', `the binary of the plugin "${name}" is gone or changed`, {
      hint: 'See what is wrong with: cuervo doctor',
    });
  }
  return {
    bytes,
    sha256: record.sha256,
    file: `${record.publishedAs ?? name}.wasm`,
    ...{ shown: source, source, base: record.base ?? source, resolved },
    identities: identity === undefined ? [] : [identity],
    notes: [],
  };
}

/** The report of a file that is not even WebAssembly. */
function refusal({ shown, bytes, sha256 }: AcquiredPlugin, thrown: unknown): InspectReport {
  const error = KernelError.from(thrown, 'internal');
  if (error.code !== 'plugin-fault') throw error;
  return {
    file: shown,
    size: bytes.byteLength,
    sha256,
    kind: 'module',
    imports: [],
    exports: [],
    capabilities: [],
    tools: [],
    derived: false,
    withheld: [],
    verdict: 'refused',
    reasons: [error.message],
  };
}
