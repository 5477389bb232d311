import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { derivedDescription } from '../../host/install/component/derive-manifest.ts';
import {
  createInspectReport,
  type InspectReport,
} from '../../host/install/component/inspect-report.ts';
import { labelText } from '../../host/install/component/label.ts';
import { type Inspected, inspectPlugin } from '../../host/install/install-plugin.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import { openPluginStore, type PluginStore } from '../../host/install/plugin-store.ts';
import type { Bundles } from '../../host/install/prepare-options.ts';
import type { HostLimits } from '../../host/limits.ts';
import type { ProcessSandbox } from '../../host/tier/process-sandbox.ts';
import { describeProcessTier } from '../../host/tier/tier.ts';
import type { Clock } from '../../lib/clock.ts';
import { withTypedPath } from '../../lib/files/with-typed-path.ts';
import { sha256 } from '../../lib/sha256.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { wrapText } from '../../lib/text/wrap-text.ts';
import { formatGrant, parseGrant } from '../../policy/parse-grant.ts';
import { refuseUnwanted } from '../consent/grant-commands.ts';
import type { GrantsFile } from '../consent/grants.ts';
import { refuseUnknownRoots } from '../roots.ts';
import { takenName } from './check-description.ts';
import { describeUpdate } from './describe-update.ts';
import { heldTexts, type ListedPlugin, listPlugins } from './list-plugins.ts';

export type PluginCommands = {
  /** What a file is, whether or not it could be installed; never throws for what is in it. */
  inspect(file: string, options: { signal: AbortSignal }): Promise<InspectReport>;
  /** A report in plain words: what the binary can and cannot do. Safe to print. */
  label(report: InspectReport): string;
  /**
   * @param options.grants what it may do from now on, e.g. `fs:work`; the very binary that is
   *   installed keeps what it holds beside them
   * @param options.consent told what the file is, what it would hold and, one sentence a
   *   line, what changes against an installed plugin of its name; nothing is kept unless it
   *   answers true
   * @throws {KernelError} `plugin-fault` when the file is refused, `canceled` without consent,
   *   `invalid-argument` for a grant that is none, of a root that there is not or that it could not
   *   use
   */
  install(
    file: string,
    options: {
      signal: AbortSignal;
      grants: readonly string[];
      consent(
        report: InspectReport,
        granted: readonly string[],
        update: readonly string[],
      ): Promise<boolean>;
    },
  ): Promise<PluginRecord>;
  list(): ListedPlugin[];
  /** Removes the plugin, all that it was granted and what it kept. @throws {KernelError} `not-found` */
  remove(name: string): Promise<PluginRecord>;
};

