import { answerQuestion } from '../../agent.ts';
import { askedWorkspace } from '../../ask/asked-workspace.ts';
import { holdAnswer } from '../../ask/hold-answer.ts';
import { createLikenesses, likenessesOf } from '../../ask/likenesses-to.ts';
import type { ToolFacts } from '../../contracts/agent.ts';
import { KernelError } from '../../contracts/error.ts';
import type { RunEvent } from '../../contracts/events.ts';
import type { Intent } from '../../contracts/intent.ts';
import { rankPassagesTool } from '../../contracts/kernel-tools.ts';
import type { Plan } from '../../contracts/plan.ts';
import type { Tool } from '../../contracts/tool.ts';
import { once, sayOnce } from '../../lib/memo.ts';
import { goalWords } from '../../lib/text/words.ts';
import { createReplyCache, noReplies } from '../../models/reply-cache.ts';
import { createQuestions } from '../../questions/create-questions.ts';
import { notSpokenFor, spokenFor } from '../../questions/plan-intent.ts';
import { chooseTools, type ToolChoice } from '../../questions/tools/choose-tools.ts';
import { shownField } from '../../questions/tools/fill-input.ts';
import type { KernelCore } from '../core.ts';
import { type AskOptions, type RunOptions, wordsOf } from '../kernel-options.ts';
import {
  type AskParts,
  keepForClient,
  openQuestion,
  type Remembering,
  type Shared,
  shortenSession,
} from './open-question.ts';
import { isRepository } from './warnings.ts';
import { createWorkspaceSecrets } from './workspace-secrets.ts';

/** Tools that are named beside the chosen one. */
const shownTools = 5;

export type PlanReasons = {
  /** `call`, `note`, or the kind of question that was planned first */
  reading: string;
  /** other possible kinds, the likeliest first */
  others: string[];
  /** tools by how well they fit, best first; scores and shares are 0 to 1 */
  tools: { tool: string; score: number; covered: number }[];
  /** the tool of an installed plugin that was chosen, what it lacks, and others that fit as well */
  chosen?: { tool: string; missing: string[]; ties: string[] };
  /** why none of them was */
  notChosen?: string;
};

export type KernelAsk = {
  /** Answers a question; ends with `answer` and `run-finished`, or `error` and `run-finished`. */
  ask(question: string, options?: AskOptions): AsyncGenerator<RunEvent, void, undefined>;
  /** Makes what a session is sent with shorter; ends as `ask` does. */
  compact(
    session: string,
    options?: { signal?: AbortSignal },
  ): AsyncGenerator<RunEvent, void, undefined>;
  /**
   * Keeps a fact as the words of a client, which a person is asked about.
   *
   * @param remembering.input as `memory.remember` takes it; `replaces` names a fact of this client
   *   alone
   */
  remember(
    remembering: Remembering,
    options?: RunOptions,
  ): AsyncGenerator<RunEvent, void, undefined>;
  /** The plan of `ask` without a model; runs nothing. */
  plan(question: string): Promise<Plan>;
  /** How the words were read, and which tools of installed plugins were thought of. */
  planReasons(question: string): Promise<PlanReasons>;
  /** All tools that have to do with a goal, best first. */
  searchTools(goal: string): Promise<readonly ToolChoice[]>;
};

export function createAsk(
  core: KernelCore,
  parts: AskParts,
): Pick<KernelAsk, 'plan' | 'planReasons' | 'searchTools'> & {
  run(
    command: 'ask' | 'compact' | 'remember',
    question: string,
    options: Omit<AskOptions, 'signal'> & { remember?: Remembering },
    signal: AbortSignal,
  ): AsyncGenerator<RunEvent, void, undefined>;
} {
  const { config, clock, warn } = core;
  const { workspace } = config;
  const { memory, plugins, model, journaledRun } = parts;
  const { host, makePlan } = plugins;
  const alike = createLikenesses(memory.embedder, (reason) =>
    warn(`tools are chosen by words alone: ${reason}`),
  );
  const store = async () => (await core.store()).ofRun;
  const questions = createQuestions();
  const shared: Shared = {
    core,
    questions,
    parts,
    store,
    likenessesTo: alike,
    replies: once(async () =>
      config.models.cache ? createReplyCache({ store: await store(), clock }) : noReplies,
    ),
    held: createWorkspaceSecrets({
      folder: config.workFolder ?? workspace,
      warn,
      tell: (event) => core.options.onToolEvent?.('guard', event),
    }),
    say: { warn, warnOnce: sayOnce(warn), askYesNo: core.options.askYesNo },
  };
  /** Reads a question whose plan alone is wanted: it continues no earlier question. */
  const read = async (question: string): Promise<Intent> => {
    const asked = {
      tools: await host().tools(),
      workspace: askedWorkspace(workspace),
      nowMs: clock.nowMs(),
    };
    return questions.read(question, { ...asked, isModel: true }).intent;
  };
  return {
    run: async function* (command, question, options, signal) {
      const named = await model.name();
      yield* journaledRun(
        {
          ...wordsOf(command, question, options.client),
          model: named,
          modelFrom: named === config.model ? config.modelFrom : 'cuervo model use',
        },
        async function* (run) {
          yield { type: 'run-started', command, question, workspace, model: named };
          if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
          const asked = { question: question.trim(), modelName: named, options, run, signal };
          const { remember } = options;
          if (remember !== undefined) yield* keepForClient(shared, asked, remember);
          else
            yield* command === 'ask'
              ? holdAnswer(answerQuestion(openQuestion(shared, asked)), options)
              : shortenSession(shared, asked);
        },
        signal,
      );
    },
    plan: async (question) => {
      const tools = [...(await host().tools()), rankPassagesTool];
      const intent = await read(question);
      const on = { tools, repository: isRepository(workspace) };
      return makePlan(
        questions.plan(intent, { ...on, likenesses: likenessesOf(intent, alike) }),
        tools,
      );
    },
    planReasons: async (question) =>
      planReasons(await read(question), await host().tools(), {
        repository: isRepository(workspace),
        likenessesTo: alike,
      }),
    searchTools: async (goal) => {
      const words = goalWords(goal);
      return chooseTools(words, await host().tools(), alike(goal, words));
    },
  };
}

function planReasons(
  intent: Intent,
  tools: readonly Tool[],
  { repository, likenessesTo }: { repository: boolean; likenessesTo: ToolFacts['likenessesTo'] },
): PlanReasons {
  if (intent.kind !== 'ask') return { reading: intent.kind, others: [], tools: [] };
  const { readings, mentions } = intent;
  const [first, ...others] = readings.map(({ kind }) => kind);
  const likenesses = likenessesTo(mentions.text, mentions.goal);
  const on = { tools, repository, likenesses: () => likenesses };
  const spoken = spokenFor(intent, on);
  return {
    reading: first ?? 'how',
    others,
    tools: chooseTools(mentions.goal, tools, likenesses)
      .slice(0, shownTools)
      .map(({ tool, score, covered }) => ({ tool: tool.name, score, covered })),
    ...(spoken === undefined
      ? { notChosen: notSpokenFor(intent, on) }
      : {
          chosen: {
            tool: spoken.tool.name,
            missing: spoken.missing.map((field) => shownField(spoken.tool, field)),
            ties: [...spoken.ties],
          },
        }),
  };
}
