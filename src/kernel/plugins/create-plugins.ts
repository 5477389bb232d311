import { join } from 'node:path';
import { plannedAuthority, plannedCommand } from '../../consent/planned-authority.ts';
import type { FlushableMemory } from '../../contracts/memory.ts';
import type { Plan, Step } from '../../contracts/plan.ts';
import type { Tool } from '../../contracts/tool.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import { openPluginStore } from '../../host/install/plugin-store.ts';
import { bundlesOf, type PluginHost } from '../../host/plugin-host.ts';
import type { FileIndex } from '../../host/run/index-help.ts';
import { once } from '../../lib/memo.ts';
import { openPublishers } from '../../packages/signatures/parse-publishers.ts';
import {
  createTrustCommands,
  type TrustCommands,
  trustedRoots,
} from '../../packages/signatures/trust-commands.ts';
import { createAcquire } from '../../packages/sources/acquire-plugin.ts';
import { type CapabilityOf, checkPlan, plannedCapabilities } from '../../planner/check-plan.ts';
import type { SecretsFile } from '../../secrets/secrets.ts';
import { createCommandJudge } from '../consent/command-rules.ts';
import type { KernelConsent } from '../consent/create-consent.ts';
import { createGrantCommands, type GrantCommands } from '../consent/grant-commands.ts';
import type { KernelCore } from '../core.ts';
import { withDocuments } from '../documents/with-documents.ts';
import { createHooks } from '../hooks/create-hooks.ts';
import { createReplays, type Replays } from '../journal/create-replays.ts';
import { createServers, type KernelServers, withServers } from '../servers/create-servers.ts';
import { createFindCommands, type FindCommands } from './find-plugins.ts';
import { openHost } from './open-host.ts';
import { createPluginCommands, type PluginCommands } from './plugin-commands.ts';
import type { TriedPlugin } from './try-plugins.ts';

/** The plugins of a kernel: their host, opened by its first use, and the commands about them. */
export type KernelPlugins = {
  host(): PluginHost;
  replays: Replays;
  /** whether a step runs a program that rules know as a reader, as far as a plan can tell */
  onlyReads(step: Step): boolean;
  /** Orders steps, checks them, and says of each what policy says of it. */
  makePlan(steps: readonly Step[], tools: readonly Tool[]): Plan;
  /** servers of others, whose tools are among those of the host */
  servers: KernelServers;
  /** Ends what was started for a run, and runs the hooks for its end. */
  settle(run: string, signal: AbortSignal): Promise<void>;
  commands: PluginCommands &
    GrantCommands &
    TrustCommands &
    FindCommands & { tried(): PluginRecord[] };
};

export function createPlugins(
  core: KernelCore,
  parts: {
    consent: KernelConsent;
    secrets: SecretsFile;
    memory(): Promise<FlushableMemory>;
    index: FileIndex;
    tried: readonly TriedPlugin[];
    /** tools for a goal, best first */
    findTools(goal: string): Promise<readonly Tool[]>;
  },
): KernelPlugins {
  const { config, clock, limits, sandbox, store, openHome, journaled } = core;
  const { consent, secrets, memory, tried } = parts;
  const { grants } = consent;
  const { dist } = config.paths;
  const processBundle = join(dist, 'process.cjs');
  const bundles = bundlesOf(dist);
  const builtins = openPluginStore(config.paths.builtins, { isShipped: true });
  const installed = openPluginStore(config.home, { beside: builtins });

  const open = once(() => {
    const made = openHost({
      config,
      clock,
      limits,
      processBundle,
      sandbox,
      builtins,
      tried: tried.map((each) => each.store),
      installed,
      grants,
      secrets,
      store,
      memory,
      allowed: core.allowed,
      desk: consent.desk,
      readBy: consent.readBy,
      commandRules: consent.rules,
      programSandbox: consent.programSandbox,
      warn: core.warn,
      index: parts.index,
      resolveHost: core.options.resolveHost,
      askYesNo: core.options.askYesNo,
      ...{ standIn: core.options.standIn, records: core.options.record },
      tools: {
        invoker: () => host(),
        find: parts.findTools,
        addedMs: (name) => servers.held(name)?.installedMs,
      },
    });
    core.own(made.host);
    return made;
  });

  const servers = createServers(core, {
    ...{ consent, secrets },
    pluginNames: () => [...builtins.list(), ...installed.list()].map(({ name }) => name),
  });
  const hooks = createHooks(core, consent);
  const host = once(() => hooks.around(withDocuments(withServers(open().host, servers), core)));

  const capabilitiesOf: CapabilityOf = (name, step) => {
    const { host: own, permit, decideCommand } = open();
    const plugin = own.plugin(name);
    if (plugin === undefined) return servers.planned(name, step);
    const command = plugin.builtin ? plannedCommand(step) : undefined;
    if (command === undefined) return plannedAuthority(plugin, permit(plugin));
    const { program } = command;
    const decision = decideCommand(plugin, command);
    return plannedAuthority(plugin, permit(plugin), { program, decision });
  };

  const judge = createCommandJudge(consent.rules, config);
  /** Programs that rules know as readers, of lines that a plan can read. */
  const onlyReads = (step: Step): boolean => {
    const [plugin = ''] = step.tool.split('.', 1);
    if (open().host.plugin(plugin)?.builtin !== true) return false;
    const command = plannedCommand(step);
    if (command === undefined) return false;
    try {
      const { decision, reader } = judge(command);
      return decision === 'allow' && reader;
    } catch {
      // While the rules cannot be read, no program runs.
      return false;
    }
  };

  const ports = { builtins, installed, grants, clock, openHome, journaled };
  const clearValues = async (plugin: string): Promise<void> => {
    if (!core.hasStore()) return;
    const kept = await store();
    kept.values.clear(plugin);
    kept.scrub();
  };
  const acquire = createAcquire({
    home: config.home,
    cache: config.cache,
    roots: () => trustedRoots(config),
    limits,
    environment: config.environment,
    noteRequest: core.noteRequest,
  });
  const publishers = openPublishers(config.home);
  const { sessions } = consent;
  const replays = createReplays(core, { installed, builtins, tried, acquire, processBundle });
  const grantPorts = {
    ...ports,
    servers: servers.commands.list,
    project: config.workspace,
    sessions,
    hasStore: core.hasStore,
  };
  return {
    host,
    servers,
    settle: async (run, signal) => {
      await servers.settle(run);
      await hooks.end(run, signal);
    },
    replays,
    onlyReads,
    makePlan: (steps, tools) =>
      checkPlan({ steps, capabilities: plannedCapabilities(steps, tools, capabilitiesOf) }),
    commands: {
      ...createPluginCommands({
        ...{ ...ports, bundles, limits, sandbox, clearValues, acquire },
        ...{ publishers, require: config.pluginRequire, environment: config.environment },
        ...{ workspace: config.workspace, home: config.home, replayed: replays.ofUpdate },
      }),
      ...createGrantCommands(grantPorts),
      ...createFindCommands({
        ...{ acquire, builtins, installed, grants, store, hasStore: core.hasStore },
        indexes: config.pluginIndexes,
      }),
      ...createTrustCommands({ home: config.home, dist, acquire, installed, publishers, openHome }),
      tried: () => tried.map(({ record }) => record),
    },
  };
}
