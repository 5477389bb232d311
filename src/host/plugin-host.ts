import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import type { HostService } from '../contracts/host-service.ts';
import { unknownPlugin } from '../contracts/plugins.ts';
import {
  type InvokeOptions,
  type JsonObject,
  refuseLargeInput,
  type Tool,
  type ToolEvent,
  type ToolInvoker,
} from '../contracts/tool.ts';
import { checkInput } from '../lib/check-input.ts';
import { once } from '../lib/memo.ts';
import { createOrphanReaper } from '../lib/process/child.ts';
import { createEventQueue } from '../lib/turns.ts';
import type {
  CallMessage,
  ReplyMessage,
  RequestMessage,
  ResultMessage,
} from '../protocol/messages.ts';
import type { ProcessSandbox } from '../sandbox/process-sandbox.ts';
import type { Bundles } from './install/examine-plugin.ts';
import type { PluginRecord } from './install/plugin-record.ts';
import type { PluginStore } from './install/plugin-store.ts';
import { openMessage, requireMemory } from './install/prepare-plugin.ts';
import { type HostLimits, hostCallsOf } from './limits.ts';
import { explainThrown, failureOf, sourceMapStack } from './run/call-failure.ts';
import { type CallServer, createCallServer } from './run/call-server.ts';
import type { FileIndex } from './run/index-help.ts';
import { parseRejections } from './run/parse-frame.ts';
import { type LoadedPlugin, PluginProcess } from './run/plugin-process.ts';
import {
  type CrashBackoff,
  createCrashBackoff,
  createProcessPool,
  type ProcessPool,
} from './run/process-pool.ts';
import { createRefusalSum, createRequestRate, type RequestRate } from './run/serve-request.ts';

/** The permissions of a plugin in this run, as the policy decides. */
export type Permission = {
  /** capability -> why it is denied, for the guest, and what grants it, for the person */
  denied: Readonly<Record<string, { reason: string; hint: string }>>;
  /** granted roots: name -> absolute directory */
  roots: Readonly<Record<string, string>>;
};

/** A plugin as policy looks at it. */
export type HeldPlugin = {
  name: string;
  /** SHA-256 of the binary, hex */
  digest: string;
  builtin: boolean;
  /** that it wants */
  capabilities: string[];
  /** ms since the epoch */
  installedMs: number;
};

export type PluginHostOptions = {
  /** the built-in ones first; a later store cannot replace a plugin of an earlier one */
  stores: readonly { store: PluginStore; builtin: boolean }[];
  permit(plugin: HeldPlugin): Permission;
  /** per root, paths below it that no plugin reads, whatever it was granted */
  protectedPaths: Readonly<Record<string, readonly string[]>>;
  /** host calls that the kernel serves, by `interface.function` */
  services: ReadonlyMap<string, HostService>;
  /** built bundle of the plugin process */
  processBundle: string;
  sandbox: ProcessSandbox;
  limits: HostLimits;
  /** `services` answer every call, also those that a process serves itself otherwise */
  replays?: boolean;
  /** what services and files answer is kept whole */
  records?: boolean | undefined;
  /** of the files below roots; all of them are looked at when absent */
  index?: FileIndex | undefined;
};

/** Loads plugins and runs their tools. The caller owns it. */
export type PluginHost = ToolInvoker &
  AsyncDisposable & {
    /** Starts the plugin's process ahead of its first call; failures show at the call. */
    warm(plugin: string): void;
    /** As `warm`, until its process is ready or has failed. */
    start(plugin: string): Promise<void>;
    /** The plugin of this name, as it was when the host first looked. */
    plugin(name: string): HeldPlugin | undefined;
  };

/** A plugin that was called once: its processes and what they may do. */
type OpenPlugin = {
  loaded: Loaded;
  pool: ProcessPool;
  permission: Permission;
  /** capability -> why it is denied */
  denied: Readonly<Record<string, string>>;
  rate: RequestRate;
  faults: CrashBackoff;
};

