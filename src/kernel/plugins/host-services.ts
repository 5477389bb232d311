import { join } from 'node:path';
import type { CapabilityName, KernelCapability } from '../../contracts/capabilities.ts';
import type { Config } from '../../contracts/config.ts';
import type { Authorize } from '../../contracts/consent.ts';
import { createContentGate, createRunnerCheck } from '../../contracts/content-gate.ts';
import type { ChangeKeeper } from '../../contracts/file-changes.ts';
import {
  type HostCaller,
  type HostService,
  type HostServices,
  ServiceError,
} from '../../contracts/host-service.ts';
import type { FlushableMemory } from '../../contracts/memory.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import { createExecServices, type ExecPorts } from '../../host/interfaces/exec.ts';
import {
  type AuthorizeWrite,
  createFsWriteServices,
  type RequireWritable,
} from '../../host/interfaces/fs-write.ts';
import { createHttpServices } from '../../host/interfaces/http.ts';
import { createKvServices, createRandomServices } from '../../host/interfaces/kv.ts';
import { createMemoryServices, type MemoryPorts } from '../../host/interfaces/memory.ts';
import { createToolsServices, type ToolsPorts } from '../../host/interfaces/tools.ts';
import { type ResolveHost, resolveBySystem } from '../../http/resolve-addresses.ts';
import { protectedBelow, realPath, workRoot } from '../../lib/files/paths.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import { once } from '../../lib/memo.ts';
import { sha256 } from '../../lib/sha256.ts';
import { standsAsRead } from '../../memory/stands-as-read.ts';
import { defaultExecLimits } from '../../programs/exec/launch-scripts.ts';
import type { ProgramPorts } from '../../programs/exec/run-program.ts';
import { gitSsh } from '../../programs/git/open-ssh.ts';
import { createPersonGit } from '../../programs/git/person-git.ts';
import { createRepositoryCheck } from '../../programs/snapshot/git-history.ts';
import { defaultSnapshotLimits } from '../../programs/snapshot/walk-root.ts';
import { type ChangeWatcher, createChangeWatcher } from '../../programs/snapshot/watch-changes.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { createChangeKeeper, createStateKeeper } from '../../workspace/keep-changes.ts';
import { createOutputKeeper } from '../../workspace/keep-outputs.ts';
import { withoutSignIns } from '../servers/sign-ins.ts';

export type ServicePorts = {
  config: Config;
  clock: Clock;
  store(): Promise<StoreWithJournal>;
  memory(): Promise<FlushableMemory>;
  authorize: Authorize;
  authorizeWrite: AuthorizeWrite;
  requireWritable: RequireWritable;
  /** @throws {ServiceError} `denied` where a caller holds nothing of a capability */
  requireHeld(caller: HostCaller, capability: CapabilityName): Promise<void>;
  /** in place of the system's resolver */
  resolveHost?: ResolveHost | undefined;
  tools: ToolsPorts;
  askGrant: ExecPorts['askGrant'];
  rootsOf: ExecPorts['rootsOf'];
  lookUp: ExecPorts['lookUp'];
  /** names of the roots whose files a caller may read now */
  readableRoots(caller: HostCaller): Promise<readonly string[]>;
  programSandbox: ExecPorts['sandbox'];
  secrets: Secrets;
  /** one sentence that a person should read */
  warn(text: string): void;
};

