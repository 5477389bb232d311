import { asOfText, givenPieces } from '../../ask/given-pieces.ts';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import type { RunEvent } from '../../contracts/events.ts';
import { kernelPlugin, rankPassagesTool, rememberTool } from '../../contracts/kernel-tools.ts';
import type { ChatModel } from '../../contracts/model.ts';
import type { SessionRow, Store } from '../../contracts/store.ts';
import { secretsOf } from '../../guard/scan-text.ts';
import { once, sayOnce } from '../../lib/memo.ts';
import { untilAborted } from '../../lib/signals.ts';
import { goalWords } from '../../lib/text/words.ts';
import { createReplyCache, noReplies } from '../../models/reply-cache.ts';
import { chooseTools } from '../../planner/choose-tools.ts';
import { intentAs } from '../../router/as-kind.ts';
import { readIntent } from '../../router/read-intent.ts';
import type { RunStore } from '../../store/open-store.ts';
import type { KernelCore } from '../core.ts';
import type { AskOptions } from '../kernel-options.ts';
import type { KernelModel } from '../models/create-model.ts';
import { askQuestion } from './ask.ts';
import type { AskPorts } from './ask-ports.ts';
import { askedWorkspace } from './asked-workspace.ts';
import { findToolsName } from './call-steps.ts';
import { compactSession } from './compact-session.ts';
import { keepForModel } from './keep-for-model.ts';
import type { AskParts, KernelAsk } from './kernel-ask.ts';
import { lastAnswer, standingAlone } from './last-answer.ts';
import { createLikenesses } from './likenesses-to.ts';
import { planReasons } from './plan-reasons.ts';
import { noProjectWords, readProjectWords } from './project-words.ts';
import { stepsOf } from './run-floor.ts';
import { warmBuiltins } from './warm-builtins.ts';
import { isRepository } from './warn-of-missing.ts';
import { withKernelTools } from './with-kernel-tools.ts';
import { createWorkspaceSecrets } from './workspace-secrets.ts';

