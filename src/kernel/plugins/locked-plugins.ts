import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import { changeAlone } from '../../lib/files/lock-file.ts';
import { readTextIfPresent } from '../../lib/files/read-file.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { shortenText } from '../../lib/text/columns.ts';
import {
  formatProjectLock,
  type LockedPlugin,
  parseProjectLock,
} from '../../packages/install/parse-project-lock.ts';
import type { Acquire } from '../../packages/sources/acquire-plugin.ts';
import { parseSource } from '../../packages/sources/parse-source.ts';
import { type InstallPorts, type InstallRequest, installAcquired } from './install-plugin.ts';

export type LockedRequest = Pick<InstallRequest, 'signal' | 'consent'>;

export type LockedOutcome = { name: string; version: string; outcome: 'installed' | 'present' };

function lockPathOf(folder: string): string {
  return join(folder, 'plugins.lock');
}

/**
 * Installs the plugins of a lock, each after its label and consent: the same binaries, from the
 * download cache or from their sources. The lock grants nothing and pins no publisher.
 *
 * @throws {KernelError} `not-found` without a lock; the refusal of the first refused plugin
 */
export async function installLocked(
  { workspace, home }: { workspace: string; home: string },
  request: LockedRequest,
  ports: InstallPorts & { acquire: Acquire },
): Promise<LockedOutcome[]> {
  const project = lockPathOf(workspace);
  const path = existsSync(project) ? project : lockPathOf(home);
  const text = readTextIfPresent(path);
  if (text === undefined) {
    throw new KernelError('not-found', `there is no plugins.lock in ${workspace} or in ${home}`, {
      hint: 'Write one with: cuervo plugin install SOURCE --project',
    });
  }
  const entries = parseProjectLock(text, path).filter(({ source }) => source !== 'built-in');
  const outcomes: LockedOutcome[] = [];
  for (const entry of entries) outcomes.push(await installOne(entry, path, request, ports));
  return outcomes;
}

async function installOne(
  entry: LockedPlugin,
  path: string,
  request: LockedRequest,
  ports: InstallPorts & { acquire: Acquire },
): Promise<LockedOutcome> {
  const { name, version, sha256: digest } = entry;
  const there = ports.installed.list().find((record) => record.name === name);
  if (there?.sha256 === digest && isWhole(there, ports)) {
    requireAsLocked(entry, there, path);
    return { name, version, outcome: 'present' };
  }
  const source = sourceFrom(entry.source, path);
  const acquired = await ports.acquire.locked({ ...entry, source }, { signal: request.signal });
  const said = entry.identity?.text;
  const proven = acquired.identities.map(({ text }) => text);
  const told =
    said === undefined || proven.includes(said)
      ? []
      : [`${path} says that it is by ${said}; its signatures do not say that.`];
  const { signal } = request;
  await installAcquired(
    acquired,
    {
      signal,
      grants: [],
      carryGrants: true,
      told,
      ...(entry.publishedAs === undefined ? {} : { as: name }),
      consent: async (report, granted, update) => {
        const wants = report.capabilities.filter(({ capability }) => capability !== 'network');
        requireAsLocked(entry, { ...report, wants }, path);
        return await request.consent(report, granted, update);
      },
    },
    ports,
  );
  return { name, version, outcome: 'installed' };
}

/** Fields of both a lock and a binary. */
type Said = {
  name?: string;
  version?: string;
  imports: readonly string[];
  wants: readonly { capability: string }[];
  tools: readonly { name: string; effect: string }[];
};

/** People read a lock. If it differs from its binary, somebody edited it, perhaps to deceive. */
function requireAsLocked(entry: LockedPlugin, binary: Said, path: string): void {
  const own = sayings(binary);
  for (const [what, text] of sayings(entry)) {
    const other = own.get(what);
    if (text === other) continue;
    const message = `${path} ${what} ${text}, and the binary says ${other}`;
    throw new KernelError('plugin-fault', shortenText(message, 500), {
      hint: 'Write the lock again: cuervo plugin install SOURCE --project',
    });
  }
}

function sayings({ name = 'nothing', version = 'nothing', ...lists }: Said): Map<string, string> {
  const listed = (names: readonly string[]) =>
    [...new Set(names)].toSorted().join(', ') || 'nothing';
  return new Map([
    ['calls it', name],
    ['gives it version', version],
    ['lets it want', listed(lists.wants.map(({ capability }) => capability))],
    ['lets it import', listed(lists.imports)],
    ['gives it the tools', listed(lists.tools.map((tool) => `${tool.name} (${tool.effect})`))],
  ]);
}

function isWhole(record: PluginRecord, { installed }: InstallPorts): boolean {
  try {
    installed.verify(record);
    return true;
  } catch {
    return false;
  }
}

/** A file of the project stands in its lock relative to it. */
function sourceFrom(source: string, path: string): string {
  const isFile = !/^(?:npm:|oci:|https?:)/i.test(source);
  return isFile && !isAbsolute(source) ? resolve(join(path, '..'), source) : source;
}

/** Puts an installed plugin into the lock of a project, in place of what stands there of its name. */
export function writeLocked(record: PluginRecord, workspace: string): void {
  const path = lockPathOf(workspace);
  changeAlone(path, () => {
    const text = readTextIfPresent(path);
    const others = text === undefined ? [] : parseProjectLock(text, path);
    const plugins = [
      ...others.filter(({ name }) => name !== record.name),
      entryOf(record, workspace),
    ];
    writeFileWhole(path, formatProjectLock(plugins), { mode: 0o644 });
  });
}

function entryOf(record: PluginRecord, workspace: string): LockedPlugin {
  const { name, version, sha256, imports, identity, publishedAs } = record;
  const source = parseSource(record.source, '/');
  const inside = relative(workspace, record.source);
  const isInside = source.kind === 'file' && !inside.startsWith('..') && !isAbsolute(inside);
  return {
    name,
    ...(publishedAs === undefined ? {} : { publishedAs }),
    version,
    source: isInside ? `./${inside.split(sep).join('/')}` : record.source,
    ...(record.resolved === undefined || source.kind === 'file'
      ? {}
      : { resolved: record.resolved }),
    sha256,
    ...(identity === undefined ? {} : { identity: { text: identity.text } }),
    imports: [...imports],
    wants: record.wants.map(({ capability, why }) => ({ capability, why })),
    tools: record.tools.map((tool) => ({ name: tool.name, effect: tool.effect })),
  };
}
