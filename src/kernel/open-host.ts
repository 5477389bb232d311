import type { Config } from '../config/load-config.ts';
import type { Grant } from '../contracts/capability.ts';
import type { HostCaller } from '../contracts/host-service.ts';
import type { HostLimits } from '../host/limits.ts';
import { createPluginHost, type HeldPlugin, type PluginHost } from '../host/plugin-host.ts';
import type { PluginStore } from '../host/plugin-store.ts';
import type { Clock } from '../lib/clock.ts';
import type { FlushableMemory } from '../memory/open-memory.ts';
import { type PluginPermission, permitPlugin } from '../policy/permit-plugin.ts';
import type { StoreWithJournal } from '../store/open-store.ts';
import { createAuthorize } from './authorize.ts';
import type { GrantsFile } from './grants.ts';
import { createHostServices } from './host-services.ts';
import { protectedBelow, rootFolders } from './roots.ts';

export type HostPorts = {
  config: Config;
  clock: Clock;
  limits: HostLimits;
  processBundle: string;
  builtins: PluginStore;
  installed: PluginStore;
  grants: GrantsFile;
  /** of this run alone, for every plugin it uses */
  allowed: readonly Grant[];
  store(): Promise<StoreWithJournal>;
  memory(): Promise<FlushableMemory>;
};

/** The plugin host of one kernel, and what policy says of its plugins. */
export type OpenHost = {
  host: PluginHost;
  permit(plugin: HeldPlugin): PluginPermission;
};

export function openHost(ports: HostPorts): OpenHost {
  const { config, grants } = ports;
  const heldBy = (plugin: string, digest: string): Grant[] => [
    ...grants.of(plugin, digest),
    ...ports.allowed,
  ];
  const permit = ({ name, digest, builtin, capabilities }: HeldPlugin): PluginPermission =>
    permitPlugin({ plugin: name, builtin }, capabilities, heldBy(name, digest));
  const isBuiltin = ({ plugin }: HostCaller): boolean => host.plugin(plugin)?.builtin ?? false;

  const host = createPluginHost({
    stores: [
      { store: ports.builtins, builtin: true },
      { store: ports.installed, builtin: false },
    ],
    permit: (plugin) => {
      const { denied, roots, writeRoots } = permit(plugin);
      // A grant of a root that there is not is told before anything runs.
      rootFolders(writeRoots, config);
      return { denied, roots: rootFolders(roots, config) };
    },
    protectedPaths: protectedBelow(config),
    services: createHostServices({
      ...ports,
      authorize: createAuthorize((caller) => ({
        builtin: isBuiltin(caller),
        grants: heldBy(caller.plugin, caller.digest),
      })),
      rootsOf: (caller, capability) => {
        const { plugin: name, digest } = caller;
        const held = { name, digest, builtin: isBuiltin(caller), capabilities: [capability] };
        const { roots, writeRoots } = permit(held);
        return rootFolders(capability === 'fs' ? roots : writeRoots, config);
      },
    }),
    processBundle: ports.processBundle,
    limits: ports.limits,
  });
  return { host, permit };
}
