import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import type { ReplayReport } from '../../contracts/output/parse-journal.ts';
import type { UpdatedPlugin } from '../../contracts/output/parse-plugin-output.ts';
import { nobody, unknownPlugin } from '../../contracts/plugins.ts';
import { inspectPlugin } from '../../host/install/install-plugin.ts';
import { readPrepared } from '../../host/install/packed-files.ts';
import { componentFile, type PluginRecord } from '../../host/install/plugin-record.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { escapeText } from '../../lib/text/printable.ts';
import { compareVersions, describeSource } from '../../packages/install/describe-update.ts';
import type { Acquire, AcquiredPlugin } from '../../packages/sources/acquire-plugin.ts';
import { parseSource, sourceBase } from '../../packages/sources/parse-source.ts';
import { formatGrant } from '../../policy/parse-grant.ts';
import type { Replays } from '../journal/create-replays.ts';
import { type InstallPorts, type InstallRequest, installAcquired } from './install-plugin.ts';

export type UpdateRequest = Pick<InstallRequest, 'signal' | 'consent'> & {
  /** how many newest runs the new version must answer again before a person accepts it */
  replay?: number | undefined;
};

type UpdatePorts = InstallPorts & { acquire: Acquire; replayed: Replays['ofUpdate'] };

/**
 * Asks the source of each plugin for what is there now. Nothing new runs and nothing widens before a
 * person accepts the difference; one that fails stops no other.
 *
 * @param name undefined means all
 * @throws {KernelError} `not-found`; for a single one, what it failed for
 */
export async function updatePlugins(
  name: string | undefined,
  request: UpdateRequest,
  ports: UpdatePorts,
): Promise<UpdatedPlugin[]> {
  const records = ports.installed
    .list()
    .filter((record) => name === undefined || record.name === name);
  if (name !== undefined && records.length === 0) throw unknownPlugin(name, ports.installed.list());
  const updated: UpdatedPlugin[] = [];
  for (const record of records) {
    try {
      updated.push(await updateOne(record, request, ports));
    } catch (thrown) {
      const error = KernelError.from(thrown, 'internal');
      if (request.signal.aborted || (name !== undefined && error.code !== 'canceled')) throw error;
      const outcome = error.code === 'canceled' ? 'declined' : 'failed';
      const { hint } = error;
      updated.push({
        name: record.name,
        outcome,
        from: record.version,
        reason: error.message,
        ...(hint === undefined ? {} : { hint }),
      });
    }
  }
  return updated;
}

async function updateOne(
  record: PluginRecord,
  { signal, consent, replay }: UpdateRequest,
  ports: UpdatePorts,
): Promise<UpdatedPlugin> {
  const acquired = await ports.acquire.from(record.source, { signal });
  const { name, version: from } = record;
  if (acquired.sha256 === record.sha256)
    return { name, outcome: 'current', from, ...whyNoNewer(record.source) };
  let replayed: ReplayReport[] | undefined;
  const { version: to } = await installAcquired(
    acquired,
    {
      ...{ signal, grants: [], carryGrants: true },
      consent: async (report, granted, update) => {
        requireNewer(record, report.version, acquired);
        if (replay !== undefined)
          replayed = await ports.replayed(name, acquired.bytes, {
            ...{ source: acquired.resolved, limit: replay, signal },
          });
        return await consent(report, granted, [...update, ...replayLines(name, replayed)]);
      },
      ...(record.publishedAs === undefined ? {} : { as: name }),
    },
    ports,
  );
  return { name, outcome: 'updated', from, to, ...(replayed === undefined ? {} : { replayed }) };
}

/** Whether a new version would have behaved the same, for a person. */
function replayLines(name: string, reports: readonly ReplayReport[] | undefined): string[] {
  if (reports === undefined) return [];
  if (reports.length === 0) return [`No recorded run called ${name}: nothing could be replayed.`];
  return reports.map((report) => {
    const [step] = report.steps.filter(({ outcome }) => outcome !== 'alike');
    if (step === undefined) return `Replayed run ${report.run}: it does the same.`;
    const [first] = step.differences;
    const what =
      first === undefined
        ? `${step.step} was not replayed: ${step.why}`
        : `${step.step} differs at ${first.at}, ${first.field}`;
    return escapeText(`Replayed run ${report.run}: ${what}.`);
  });
}

