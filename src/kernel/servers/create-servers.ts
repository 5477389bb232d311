import type { Grant } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import type { PlannedCapability } from '../../contracts/plan.ts';
import type { AddedServer, ServerCommands, ServerTool } from '../../contracts/servers.ts';
import type { Tool, ToolEvent, ToolInvoker } from '../../contracts/tool.ts';
import type { HeldPlugin, PluginHost } from '../../host/plugin-host.ts';
import { resolveBySystem } from '../../http/resolve-addresses.ts';
import { rootFolders } from '../../lib/files/paths.ts';
import { createEventQueue } from '../../lib/turns.ts';
import { denialOf, parseDenials } from '../../policy/decide.ts';
import type { SecretsFile } from '../../secrets/secrets.ts';
import {
  definitionDigest,
  isHere,
  openServerStore,
  refuseElsewhere,
} from '../../servers/server-store.ts';
import { createOutputKeeper } from '../../workspace/keep-outputs.ts';
import type { KernelConsent } from '../consent/create-consent.ts';
import type { KernelCore } from '../core.ts';
import { createProgramPorts } from '../plugins/host-services.ts';
import { createProgramLookUp } from '../plugins/look-up-programs.ts';
import { isHeld } from './authorize-call.ts';
import { createLiveSessions } from './live-sessions.ts';
import type { ServerReach, SessionPorts } from './open-session.ts';
import { createServeCall, isOff } from './serve-call.ts';
import { createServerCommands } from './server-commands.ts';
import { createSignIns } from './sign-ins.ts';

/** Servers of others: their tools among those of plugins, and the commands about them. */
export type KernelServers = {
  /** those that are on */
  tools(): Tool[];
  /** as policy looks at a plugin; undefined for a name that no server has */
  held(name: string): HeldPlugin | undefined;
  /** what policy says of a step now */
  planned(name: string, step: { tool: string }): PlannedCapability[];
  invoke: ToolInvoker['invoke'];
  /** Ends what was started for a run alone, and keeps what it changed. */
  settle(run: string): Promise<void>;
  /** whether something was started for a run alone, other than this server */
  isOpenFor(run: string | undefined): boolean;
  commands: ServerCommands;
};

