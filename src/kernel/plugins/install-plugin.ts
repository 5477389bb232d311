import { isDeepStrictEqual } from 'node:util';
import type { GrantsFile } from '../../consent/grants.ts';
import type { Grant } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import type { InspectReport } from '../../contracts/output/parse-plugin-output.ts';
import { nobody } from '../../contracts/plugins.ts';
import { createInspectReport } from '../../host/install/component/label.ts';
import { derivedDescription } from '../../host/install/component/manifest-tools.ts';
import type { PrepareOptions } from '../../host/install/examine-plugin.ts';
import { type Inspected, inspectPlugin } from '../../host/install/install-plugin.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import type { PluginStore } from '../../host/install/plugin-store.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import { similarName } from '../../lib/text/did-you-mean.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { describeSource, describeUpdate } from '../../packages/install/describe-update.ts';
import { judgePublisher, type Require } from '../../packages/signatures/judge-publisher.ts';
import type { Publishers } from '../../packages/signatures/parse-publishers.ts';
import type { AcquiredPlugin } from '../../packages/sources/acquire-plugin.ts';
import { formatGrant, parseGrant, refuseUnknownRoots } from '../../policy/parse-grant.ts';
import { isAmong } from '../../policy/parse-grants-file.ts';
import { refuseUnwanted, wantsGrant } from '../consent/grant-commands.ts';
import { takenName } from './check-description.ts';
import { heldTexts } from './list-plugins.ts';

export type InstallRequest = {
  signal: AbortSignal;
  /** what it may do from now on, e.g. `fs:work` */
  grants: readonly string[];
  /** another name for it */
  as?: string;
  /** it replaces a plugin of another source */
  replace?: boolean;
  /** and takes over that plugin's data */
  keepData?: boolean;
  /** keeps the old plugin's grants that the new one wants */
  carryGrants?: boolean;
  /** more that a person has to know, one sentence a line */
  told?: readonly string[];
  /**
   * Told what the file is, what it would hold and, one sentence a line, what changes against an
   * installed plugin of its name; nothing is kept unless it answers true.
   */
  consent(
    report: InspectReport,
    granted: readonly string[],
    update: readonly string[],
  ): Promise<boolean>;
};

export type InstallPorts = {
  builtins: PluginStore;
  installed: PluginStore;
  grants: GrantsFile;
  publishers: Publishers;
  require: Require;
  prepare(signal: AbortSignal): PrepareOptions & { nowMs: number };
  clock: Clock;
  openHome(): void;
  /** Forgets what is kept under this name of data. */
  clearValues(data: string): Promise<void>;
  journaled<Value>(command: string, what: string, change: () => Value): Promise<Value>;
};

/**
 * Installs a plugin that is here, after consent; until then nothing of it is kept, and what stops
 * in between leaves the old one as it was.
 *
 * @throws {KernelError} `plugin-fault` when it is refused, `canceled` without consent,
 *   `permission-denied` and `conflict` where its name is somebody else's
 */
export async function installAcquired(
  acquired: AcquiredPlugin,
  request: InstallRequest,
  ports: InstallPorts,
): Promise<PluginRecord> {
  const { installed, grants, publishers, clock } = ports;
  const asked = request.grants.map(parseGrant);
  ports.openHome();
  const { bytes, file, shown } = acquired;
  return await inspectPlugin(
    bytes,
    file,
    installed,
    ports.prepare(request.signal),
    async (found, staging) => {
      const prepared = found.record;
      if (prepared === undefined) {
        throw new KernelError('plugin-fault', `${shown} is refused: ${found.reasons.join('; ')}`, {
          hint: inspectHint(shown),
        });
      }
      const renamed = renamedTo(prepared, request.as);
      requireFreeName(renamed, ports.builtins);
      refuseUnwanted(renamed, asked, 'Leave out that --grant.');
      refuseUnknownRoots(asked);
      const old = installed.list().find(({ name }) => name === renamed.name);
      const { identity, publisher, told } = judgePublisher(
        { ...acquired, name: renamed.name, source: acquired.resolved },
        {
          ...{ old, publishers: publishers.of(renamed.name), keys: publishers.keys() },
          ...{ require: ports.require, replace: request.replace ?? false },
          keepData: request.keepData ?? false,
        },
      );
      const { source, base, resolved } = acquired;
      const record: PluginRecord = {
        ...renamed,
        ...{ source, base, resolved, data: publisher.data },
        ...(identity === undefined ? {} : { identity }),
      };
      const isSame = old?.sha256 === record.sha256;
      const given = asked.map(formatGrant);
      const kept = keptGrants(record, old, request, ports);
      const granted = [...new Set([...kept, ...given])];
      const held = old === undefined ? [] : heldTexts(old, grants, clock);
      const update = [
        ...(old === undefined
          ? lookAlike(record.name, ports)
          : describeUpdate(old, record, { held, granted })),
        ...describeSource(old, record, 'from now on'),
        ...(record.publishedAs === undefined ? [] : [`Its author calls it ${record.publishedAs}.`]),
        ...told,
        ...versionLie(acquired, record),
        ...(request.told ?? []),
      ];
      const report = reportOf(acquired, found, identity === undefined ? nobody : identity);
      if (!(await request.consent({ ...report, name: record.name }, granted, update))) {
        throw new KernelError('canceled', `${record.name} was not installed`);
      }
      // Clear data of a removed plugin, which may have been another author's.
      if (old === undefined) await ports.clearValues(publisher.data);
      if (found.isThere !== true || !isSameInstall(old, record)) {
        installed.add(record, staging, { expected: old?.sha256 });
      }
      publishers.pin(publisher);
      await keepGrants(
        record,
        old,
        { asked, given, isSame, carry: request.carryGrants ?? false },
        ports,
      );
      return record;
    },
  ).catch((thrown: unknown) => {
    throw isBareFault(thrown)
      ? new KernelError('plugin-fault', `${shown} is refused: ${thrown.message}`, {
          cause: thrown,
          hint: inspectHint(shown),
        })
      : thrown;
  });
}

