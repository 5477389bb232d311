import { join } from 'node:path';
import type { Config } from '../config/load-config.ts';
import type { Authorize } from '../contracts/authority.ts';
import type { CapabilityName } from '../contracts/capability.ts';
import type { ChangeKeeper } from '../contracts/file-changes.ts';
import type { HostCaller, HostService } from '../contracts/host-service.ts';
import type { Secrets } from '../contracts/secrets.ts';
import { protectAlso } from '../host/below/protected-check.ts';
import { defaultExecLimits } from '../host/exec/exec-limits.ts';
import { type ResolveHost, resolveBySystem } from '../host/http/resolve-addresses.ts';
import { createExecServices, type ExecPorts } from '../host/interfaces/exec.ts';
import {
  type AuthorizeWrite,
  createFsWriteServices,
  type RequireWritable,
} from '../host/interfaces/fs-write.ts';
import { createHttpServices } from '../host/interfaces/http.ts';
import { createKvServices } from '../host/interfaces/kv.ts';
import { createMemoryServices } from '../host/interfaces/memory.ts';
import { createRandomServices } from '../host/interfaces/random.ts';
import { defaultSnapshotLimits } from '../host/snapshot/snapshot-limits.ts';
import { type ChangeWatcher, createChangeWatcher } from '../host/snapshot/watch-changes.ts';
import type { Clock } from '../lib/clock.ts';
import { sha256 } from '../lib/sha256.ts';
import type { FlushableMemory } from '../memory/open-memory.ts';
import type { StoreWithJournal } from '../store/open-store.ts';
import { createChangeKeeper } from '../workspace/keep-changes.ts';
import { createOutputKeeper } from '../workspace/keep-outputs.ts';
import { createStateKeeper } from '../workspace/keep-state.ts';
import { gitIdentity } from './git-identity.ts';
import { protectedBelow, realHome } from './roots.ts';

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
  rootsOf: ExecPorts['rootsOf'];
  programSandbox: ExecPorts['sandbox'];
  secrets: Secrets;
  /** one sentence that a person should read */
  warn(text: string): void;
};

/** The host calls that the kernel serves, one file of `host/interfaces` for each interface. */
export function createHostServices(ports: ServicePorts): ReadonlyMap<string, HostService> {
  const { config, clock, store, memory } = ports;
  const blobs = join(config.home, 'blobs');
  const keeper = async () => createOutputKeeper({ blobs, rows: (await store()).outputs, clock });
  return new Map([
    ...createKvServices(async () => (await store()).values, keeper),
    ...createRandomServices(),
    ...createMemoryServices({ memory, project: config.workspace, clock }),
    ...createHttpServices({
      authorize: ports.authorize,
      requireOrigin: (caller) => ports.requireHeld(caller, 'http'),
      secrets: ports.secrets,
      resolve: ports.resolveHost ?? resolveBySystem,
    }),
    ...createExecServices({
      authorize: ports.authorize,
      rootsOf: ports.rootsOf,
      protectedPaths: protectedBelow(config),
      home: realHome(config.home),
      sandbox: ports.programSandbox,
      gitIdentity,
      resolve: ports.resolveHost ?? resolveBySystem,
      warn: ports.warn,
      changes:
        config.workFolder === undefined
          ? createChangeWatcher({
              isProtected: protectAlso(protectedBelow(config)),
              known: join(realHome(config.home), 'snapshots'),
              limits: { ...defaultSnapshotLimits, ...config.snapshot },
              keeper: async () =>
                createStateKeeper({ blobs, changes: (await store()).changes, clock }),
            })
          : watchNothing,
      limits: { ...defaultExecLimits, ...config.exec },
      keepOutput: async (owner) => (await keeper()).open(owner),
    }),
    ...createFsWriteServices({
      authorize: ports.authorizeWrite,
      requireWritable: ports.requireWritable,
      protectedPaths: protectedBelow(config),
      keeper: async () =>
        config.workFolder !== undefined
          ? keepNothing
          : createChangeKeeper({
              blobs,
              changes: (await store()).changes,
              clock,
            }),
    }),
  ]);
}

/** What is done to the copy of a dry run is found in the copy itself. */
const watchNothing: ChangeWatcher = {
  foresee: async () => [],
  watch: async () => async () => [],
};
const keepNothing: ChangeKeeper = { keep: sha256, record: (_, make) => make() };
