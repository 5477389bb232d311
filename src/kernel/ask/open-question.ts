import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AgentPorts, QuestionPorts } from '../../agent.ts';
import { askedWorkspace } from '../../ask/asked-workspace.ts';
import { createBudget } from '../../ask/budget.ts';
import { keepLastAnswer, lastAnswer } from '../../ask/last-answer.ts';
import { likenessesOf } from '../../ask/likenesses-to.ts';
import { stdinEvidence } from '../../ask/stdin-evidence.ts';
import type {
  Baseline,
  BudgetMeter,
  Events,
  PlanPorts,
  Run,
  Say,
  ToolFacts,
  Turn,
} from '../../contracts/agent.ts';
import { KernelError } from '../../contracts/error.ts';
import type { Intent, Mentions } from '../../contracts/intent.ts';
import type { JournalBody } from '../../contracts/journal.ts';
import {
  kernelPlugin,
  rankPassagesTool,
  rememberTool,
  skillTool,
  taskTool,
} from '../../contracts/kernel-tools.ts';
import type { Recalled } from '../../contracts/memory.ts';
import type { ChatModel } from '../../contracts/model.ts';
import type { Plan } from '../../contracts/plan.ts';
import type { Questions, ReadQuestion } from '../../contracts/questions.ts';
import type { SessionRow, Store } from '../../contracts/store.ts';
import { faultOf, stopOf } from '../../contracts/talk.ts';
import type { JsonObject, Tool } from '../../contracts/tool.ts';
import { secretsOf } from '../../guard/scan-text.ts';
import type { PluginHost } from '../../host/plugin-host.ts';
import { once } from '../../lib/memo.ts';
import { untilAborted } from '../../lib/signals.ts';
import { readHolds, readThen } from '../../lib/text/read-time.ts';
import { resolveDays } from '../../lib/text/resolve-days.ts';
import { actOnFacts } from '../../memory/facts/act-on-facts.ts';
import { type FactPorts, keepForModel } from '../../memory/facts/write-fact.ts';
import { countUses, keepQuestion, keepTurn, recall, sessionMemory } from '../../memory/turns.ts';
import type { ReplyCache } from '../../models/reply-cache.ts';
import { agreeToSkill, allowedBySkill } from '../../skills/agree-to-skill.ts';
import { skillNamed, skillPlaces } from '../../skills/find-skills.ts';
import type { Skill } from '../../skills/parse-skill.ts';
import type { RunStore } from '../../store/open-store.ts';
import { describeToolName, findToolsName } from '../../talk/call-steps.ts';
import { converse } from '../../talk/converse.ts';
import { shortenTalk } from '../../talk/shorten-talk.ts';
import { createSubTasks } from '../../talk/sub-tasks.ts';
import { openTalk, type TalkBook } from '../../talk/talk-book.ts';
import type { ProjectWords, TalkPorts } from '../../talk/talk-ports.ts';
import type { KernelConsent } from '../consent/create-consent.ts';
import { taskParts } from '../consent/foresee-needs.ts';
import type { KernelCore } from '../core.ts';
import type { JournaledRun, OpenRun } from '../journaled-run.ts';
import type { AskOptions, RunClient } from '../kernel-options.ts';
import type { KernelMemory } from '../memory/create-memory.ts';
import type { KernelModel } from '../models/create-model.ts';
import type { KernelPlugins } from '../plugins/create-plugins.ts';
import {
  type AnswerPorts,
  allPlaces,
  answerInstead,
  answerOfModel,
  answerOfPassages,
  passagesBefore,
  withGiven,
} from './answers.ts';
import { readAttachedImages } from './attached-images.ts';
import { type BaselinePorts, runBaseline } from './baseline-plan.ts';
import { createModelRecipes } from './model-recipes.ts';
import { chooseRole, countSpending, type ModelUsePorts, spenderOf } from './model-use.ts';
import { orderFacts } from './order-facts.ts';
import { noProjectWords, readProjectWords } from './project-words.ts';
import { isRepository } from './warnings.ts';
import { withKernelTools } from './with-kernel-tools.ts';
import { withMap } from './workspace-map.ts';
import type { WorkspaceSecrets } from './workspace-secrets.ts';