/** The target of one tool's calls. */
type Route = { plugin: string; described: PluginRecord['tools'][number]; open: OpenPlugin };

type Loaded = { record: PluginRecord; store: PluginStore; builtin: boolean };

/** Adds what is in stores to `plugins`, by name; what is there goes first. */
function addLoaded(
  plugins: Map<string, Loaded>,
  stores: PluginHostOptions['stores'],
): Map<string, Loaded> {
  for (const { store, builtin } of stores) {
    for (const record of store.list()) {
      if (!plugins.has(record.name)) plugins.set(record.name, { record, store, builtin });
    }
  }
  return plugins;
}

export function createPluginHost(options: PluginHostOptions): PluginHost {
  const storesOf = (isBuiltin: boolean) =>
    options.stores.filter(({ builtin }) => builtin === isBuiltin);
  const builtins = once(() => addLoaded(new Map(), storesOf(true)));
  const listed = once(() => addLoaded(new Map(builtins()), storesOf(false)));
  // A question starts a built-in plugin: what is installed is read while its process starts.
  const find = (name: string): Loaded | undefined => builtins().get(name) ?? listed().get(name);
  const orphanReaper = createOrphanReaper();
  const opened = new Map<string, OpenPlugin>();
  const routes = new Map<string, Route>();

  function startProcess(roots: Permission['roots'], plugin: LoadedPlugin): PluginProcess {
    const child = new PluginProcess({
      bundle: options.processBundle,
      roots,
      withheld: options.protectedPaths,
      sandbox: options.sandbox,
      startTimeoutMs: options.limits.startTimeoutMs,
      orphanReaper,
    });
    child.load(plugin);
    return child;
  }

  function loadedPlugin({ record, store }: Loaded): LoadedPlugin {
    const { limits, protectedPaths } = options;
    const how = {
      ...(options.replays === true ? { replays: true as const } : {}),
      ...(options.records === true ? { records: true as const } : {}),
    };
    return {
      open: { ...openMessage(record, limits), protectedPaths, ...how },
      files: () => store.read(record),
    };
  }

  function open(name: string): OpenPlugin {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const loaded = find(name);
    if (loaded === undefined) {
      throw unknownPlugin(
        name,
        [...listed().values()].map(({ record }) => record),
      );
    }
    requireMemory(loaded, options.limits.maxMemoryBytes);
    const permission = options.permit(heldPlugin(loaded));
    const pool = createProcessPool((isAwaited) =>
      startProcess(permission.roots, { ...loadedPlugin(loaded), isAwaited }),
    );
    const denied = Object.fromEntries(
      Object.entries(permission.denied).map(([capability, { reason }]) => [capability, reason]),
    );
    const rate = createRequestRate(options.limits.maxRequestsPerMinute);
    const plugin = {
      loaded,
      pool,
      permission,
      denied,
      rate,
      faults: createCrashBackoff(`plugin "${name}"`),
    };
    opened.set(name, plugin);
    return plugin;
  }

  function routeOf(fullName: string): Route {
    const known = routes.get(fullName);
    if (known !== undefined) return known;
    const { plugin, tool } = splitName(fullName);
    const target = open(plugin);
    const { record } = target.loaded;
    const described = record.tools.find(({ name }) => name === tool);
    if (described === undefined) throw noSuchTool(record, fullName);
    const route = { plugin, described, open: target };
    routes.set(fullName, route);
    return route;
  }

  async function callTool(
    call: Parameters<ToolInvoker['invoke']>[0],
    callOptions: InvokeOptions,
    push: (event: ToolEvent) => void,
  ): Promise<void> {
    const route = routeOf(call.tool);
    const { services, limits, index } = options;
    await serveCall(route, call, callOptions, {
      ...{ services, limits, index, push, records: options.records },
    });
  }

  const warm = (plugin: string): ProcessPool | undefined => {
    try {
      const { pool } = open(plugin);
      pool.warm();
      return pool;
    } catch {
      // The call says why there is none, or why it cannot be opened.
      return undefined;
    }
  };

  return {
    tools: async () => [...listed().values()].flatMap(({ record }) => toolsOf(record)),
    plugin: (name) => {
      const loaded = find(name);
      return loaded === undefined ? undefined : heldPlugin(loaded);
    },
    warm: (plugin) => void warm(plugin),
    start: async (plugin) => warm(plugin)?.started(),
    invoke: (call, callOptions) => {
      const queue = createEventQueue<ToolEvent>();
      callTool(call, callOptions, queue.push).then(queue.close, queue.fail);
      return queue.values();
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...opened.values()].map(({ pool }) => pool[Symbol.asyncDispose]()));
      orphanReaper[Symbol.dispose]();
    },
  };
}