export function createAsk(
  core: KernelCore,
  parts: AskParts,
): Pick<KernelAsk, 'plan' | 'planReasons' | 'searchTools'> & {
  run(
    command: 'ask' | 'compact',
    question: string,
    options: Omit<AskOptions, 'signal'>,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, void, undefined>;
} {
  const { config, clock, warn } = core;
  const store = async () => (await core.store()).ofRun;
  const { memory, plugins, model, journaledRun } = parts;
  const { host, makePlan } = plugins;
  const ranking = { embedder: memory.codeEmbedder, pieces: memory.indexPieces, warn };
  const tellWordsAlone = (reason: string) => warn(`tools are chosen by words alone: ${reason}`);
  const alike = createLikenesses(memory.embedder, tellWordsAlone);

  const warnOnce = sayOnce(warn);
  const replies = once(async () =>
    config.models.cache ? createReplyCache({ store: await store(), clock }) : noReplies,
  );

  const held = createWorkspaceSecrets({
    folder: config.workFolder ?? config.workspace,
    warn,
    tell: (event) => core.options.onToolEvent?.('guard', event),
  });

  const run = async function* (
    command: 'ask' | 'compact',
    question: string,
    {
      continueSession: isContinued = false,
      session: id,
      columns,
      given = '',
      as,
      isExplained = false,
      isChat = false,
    }: Omit<AskOptions, 'signal'>,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, void, undefined> {
    const named = await model.name();
    yield* journaledRun(
      { command, question, model: named },
      async function* ({ scope, begin, execute }) {
        const { workspace } = config;
        yield { type: 'run-started', command, question, workspace, model: named };
        if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
        const tools = await host().tools();
        // A plugin's tool of that name is called by `run` alone.
        const forModels = [...tools.filter(({ name }) => name !== rememberTool.name), rememberTool];
        const planTools = [...forModels, rankPassagesTool];
        // A text that is not a question is refused before anything is stored.
        const last =
          isContinued || id !== undefined ? lastAnswer(await store(), workspace, id) : undefined;
        const alone = standingAlone(question, last, { isModel: named !== 'none' });
        const place = askedWorkspace(workspace);
        const read = (text: string) => intentAs(readIntent(text, tools, place), as);
        const whole = named === 'none' ? asOfText(alone ?? question, given) : undefined;
        const intent = command === 'ask' ? read(whole ?? alone ?? question) : undefined;
        const [opened, remembered, found] = await Promise.all([
          store(),
          memory.open(),
          openModel(model, { named, signal, maxMs: config.budget.durationMs }),
        ]);
        const session = openSession(opened, question, {
          ...{ workspace, nowMs: clock.nowMs(), isContinued, id },
        });
        await begin(session.id);
        const effectOf = (name: string) => tools.find((tool) => tool.name === name)?.effect;
        const isReading = (name: string) =>
          name === findToolsName || ['pure', 'read'].includes(effectOf(name) ?? 'external');
        const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
        const { askYesNo } = core.options;
        const isAsked = found.model !== undefined && config.modelRole !== 'word';
        const project = isAsked
          ? await readProjectWords({ workspace, store: opened, askYesNo, signal })
          : noProjectWords;
        const ports: AskPorts = {
          question: question.trim(),
          readAs: alone,
          ...{ isExplained, isChat, isSettled: as !== undefined },
          columns,
          given: whole === undefined ? givenPieces(given, question) : [],
          config,
          clock,
          budgetClock: { nowMs: () => core.steadyClock.nowMs() - parts.consent.desk.waitedMs() },
          scope,
          session,
          store: opened,
          memory: remembered,
          ...found,
          modelName: named,
          project,
          replies: await replies(),
          tools: forModels,
          planTools,
          readIntent: (text) => readIntent(text, tools, place),
          isBuiltin: (plugin) => plugin === kernelPlugin || host().plugin(plugin)?.builtin === true,
          likenessesTo: alike,
          signal,
          makePlan: (steps) => makePlan(steps, planTools),
          execute: (plan, onResult, { maxMs } = {}) => {
            warmBuiltins(plan, planTools, host());
            return execute(plan, planTools, served, {
              ...(onResult === undefined ? {} : { onResult }),
              ...(maxMs === undefined ? {} : { maxMs }),
            });
          },
          onlyReads: plugins.onlyReads,
          isReading,
          hasEffects: (results) => results.some(({ tool }) => !isReading(tool)),
          changedPaths: () => changedPaths(opened, scope.id),
          heldSecrets: async (paths) => [
            ...secretsOf(given),
            ...(await held.find(paths, { signal })),
          ],
          noteRead: (source) => parts.consent.noteRead(scope.id, source),
          addSpending: (usd) => {
            try {
              if (usd > 0) opened.addSpending(day, usd);
            } catch (thrown) {
              warn(`what this cost is not counted for the day: ${reasonOf(thrown)}`);
            }
          },
          warn,
          warnOnce,
          askYesNo,
          mayRemember: core.allowed.some(({ capability }) => capability === 'memory'),
        };
        const served = withKernelTools(host(), {
          ...ranking,
          remember: (input) => keepForModel(input, ports),
        });
        yield* intent === undefined ? compactSession(ports) : askQuestion(intent, ports);
      },
      signal,
    );
  };

  return {
    run,
    plan: async (question) => {
      const tools = await host().tools();
      const planTools = [...tools, rankPassagesTool];
      const intent = readIntent(question, tools, askedWorkspace(config.workspace));
      return makePlan(stepsOf(intent, planTools, config.workspace, alike), planTools);
    },
    planReasons: async (question) => {
      const tools = await host().tools();
      const repository = isRepository(config.workspace);
      return planReasons(readIntent(question, tools, askedWorkspace(config.workspace)), tools, {
        repository,
        likenessesTo: alike,
      });
    },
    searchTools: async (goal) => {
      const words = goalWords(goal);
      return chooseTools(words, await host().tools(), alike(goal, words));
    },
  };
}

/** The session that a question belongs to: a named one, the newest, or a new one. */
function openSession(
  from: Store,
  question: string,
  place: { workspace: string; nowMs: number; isContinued: boolean; id: string | undefined },
): SessionRow {
  const { workspace, nowMs, isContinued, id } = place;
  if (id !== undefined) {
    const named = from.session(id);
    if (named !== undefined) return named;
    throw new KernelError('not-found', `there is no session "${id}"`, {
      hint: 'See them with: cuervo session list --all',
    });
  }
  const latest = isContinued ? from.latestSession(workspace) : undefined;
  const title = question.trim().replace(/\s+/g, ' ').slice(0, 80);
  return latest ?? from.createSession(workspace, title, nowMs);
}

/** A provider that cannot be asked costs the model's words, and not the answer. */
async function openModel(
  model: KernelModel,
  { named, signal, maxMs }: { named: string; signal: AbortSignal; maxMs: number },
): Promise<{ model: ChatModel | undefined; modelFailure: KernelError | undefined }> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    const text = `the model ${named} was not open after ${maxMs} ms (budget.duration-ms)`;
    late.abort(new KernelError('unavailable', text));
  }, maxMs);
  try {
    const opened = await untilAborted(model.open(), AbortSignal.any([signal, late.signal]));
    return { model: opened, modelFailure: undefined };
  } catch (thrown) {
    if (!(thrown instanceof KernelError) || thrown.code !== 'unavailable') throw thrown;
    return { model: undefined, modelFailure: thrown };
  } finally {
    clearTimeout(timer);
  }
}

/** Both names of a moved file. */
function changedPaths(store: RunStore, run: string): string[] {
  const paths = store.changes
    .ofRun(run)
    .flatMap(({ path, target }) => [path, ...(target === undefined ? [] : [target])]);
  return [...new Set(paths)];
}
