import { givenPieces } from '../../ask/given-pieces.ts';
import { KernelError } from '../../contracts/error.ts';
import type { RunEvent } from '../../contracts/events.ts';
import { kernelPlugin, rankPassagesTool } from '../../contracts/kernel-tools.ts';
import type { Plan } from '../../contracts/plan.ts';
import type { SessionRow, Store } from '../../contracts/store.ts';
import { readIntent } from '../../router/read-intent.ts';
import type { KernelConsent } from '../consent/create-consent.ts';
import type { KernelCore } from '../core.ts';
import type { JournaledRun } from '../journaled-run.ts';
import type { AskOptions } from '../kernel-options.ts';
import type { KernelMemory } from '../memory/create-memory.ts';
import type { KernelPlugins } from '../plugins/create-plugins.ts';
import { askQuestion, stepsOf } from './ask.ts';
import type { KernelModel } from './create-model.ts';
import { likenessTo } from './likeness-to.ts';
import { withRanking } from './with-ranking.ts';

export type KernelAsk = {
  /** Answers a question; ends with `answer` and `run-finished`, or `error` and `run-finished`. */
  ask(question: string, options?: AskOptions): AsyncGenerator<RunEvent, void, undefined>;
  /** What `ask` would do without a model; runs nothing. */
  plan(question: string): Promise<Plan>;
};

export function createAsk(
  core: KernelCore,
  parts: {
    consent: KernelConsent;
    memory: KernelMemory;
    plugins: KernelPlugins;
    model: KernelModel;
    journaledRun: JournaledRun;
  },
): KernelAsk {
  const { config, clock, store, warn } = core;
  const { memory, plugins, model, journaledRun } = parts;
  const { host, makePlan } = plugins;
  const { desk } = parts.consent;
  const ranking = { embedder: memory.codeEmbedder, pieces: memory.indexPieces, warn };
  const tellWordsAlone = (reason: string) => warn(`tools are chosen by words alone: ${reason}`);

  const ask = (
    question: string,
    { continueSession: isContinued = false, columns, given = '' }: Omit<AskOptions, 'signal'>,
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, void, undefined> =>
    journaledRun(
      { command: 'ask', question, model: config.model },
      async function* ({ scope, begin, execute }) {
        const { workspace } = config;
        yield { type: 'run-started', command: 'ask', question, workspace, model: config.model };
        if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
        // Nearly every question searches: the process starts while the rest is opened.
        if (question.trim() !== '') host().warm('search');
        const tools = await host().tools();
        const planTools = [...tools, rankPassagesTool];
        // A text that is not a question is refused before anything is stored.
        const intent = readIntent(question, tools, workspace);
        const [opened, remembered, chat] = await Promise.all([
          store(),
          memory.open(),
          model.open(),
        ]);
        const session = openSession(opened, question, isContinued);
        await begin(session.id);
        yield* askQuestion(intent, {
          question: question.trim(),
          columns,
          given: givenPieces(given, question),
          config,
          clock,
          budgetClock: { nowMs: () => clock.nowMs() - desk.waitedMs() },
          scope,
          session,
          store: opened,
          memory: remembered,
          model: chat,
          tools,
          planTools,
          isBuiltin: (plugin) => plugin === kernelPlugin || host().plugin(plugin)?.builtin === true,
          likenessTo: (text) => likenessTo(text, memory.embedder, tellWordsAlone),
          signal,
          makePlan: (steps) => makePlan(steps, planTools),
          execute: (plan) => execute(plan, planTools, withRanking(host(), ranking)),
          warn,
        });
      },
      signal,
    );

  const openSession = (from: Store, question: string, isContinued: boolean): SessionRow => {
    const latest = isContinued ? from.latestSession(config.workspace) : undefined;
    const title = question.trim().replace(/\s+/g, ' ').slice(0, 80);
    return latest ?? from.createSession(config.workspace, title, clock.nowMs());
  };

  return {
    ask: (question, { signal, ...options } = {}) =>
      core.runs.start(signal, (ending) => ask(question, options, ending)),
    plan: async (question) => {
      const tools = await host().tools();
      const planTools = [...tools, rankPassagesTool];
      const intent = readIntent(question, tools, config.workspace);
      return makePlan(stepsOf(intent, planTools, config.workspace), planTools);
    },
  };
}