export function createPluginCommands(ports: {
  builtins: PluginStore;
  installed: PluginStore;
  grants: GrantsFile;
  bundles: Bundles;
  limits: HostLimits;
  sandbox: ProcessSandbox;
  clock: Clock;
  openHome(): void;
  /** Forgets what plugins of this name kept for themselves. */
  clearValues(plugin: string): Promise<void>;
  /** Journals a change of grants from before it is made until it is done. */
  journaled<Value>(command: string, what: string, change: () => Value): Promise<Value>;
}): PluginCommands {
  const { builtins, installed, grants, limits, clock } = ports;
  const prepare = (signal: AbortSignal) => ({
    bundles: ports.bundles,
    limits,
    sandbox: ports.sandbox,
    signal,
    nowMs: clock.nowMs(),
  });

  const isKept = (name: string): boolean => grants.entries().some(({ plugin }) => plugin === name);

  const takenBy = (record: PluginRecord | undefined): string | undefined =>
    takenName(
      record?.name,
      builtins.list().map(({ name }) => name),
    );

  return {
    inspect: async (file, { signal }) => {
      const bytes = readPluginFile(file, limits);
      const folder = mkdtempSync(join(tmpdir(), 'cuervo-inspect-'));
      try {
        const store = openPluginStore(folder);
        const report = async (found: Inspected) => {
          const taken = takenBy(found.record);
          const reasons = taken === undefined ? found.reasons : [...found.reasons, taken];
          return reportOf(file, bytes, { ...found, reasons });
        };
        const inspected = await inspectPlugin(bytes, file, store, prepare(signal), report);
        return { ...inspected, tier: ports.sandbox.tier().name };
      } catch (thrown) {
        return { ...refusal(file, bytes, thrown), tier: ports.sandbox.tier().name };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    label: (report) => {
      const text = labelText(report);
      if (report.verdict !== 'installable') return text;
      const tier = describeProcessTier(ports.sandbox.tier());
      return [text, '', ...wrapText('It is confined by: ', tier)].join('\n');
    },
    install: async (file, { signal, grants: typed, consent }) => {
      const asked = typed.map(parseGrant);
      const bytes = readPluginFile(file, limits);
      ports.openHome();
      const source = resolve(file);
      return await inspectPlugin(
        bytes,
        source,
        installed,
        prepare(signal),
        async (found, staging) => {
          const { record, reasons } = found;
          if (record === undefined) {
            throw new KernelError('plugin-fault', `${file} is refused: ${reasons.join('; ')}`, {
              hint: inspectHint(file),
            });
          }
          const taken = takenBy(record);
          if (taken !== undefined) {
            throw new KernelError('plugin-fault', taken, {
              hint:
                record.description === derivedDescription
                  ? `Its name comes from its file: rename that, for example to my-${record.name}.wasm`
                  : 'Its author has to rename it.',
            });
          }
          refuseUnwanted(record, asked, 'Leave out that --grant.');
          refuseUnknownRoots(asked);
          const old = installed.list().find(({ name }) => name === record.name);
          const held = grants.of(record.name, old?.sha256 ?? '').map(formatGrant);
          // A grant belongs to a binary: the very same one, installed once more, keeps its own.
          const isSame = old?.sha256 === record.sha256;
          const given = asked.map(formatGrant);
          const granted = isSame
            ? [...new Set([...heldTexts(record, grants, clock), ...given])]
            : given;
          const update = old === undefined ? [] : describeUpdate(old, record, { held, granted });
          if (!(await consent(reportOf(file, bytes, found), granted, update))) {
            throw new KernelError('canceled', `${record.name} was not installed`);
          }
          const names = given.join(' ');
          const changes = names !== '' || (!isSame && isKept(record.name));
          // Left by one that was removed before, which may have been somebody else's.
          if (old === undefined) await ports.clearValues(record.name);
          installed.add(record, staging);
          const { name: plugin, sha256: digest } = record;
          const change = (): void =>
            isSame
              ? grants.add({ plugin, digest }, asked, undefined)
              : grants.set(plugin, digest, asked);
          const what = `${nameOf(record)} ${names}`.trim();
          if (changes) await ports.journaled('plugin install', what, change);
          return record;
        },
      ).catch((thrown: unknown) => {
        throw isBareFault(thrown)
          ? new KernelError('plugin-fault', `${file} is refused: ${thrown.message}`, {
              cause: thrown,
              hint: inspectHint(file),
            })
          : thrown;
      });
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
      await ports.clearValues(name);
      if (kept) {
        await ports.journaled('plugin remove', nameOf(record), () => grants.take(name, undefined));
      }
      return record;
    },
  };
}

function inspectHint(file: string): string {
  return `See all of it with: cuervo plugin inspect ${shellWord(file)}`;
}

/** Whether a fault comes from code that read the bytes and does not know the file. */
function isBareFault(thrown: unknown): thrown is KernelError {
  return (
    thrown instanceof KernelError && thrown.code === 'plugin-fault' && thrown.hint === undefined
  );
}

function readPluginFile(file: string, limits: HostLimits): Buffer {
  const found = withTypedPath(file, (path) => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined && /^https?:\/\//i.test(file)) {
    throw new KernelError('invalid-argument', `${file} is an address, and plugins are files`, {
      hint: 'Download it, then name the file: cuervo plugin inspect FILE.wasm',
    });
  }
  if (found === undefined) {
    throw new KernelError('not-found', `there is no file ${file}`, {
      hint: 'Name a .wasm file; cuervo plugin build DIR makes one.',
    });
  }
  if (!found.isFile()) {
    throw new KernelError('invalid-argument', `${file} is not a file`, {
      hint: 'Name a .wasm file; cuervo plugin build DIR makes one of a folder.',
    });
  }
  if (found.size > limits.maxPluginBytes) {
    const detail = `${file} has ${found.size} bytes, limit ${limits.maxPluginBytes}`;
    throw new KernelError('plugin-fault', detail, {
      hint: 'Strip what it does not need to run: wasm-tools strip FILE.wasm -o SMALLER.wasm',
    });
  }
  return withTypedPath(file, (path) => readFileSync(path));
}

function nameOf({ name, sha256: digest }: PluginRecord): string {
  return `${name}@${digest}`;
}

function reportOf(file: string, bytes: Buffer, found: Inspected): InspectReport {
  const { examined } = found;
  const judged = new Set(examined.judgement.reasons);
  return createInspectReport({
    file,
    size: bytes.byteLength,
    sha256: sha256(bytes),
    examined,
    tools: found.record?.tools,
    // The judgement brings its own.
    reasons: found.reasons.filter((reason) => !judged.has(reason)),
  });
}

/** The report of a file that is not even WebAssembly. */
function refusal(file: string, bytes: Buffer, thrown: unknown): InspectReport {
  const error = KernelError.from(thrown, 'internal');
  if (error.code !== 'plugin-fault') throw error;
  return {
    file,
    size: bytes.byteLength,
    sha256: sha256(bytes),
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
