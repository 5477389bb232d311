import type { ConsentDesk } from '../../consent/consent-desk.ts';
import type { GrantsFile } from '../../consent/grants.ts';
import type { PlannedCommand } from '../../consent/planned-authority.ts';
import type { Grant } from '../../contracts/capability.ts';
import type { Config } from '../../contracts/config.ts';
import type { AuthorityRequest } from '../../contracts/consent.ts';
import {
  type HostCaller,
  type HostService,
  notDone,
  ServiceError,
} from '../../contracts/host-service.ts';
import type { FlushableMemory } from '../../contracts/memory.ts';
import type { PluginStore } from '../../host/install/plugin-store.ts';
import type { HostLimits } from '../../host/limits.ts';
import { createPluginHost, type HeldPlugin, type PluginHost } from '../../host/plugin-host.ts';
import type { FileIndex } from '../../host/run/index-help.ts';
import type { ResolveHost } from '../../http/resolve-addresses.ts';
import { protectedBelow, rootFolders } from '../../lib/files/paths.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import { sayOnce } from '../../lib/memo.ts';
import {
  type PluginPermission,
  type PolicyConfig,
  parseDenials,
  permitPlugin,
  type RequestingPlugin,
} from '../../policy/decide.ts';
import { formatGrant, hasItsRoot } from '../../policy/parse-grant.ts';
import { type FoundProgram, ProgramRefused } from '../../programs/exec/find-program.ts';
import { usableSandbox } from '../../programs/exec/find-sandbox.ts';
import { remotePlugin } from '../../programs/git/command-line.ts';
import { programFacts } from '../../programs/lookup/look-up-program.ts';
import type { ProcessSandbox } from '../../sandbox/process-sandbox.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import {
  type CallerAuthority,
  createAskGrant,
  createAuthorize,
  createRequireHeld,
  createRequireTool,
  decideRequest,
  type NoteUse,
} from '../consent/authorize.ts';
import { createAuthorizeWrite, createRequireWritable } from '../consent/authorize-write.ts';
import { type CommandRules, createCommandJudge } from '../consent/command-rules.ts';
import type { KernelOptions } from '../kernel-options.ts';
import { createHostServices, type ServicePorts } from './host-services.ts';
import { createProgramLookUp } from './look-up-programs.ts';

export type HostPorts = Pick<ServicePorts, 'programSandbox' | 'secrets'> & {
  config: Config;
  clock: Clock;
  limits: HostLimits;
  processBundle: string;
  sandbox: ProcessSandbox;
  builtins: PluginStore;
  /** of this kernel alone */
  tried: readonly PluginStore[];
  installed: PluginStore;
  grants: GrantsFile;
  /** of this run alone, for every plugin it uses */
  allowed: readonly Grant[];
  desk: ConsentDesk;
  /** see `KernelConsent` */
  readBy(run: string | undefined): string | undefined;
  store(): Promise<StoreWithJournal>;
  memory(): Promise<FlushableMemory>;
  /** one sentence that a person should read */
  warn(text: string): void;
  /** in place of the system's resolver */
  resolveHost?: ResolveHost | undefined;
  commandRules: CommandRules;
  index: FileIndex;
  askYesNo: KernelOptions['askYesNo'];
  standIn: KernelOptions['standIn'];
  records: boolean | undefined;
  tools: Omit<ServicePorts['tools'], 'requireTool'> & {
    /** when an MCP server was added; undefined for any other name */
    addedMs(server: string): number | undefined;
  };
};

/** The plugin host of one kernel, and what policy says of its plugins. */
export type OpenHost = {
  host: PluginHost;
  permit(plugin: HeldPlugin): PluginPermission;
  /** The verdict on a plugin's command if it ran now; runs nothing. */
  decideCommand(plugin: HeldPlugin, command: PlannedCommand): 'allow' | 'ask' | 'deny';
};

