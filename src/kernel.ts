import type { Config } from './contracts/config.ts';
import type { JobCommands } from './contracts/jobs.ts';
import type { FlushableMemory } from './contracts/memory.ts';
import type { ServerCommands } from './contracts/servers.ts';
import type { Store } from './contracts/store.ts';
import type { Tool } from './contracts/tool.ts';
import type { KernelAsk } from './kernel/ask/create-ask.ts';
import { openAsk } from './kernel/ask/open-ask.ts';
import { createChanges, type KernelChanges } from './kernel/changes/create-changes.ts';
import {
  commandPlaces,
  createPolicyCommands,
  type PolicyCommands,
} from './kernel/consent/command-rules.ts';
import { createConsent } from './kernel/consent/create-consent.ts';
import { openCore } from './kernel/core.ts';
import { createJobCommands } from './kernel/jobs.ts';
import { createJournal, type KernelJournal } from './kernel/journal/create-journal.ts';
import { createJournaledRun } from './kernel/journaled-run.ts';
import { checkOptions, type KernelOptions } from './kernel/kernel-options.ts';
import { createFilesIndex } from './kernel/memory/create-files-index.ts';
import { createMemory } from './kernel/memory/create-memory.ts';
import { createModel, type KernelModel } from './kernel/models/create-model.ts';
import { createPlugins, type KernelPlugins } from './kernel/plugins/create-plugins.ts';
import { tryPlugins } from './kernel/plugins/try-plugins.ts';
import { createRemoteGuard, type RemoteGuard } from './kernel/remote-guard.ts';
import { createPlanScript, createRun, type PlanScript, type RunTool } from './kernel/run.ts';
import { untilClosed } from './kernel/runs-under-way.ts';
import { once } from './lib/memo.ts';
import type { FactCommands } from './memory/commands/fact-commands.ts';
import type { IndexCommands } from './memory/commands/index-commands.ts';
import type { MemoryCommands } from './memory/commands/memory-commands.ts';
import { createSecrets, type SecretCommands } from './secrets/create-secrets.ts';

export type { KernelOptions, RunClient } from './kernel/kernel-options.ts';
export type { RemoteGuard } from './kernel/remote-guard.ts';

/**
 * The library's face: everything the command line does, without printing. The caller owns it.
 * Closing it cancels the runs that still go on and waits for them; their last events can be read
 * afterwards.
 */
export type Kernel = AsyncDisposable &
  KernelAsk &
  KernelChanges & {
    readonly config: Config;
    readonly plugins: KernelPlugins['commands'];
    readonly secrets: SecretCommands;
    /** MCP servers of others. */
    readonly servers: ServerCommands;
    /** What runs did, and the proof of it. */
    readonly journal: KernelJournal;
    readonly policy: PolicyCommands;
    /** The state that the scheduler keeps and looks at. */
    readonly jobs: JobCommands;
    tools(): Promise<readonly Tool[]>;
    run: RunTool;
    /** The calls of a script up to its first change, which is not made. */
    planScript: PlanScript;
    /** What stands between this kernel and a model that another program asks. */
    remoteGuard(options?: { isPerson?: boolean }): RemoteGuard;
    /** Reads files into memory and removes rows from it. */
    readonly memoryCommands: MemoryCommands & FactCommands;
    /** The workspace's files as pieces in memory. */
    readonly index: IndexCommands;
    /** The memory service, opened by its first use and closed with the kernel. */
    memory(): Promise<FlushableMemory>;
    store(): Promise<Store>;
    testModel: KernelModel['test'];
    /** The model as it is named by the command line, a choice or the configuration. */
    modelName: KernelModel['name'];
    /** Finds out whether the model can be asked. @throws {KernelError} */
    openModel(): Promise<void>;
    /** Servers and files of models, and which one is used. */
    readonly models: KernelModel['commands'];
  };

/**
 * Opens what a command needs and nothing else: plugins, the store, memory and the model are opened
 * by their first use.
 *
 * @throws {KernelError} for a wrong option, configuration, workspace or grant
 */
export async function openKernel(options: KernelOptions = {}): Promise<Kernel> {
  checkOptions(options);
  await using opened = new AsyncDisposableStack();
  const core = opened.use(await openCore(options));
  const { config, clock, store } = core;
  const consent = createConsent(core);
  const secrets = createSecrets(core);
  const files = createFilesIndex(core);
  const memory = createMemory(core, files);
  const tried = await tryPlugins(core);
  const plugins = createPlugins(core, {
    consent,
    secrets: secrets.file,
    memory: memory.open,
    index: files.forTools,
    tried,
    findTools: async (goal) => (await asked.searchTools(goal)).map(({ tool }) => tool),
  });
  const model = createModel(core, secrets.file);
  const journaledRun = createJournaledRun(core, consent, plugins.settle);
  const { runs } = core;
  const { apply, undo, outputs, pruneBlobs, guardRows } = createChanges(core);
  const { ask, compact, remember, ...asked } = openAsk(core, {
    consent,
    memory,
    plugins,
    model,
    journaledRun,
  });
  const policy = createPolicyCommands({
    invoker: plugins.host,
    rules: consent.rules,
    places: commandPlaces(config),
    confined: config.execSandbox === 'os',
    sandbox: consent.programSandbox,
  });
  const jobs = createJobCommands({
    home: config.home,
    store,
    isStoreOpen: core.isStoreOpen,
    memory: memory.open,
    clock,
    talk: { bytes: config.models.historyBytes, days: config.models.historyDays },
  });
  const single = {
    ...asked,
    pruneBlobs,
    remoteGuard: (options?: { isPerson?: boolean }) => createRemoteGuard(core, options),
    guardRows,
    tools: async () => await plugins.host().tools(),
    memory: once(async () => untilClosed(runs, await memory.open(), { rows: true })),
    store,
    planScript: createPlanScript(plugins),
    testModel: model.test,
    modelName: model.name,
    openModel: async () => void (await model.open()),
  };
  const kernel: Kernel = {
    config,
    ask,
    compact,
    remember,
    run: createRun(core, { plugins, consent, journaledRun }),
    ...untilClosed(runs, single, { remoteGuard: true }),
    plugins: untilClosed(runs, plugins.commands, {
      label: true,
      list: true,
      grants: true,
      lock: true,
      trust: true,
      trustKey: true,
      tried: true,
    }),
    secrets: untilClosed(runs, secrets.commands, { list: true }),
    journal: untilClosed(runs, createJournal(core, plugins), {}),
    servers: untilClosed(runs, plugins.servers.commands, { list: true, show: true }),
    apply: untilClosed(runs, apply, { runs: true, discard: true }),
    undo: untilClosed(runs, undo, {}),
    outputs: untilClosed(runs, outputs, { read: true }),
    models: untilClosed(runs, model.commands, {}),
    policy: untilClosed(runs, policy, { rules: true }),
    jobs: untilClosed(runs, jobs, { isStoreOpen: true, nowMs: true }),
    memoryCommands: untilClosed(runs, memory.commands, {}),
    index: untilClosed(runs, memory.index, {}),
    [Symbol.asyncDispose]: () => core[Symbol.asyncDispose](),
  };
  // From here on the caller closes the core by way of the kernel.
  opened.move();
  return kernel;
}