/** What the kernel gives to questions. */
export type AskParts = {
  consent: KernelConsent;
  memory: KernelMemory;
  plugins: KernelPlugins;
  model: KernelModel;
  journaledRun: JournaledRun;
};

/** What the questions of one kernel share. */
export type Shared = {
  core: KernelCore;
  parts: AskParts;
  questions: Questions;
  store(): Promise<RunStore>;
  likenessesTo: ToolFacts['likenessesTo'];
  replies(): Promise<ReplyCache>;
  held: WorkspaceSecrets;
  say: Say;
};

type AskedQuestion = {
  /** as it was typed, without blanks at its ends */
  question: string;
  /** as it was named */
  modelName: string;
  options: Omit<AskOptions, 'signal'>;
  run: OpenRun;
  signal: AbortSignal;
};

/** Connects the parts that one question goes through. */
export function openQuestion(shared: Shared, asked: AskedQuestion): AgentPorts {
  const { question, modelName, options, signal } = asked;
  const { given = '', as } = options;
  const { core, parts, questions, say } = shared;
  const { config, clock } = core;
  const { workspace } = config;
  const place = askedWorkspace(workspace);
  const isModel = modelName !== 'none';
  const readOn = (tools: readonly Tool[]) => ({ tools, workspace: place, isModel });
  const read = once(async (): Promise<{ tools: readonly Tool[]; reading: ReadQuestion }> => {
    const tools = await parts.plugins.host().tools();
    const { session: id, continueSession = false } = options;
    const goesOn = continueSession || id !== undefined;
    const last = goesOn ? lastAnswer(await shared.store(), workspace, id) : undefined;
    const orders =
      options.isTyped === true ? orderFacts(workspace, parts.consent.rules) : undefined;
    const on = { ...readOn(tools), given, as, last, orders, nowMs: clock.nowMs() };
    return { tools, reading: questions.read(question, on) };
  });

  const open = async (): Promise<QuestionPorts> => {
    const { tools: ofPlugins, reading } = await read();
    const pieces = [
      ...(reading.isOfGiven ? [] : stdinEvidence(given, question)),
      ...(options.attached ?? []).flatMap((each) => stdinEvidence(each.text, question, each)),
    ];
    const ports = await openParts(shared, asked, ofPlugins, pieces);
    const { run, tools, plans, facts, store, model, failure, use, book } = ports;
    await asked.run.note('reading', { ...kindsOf(reading.intent), ...ports.noted });
    const baselinePorts: BaselinePorts = {
      ...{ say, tools, workspace, isSettled: as !== undefined, shape: questions.shape },
      plan: (intent, attempt) =>
        questions.plan(intent, {
          ...{ tools: tools.planTools, repository: isRepository(workspace), attempt },
          likenesses: likenessesOf(intent, tools.likenessesTo),
        }),
      readAgain: (intent, meant) => {
        const again = questions.read(question, {
          ...readOn(ofPlugins),
          again: { intent, meant },
        });
        if (again.intent === intent || again.intent.kind === 'note') return undefined;
        const words = again.spelled.map((each) => `"${each.written}" as ${each.meant}`);
        if (words.length > 0) say.warn(`read ${words.join(', ')}`);
        return again.intent;
      },
    };
    const baseline = (turn: Turn, first?: number): Events<Baseline> =>
      runBaseline(turn, baselinePorts, first);
    const { readAs } = reading;
    const { columns, isExplained = false, isChat = false } = options;
    const answers: AnswerPorts = {
      ...{ run, say, tools, plans, model, modelName, baseline, given: pieces },
      budgetClock: ports.budgetClock,
      reader: { readAs, columns, isExplained, isChat },
    };
    return {
      say,
      plans,
      baseline,
      memory: {
        act: (intent) => actOnFacts(intent, { isModel }, facts),
        recall: async () => {
          if (options.isForeign === true) return { sure: [], perhaps: [] };
          // Start the answering steps first: this process has time while theirs works.
          await nextTurn();
          const { intent } = reading;
          const past = intent.kind === 'ask' ? intent.past : undefined;
          const about =
            past === undefined
              ? { text: question }
              : { text: past.beside, asOf: { fromMs: past.fromMs, toMs: past.toMs } };
          return await noteRecalled(asked.run, await recall(about, ports.turns));
        },
      },
      model: {
        budget: ports.budget,
        role: async () => {
          if (failure !== undefined) return { role: 'choose', hasPassed: true };
          return model === undefined ? { role: 'none' } : await chooseRole(model, use);
        },
        converse: async function* (turn, role) {
          if (model === undefined)
            throw failure ?? new KernelError('internal', 'there is no model');
          if (role === 'choose') ports.expectTask(turn.intent.mentions);
          const { sure, perhaps } = await turn.recalling;
          const memory = [...sessionMemory(ports.turns, book().runs), ...sure, ...perhaps];
          const of = { role, model, book: book() };
          const mapped = { ...of, plans, isIndexed: parts.memory.isIndexed() };
          const project = yield* withMap(ports.talk.project, mapped);
          const talk = { ...of, turn, memory, ports: { ...ports.talk, project } };
          const own = (first: number) => resultsOf(baseline(turn, first));
          const spoken = yield* converse({ ...talk, baseline: own });
          const answer = await answerOfModel(turn, spoken, answers, role);
          return { answer, cutOff: spoken.cutOff };
        },
      },
      answers: {
        ofPassages: (turn, found) => answerOfPassages(turn, found, answers),
        before: (turn, found) => passagesBefore(turn, found, answers),
        instead: (turn, why) => answerInstead(turn, why, answers),
      },
      journal: {
        keepAct: (intent) => {
          keepQuestion(intent.kind === 'note' ? intent.text : question, ports.turns);
          if (config.workFolder === undefined) return;
          say.warn(`a dry run remembers too; undo that with: cuervo undo ${run.id}`);
        },
        keepShown: ({ intent, found: own }) => {
          if (intent.kind !== 'ask') return;
          const found = withGiven(own, answers);
          const listed = found.listings.flatMap(({ listed: lines = [] }) => lines);
          const place = { workspace, session: run.session };
          keepLastAnswer(store, place, intent, [...allPlaces(found), ...listed]);
        },
        keepTurn: async ({ recalling }, { mode, text, stop, evidence }) => {
          if (options.isForeign === true) return;
          const isFailed = mode === 'extractive' && stop !== undefined;
          if (isFailed && (stop === 'interrupted' || signal.aborted)) {
            keepQuestion(question, ports.turns);
            return;
          }
          const { sure, perhaps } = await recalling;
          if (!isFailed) countUses(sure, ports.turns);
          // Text from a recalled turn is not stored again as new, and half an answer never.
          const isNew = stop === 'answered' && sure.length + perhaps.length === 0;
          const paths = evidence.map(({ path }) => path);
          await keepTurn(
            question,
            mode === 'model' && isNew ? { text, paths } : undefined,
            ports.turns,
          );
        },
        stop: (why) => {
          if (model !== undefined) book().keep({ kind: 'stop', stop: stopOf(why) });
          return ofModel(why);
        },
      },
    };
  };
  return {
    question,
    read: async () => {
      const { intent } = (await read()).reading;
      if (options.isQuestion === true && intent.kind !== 'ask') throw noQuestion();
      return intent;
    },
    open,
  };
}

