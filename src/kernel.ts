import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { keepYoungSpace } from './config/keep-young-space.ts';
import { limitLanceBatches } from './config/limit-lance-batches.ts';
import {
  type Config,
  type ConfigOverrides,
  ignoredText,
  limitKeys,
  loadConfig,
} from './config/load-config.ts';
import { narrow } from './config/narrow.ts';
import type { AskConsent } from './contracts/consent.ts';
import { KernelError } from './contracts/error.ts';
import type { RunEvent, UnstampedEvent } from './contracts/events.ts';
import type { JobCommands } from './contracts/jobs.ts';
import type { ChatModel } from './contracts/model.ts';
import type { Plan, Step } from './contracts/plan.ts';
import type { AskPassphrase } from './contracts/secrets.ts';
import type { GuardRow, SessionRow, Store } from './contracts/store.ts';
import type { JsonObject, Tool, ToolEvent } from './contracts/tool.ts';
import { findSandbox } from './host/exec/find-sandbox.ts';
import type { ResolveHost } from './host/http/resolve-addresses.ts';
import { defaultLimits, type HostLimits } from './host/limits.ts';
import { openPluginStore } from './host/plugin-store.ts';
import { createProcessSandbox } from './host/tier/process-sandbox.ts';
import { type RunJournal, recordRun, statusOfRun } from './journal/record-run.ts';
import { type ApplyCommands, createApplyCommands } from './kernel/apply-commands.ts';
import { askQuestion, stepsOf } from './kernel/ask.ts';
import { checkIdStart } from './kernel/check-id-start.ts';
import { checkOptions } from './kernel/check-options.ts';
import { openCommandRules } from './kernel/command-rules.ts';
import { createConsentDesk } from './kernel/consent-desk.ts';
import { openConsentSessions } from './kernel/consent-sessions.ts';
import { describeTier } from './kernel/describe-tier.ts';
import { openDryRun } from './kernel/dry-run.ts';
import { executePlan } from './kernel/execute-plan.ts';
import { foreseeNeeds } from './kernel/foresee-needs.ts';
import { createGrantCommands, type GrantCommands } from './kernel/grant-commands.ts';
import { openGrants } from './kernel/grants.ts';
import { createIndexCommands, type IndexCommands } from './kernel/index-commands.ts';
import { createIndexPieces } from './kernel/index-pieces.ts';
import { createJobCommands } from './kernel/jobs.ts';
import { createKeychain } from './kernel/keychain.ts';
import { likenessTo } from './kernel/likeness-to.ts';
import { createMemoryCommands, type MemoryCommands } from './kernel/memory-commands.ts';
import { openHome } from './kernel/open-home.ts';
import { openHost } from './kernel/open-host.ts';
import { openMemoryModels } from './kernel/open-memory-models.ts';
import { openModel, scoreKey } from './kernel/open-model.ts';
import { createOutputCommands, type OutputCommands } from './kernel/output-commands.ts';
import { plannedAuthority } from './kernel/planned-authority.ts';
import { plannedCommand } from './kernel/planned-command.ts';
import { createPluginCommands, type PluginCommands } from './kernel/plugin-commands.ts';
import { createPolicyCommands, type PolicyCommands } from './kernel/policy-commands.ts';
import { createPruneBlobs, type PruneBlobs } from './kernel/prune.ts';
import { rankPassages } from './kernel/rank-passages.ts';
import { refuseUnknownRoots } from './kernel/roots.ts';
import { type RunScope, runEvents } from './kernel/run-events.ts';
import { findTool, outputOf, shownContent } from './kernel/run-tool.ts';
import { createRunsUnderWay } from './kernel/runs-under-way.ts';
import { openSecrets } from './kernel/secrets.ts';
import { createSecretCommands, type SecretCommands } from './kernel/secrets-commands.ts';
import { createSecretKeys } from './kernel/secrets-key.ts';
import { settleRuns } from './kernel/settle-runs.ts';
import { tellUndo } from './kernel/tell-undo.ts';
import { createUndoCommands, type UndoCommands } from './kernel/undo-commands.ts';
import { weakSettings } from './kernel/weak-settings.ts';
import { createWordFiles } from './kernel/word-files.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { newId } from './lib/new-id.ts';
import { once } from './lib/once.ts';
import type { FlushableMemory } from './memory/open-memory.ts';
import { loadEmbedder } from './memory/static/load-embedder.ts';
import type { ModelScore, TestProgress } from './models/test-model.ts';
import { checkPlan } from './planner/check-plan.ts';
import { type CapabilityOf, plannedCapabilities } from './planner/planned-capabilities.ts';
import { parseGrant } from './policy/parse-grant.ts';
import { routeRequest } from './router/route-request.ts';
import type { StoreWithJournal } from './store/open-store.ts';