export function openHost(ports: HostPorts): OpenHost {
  const { config, grants, desk } = ports;
  const policy: PolicyConfig = { denied: parseDenials(config.denied) };
  const warnOnce = sayOnce(ports.warn);
  const tellRootless = (plugin: string, grant: Grant): void => {
    const command = `cuervo plugin revoke ${plugin} ${formatGrant(grant)}`;
    warnOnce(
      `${formatGrant(grant)} gives ${plugin} nothing: there is no root "${grant.detail}"; revoke it with: ${command}`,
    );
  };
  // A bad root in the file must not end every call of the plugin, also those without roots.
  const heldBy = (plugin: string, digest: string): Grant[] => {
    const kept = grants.of(plugin, digest, config.workspace);
    for (const grant of kept) if (!hasItsRoot(grant)) tellRootless(plugin, grant);
    return [...kept.filter(hasItsRoot), ...ports.allowed];
  };
  const permit = (plugin: HeldPlugin): PluginPermission =>
    permitPlugin(manifestOf(plugin), heldBy(plugin.name, plugin.digest), policy);

  const ofGit = async ({ name, digest }: HeldPlugin, caller: HostCaller): Promise<Grant[]> => [
    ...heldBy(name, digest),
    ...(await desk.sessionGrants({ ...caller, plugin: name, digest })),
  ];

  /** The current authority of a caller. */
  const authorityOf = async (caller: HostCaller): Promise<CallerAuthority> => {
    const plugin = host.plugin(caller.plugin);
    const git = host.plugin(remotePlugin);
    const nobody = { plugin: caller.plugin, builtin: false, wants: [] };
    return {
      manifest: plugin === undefined ? nobody : manifestOf(plugin),
      grants: [...heldBy(caller.plugin, caller.digest), ...(await desk.sessionGrants(caller))],
      ...(git?.builtin ? { ofGit: await ofGit(git, caller) } : {}),
      typed: ports.allowed,
    };
  };

  const used: NoteUse = async (grant, { plugin, run, step, rehearsal }, by) => {
    if (run === undefined || rehearsal !== undefined) return;
    const body = { plugin, grant: formatGrant(grant), by };
    const entry = { run, ts: ports.clock.nowMs(), kind: 'grant' as const, body };
    (await ports.store()).ofRun.addEvents([{ ...entry, ...(step === undefined ? {} : { step }) }]);
  };

  const deciding = {
    judgeCommand: createCommandJudge(ports.commandRules, config),
    confined: config.execSandbox === 'os',
    runsSandboxed: config.runsSandboxed,
    policy,
  };

  const { lookUp, lookUpNow } = createProgramLookUp(ports);

  const decideCommand: OpenHost['decideCommand'] = (plugin, command) => {
    const authority = {
      manifest: manifestOf(plugin),
      grants: heldBy(plugin.name, plugin.digest),
      typed: ports.allowed,
    };
    const request: AuthorityRequest = {
      capability: 'exec',
      ...command,
      ...factsOf(() =>
        lookUpNow(command.program, { folders: { work: config.workspace }, cwd: command.cwd }),
      ),
    };
    try {
      return decideRequest(request, authority, deciding).decision;
    } catch (thrown) {
      // While the rules cannot be read, no program runs.
      if (thrown instanceof ServiceError) return 'deny';
      throw thrown;
    }
  };

  const host = createPluginHost({
    stores: [
      { store: ports.builtins, builtin: true },
      ...ports.tried.map((store) => ({ store, builtin: false })),
      { store: ports.installed, builtin: false },
    ],
    permit: (plugin) => {
      const { denied, roots, writeRoots } = permit(plugin);
      // A grant of a missing root is reported before anything runs.
      rootFolders(writeRoots, config);
      return { denied, roots: rootFolders(roots, config) };
    },
    protectedPaths: protectedBelow(config),
    ...{ index: ports.index, records: ports.records },
    services: withStandIn(
      ports.standIn,
      createHostServices({
        ...ports,
        lookUp,
        authorize: doNothingRehearsed(
          createAuthorize({
            ...deciding,
            authorityOf,
            desk,
            requireSandbox: async () => usableSandbox(await ports.programSandbox()),
            requireJournal: () => requireJournal(ports),
            used,
            readBy: ports.readBy,
          }),
          (_, caller) => caller,
        ),
        askGrant: createAskGrant({ desk, authorityOf, git: () => host.plugin(remotePlugin) }),
        tools: {
          ...ports.tools,
          requireTool: createRequireTool({
            authorityOf,
            policy,
            installedMs: (plugin) =>
              host.plugin(plugin)?.installedMs ?? ports.tools.addedMs(plugin),
          }),
        },
        requireHeld: createRequireHeld({ authorityOf, policy }),
        authorizeWrite: doNothingRehearsed(
          createAuthorizeWrite({
            ...{ authorityOf, policy, desk, config },
            requireJournal: () => requireJournal(ports),
            used,
          }),
          (caller) => caller,
        ),
        requireWritable: createRequireWritable({ authorityOf, policy, desk }),
        readableRoots: async (caller) => {
          const { manifest, grants } = await authorityOf(caller);
          return permitPlugin(manifest, grants, policy).roots;
        },
        rootsOf: async (caller) => {
          const { manifest, grants } = await authorityOf(caller);
          // A plugin that wants programs alone may still be granted a root to run them in.
          const reaching = { ...manifest, wants: ['fs', 'fs-write'] };
          const { roots, writeRoots } = permitPlugin(reaching, grants, policy);
          return rootFolders([...roots, ...writeRoots], config);
        },
      }),
    ),
    processBundle: ports.processBundle,
    sandbox: ports.sandbox,
    limits: ports.limits,
  });
  return { host, permit, decideCommand };
}

/** Calls that a plugin may not make at all are denied before. */
function withStandIn(
  standIn: HostPorts['standIn'],
  services: ReadonlyMap<string, HostService>,
): ReadonlyMap<string, HostService> {
  if (standIn === undefined) return services;
  return new Map(
    [...services].map(([call, serve]): [string, HostService] => [
      call,
      async (args, caller) => (await standIn(call, args)) ?? (await serve(args, caller)),
    ]),
  );
}

/** A missing program is not denied here; the call reports it. */
function factsOf(look: () => FoundProgram): ReturnType<typeof programFacts> {
  try {
    return programFacts(look());
  } catch (thrown) {
    if (thrown instanceof ProgramRefused) return {};
    throw thrown;
  }
}

/** A rehearsal does not run allowed calls either. */
function doNothingRehearsed<Args extends readonly unknown[], Given>(
  authorize: (...args: Args) => Promise<Given>,
  callerOf: (...args: Args) => HostCaller,
): (...args: Args) => Promise<Given> {
  return async (...args) => {
    const given = await authorize(...args);
    if (callerOf(...args).rehearsal !== undefined) throw new ServiceError('denied', notDone);
    return given;
  };
}

function manifestOf({ name, builtin, capabilities }: HeldPlugin): RequestingPlugin {
  return { plugin: name, builtin, wants: capabilities };
}

/**
 * What a run does is journaled before it is done.
 *
 * @throws {ServiceError} `limit` on a full disk, else `denied`
 */
async function requireJournal({ store }: Pick<HostPorts, 'store'>): Promise<void> {
  const { unwritable } = await store();
  if (unwritable === undefined) return;
  const tag = unwritable.code === 'resource-exhausted' ? 'limit' : 'denied';
  throw new ServiceError(tag, unwritable.message, '', unwritable.hint);
}
