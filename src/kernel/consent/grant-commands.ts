import type { ConsentSessions, SessionGrant } from '../../consent/consent-sessions.ts';
import type { GrantsFile } from '../../consent/grants.ts';
import { capabilityRow, isOwnGrant, ownGrants } from '../../contracts/capabilities.ts';
import type { Grant } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import type { ListedGrant } from '../../contracts/output/parse-plugin-output.ts';
import { unknownPlugin } from '../../contracts/plugins.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import type { PluginStore } from '../../host/install/plugin-store.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import { builtinGrants } from '../../policy/decide.ts';
import {
  formatGrant,
  hasItsRoot,
  parseDuration,
  parseGrant,
  refuseUnknownRoots,
} from '../../policy/parse-grant.ts';
import { isAmong, isExpired } from '../../policy/parse-grants-file.ts';
export type GrantCommands = {
  /**
   * Keeps grants for the binary of that name which is installed now.
   *
   * @param options.duration `2h`, `7d`; without it there is no end
   * @param options.inProject only in this workspace
   * @returns what stands in the file for them
   * @throws {KernelError} `not-found` for an unknown plugin, `invalid-argument` for a grant that is
   *   none, of a root that does not exist, that the binary could not use or that it holds because it
   *   is built in
   */
  grant(
    plugin: string,
    grants: readonly string[],
    options?: { duration?: string; inProject?: boolean },
  ): Promise<ListedGrant[]>;
  /**
   * Takes grants away, all of them when none is named; also those of sessions of this workspace.
   *
   * @param options.inProject only what holds in this workspace alone
   * @returns those that are gone
   * @throws {KernelError} `not-found` for an unknown plugin and for a grant that it does not hold
   */
  revoke(
    plugin: string,
    grants: readonly string[],
    options?: { inProject?: boolean },
  ): Promise<string[]>;
  /** The grants of `grants.toml` and of built-in plugins, by plugin. */
  grants(plugin?: string): ListedGrant[];
  /** Grants for single sessions of this workspace, from answers to questions. */
  sessionGrants(plugin?: string): Promise<ListedGrant[]>;
};

type Holder = Pick<PluginRecord, 'name' | 'sha256' | 'wants'>;
type Installed = { record: Holder; builtin: boolean };

export function createGrantCommands(ports: {
  builtins: PluginStore;
  installed: PluginStore;
  /** MCP servers that were added, which hold grants as plugins do */
  servers(): readonly { name: string; digest: string }[];
  grants: GrantsFile;
  sessions: Pick<ConsentSessions, 'list' | 'take'>;
  /** whether a store exists: a look must not create one */
  hasStore(): boolean;
  clock: Clock;
  /** absolute path of the workspace */
  project: string;
  openHome(): void;
  /** Journals a change from before it is made until it is done. */
  journaled<Value>(command: string, what: string, change: () => Value): Promise<Value>;
}): GrantCommands {
  const { builtins, installed, grants, clock, project } = ports;

  const plugins = (): Installed[] => [
    ...builtins.list().map((record) => ({ record, builtin: true })),
    ...installed.list().map((record) => ({ record, builtin: false })),
    ...ports.servers().map(({ name, digest }) => ({
      ...{ record: { name, sha256: digest, wants: serverWants }, builtin: false },
    })),
  ];

  const grantsNow = (plugin?: string): ListedGrant[] => {
    const known = plugins();
    const shipped = known.filter(({ builtin }) => builtin).flatMap(shippedGrants);
    const digests = new Set(known.map(({ record }) => `${record.name} ${record.sha256}`));
    const kept = grants.entries().flatMap((entry): ListedGrant[] => {
      const { capabilities, plugin: name, digest, ...times } = entry;
      const isInstalled = digests.has(`${name} ${digest}`);
      const elsewhere = entry.project !== undefined && entry.project !== project;
      const known = isInstalled ? (elsewhere ? 'other-project' : 'held') : 'other-binary';
      const status = isExpired(entry, clock.nowMs()) ? 'expired' : known;
      return capabilities.map((grant) => ({
        ...{ plugin: name, digest, grant: formatGrant(grant) },
        status: status === 'held' && !hasItsRoot(grant) ? 'no-root' : status,
        ...times,
      }));
    });
    const all = [...shipped, ...kept];
    if (plugin === undefined) return all.sort((a, b) => (a.plugin < b.plugin ? -1 : 1));
    const its = all.filter((each) => each.plugin === plugin);
    if (its.length === 0 && !known.some(({ record }) => record.name === plugin)) {
      throw unknown(plugin);
    }
    return its;
  };

  const unknown = (name: string): KernelError =>
    unknownPlugin(
      name,
      plugins().map(({ record }) => record),
    );

  const inSessions = async (plugin?: string): Promise<SessionGrant[]> => {
    if (!ports.hasStore()) return [];
    const all = await ports.sessions.list(project);
    return all.filter((each) => plugin === undefined || each.plugin === plugin);
  };

  return {
    grants: grantsNow,
    sessionGrants: async (plugin) =>
      (await inSessions(plugin)).map((each) => ({ ...each, status: 'held', project })),
    grant: async (plugin, typed, { duration, inProject = false } = {}) => {
      const asked = typed.map(parseGrant);
      const durationMs = duration === undefined ? undefined : parseDuration(duration);
      const found = plugins().find(({ record }) => record.name === plugin);
      if (found === undefined) throw unknown(plugin);
      const { record, builtin } = found;
      refuseUnwanted(record, asked, 'Leave out that grant.');
      refuseUnknownRoots(asked);
      if (builtin) refuseShipped(record, asked, 'and needs no grant');
      ports.openHome();
      const expiresMs = durationMs === undefined ? undefined : clock.nowMs() + durationMs;
      const holder = { plugin, digest: record.sha256, ...(inProject ? { project } : {}) };
      const what = `${plugin}@${record.sha256} ${asked.map(formatGrant).join(' ')}${endOf(expiresMs)}`;
      await ports.journaled('plugin grant', inProject ? `${what} in ${project}` : what, () =>
        grants.add(holder, asked, expiresMs),
      );
      const names = asked.map(formatGrant);
      return grantsNow(plugin).filter(
        (listed) =>
          listed.digest === record.sha256 &&
          names.includes(listed.grant) &&
          listed.project === holder.project,
      );
    },
    revoke: async (plugin, typed, { inProject = false } = {}) => {
      const asked = typed.length === 0 ? undefined : typed.map(parseGrant);
      const found = plugins().find(({ record }) => record.name === plugin);
      const place = inProject ? project : undefined;
      const kept = grants
        .entries()
        .filter((entry) => entry.plugin === plugin)
        .filter((entry) => place === undefined || entry.project === place);
      const ofSessions = await inSessions(plugin);
      // A grant of a removed plugin can still be taken away.
      if (found === undefined && kept.length + ofSessions.length === 0) throw unknown(plugin);
      const held = [
        ...kept.flatMap(({ capabilities }) => capabilities),
        ...ofSessions.map(({ grant }) => parseGrant(grant)),
      ];
      const missing = asked?.filter((grant) => !isAmong(grant, held)) ?? [];
      if (found?.builtin) refuseShipped(found.record, missing, 'and that cannot be revoked');
      const [stray] = missing;
      if (stray !== undefined) {
        throw new KernelError('not-found', `${plugin} was not granted ${formatGrant(stray)}`, {
          hint: `See what it holds with: cuervo plugin grants ${plugin}`,
        });
      }
      if (held.length === 0) return [];
      ports.openHome();
      const names = `${plugin} ${(asked ?? held).map(formatGrant).join(' ')}`;
      const what = inProject ? `${names} in ${project}` : names;
      const taken = await ports.journaled('plugin revoke', what, () =>
        grants.take(plugin, asked, place),
      );
      const wanted = asked?.map(formatGrant);
      const allowed = ofSessions.filter(({ grant }) => wanted?.includes(grant) ?? true);
      await ports.sessions.take(allowed);
      return [...new Set([...taken.map(formatGrant), ...allowed.map(({ grant }) => grant)])];
    },
  };
}