export type KernelOptions = ConfigOverrides & {
  /** works on a copy of the workspace, which `apply` can make the workspace's own */
  dryRun?: boolean;
  /** grants of this run alone, for every plugin it uses, e.g. `fs:work` */
  allow?: readonly string[];
  /** the set of rules in `rules.toml` that counts in this run beside those of no set */
  yes?: string;
  /** asks a person about single effects; absent where nobody can be asked, and all of them are denied */
  askConsent?: AskConsent;
  /** asks a person for the passphrase of the secrets, where no keychain opens them */
  askPassphrase?: AskPassphrase;
  /** log lines and progress of tools */
  onToolEvent?: (tool: string, event: ToolEvent) => void;
  /** one sentence that a person should read */
  onWarning?: (message: string) => void;
  clock?: Clock;
  /** addresses of a name, for requests of plugins, in place of the system's resolver */
  resolveHost?: ResolveHost;
};

export type RunOptions = { signal?: AbortSignal };
export type AskOptions = RunOptions & {
  /** goes on with the newest session of the workspace */
  continueSession?: boolean;
};

/**
 * The library's face: everything the command line does, without printing. The caller owns it, and
 * closing it cancels what still runs: that is waited for, and its last events can be read afterwards.
 */
export type Kernel = AsyncDisposable & {
  readonly config: Config;
  readonly plugins: PluginCommands & GrantCommands;
  readonly secrets: SecretCommands;
  readonly undo: UndoCommands;
  readonly outputs: OutputCommands;
  /**
   * What the checkpoints around a model did in runs of the workspace whose id begins so.
   *
   * @throws {KernelError} `not-found` when there is no such run
   */
  guardRows(run: string): Promise<readonly GuardRow[]>;
  /** Dry runs, and making them the workspace's own. */
  readonly apply: ApplyCommands;
  /** Pre-images and dry runs have a quota and an age. */
  readonly pruneBlobs: PruneBlobs;
  /** Rules on programs. */
  readonly policy: PolicyCommands;
  /** What the scheduler keeps and looks at. */
  readonly jobs: JobCommands;
  tools(): Promise<readonly Tool[]>;
  /** Answers a question; ends with `answer` and `run-finished`, or `error` and `run-finished`. */
  ask(question: string, options?: AskOptions): AsyncGenerator<RunEvent, void, undefined>;
  /** What `ask` would do without a model; runs nothing. */
  plan(question: string): Promise<Plan>;
  /** What is read into memory and what is taken out of it. */
  readonly memoryCommands: MemoryCommands;
  /** The workspace's files as pieces in memory. */
  readonly index: IndexCommands;
  /** The memory service, opened by its first use and closed with the kernel. */
  memory(): Promise<FlushableMemory>;
  store(): Promise<Store>;
  /** Tests the model and keeps its score for `ask`. @throws {KernelError} when there is none */
  testModel(options: {
    signal: AbortSignal;
    onProgress?: (progress: TestProgress) => void;
  }): Promise<ModelScore>;
  /** Runs one tool; ends with `result` and `run-finished`, or `error` and `run-finished`. */
  run(
    tool: string,
    input: JsonObject,
    options?: RunOptions,
  ): AsyncGenerator<RunEvent, void, undefined>;
};

/**
 * Opens what a command needs and nothing else: plugins, the store and memory are opened by
 * their first use.
 *
 * @throws {KernelError} for a wrong option, configuration, workspace or grant
 */