async function keepGrants(
  { name: plugin, sha256: digest }: PluginRecord,
  old: PluginRecord | undefined,
  given: {
    asked: Grant[];
    given: string[];
    isSame: boolean;
    carry: boolean;
  },
  { grants, journaled, installed }: InstallPorts,
): Promise<void> {
  const hasKept = grants.entries().some((entry) => entry.plugin === plugin);
  const isUpdate = given.carry && old !== undefined && !given.isSame;
  const holds = holdsAlready(grants, { plugin, digest }, given.asked);
  const changes = given.isSame ? !holds : given.given.length > 0 || hasKept;
  const record = changes ? installed.list().find(({ name }) => name === plugin) : undefined;
  if (record === undefined) return;
  const what = `${plugin}@${digest} ${given.given.join(' ')}`.trim();
  await journaled(isUpdate ? 'plugin update' : 'plugin install', what, () => {
    if (isUpdate) {
      grants.carry(plugin, { from: old.sha256, to: digest }, (grant) => wantsGrant(record, grant));
    }
    if (given.isSame || isUpdate) grants.add({ plugin, digest }, given.asked, undefined);
    else grants.set(plugin, digest, given.asked, old?.sha256);
  });
}

/** Whether an install would change nothing but its time. */
function isSameInstall(old: PluginRecord | undefined, record: PluginRecord): boolean {
  return isDeepStrictEqual({ ...old, installedMs: 0 }, { ...record, installedMs: 0 });
}

/** Whether a binary holds all these grants everywhere and without an end. */
function holdsAlready(
  grants: GrantsFile,
  { plugin, digest }: { plugin: string; digest: string },
  asked: readonly Grant[],
): boolean {
  const held = grants
    .entries()
    .filter((entry) => entry.plugin === plugin && entry.digest === digest)
    .filter(({ project, expiresMs }) => project === undefined && expiresMs === undefined)
    .flatMap(({ capabilities }) => capabilities);
  return asked.every((grant) => isAmong(grant, held));
}

/** A grant belongs to a binary: the very same one, installed once more, keeps its own. */
function keptGrants(
  record: PluginRecord,
  old: PluginRecord | undefined,
  { carryGrants }: InstallRequest,
  { grants, clock }: InstallPorts,
): string[] {
  if (old === undefined) return [];
  if (old.sha256 === record.sha256) return heldTexts(record, grants, clock);
  if (!carryGrants) return [];
  return heldTexts(old, grants, clock, (grant) => wantsGrant(record, grant));
}

function renamedTo(record: PluginRecord, as: string | undefined): PluginRecord {
  if (as === undefined || as === record.name) return record;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(as) || as.length > 64) {
    throw new KernelError('invalid-argument', `--as ${shellWord(as)} is not a name for a plugin`, {
      hint: 'Use small letters, digits and single dashes, like csv-kit-2.',
    });
  }
  return { ...record, name: as, publishedAs: record.name };
}

function requireFreeName(record: PluginRecord, builtins: PluginStore): void {
  const taken = takenName(
    record.name,
    builtins.list().map(({ name }) => name),
  );
  if (taken === undefined) return;
  throw new KernelError('plugin-fault', taken, {
    hint:
      record.description === derivedDescription
        ? `Its name comes from its file: rename that, for example to my-${record.name}.wasm`
        : `Its author has to rename it, or you give it another name: --as my-${record.name}`,
  });
}

/** A name that a person may take for another one. */
function lookAlike(name: string, { builtins, installed }: InstallPorts): string[] {
  const of = (store: PluginStore): string[] => store.list().map((record) => record.name);
  const builtin = similarName(name, of(builtins));
  if (builtin !== undefined)
    return [`Its name looks like that of the built-in plugin ${builtin}. It is another one.`];
  const other = similarName(name, of(installed));
  return other === undefined
    ? []
    : [`Its name looks like ${other}, which is installed. It is another one.`];
}

/** The package and the binary in it each say a version. */
function versionLie({ version }: AcquiredPlugin, record: PluginRecord): string[] {
  if (
    version === undefined ||
    version === record.version ||
    record.description === derivedDescription
  )
    return [];
  return [`It is published as version ${version}, but its manifest says ${record.version}.`];
}

export function reportOf(
  {
    shown,
    bytes,
    sha256,
    resolved,
    notes,
  }: Pick<AcquiredPlugin, 'shown' | 'bytes' | 'sha256' | 'resolved' | 'notes'>,
  found: Inspected,
  identity: InspectReport['identity'],
): InspectReport {
  const { examined } = found;
  const judged = new Set(examined.judgement.reasons);
  return createInspectReport({
    file: shown,
    size: bytes.byteLength,
    sha256,
    examined,
    tools: found.record?.tools,
    // The judgement brings its own.
    reasons: found.reasons.filter((reason) => !judged.has(reason)),
    origin: {
      ...(/^[a-z]+:/.test(resolved) ? { resolved } : {}),
      ...(identity === undefined ? {} : { identity }),
      ...(notes.length === 0 ? {} : { notes }),
    },
  });
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