const readTimes: Pick<FactPorts, 'holdsFrom' | 'resolveDays' | 'saidAt'> = {
  holdsFrom: readHolds,
  resolveDays,
  saidAt: (text, nowMs) => readThen(text, nowMs, true),
};

async function* resultsOf(found: Events<Baseline>): Events<Baseline['results']> {
  return (yield* found).results;
}

async function noteRecalled(run: OpenRun, recalled: Recalled): Promise<Recalled> {
  const found = [...recalled.sure, ...recalled.perhaps];
  const rows = found.map(({ id, layer, score }) => ({ id, layer, score }));
  if (rows.length > 0) await run.note('memory-read', { rows });
  return recalled;
}

/** The kind that the words were read as, and those that they could be, too. */
function kindsOf(intent: Intent): JournalBody<'reading'> {
  if (intent.kind !== 'ask') return { kind: intent.kind, others: [] };
  const [kind = 'how', ...others] = intent.readings.map((reading) => reading.kind);
  return { kind, others };
}

/**
 * Shows a session to its model in as few words as can be from now on.
 *
 * @throws {KernelError} `invalid-argument` where there is nothing to make shorter
 */
export async function* shortenSession(shared: Shared, asked: AskedQuestion): Events<void> {
  const ofPlugins = await shared.parts.plugins.host().tools();
  const { model, failure, book, budget, talk } = await openParts(shared, asked, ofPlugins, []);
  if (model === undefined) {
    if (failure !== undefined) throw failure;
    throw new KernelError('invalid-argument', 'no model is in use, so nothing is sent again', {
      hint: 'Answers without a model take no room. Choose one with: cuervo model use NAME',
    });
  }
  const text = yield* shortenTalk(book(), model, budget(), talk);
  yield { type: 'text', delta: text, mode: 'extractive' };
  yield { type: 'answer', text, mode: 'extractive', evidence: [], memory: [] };
}

