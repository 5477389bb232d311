import type { GrantsFile } from '../../consent/grants.ts';
import { KernelError } from '../../contracts/error.ts';
import type {
  AuditFinding,
  FoundPlugin,
  LearnedGrant,
  UsedGrant,
} from '../../contracts/output/parse-plugin-output.ts';
import { isSameIdentity, nobody, unknownPlugin } from '../../contracts/plugins.ts';
import type { HostCallRow, Store } from '../../contracts/store.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import type { PluginStore } from '../../host/install/plugin-store.ts';
import type { Acquire } from '../../packages/sources/acquire-plugin.ts';
import type { PluginIndex } from '../../packages/sources/parse-npm.ts';
import { formatGrant, neededGrants } from '../../policy/parse-grant.ts';
import { shippedGrants } from '../consent/grant-commands.ts';

export type FindCommands = {
  /** npm's packages with the keyword `cuervo-plugin`, and the indexes of the configuration. */
  search(
    words: readonly string[],
    options: { signal: AbortSignal },
  ): Promise<{ found: FoundPlugin[]; failed: string[] }>;
  /** Looks at what is installed: grants, versions, who vouches, binaries known to be bad. */
  audit(options: { signal: AbortSignal; offline: boolean }): Promise<AuditFinding[]>;
  /**
   * The least grants that recorded runs needed.
   *
   * @param runs ids, or how they begin
   * @throws {KernelError} `not-found` for a run that does not exist, or that several have
   */
  learn(runs: readonly string[]): Promise<LearnedGrant[]>;
  /**
   * What an installed plugin was granted and what it needed of that, in all recorded runs.
   *
   * @throws {KernelError} `not-found` for an unknown plugin
   */
  use(plugin: string): Promise<UsedGrant[]>;
};

const maxIndexBytes = 32 * 1024 * 1024;

export function createFindCommands(ports: {
  acquire: Acquire;
  indexes: readonly string[];
  builtins: PluginStore;
  installed: PluginStore;
  grants: GrantsFile;
  hasStore(): boolean;
  store(): Promise<Store>;
}): FindCommands {
  const { acquire, indexes, installed, grants } = ports;

  const readIndex = async (address: string, signal: AbortSignal): Promise<PluginIndex> => {
    const { web } = await acquire.access(signal);
    const what = `the index ${address}`;
    const answer = await web.send({ url: new URL(address), what, maxBytes: maxIndexBytes, signal });
    const { parsePluginIndex } = await import('../../packages/sources/parse-npm.ts');
    return parsePluginIndex(answer.body, address);
  };

  const held = ({ name, sha256 }: PluginRecord): string[] =>
    grants.of(name, sha256).map(formatGrant);

  /** The recorded calls of the binary that is installed now. */
  const callsOf = async ({
    name,
    sha256,
  }: PluginRecord): Promise<{ runs: number; calls: HostCallRow[] }> => {
    if (!ports.hasStore()) return { runs: 0, calls: [] };
    const store = await ports.store();
    const steps = store.stepsOf(name, sha256);
    const ofStep = new Set(steps.map(({ run, step }) => `${run} ${step}`));
    const runs = [...new Set(steps.map(({ run }) => run))];
    const calls = runs
      .flatMap((run) => store.hostCalls(run))
      .filter(({ run, step }) => ofStep.has(`${run} ${step}`));
    return { runs: runs.length, calls };
  };

  const used = async (record: PluginRecord): Promise<{ runs: number; grants: Set<string> }> => {
    const { runs, calls } = await callsOf(record);
    return { runs, grants: new Set(neededGrants(calls).map(({ grant }) => grant)) };
  };

  return {
    search: async (words, { signal }) => {
      const found: FoundPlugin[] = [];
      const failed: string[] = [];
      const attempt = async (work: () => Promise<FoundPlugin[]>): Promise<void> => {
        try {
          found.push(...(await work()));
        } catch (thrown) {
          if (signal.aborted) throw thrown;
          failed.push(KernelError.from(thrown, 'internal').message);
        }
      };
      await attempt(async () => {
        const { searchNpm } = await import('../../packages/sources/npm-source.ts');
        return await searchNpm(words, await acquire.access(signal));
      });
      const wanted = words.map((word) => word.toLowerCase());
      for (const address of indexes) {
        await attempt(async () =>
          (await readIndex(address, signal)).plugins
            .filter(({ name, description }) => {
              const text = `${name} ${description}`.toLowerCase();
              return wanted.every((word) => text.includes(word));
            })
            .map(({ name, description, version, source }) => ({
              ...{ name, description, source, from: address },
              ...(version === undefined ? {} : { version }),
            })),
        );
      }
      if (found.length === 0 && failed.length > 0) {
        throw new KernelError('unavailable', failed.join('; '), {
          hint: 'Try again; a registry is taken from ~/.npmrc, indexes from plugins.indexes of config.toml.',
        });
      }
      return { found, failed };
    },
    audit: async ({ signal, offline }) => {
      const findings: AuditFinding[] = [];
      const bad = new Map<string, string>();
      for (const address of offline ? [] : indexes) {
        try {
          for (const each of (await readIndex(address, signal)).bad)
            bad.set(each.sha256, `${each.why} (${address})`);
        } catch (thrown) {
          if (signal.aborted) throw thrown;
          findings.push({
            plugin: '*',
            kind: 'unreachable',
            grave: false,
            finding: KernelError.from(thrown, 'internal').message,
          });
        }
      }
      for (const record of installed.list()) {
        const { name } = record;
        const why = bad.get(record.sha256);
        if (why !== undefined) {
          findings.push({
            plugin: name,
            kind: 'bad',
            grave: true,
            finding: `its binary is known to be bad: ${why}`,
            fix: `cuervo plugin remove ${name}`,
          });
        }
        if (record.identity === undefined) {
          findings.push({
            plugin: name,
            kind: 'unsigned',
            grave: false,
            finding: 'it is not signed',
          });
        }
        const use = await used(record);
        for (const grant of held(record)) {
          // Unknown before the first run.
          if (use.runs === 0 || use.grants.has(grant)) continue;
          findings.push({
            plugin: name,
            kind: 'unused-grant',
            grave: false,
            finding: `it holds ${grant} and needed it in none of its last runs (${use.runs})`,
            fix: `cuervo plugin revoke ${name} ${grant}`,
          });
        }
        if (!offline) findings.push(...(await lookAtSource(record, acquire, signal)));
      }
      return findings;
    },
    learn: (runs) => learnGrants(runs, ports),
    use: async (plugin) => {
      const records = [...ports.builtins.list(), ...installed.list()];
      const record = records.find(({ name }) => name === plugin);
      if (record === undefined) throw unknownPlugin(plugin, records);
      const isBuiltin = ports.builtins.list().includes(record);
      const shipped = isBuiltin ? shippedGrants({ record }).map(({ grant }) => grant) : [];
      const { runs, calls } = await callsOf(record);
      return usedGrants(plugin, { shipped, kept: held(record), calls, isUsed: runs > 0 });
    },
  };
}