export async function openKernel(options: KernelOptions = {}): Promise<Kernel> {
  checkOptions(options);
  const loaded = loadConfig(options);
  const allowed = (options.allow ?? []).map(parseGrant);
  refuseUnknownRoots(allowed);
  const clock = options.clock ?? systemClock;
  const warn = options.onWarning ?? (() => {});
  const commandRules = openCommandRules(loaded.home, options.yes);
  const dry = options.dryRun ? await openDryRun({ config: loaded, clock, warn }) : undefined;
  const config = dry === undefined ? loaded : { ...loaded, workFolder: dry.folder };
  const narrowed = narrow<HostLimits>(
    { ...defaultLimits, ...config.limits },
    config.ceilings,
    limitKeys,
  );
  const limits = narrowed.values;
  for (const text of config.warnings) warn(text);
  for (const { key, ...rest } of narrowed.ignored)
    warn(ignoredText({ key: `limits.${key}`, ...rest }));
  const grants = openGrants(config.home, clock);
  const bundles = {
    process: join(config.paths.dist, 'process.cjs'),
    transpile: join(config.paths.dist, 'transpile.js'),
    wrap: join(config.paths.dist, 'wrap.js'),
  };
  const builtins = openPluginStore(config.paths.builtins);
  const installed = openPluginStore(config.home);
  const sandbox = createProcessSandbox(config.pluginSandbox, { home: config.home });
  // Looked for once, by whoever asks first: a command, or the question about one.
  const programSandbox = once(() => findSandbox(config.execSandbox));
  const secretKeys = createSecretKeys({
    keychain: createKeychain(),
    passphrase: config.secretsPassphrase,
    ask: options.askPassphrase,
  });
  const secrets = openSecrets(config.home, secretKeys);
  const words = createWordFiles({ config, clock });
  // What is opened later, by first use, is closed with the kernel.
  const opened = new AsyncDisposableStack();
  opened.use(dry);
  const runs = createRunsUnderWay();

  const open = once(() => {
    const processBundle = bundles.process;
    const base = { config, clock, limits, processBundle, builtins, installed, grants, allowed };
    const { resolveHost } = options;
    const openings = { store: () => store(), memory: () => memory() };
    const made = openHost({
      commandRules,
      ...base,
      ...openings,
      desk,
      warn,
      sandbox,
      programSandbox,
      secrets,
      resolveHost,
      words,
    });
    opened.use(made.host);
    return made;
  });
  const host = () => open().host;

  let isStoreOpen = false;
  const store = once(async (): Promise<StoreWithJournal> => {
    openHome(config.home);
    const { openStore } = await import('./store/open-store.ts');
    const made = opened.use(openStore({ path: join(config.home, 'cuervo.db') }));
    isStoreOpen = true;
    settleRuns(made, loaded);
    return made;
  });

  // run -> its session
  const sessions = new Map<string, string>();
  const consentSessions = openConsentSessions({ store: () => store(), clock });
  const desk = createConsentDesk({
    askConsent: options.askConsent,
    project: config.workspace,
    clock,
    grants,
    sessions: consentSessions,
    sessionOf: (run) => (run === undefined ? undefined : sessions.get(run)),
    tierOf: (effect) => describeTier(effect, config, programSandbox),
    openHome: () => openHome(config.home),
    journaled: (command, what, change) => journaledChange(command, what, change),
  });

  const capabilitiesOf: CapabilityOf = (name, step) => {
    const { permit, decideCommand } = open();
    const plugin = host().plugin(name);
    if (plugin === undefined) return [];
    const command = plugin.builtin ? plannedCommand(step) : undefined;
    if (command === undefined) return plannedAuthority(plugin, permit(plugin));
    const { program } = command;
    const decision = decideCommand(plugin, command);
    return plannedAuthority(plugin, permit(plugin), { program, decision });
  };

  const onToolEvent = options.onToolEvent ?? (() => {});

  const staticEmbedder = once(() => loadEmbedder(config.paths.embedder));
  const codeEmbedder = once(() => loadEmbedder(config.paths.codeEmbedder));

  const memoryModels = once(() => opened.use(openMemoryModels(config, staticEmbedder)));

  const memory = once(async (): Promise<FlushableMemory> => {
    const { memoryJournal } = await store();
    limitLanceBatches();
    keepYoungSpace();
    const { openMemory } = await import('./memory/open-memory.ts');
    const directory = join(config.home, 'lancedb');
    const { embedder, reranker } = memoryModels();
    const { shared } = config.memory;
    const ports = { directory, journal: memoryJournal, clock, embedder, reranker, warn };
    return opened.use(await openMemory(shared === undefined ? ports : { ...ports, shared }));
  });

  const sources = async () => (await store()).memorySources;
  const dropVectors = () => memoryModels().forget();
  const memoryPorts = { config, clock, memory, sources, store, words, dropVectors };
  const indexPieces = createIndexPieces(memoryPorts);

  const model = once(async (): Promise<ChatModel | undefined> => {
    const found = await openModel(config);
    return found === undefined ? undefined : opened.use(found);
  });

  const makePlan = (steps: readonly Step[], tools: readonly Tool[]): Plan =>
    checkPlan({ steps, capabilities: plannedCapabilities(steps, tools, capabilitiesOf) });

  // Said by the first run of a kernel.
  const weaknesses = weakSettings(config);
  const tellWeakness = (): string[] => weaknesses.splice(0);

  /** One run of a command, journaled from its first step to its end. */
  async function* journaled(
    start: { command: string; question: string; model: string },
    body: (run: {
      scope: RunScope;
      /** writes the run's first row; the first step would do it, too */
      begin(session: string): Promise<unknown>;
      execute(plan: Plan, tools: readonly Tool[]): ReturnType<typeof executePlan>;
    }) => AsyncGenerator<UnstampedEvent, void, undefined>,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, void, undefined> {
    const scope: RunScope = { id: newId(clock.nowMs()), toolMs: 0, modelMs: 0 };
    dry?.bind(scope.id);
    for (const text of tellWeakness()) warn(text);
    let journal: RunJournal | undefined;
    const open = async (session?: string): Promise<RunJournal> => {
      const row = { ...start, id: scope.id, session, project: config.workspace };
      if (session !== undefined) sessions.set(scope.id, session);
      journal ??= recordRun(await store(), row, clock);
      return journal;
    };
    const execute = async function* (plan: Plan, tools: readonly Tool[]) {
      // `run` shows what the tool gave; an answer is made of what was ranked.
      const invoker =
        start.command === 'run'
          ? host()
          : rankPassages(host(), { embedder: codeEmbedder, pieces: indexPieces, warn });
      const base = { tools, invoker, journal: await open(), scope, clock, signal };
      const { callTimeoutMs: stepTimeoutMs } = limits;
      await foreseeNeeds(plan, { ...base, desk, run: scope.id, stepTimeoutMs });
      return yield* executePlan(plan, {
        ...base,
        stepTimeoutMs,
        onToolEvent,
      });
    };
    const onEnd = (error: KernelError | undefined): void => {
      desk.endRun(scope.id);
      sessions.delete(scope.id);
      journal?.finish(statusOfRun(error));
    };
    const noted = async function* () {
      try {
        for await (const event of body({ scope, begin: open, execute })) {
          if (event.type === 'guard') (await open()).guard(event);
          yield event;
        }
      } catch (thrown) {
        // What a dry run changed is a copy.
        throw journal === undefined || dry !== undefined
          ? thrown
          : tellUndo(thrown, scope.id, (await store()).changes);
      }
    };
    yield* runEvents(scope, clock, noted, onEnd);
  }

  async function* run(
    name: string,
    input: JsonObject,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, void, undefined> {
    const body: Parameters<typeof journaled>[1] = async function* ({ execute }) {
      const { workspace } = config;
      yield { type: 'run-started', command: 'run', tool: name, workspace, model: 'none' };
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      const tools = await host().tools();
      const tool = findTool(tools, name);
      host().warm(tool.plugin);
      const plan = makePlan(
        [{ id: 's1', tool: name, input, needs: [], effect: tool.effect }],
        tools,
      );
      yield { type: 'plan', ...plan };
      const [result] = yield* execute(plan, tools);
      const output = outputOf(result);
      const content = shownContent(output.content, config.maxOutputBytes);
      yield { type: 'result', content, summary: output.summary };
    };
    yield* journaled({ command: 'run', question: name, model: 'none' }, body, signal);
  }

  async function* ask(
    question: string,
    { signal, continueSession }: { signal: AbortSignal; continueSession: boolean },
  ): AsyncGenerator<RunEvent, void, undefined> {
    const body: Parameters<typeof journaled>[1] = async function* ({ scope, begin, execute }) {
      const { workspace } = config;
      yield { type: 'run-started', command: 'ask', question, workspace, model: config.model };
      if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
      // Nearly every question searches: the process starts while the rest is opened.
      if (question.trim() !== '') host().warm('search');
      const tools = await host().tools();
      // What is no question is refused before anything of it is kept.
      routeRequest(question, tools);
      const opening = await Promise.all([store(), memory(), model()]);
      const session = openSession(opening[0], question, continueSession);
      await begin(session.id);
      yield* askQuestion(question, {
        config,
        clock,
        budgetClock: { nowMs: () => clock.nowMs() - desk.waitedMs() },
        scope,
        session,
        store: opening[0],
        memory: opening[1],
        model: opening[2],
        tools,
        isBuiltin: (plugin) => host().plugin(plugin)?.builtin === true,
        likenessTo: (text) =>
          likenessTo(text, staticEmbedder, (reason) =>
            warn(`tools are chosen by words alone: ${reason}`),
          ),
        signal,
        makePlan: (steps) => makePlan(steps, tools),
        execute: (plan) => execute(plan, tools),
        warn,
      });
    };
    yield* journaled({ command: 'ask', question, model: config.model }, body, signal);
  }

  const openSession = (from: Store, question: string, continued: boolean): SessionRow => {
    const latest = continued ? from.latestSession(config.workspace) : undefined;
    const title = question.trim().replace(/\s+/g, ' ').slice(0, 80);
    return latest ?? from.createSession(config.workspace, title, clock.nowMs());
  };

  const testTheModel: Kernel['testModel'] = async ({ signal, onProgress = () => {} }) => {
    const tested = await model();
    if (tested === undefined) {
      throw new KernelError('invalid-argument', 'there is no model to test', {
        hint: 'Name one: cuervo model test PATH.gguf',
      });
    }
    const { testModel } = await import('./models/test-model.ts');
    const score = await testModel(tested, { signal, onProgress });
    (await store()).setSetting(scoreKey(await tested.digest()), { ...score });
    return score;
  };

  /** A change of what plugins may do, which is not made where it cannot be journaled. */
  const journaledChange = <Value>(
    command: string,
    question: string,
    change: (run: string) => Value | Promise<Value>,
  ): Promise<Value> =>
    runs.finish(async () => {
      const id = newId(clock.nowMs());
      const row = { id, command, question, project: config.workspace, model: 'none' };
      const journal = recordRun(await store(), row, clock);
      try {
        const value = await change(id);
        journal.finish(statusOfRun(undefined));
        return value;
      } catch (thrown) {
        journal.finish(statusOfRun(KernelError.from(thrown, 'internal')));
        throw thrown;
      }
    });

  const commandPorts = {
    builtins,
    installed,
    grants,
    clock,
    project: config.workspace,
    openHome: () => openHome(config.home),
    journaled: journaledChange,
  };
  const hasStore = (): boolean => existsSync(join(config.home, 'cuervo.db'));
  const plugins = {
    ...createPluginCommands({
      ...commandPorts,
      bundles,
      limits,
      sandbox,
      clearValues: async (plugin) => {
        if (hasStore()) (await store()).values.clear(plugin);
      },
    }),
    ...createGrantCommands({ ...commandPorts, sessions: consentSessions, hasStore }),
  };
  const secretCommands = createSecretCommands({ ...commandPorts, secrets });
  const apply = createApplyCommands({ config: loaded, clock, store, journaled: journaledChange });
  const undo = createUndoCommands({ config: loaded, clock, store, journaled: journaledChange });
  const policy = createPolicyCommands({
    invoker: host,
    rules: commandRules,
    workspace: config.workspace,
    confined: config.execSandbox === 'os',
  });
  return {
    config,
    plugins,
    policy,
    undo,
    outputs: createOutputCommands({ config: loaded, store }),
    guardRows: async (id) => {
      checkIdStart(id, 'run', 'cuervo runs list');
      const { guardRows, hasRun } = await store();
      if (hasRun(config.workspace, id)) return guardRows(config.workspace, id);
      throw new KernelError('not-found', `there is no run "${id}" of this workspace`, {
        hint: 'See what ran here with: cuervo runs list',
      });
    },
    apply,
    pruneBlobs: createPruneBlobs({ config: loaded, store }),
    secrets: secretCommands,
    jobs: createJobCommands({
      home: config.home,
      store,
      isStoreOpen: () => isStoreOpen,
      memory,
      clock,
    }),
    tools: () => host().tools(),
    run: (tool, input, { signal } = {}) => runs.start(signal, (ending) => run(tool, input, ending)),
    ask: (question, { signal, continueSession = false } = {}) =>
      runs.start(signal, (ending) => ask(question, { signal: ending, continueSession })),
    plan: async (question) => {
      const tools = await host().tools();
      return makePlan(stepsOf(routeRequest(question, tools), tools, config.workspace), tools);
    },
    memory,
    memoryCommands: createMemoryCommands(memoryPorts),
    index: createIndexCommands(memoryPorts),
    store,
    testModel: testTheModel,
    [Symbol.asyncDispose]: async () => {
      // They need what is closed then.
      await runs.close();
      await opened.disposeAsync();
    },
  };
}