/** A fact that a client wants kept, and the way to ask a person about it. */
export type Remembering = {
  input: JsonObject;
  client: RunClient;
  askYesNo?: Say['askYesNo'];
};

/** Keeps a fact as the words of a client. @throws {KernelError} see `keepForModel` */
export async function* keepForClient(
  shared: Shared,
  asked: AskedQuestion,
  { input, client: { name }, askYesNo }: Remembering,
): Events<void> {
  const { facts, mayRemember } = await openParts(shared, asked, [], []);
  const say = { ...facts.say, askYesNo: askYesNo ?? facts.say.askYesNo };
  const by = { model: name, client: name, mayRemember };
  yield { type: 'result', ...(await keepForModel(input, by, { ...facts, say })) };
}

/** Opens the store, memory, the model and the session, and writes the run's first row. */
async function openParts(
  { core, parts, likenessesTo, replies, held, say, ...shared }: Shared,
  { question, modelName, options, run: journaled, signal }: AskedQuestion,
  ofPlugins: readonly Tool[],
  given: TalkPorts['given'],
) {
  const { config, clock } = core;
  const { workspace } = config;
  const { memory: kernelMemory, plugins, consent } = parts;
  const { host } = plugins;
  const { scope } = journaled;
  const [store, memory, { model, failure }] = await Promise.all([
    shared.store(),
    kernelMemory.open(),
    openModel(parts.model, { named: modelName, signal, maxMs: config.budget.durationMs }),
  ]);
  const skill =
    options.skill === undefined ? undefined : skillNamed(options.skill, skillPlaces(config));
  if (skill !== undefined) await agreeToSkill(skill, { store, askYesNo: say.askYesNo, signal });
  const session = openSession(store, question, { workspace, nowMs: clock.nowMs(), ...options });
  await journaled.begin(session.id);
  const run: Run = { id: scope.id, session: session.id, workspace, clock, signal };
  const seen = readAttachedImages(options.images ?? [], { config, model, failure });
  // A plugin's tool of that name is called by `run` alone.
  const known = [...ofPlugins.filter(({ name }) => name !== rememberTool.name), rememberTool];
  const isReadOnly = options.isPlanOnly === true || options.isForeign === true;
  const planTools = [...(isReadOnly ? known.filter(onlyReading) : known), rankPassagesTool];
  let leave = (tools: readonly Tool[]): readonly Tool[] => tools;
  const recipes = createModelRecipes({
    ...{ config, store, signal, askYesNo: say.askYesNo },
    narrow: (next) => {
      const before = leave;
      leave = (all) => next(before(all));
    },
  });
  const ofModels = [taskTool, ...recipes.tools];
  const bySkill = allowedBySkill([...known, ...ofModels], skill?.read.skill.allowedTools);
  // A sub-task has some of these, and so reads alone, too.
  const callable = bySkill.filter((tool) => !isReadOnly || tool === taskTool || onlyReading(tool));
  const isBuiltin = (plugin: string) =>
    plugin === kernelPlugin || host().plugin(plugin)?.builtin === true;
  const effectOf = (name: string) => ofPlugins.find((tool) => tool.name === name)?.effect;
  const tools: ToolFacts = {
    get tools() {
      return leave(callable);
    },
    ...{ planTools, isBuiltin, likenessesTo },
    onlyReads: (step) =>
      step.tool === taskTool.name
        ? tasks.onlyReads(step.input as JsonObject)
        : plugins.onlyReads(step),
    // A task acts only through its steps, which are judged by themselves.
    isReading: (name) =>
      [findToolsName, describeToolName, taskTool.name, skillTool.name].includes(name) ||
      ['pure', 'read'].includes(effectOf(name) ?? 'external'),
    changedPaths: () => changedPaths(store, run.id),
  };
  const of = { run, say, store, memory, likenessesTo };
  const facts: FactPorts = {
    ...of,
    factRows: config.memory.factRows,
    isShared: config.memory.shared !== undefined,
    ...readTimes,
  };
  const mayRemember = core.allowed.some(({ capability }) => capability === 'memory');
  const served = withKernelTools(host(), {
    ...{ embedder: kernelMemory.codeEmbedder, pieces: kernelMemory.indexPieces, warn: say.warn },
    remember: (input) =>
      keepForModel(input, { model: modelName, client: options.client?.name, mayRemember }, facts),
    task: (input, how) => tasks.run(input, how),
    skill: recipes.use,
  });
  const plans: PlanPorts = {
    makePlan: (steps) => plugins.makePlan(steps, [...planTools, ...ofModels]),
    execute: (plan, how) => {
      warmPlugins(host(), planTools, plan);
      return journaled.execute(plan, [...planTools, ...ofModels], served, how);
    },
    signal,
  };
  const expectTask = (mentions: Mentions): void =>
    consent.desk.expectTask(run.id, () =>
      taskParts(
        mentions,
        callable.filter(({ plugin }) => isBuiltin(plugin)),
        {
          ...{ invoker: served, desk: consent.desk, run: run.id, signal },
          stepTimeoutMs: core.limits.callTimeoutMs,
        },
      ),
    );
  const budgetClock = { nowMs: () => core.steadyClock.nowMs() - consent.desk.waitedMs() };
  const use: ModelUsePorts = { config, modelName, clock, say, store };
  const project =
    model !== undefined && config.modelRole !== 'word'
      ? await readProjectWords({ workspace, store, askYesNo: say.askYesNo, signal })
      : noProjectWords;
  const talk: TalkPorts = {
    ...{
      run,
      say,
      tools,
      given,
      images: seen.images,
      privacy: config.privacy,
      maxOutputBytes: config.maxOutputBytes,
    },
    project: planning(
      skill === undefined ? project : withSkill(project, skill.read.skill),
      options.isPlanOnly === true,
    ),
    replies: await replies(),
    heldSecrets: async (paths) => [
      ...secretsOf(options.given ?? ''),
      ...(options.attached ?? []).flatMap(({ text }) => secretsOf(text)),
      ...(await held.find(paths, { signal })),
    ],
    noteRead: (source) => consent.noteRead(run.id, source),
    addSpending: countSpending({ store, clock, say }),
    addModelMs: (ms) => {
      scope.modelMs += ms;
    },
  };
  const book = once(
    (): TalkBook => openTalk({ store, session: session.id, run: run.id, clock, warn: say.warn }),
  );
  const budget = once(
    (): BudgetMeter => createBudget(config.budget, budgetClock, spenderOf(model, use)),
  );
  const tasks = createSubTasks({
    ...{ ...talk, model, budget, named: allowedBySkill, told: journaled.told },
    intentOf: (goal) => {
      const { intent } = shared.questions.read(goal, {
        ...{ tools: ofPlugins, workspace: askedWorkspace(workspace), isModel: true, as: 'how' },
      });
      if (intent.kind === 'ask') return intent;
      throw new KernelError('internal', 'the goal of a sub-task was read as an order');
    },
    recipe: (name, all) => {
      const known = recipes.known(name);
      return { words: withSkill(project, known), tools: allowedBySkill(all, known.allowedTools) };
    },
  });
  return {
    ...{ run, tools, plans, facts, mayRemember, turns: of, store, model, failure, use, talk, book },
    ...{ budget, budgetClock, expectTask, noted: seen.noted },
  };
}