/** The journal does not tell by which pattern a tool was allowed. */
const isPattern = (grant: string): boolean => grant.startsWith('tools');

function usedGrants(
  plugin: string,
  {
    shipped,
    kept,
    calls,
    isUsed,
  }: {
    shipped: readonly string[];
    kept: readonly string[];
    calls: readonly HostCallRow[];
    isUsed: boolean;
  },
): UsedGrant[] {
  const needed = neededGrants(calls);
  const names = new Set([...shipped, ...kept, ...needed.map(({ grant }) => grant)]);
  return [...names].map((grant) => {
    const found = needed.find((each) => each.grant === grant);
    const last = calls.findLast((call) => neededGrants([call])[0]?.grant === grant);
    const status = kept.includes(grant)
      ? 'held'
      : shipped.includes(grant)
        ? 'built-in'
        : 'not-held';
    return {
      ...{ plugin, grant, status, calls: found?.calls ?? 0, denied: found?.denied ?? 0 },
      ...(last === undefined ? {} : { lastMs: last.ts }),
      // A plugin that never ran may still need its grants.
      isSpare: isUsed && status === 'held' && found === undefined && !isPattern(grant),
    };
  });
}

async function learnGrants(
  runs: readonly string[],
  ports: {
    installed: PluginStore;
    grants: GrantsFile;
    hasStore(): boolean;
    store(): Promise<Store>;
  },
): Promise<LearnedGrant[]> {
  if (!ports.hasStore()) throw noRun(runs[0] ?? '');
  const store = await ports.store();
  const records = ports.installed.list();
  const calls = new Map<string, ReturnType<Store['hostCalls']>>();
  for (const typed of runs) {
    const [run, second] = typed === '' ? [] : store.runsNamed(typed);
    if (run === undefined || second !== undefined) throw noRun(typed, second !== undefined);
    const plugins = new Map(store.steps(run).map(({ step, plugin }) => [step, plugin]));
    for (const call of store.hostCalls(run)) {
      const plugin = plugins.get(call.step) ?? '';
      calls.set(plugin, [...(calls.get(plugin) ?? []), call]);
    }
  }
  return [...calls].flatMap(([plugin, its]) => {
    const record = records.find(({ name }) => name === plugin);
    // Built-in ones hold what they need.
    if (record === undefined) return [];
    const has = ports.grants.of(record.name, record.sha256).map(formatGrant);
    return neededGrants(its).map((each) => ({
      plugin,
      ...each,
      held: has.includes(each.grant),
    }));
  });
}

/** The current offer of a plugin's source. */
async function lookAtSource(
  record: PluginRecord,
  acquire: Acquire,
  signal: AbortSignal,
): Promise<AuditFinding[]> {
  const { name, identity, sha256, source, version } = record;
  try {
    const now = await acquire.from(source, { signal });
    const findings: AuditFinding[] = [];
    if (now.sha256 !== sha256) {
      const what = now.version === undefined ? 'another binary' : `version ${now.version}`;
      findings.push({
        plugin: name,
        kind: 'behind',
        grave: false,
        finding: `${source} has ${what}; installed is ${version}`,
        fix: `cuervo plugin update ${name}`,
      });
    }
    const isGone =
      identity !== undefined && !now.identities.some((each) => isSameIdentity(each, identity));
    if (isGone) {
      const by = now.identities[0]?.text ?? nobody;
      findings.push({
        plugin: name,
        kind: 'identity',
        grave: true,
        finding: `it is by ${identity.text}; what ${source} has now is by ${by}`,
      });
    }
    return findings;
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return [
      {
        plugin: name,
        kind: 'unreachable',
        grave: false,
        finding: KernelError.from(thrown, 'internal').message,
      },
    ];
  }
}

function noRun(typed: string, isSeveral = false): KernelError {
  const message = isSeveral ? `several runs begin with "${typed}"` : `there is no run "${typed}"`;
  return new KernelError('not-found', message, { hint: 'See what ran with: cuervo runs list' });
}