/** The host calls that the kernel serves, one file of `host/interfaces` for each interface. */
export function createHostServices(ports: ServicePorts): ReadonlyMap<string, HostService> {
  const { config, clock, store, memory } = ports;
  const blobs = join(config.home, 'blobs');
  const project = config.workspace;
  const keeper = outputKeeperOf(ports);
  const gate = createContentGate(protectedBelow(config));
  const runnerOf = createRunnerCheck(
    protectedBelow(config),
    createRepositoryCheck({ [workRoot]: config.workFolder ?? config.workspace }),
  );
  // The protected names of a run do not change in it.
  const withheldSources = once(async () => {
    const known = (await store()).memorySources.all(project).map(({ source }) => source);
    return known.filter((path) => gate.isProtected(path, workRoot));
  });
  const shownFiles: MemoryPorts['shownFiles'] = async (caller) => {
    const reader = { roots: await ports.readableRoots(caller) };
    if (!reader.roots.includes(workRoot)) return undefined;
    const { memorySources } = await store();
    return {
      withheld: await withheldSources(),
      isShown: (path) =>
        gate.shows({ root: workRoot, path }, reader) &&
        standsAsRead(config.workFolder ?? project, memorySources.get(project, path)),
    };
  };
  const services: { readonly [Name in KernelCapability]: HostServices<Name> } = {
    kv: createKvServices({ values: async () => (await store()).values, outputs: keeper, project }),
    random: createRandomServices(),
    tools: createToolsServices(ports.tools),
    memory: createMemoryServices({ memory, shownFiles, project, clock }),
    http: createHttpServices({
      authorize: ports.authorize,
      requireOrigin: (caller) => ports.requireHeld(caller, 'http'),
      secrets: withoutSignIns(ports.secrets),
      resolve: ports.resolveHost ?? resolveBySystem,
    }),
    exec: createExecServices({
      authorize: ports.authorize,
      askGrant: ports.askGrant,
      rootsOf: ports.rootsOf,
      lookUp: ports.lookUp,
      ...createProgramPorts(ports),
    }),
    'fs-write': createFsWriteServices({
      authorize: ports.authorizeWrite,
      requireWritable: ports.requireWritable,
      protectedPaths: protectedBelow(config),
      runnerOf,
      keeper: async () =>
        config.workFolder !== undefined
          ? keepNothing
          : createChangeKeeper({
              blobs,
              changes: (await store()).changes,
              clock,
            }),
    }),
  };
  return new Map(Object.values(services).flatMap((calls) => Object.entries(calls)));
}

type ProgramParts = Pick<
  ServicePorts,
  'config' | 'store' | 'clock' | 'warn' | 'programSandbox' | 'resolveHost'
>;

/** How programs are confined, watched and limited, whoever starts them. */
export function createProgramPorts(ports: ProgramParts): ProgramPorts {
  const { config } = ports;
  const git = createPersonGit(config.environment());
  return {
    protectedPaths: protectedBelow(config),
    home: realPath(config.home),
    sandbox: ports.programSandbox,
    askGit: git.ask,
    gitAttributesFile: git.attributesFile,
    gitSafeFolders: git.safeFolders,
    gitCredential: config.workFolder === undefined ? git.credential : refuseRemote,
    gitSsh: config.workFolder === undefined ? () => gitSsh(config.programs.sshAgent) : noRemote,
    resolve: ports.resolveHost ?? resolveBySystem,
    warn: ports.warn,
    changes: createWorkspaceWatcher(ports),
    limits: { ...defaultExecLimits, ...config.exec },
    keepOutput: async (owner) => (await outputKeeperOf(ports)()).open(owner),
  };
}

function outputKeeperOf({
  config,
  clock,
  store,
}: Pick<ServicePorts, 'config' | 'clock' | 'store'>) {
  const place = { blobs: join(config.home, 'blobs'), project: config.workspace };
  return async () => createOutputKeeper({ ...place, rows: (await store()).outputs, clock });
}

/** Finds what programs change in the workspace. */
function createWorkspaceWatcher({
  config,
  store,
  clock,
  warn,
}: Pick<ServicePorts, 'config' | 'store' | 'clock' | 'warn'>): ChangeWatcher {
  if (config.workFolder !== undefined) return watchNothing;
  const withheld = protectedBelow(config);
  return createChangeWatcher({
    isProtected: createContentGate(withheld).isProtected,
    runnerOf: createRunnerCheck(withheld, createRepositoryCheck({ [workRoot]: config.workspace })),
    warn,
    known: join(realPath(config.home), 'snapshots'),
    limits: { ...defaultSnapshotLimits, ...config.snapshot },
    keeper: async () =>
      createStateKeeper({
        blobs: join(config.home, 'blobs'),
        changes: (await store()).changes,
        clock,
      }),
  });
}

/** The changes of a dry run are found in its copy of the workspace. */
const watchNothing: ChangeWatcher = {
  foresee: async () => [],
  watch: async () => async () => [],
};
const keepNothing: ChangeKeeper = { keep: sha256, record: (_, make) => make() };

/** A push cannot be taken back, and a dry run changes nothing. */
async function refuseRemote(): Promise<never> {
  return noRemote();
}

function noRemote(): never {
  throw new ServiceError(
    'denied',
    'a dry run talks to no remote of git',
    '',
    'Run it without --dry-run.',
  );
}