function onlyReading({ effect }: Tool): boolean {
  return effect === 'pure' || effect === 'read';
}

/** Plugins of later steps start while the first steps run. */
function warmPlugins(host: PluginHost, tools: readonly Tool[], { steps }: Plan): void {
  for (const { tool } of steps) {
    const { plugin = '' } = tools.find(({ name }) => name === tool) ?? {};
    if (host.plugin(plugin)?.builtin === true) host.warm(plugin);
  }
}

/** The recipe that a person chose stands behind what the project asks for. */
function withSkill({ words, data }: ProjectWords, { name, body }: Skill): ProjectWords {
  const recipe = `The recipe ${name}, which the person chose for this question:\n${body}`;
  return { words: [words, recipe].filter(Boolean).join('\n\n'), data };
}

function planning({ words, data }: ProjectWords, isPlanOnly: boolean): ProjectWords {
  const plan = 'The person wants a plan alone: read what is needed and say the steps.';
  return { words: isPlanOnly ? [words, plan].filter(Boolean).join('\n\n') : words, data };
}

/** Turns any error of a provider into `unavailable`: for the person, the model did not answer. */
function ofModel(error: KernelError): KernelError {
  if (faultOf(error) === undefined || error.code === 'unavailable') return error;
  const { message, hint } = error;
  return new KernelError('unavailable', message, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The session that a question belongs to: a named one, the newest, or a new one. */
function openSession(
  from: Store,
  question: string,
  place: { workspace: string; nowMs: number } & Pick<
    AskOptions,
    'continueSession' | 'session' | 'startsSession'
  >,
): SessionRow {
  const { workspace, nowMs, continueSession = false, session: id } = place;
  const title = question.replace(/\s+/g, ' ').slice(0, 80);
  if (id !== undefined) {
    const named = from.session(id);
    if (named !== undefined) return named;
    if (place.startsSession === true) return from.createSession(workspace, title, nowMs, id);
    throw new KernelError('not-found', `there is no session "${id}"`, {
      hint: 'See them with: cuervo session list --all',
    });
  }
  const latest = continueSession ? from.latestSession(workspace) : undefined;
  return latest ?? from.createSession(workspace, title, nowMs);
}

/** Opens the model. If its provider cannot be asked, the answer goes on without it. */
async function openModel(
  model: AskParts['model'],
  { named, signal, maxMs }: { named: string; signal: AbortSignal; maxMs: number },
): Promise<{ model: ChatModel | undefined; failure: KernelError | undefined }> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    const text = `the model ${named} was not open after ${maxMs} ms (budget.duration-ms)`;
    late.abort(new KernelError('unavailable', text));
  }, maxMs);
  try {
    const opened = await untilAborted(model.open(), AbortSignal.any([signal, late.signal]));
    return { model: opened, failure: undefined };
  } catch (thrown) {
    if (!(thrown instanceof KernelError) || thrown.code !== 'unavailable') throw thrown;
    return { model: undefined, failure: thrown };
  } finally {
    clearTimeout(timer);
  }
}

function noQuestion(): KernelError {
  return new KernelError(
    'invalid-argument',
    'this asks for an act, and only questions are answered',
    { hint: 'Call the tool that does it.' },
  );
}

/** Both names of a moved file. */
function changedPaths(store: RunStore, run: string): string[] {
  const paths = store.changes
    .ofRun(run)
    .flatMap(({ path, target }) => [path, ...(target === undefined ? [] : [target])]);
  return [...new Set(paths)];
}