export function createServers(
  core: KernelCore,
  parts: { consent: KernelConsent; secrets: SecretsFile; pluginNames(): readonly string[] },
): KernelServers {
  const { config, clock, store: openStore, warn, limits } = core;
  const { consent, secrets } = parts;
  const { grants, desk } = consent;
  const store = openServerStore(config.home);
  const denied = parseDenials(config.denied);
  const keeper = async () =>
    createOutputKeeper({
      blobs: `${config.home}/blobs`,
      project: config.workspace,
      rows: (await openStore()).outputs,
      clock,
    });
  const resolve = core.options.resolveHost ?? resolveBySystem;
  const ports: SessionPorts = {
    ...{
      config,
      secrets,
      resolve,
      signIns: createSignIns({ secrets, resolve, home: config.home }),
    },
    packages: store.packages,
    lookUp: createProgramLookUp({
      config,
      commandRules: consent.rules,
      store: openStore,
      askYesNo: core.options.askYesNo,
      warn,
    }).lookUp,
    service: createProgramPorts({
      ...{ config, clock, warn, store: openStore },
      programSandbox: consent.programSandbox,
      resolveHost: core.options.resolveHost,
    }),
  };
  const live = createLiveSessions(ports);
  core.own(live);

  const keptGrants = ({ name, definition }: AddedServer): Grant[] => [
    ...grants.of(name, definitionDigest(definition), config.workspace),
    ...core.allowed,
  ];
  const reachOf = (held: readonly Grant[]): ServerReach => {
    const allowed = held.filter((grant) => denialOf(grant, denied) === undefined);
    const detailsOf = (name: string): string[] => [
      ...new Set(
        allowed.flatMap(({ capability, detail }) => (capability === name ? (detail ?? []) : [])),
      ),
    ];
    const writable = detailsOf('fs-write');
    const folders = rootFolders([...new Set([...detailsOf('fs'), ...writable])], config);
    return { folders, isWritable: writable.length > 0, origins: detailsOf('http') };
  };

  const toolOf = (server: AddedServer, { name, description, inputSchema }: ServerTool): Tool => ({
    name: `${server.name}.${name}`,
    plugin: server.name,
    pluginVersion: '',
    digest: definitionDigest(server.definition),
    effect: server.reads.includes(name) ? 'read' : 'external',
    description,
    inputSchema,
    examples: [],
  });

  const find = (fullName: string): { server: AddedServer; tool: ServerTool } => {
    const dot = fullName.indexOf('.');
    const name = fullName.slice(0, dot);
    const server = store.require(name);
    refuseElsewhere(server, config.workspace);
    const tool = server.tools.find((each) => each.name === fullName.slice(dot + 1));
    if (tool === undefined) {
      throw new KernelError('not-found', `MCP server ${name} has no tool "${fullName}"`, {
        hint: `See its tools with: cuervo mcp show ${name}`,
      });
    }
    if (server.off.includes(tool.name)) throw isOff(server, tool);
    return { server, tool };
  };

  const serve = createServeCall({
    ...{ find, live, store, denied, desk, keptGrants, reachOf, keeper, warn },
    ...{ typed: core.allowed, readBy: consent.readBy, maxResultBytes: limits.maxResultBytes },
    requireJournal: async () => {
      const { unwritable } = await openStore();
      if (unwritable !== undefined) throw unwritable;
    },
  });

  const on = ({ tools, off }: AddedServer): ServerTool[] =>
    tools.filter(({ name }) => !off.includes(name));

  return {
    tools: () =>
      store
        .list()
        .filter((server) => isHere(server, config.workspace))
        .flatMap((server) => on(server).map((tool) => toolOf(server, tool))),
    held: (name) => {
      const server = store.find(name);
      if (server === undefined) return undefined;
      const digest = definitionDigest(server.definition);
      const { addedMs } = server;
      return { name, digest, builtin: false, capabilities: [], installedMs: addedMs };
    },
    planned: (name, step) => {
      const server = store.find(name);
      if (server === undefined) return [];
      const detail = step.tool.slice(name.length + 1);
      const isDenied = denialOf({ capability: 'call', detail }, denied) !== undefined;
      const otherwise = isHeld(server, detail, keptGrants(server)) ? 'allow' : 'ask';
      return [{ capability: 'call', detail, decision: isDenied ? 'deny' : otherwise }];
    },
    invoke: (call, options) => {
      const queue = createEventQueue<ToolEvent>();
      serve(call, options, queue.push).then(
        (output) => {
          queue.push({ type: 'output', output });
          queue.close();
        },
        (thrown: unknown) => queue.fail(thrown),
      );
      return queue.values();
    },
    settle: live.settle,
    isOpenFor: live.isOpenFor,
    commands: createServerCommands(core, { ...parts, store, ports, reachOf }),
  };
}

/**
 * The tools of plugins and those of added servers. A plugin goes before a server of its name. A server
 * that was started for a run is ended before another tool of the run changes anything, so that each
 * change belongs to who made it.
 */
export function withServers(host: PluginHost, servers: KernelServers): PluginHost {
  const isServer = (name: string): boolean =>
    host.plugin(name) === undefined && servers.held(name) !== undefined;
  const isReading = async (tool: string): Promise<boolean> => {
    const found = (await host.tools()).find(({ name }) => name === tool);
    return found?.effect === 'pure' || found?.effect === 'read';
  };
  async function* settled(
    run: string,
    tool: string,
    invoke: () => AsyncIterable<ToolEvent>,
  ): AsyncGenerator<ToolEvent> {
    if (!(await isReading(tool))) await servers.settle(run);
    yield* invoke();
  }
  return {
    ...host,
    tools: async () => {
      const own = await host.tools();
      const added = servers.tools();
      if (added.length === 0) return own;
      const plugins = new Set(own.map(({ plugin }) => plugin));
      return [...own, ...added.filter(({ plugin }) => !plugins.has(plugin))];
    },
    plugin: (name) => host.plugin(name) ?? servers.held(name),
    warm: (name) => {
      if (!isServer(name)) host.warm(name);
    },
    invoke: (call, options) => {
      const { run } = options;
      const [plugin = ''] = call.tool.split('.', 1);
      if (isServer(plugin)) return servers.invoke(call, options);
      const invoke = (): AsyncIterable<ToolEvent> => host.invoke(call, options);
      return run !== undefined && servers.isOpenFor(run)
        ? settled(run, call.tool, invoke)
        : invoke();
    },
  };
}