/** Remarks of host calls in one summary. */
const maxRemarks = 3;

/**
 * One call of a tool on a process of its plugin: its events, host calls among them, are pushed.
 *
 * @throws {KernelError} of the tool, the plugin or a limit
 */
async function serveCall(
  { plugin, described, open }: Route,
  { tool: fullName, input: given }: Parameters<ToolInvoker['invoke']>[0],
  { signal, timeoutMs, run, step, rehearsal, record, nest, chain = [] }: InvokeOptions,
  {
    services,
    limits,
    index,
    push,
    records,
  }: Pick<PluginHostOptions, 'services' | 'limits' | 'index' | 'records'> & {
    push(event: ToolEvent): void;
  },
): Promise<void> {
  const { loaded, pool, permission, denied, rate, faults } = open;
  checkInput(fullName, described.inputSchema as JsonObject, given);
  const input = JSON.stringify(given);
  refuseLargeInput(fullName, input);
  const { name: tool, effect } = described;
  // Most calls ask the kernel for nothing.
  let server: CallServer | undefined;
  const remarks = new Set<string>();
  const makeServer = (process: PluginProcess): CallServer =>
    createCallServer({
      services,
      caller: {
        plugin,
        digest: loaded.record.sha256,
        ...(loaded.record.data === undefined ? {} : { data: loaded.record.data }),
        ...{ tool: fullName, effect, chain: [...chain, fullName] },
        ...(nest === undefined ? {} : { nest }),
        whileWaiting: (work) => process.whileWaiting(work),
        tell: (label) => push({ type: 'progress', label, done: 0 }),
        remark: (text) => void remarks.add(text),
        ...(run === undefined ? {} : { run }),
        ...(step === undefined ? {} : { step }),
        ...(rehearsal === undefined ? {} : { rehearsal }),
      },
      signal,
      effect,
      denied,
      maxHostCalls: hostCallsOf(loaded.record.limits?.hostCalls, limits),
      rate,
      pool,
      ...{ index, records },
      roots: permission.roots,
      onServed: (hostCall) => {
        if (/^(?:fs-write|exec)\./.test(hostCall.call)) index?.noteChange();
        record?.(hostCall);
        push({ type: 'host-call', call: hostCall, by: 'kernel' });
      },
    });
  let result: ResultMessage;
  try {
    result = await runOnPool(pool, faults, {
      message: { tool, input, effect, denied },
      signal,
      timeoutMs,
      isNested: chain.length > 0,
      onEvent: push,
      serve: (request, process) => {
        server ??= makeServer(process);
        return server.serve(request);
      },
    });
  } catch (thrown) {
    throw explainThrown(fullName, thrown, timeoutMs);
  } finally {
    if (server !== undefined) await server.end();
  }
  if (result.calls.length > 0) {
    const reported = createRefusalSum((call) => push({ type: 'host-call', call, by: 'plugin' }));
    for (const hostCall of result.calls) reported.add(hostCall);
    reported.end();
  }
  const named = (message: string): string =>
    sourceMapStack(message, () => loaded.store.component(loaded.record));
  const withoutRejections = (text: string): string => {
    const { said, rejected } = parseRejections(text);
    for (const each of rejected) {
      const message = `a promise that nothing awaits was rejected: ${named(each)}`;
      push({ type: 'log', level: 'error', message });
    }
    return said;
  };
  if (result.outcome !== 'ok') {
    const { served = [] } = server ?? {};
    const told =
      result.outcome === 'error'
        ? { ...result, message: named(withoutRejections(result.message)) }
        : result;
    throw failureOf({ tool: fullName, effect, result: told, served, denied: permission.denied });
  }
  const { content, summary } = result;
  const more = remarks.size - maxRemarks;
  const told = [...remarks].slice(0, maxRemarks).concat(more > 0 ? `and ${more} more such` : []);
  const said = [withoutRejections(summary), ...told].join('; ');
  push({ type: 'output', output: { content, summary: said } });
}