/** A source that names one version never has another one. */
function whyNoNewer(typed: string): { reason?: string } {
  const source = parseSource(typed, '/');
  const version =
    source.kind === 'npm' ? source.range : source.kind === 'oci' ? source.reference : '';
  if (!/^(?:\d+\.\d+\.\d+|sha256:)/.test(version)) return {};
  return {
    reason: `${typed} is one version; for newer ones: cuervo plugin install ${sourceBase(source)}`,
  };
}

/**
 * Refuses an older version, which may have a hole that the newer one closed; a person can name it.
 */
function requireNewer(
  { name, version: from }: PluginRecord,
  to: string | undefined,
  { source, resolved }: AcquiredPlugin,
): void {
  if (to === undefined || compareVersions(to, from) >= 0) return;
  throw new KernelError(
    'conflict',
    `${source} has ${escapeText(to)} now, older than ${name} ${from}; an update goes forward alone`,
    { hint: `To take the older one: cuervo plugin install ${shellWord(resolved)}` },
  );
}

/**
 * Goes back to the binary that was there before, with the grants that it held. Going back once more
 * leads to the newer one again.
 *
 * @returns `told`: one sentence a line, safe to print
 * @throws {KernelError} `not-found` where nothing was there before
 */
export async function rollBack(
  name: string,
  { signal }: { signal: AbortSignal },
  ports: InstallPorts,
): Promise<{ record: PluginRecord; grants: string[]; told: string[] }> {
  const { installed, publishers, grants } = ports;
  const now = installed.list().find((record) => record.name === name);
  if (now === undefined) throw unknownPlugin(name, installed.list());
  const before = installed.previous(name);
  if (before === undefined) {
    throw new KernelError('not-found', `there is no earlier version of ${name} to go back to`, {
      hint: 'Install one by its version: cuervo plugin install SOURCE',
    });
  }
  // The same binary may be installed under another name.
  const folders = [join(installed.kept, before.sha256), installed.folderOf(before)];
  const bytes = readKept(folders, name);
  await inspectPlugin(
    bytes,
    before.source,
    installed,
    ports.prepare(signal),
    async (found, staging) => {
      const { record, reasons } = found;
      if (record === undefined || record.sha256 !== before.sha256) {
        const why = record === undefined ? reasons.join('; ') : 'its file changed on disk';
        throw new KernelError('plugin-fault', `${name} ${before.version} is refused: ${why}`);
      }
      const { files, pages, maxPages, transpiler, packed = {} } = record;
      installed.add({ ...before, files, pages, maxPages, transpiler, packed }, staging, {
        expected: now.sha256,
      });
    },
  );
  const base = before.base ?? sourceBase(parseSource(before.source, '/'));
  const known = publishers.of(name).find(({ data }) => data === (before.data ?? name));
  const digests = known?.digests ?? [];
  const repositoryId = before.identity?.repositoryId;
  publishers.pin({
    ...{ plugin: name, identity: before.identity?.text ?? nobody, source: base, digests },
    data: before.data ?? name,
    ...(repositoryId === undefined ? {} : { repositoryId }),
  });
  return {
    record: before,
    grants: grants.of(name, before.sha256).map(formatGrant),
    told: describeSource(now, before, 'again'),
  };
}

function readKept(folders: readonly string[], name: string): Buffer {
  for (const folder of folders) {
    const bytes = readPrepared(folder, componentFile);
    if (bytes !== undefined) return bytes;
  }
  throw new KernelError('not-found', `the files of the earlier ${name} are gone`, {
    hint: 'Install it again by its version: cuervo plugin install SOURCE',
  });
}
