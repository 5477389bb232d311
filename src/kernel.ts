import { join } from 'node:path';
import { type Config, type ConfigOverrides, loadConfig } from './config/load-config.ts';
import type { Grant } from './contracts/capability.ts';
import type { RunEvent } from './contracts/events.ts';
import type { PlannedCapability } from './contracts/plan.ts';
import type { JsonObject, Tool, ToolEvent } from './contracts/tool.ts';
import { defaultLimits, type HostLimits } from './host/limits.ts';
import { createPluginHost, type PluginHost } from './host/plugin-host.ts';
import { openPluginStore } from './host/plugin-store.ts';
import { type RunJournal, recordRun, statusOfRun } from './journal/record-run.ts';
import { executePlan } from './kernel/execute-plan.ts';
import { openGrants } from './kernel/grants.ts';
import { openHome } from './kernel/open-home.ts';
import { protectedBelow, rootFolders } from './kernel/roots.ts';
import { createPluginCommands, type PluginCommands } from './kernel/plugin-commands.ts';
import { type RunScope, runEvents } from './kernel/run-events.ts';
import { findTool, outputOf, shownContent } from './kernel/run-tool.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { newId } from './lib/new-id.ts';
import { once } from './lib/once.ts';
import { checkPlan } from './planner/check-plan.ts';
import { plannedCapabilities } from './planner/planned-capabilities.ts';
import { parseGrant } from './policy/parse-grant.ts';
import { permitPlugin } from './policy/permit-plugin.ts';
import type { StoreWithJournal } from './store/open-store.ts';

export type KernelOptions = ConfigOverrides & {
  /** grants of this run alone, for every plugin it uses, e.g. `fs:work` */
  allow?: readonly string[];
  /** log lines and progress of tools */
  onToolEvent?: (tool: string, event: ToolEvent) => void;
  /** one sentence that a person should read */
  onWarning?: (message: string) => void;
  clock?: Clock;
};

export type RunOptions = { signal?: AbortSignal };

/** The library's face: everything the command line does, without printing. The caller owns it. */
export type Kernel = AsyncDisposable & {
  readonly config: Config;
  readonly plugins: PluginCommands;
  tools(): Promise<readonly Tool[]>;
  /** Runs one tool; ends with `result` and `run-finished`, or `error` and `run-finished`. */
  run(tool: string, input: JsonObject, options?: RunOptions): AsyncGenerator<RunEvent, void, undefined>;
};

/**
 * Opens what a command needs and nothing else: plugins, the store and memory are opened by
 * their first use.
 *
 * @throws {KernelError} for a wrong configuration, workspace or grant
 */
export async function openKernel(options: KernelOptions = {}): Promise<Kernel> {
  const config = loadConfig(options);
  const clock = options.clock ?? systemClock;
  const limits: HostLimits = { ...defaultLimits, ...config.limits };
  const allowed = (options.allow ?? []).map(parseGrant);
  const grants = openGrants(config.home, clock);
  const bundles = {
    process: join(config.paths.dist, 'process.js'),
    transpile: join(config.paths.dist, 'transpile.js'),
  };
  const builtins = openPluginStore(config.paths.builtins);
  const installed = openPluginStore(config.home);
  // What is opened later, by first use, is closed with the kernel.
  const opened = new AsyncDisposableStack();

  const permit = (plugin: { name: string; digest: string; builtin: boolean; capabilities: string[] }) => {
    const held: Grant[] = [...grants.of(plugin.name, plugin.digest), ...allowed];
    const holder = { plugin: plugin.name, builtin: plugin.builtin };
    return permitPlugin(holder, plugin.capabilities, held);
  };

  const host = once(
    (): PluginHost =>
      opened.use(
        createPluginHost({
          stores: [
            { store: builtins, builtin: true },
            { store: installed, builtin: false },
          ],
          permit: (plugin) => {
            const { denied, roots } = permit(plugin);
            return { denied, roots: rootFolders(roots, config) };
          },
          protectedPaths: protectedBelow(config),
          processBundle: bundles.process,
          limits,
        }),
      ),
  );

  const store = once(async (): Promise<StoreWithJournal> => {
    openHome(config.home);
    const { openStore } = await import('./store/open-store.ts');
    return opened.use(openStore({ path: join(config.home, 'cuervo.db') }));
  });

  /** What policy says now of the capabilities that the plugins of a plan want. */
  const capabilitiesOf = (name: string): PlannedCapability[] => {
    const builtin = builtins.list().find((record) => record.name === name);
    const record = builtin ?? installed.list().find((other) => other.name === name);
    if (record === undefined) return [];
    const capabilities = record.wants.map((want) => want.capability);
    const plugin = { name, digest: record.sha256, builtin: builtin !== undefined, capabilities };
    const { denied, roots } = permit(plugin);
    return capabilities.flatMap((capability): PlannedCapability[] => {
      if (denied[capability] !== undefined) return [{ capability, decision: 'deny' }];
      if (capability !== 'fs') return [{ capability, decision: 'allow' }];
      return roots.map((detail) => ({ capability, detail, decision: 'allow' }));
    });
  };

  const onToolEvent = options.onToolEvent ?? (() => {});

  async function* run(
    name: string,
    input: JsonObject,
    { signal = new AbortController().signal }: RunOptions = {},
  ): AsyncGenerator<RunEvent, void, undefined> {
    const scope: RunScope = { id: newId(clock.nowMs()), toolMs: 0, modelMs: 0 };
    let journal: RunJournal | undefined;
    yield* runEvents(
      scope,
      clock,
      async function* () {
        yield { type: 'run-started', command: 'run', tool: name, workspace: config.workspace, model: 'none' };
        const tools = await host().tools();
        const tool = findTool(tools, name);
        host().warm(tool.plugin);
        const start = { id: scope.id, session: undefined, command: 'run', question: name };
        const place = { project: config.workspace, model: 'none' };
        journal = recordRun(await store(), { ...start, ...place }, clock);
        const steps = [{ id: 's1', tool: name, input, needs: [], effect: tool.effect }];
        const plan = checkPlan({ steps, capabilities: plannedCapabilities(steps, tools, capabilitiesOf) });
        yield { type: 'plan', ...plan };
        const [result] = yield* executePlan(plan, {
          tools,
          invoker: host(),
          journal,
          scope,
          clock,
          signal,
          stepTimeoutMs: limits.callTimeoutMs,
          onToolEvent,
        });
        const output = outputOf(result);
        const content = shownContent(output.content, config.maxOutputBytes);
        yield { type: 'result', content, summary: output.summary };
      },
      (error) => journal?.finish(statusOfRun(error)),
    );
  }

  const plugins = createPluginCommands({ builtins, installed, grants, bundles, limits, clock, openHome: () => openHome(config.home) });
  return {
    config,
    plugins,
    tools: () => host().tools(),
    run,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