const serverWants = (['fs', 'fs-write', 'http'] as const).map((capability) => ({
  ...{ capability, why: 'it is an MCP server' },
}));

/** The wants that the shipped configuration grants to a built-in plugin. */
export function shippedGrants({ record }: { record: Holder }): ListedGrant[] {
  return builtinGrants
    .filter((grant) => wantsGrant(record, grant))
    .map((grant) => ({
      plugin: record.name,
      digest: record.sha256,
      grant: formatGrant(grant),
      status: 'built-in',
    }));
}

/**
 * A grant that the binary could never use is a mistake, and silence would hide it.
 *
 * @throws {KernelError} `invalid-argument`
 */
export function refuseUnwanted(record: Holder, asked: readonly Grant[], hint: string): void {
  const stray = asked.find((grant) => !wantsGrant(record, grant));
  if (stray === undefined) return;
  const wanted = record.wants.map((want) => want.capability).join(', ') || 'nothing';
  const message = `${record.name} cannot use ${formatGrant(stray)}: it wants ${wanted}`;
  throw new KernelError('invalid-argument', message, { hint });
}

function refuseShipped(record: Holder, asked: readonly Grant[], why: string): void {
  const shipped = asked.find((grant) => isAmong(grant, builtinGrants) && wantsGrant(record, grant));
  if (shipped === undefined) return;
  throw new KernelError(
    'invalid-argument',
    `${record.name} holds ${formatGrant(shipped)} because it is built in, ${why}`,
    { hint: `See what it holds with: cuervo plugin grants ${record.name}` },
  );
}

/** Whether a binary could use a grant at all. */
export function wantsGrant(record: Pick<PluginRecord, 'name' | 'wants'>, grant: Grant): boolean {
  if (grant.capability === 'call') return record.wants === serverWants;
  // No other plugin has a built-in plugin's name.
  if (isOwnGrant(grant.capability)) return record.name === ownGrants[grant.capability].plugin;
  return record.wants.some(
    ({ capability }) =>
      capability === grant.capability ||
      capabilityRow(capability).beside?.includes(grant.capability),
  );
}

function endOf(expiresMs: number | undefined): string {
  return expiresMs === undefined ? '' : ` until ${new Date(expiresMs).toISOString()}`;
}