function heldPlugin({ record, builtin }: Loaded): HeldPlugin {
  const capabilities = record.wants.map((want) => want.capability);
  const { name, sha256: digest, installedMs } = record;
  return { name, digest, builtin, capabilities, installedMs };
}

type CallOnPool = {
  message: Omit<CallMessage, 'id'>;
  signal: AbortSignal;
  timeoutMs: number;
  /** another call waits for it */
  isNested: boolean;
  onEvent(event: ToolEvent): void;
  serve(request: RequestMessage, process: PluginProcess): Promise<ReplyMessage>;
};

async function runOnPool(
  pool: ProcessPool,
  faults: CrashBackoff,
  { message, signal, timeoutMs, isNested, onEvent, serve }: CallOnPool,
): Promise<ResultMessage> {
  const pause = faults.admit(signal);
  if (pause !== undefined) await pause;
  let process: PluginProcess | undefined;
  try {
    const taken = pool.take(signal, { isNested });
    const own = taken instanceof Promise ? await taken : taken;
    process = own;
    const result = await own.call(message, {
      signal,
      timeoutMs,
      onRequest: (request) => serve(request, own),
      onMessage: (received) => {
        if (received.kind === 'log') onEvent({ type: 'log', ...received.message });
        if (received.kind === 'progress') onEvent({ type: 'progress', ...received.message });
      },
    });
    faults.note(result.outcome === 'trap' ? result.message : undefined);
    return result;
  } catch (thrown) {
    // A plugin that took too long, or was stopped, is not one that cannot be started.
    if (thrown instanceof KernelError && thrown.code === 'plugin-fault')
      faults.note(thrown.message);
    throw thrown;
  } finally {
    if (process !== undefined) pool.give(process);
  }
}

function toolsOf(record: PluginRecord): Tool[] {
  return record.tools.map((tool) => ({
    name: `${record.name}.${tool.name}`,
    plugin: record.name,
    pluginVersion: record.version,
    digest: record.sha256,
    effect: tool.effect,
    description: tool.description,
    inputSchema: tool.inputSchema as JsonObject,
    ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
    examples: tool.examples,
  }));
}

function splitName(name: string): { plugin: string; tool: string } {
  const dot = name.indexOf('.');
  const plugin = name.slice(0, dot);
  const tool = name.slice(dot + 1);
  if (dot > 0 && tool !== '' && !tool.includes('.')) return { plugin, tool };
  throw new KernelError(
    'invalid-argument',
    `"${name}" is not a tool name; one looks like search.grep`,
    {
      hint: 'See the tools with: cuervo tools',
    },
  );
}

function noSuchTool(record: PluginRecord, name: string): KernelError {
  const known = record.tools.map((tool) => `${record.name}.${tool.name}`).join(', ');
  return new KernelError('not-found', `no tool "${name}"; ${record.name} has ${known}`, {
    hint: 'See the tools with: cuervo tools',
  });
}

/** @param dist folder of the built bundles */
export function bundlesOf(dist: string): Bundles {
  return {
    process: join(dist, 'process.cjs'),
    transpile: join(dist, 'transpile.js'),
    wrap: join(dist, 'wrap.js'),
  };
}
