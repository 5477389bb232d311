import type { ToolEvent } from '../../contracts/tool.ts';
import type { PluginHost } from '../../host/plugin-host.ts';
import type { KernelServers } from './create-servers.ts';

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
