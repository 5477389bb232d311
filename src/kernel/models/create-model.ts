import { join } from 'node:path';
import { KernelError, reasonOf } from '../../contracts/error.ts';
import type { ChatModel } from '../../contracts/model.ts';
import type { ModelScore } from '../../contracts/output/parse-model.ts';
import type { Store } from '../../contracts/store.ts';
import { once } from '../../lib/memo.ts';
import { untilAborted } from '../../lib/signals.ts';
import { type PromptStates, promptStatesOf } from '../../models/llama/prompt-states.ts';
import { type Aims, contextFor, forExam, type Measured } from '../../models/model-reach.ts';
import type { TestForecast, TestProgress } from '../../models/test-model.ts';
import { type BreakerStates, breakerKey, type Replacement } from '../../models/with-resilience.ts';

export type { TestForecast } from '../../models/test-model.ts';

import { digestOfFile } from '../../models/llama/gguf-files.ts';
import {
  changeBook,
  emptyBook,
  type ModelBook,
  type ModelServer,
  readBook,
} from '../../models/model-book.ts';
import { createModelCommands, type ModelCommands } from '../../models/model-commands.ts';
import { createModelHealth, type ModelHealth } from '../../models/model-health.ts';
import { type OpenOptions, openModel, providerOf } from '../../models/model-providers.ts';
import { examOf, keepExam, keepScore, scoreOf } from '../../models/model-scores.ts';
import type { SecretsFile } from '../../secrets/secrets.ts';
import type { KernelCore } from '../core.ts';
import { createPullModel, type PullModel } from './pull-model.ts';

/** The model of a run, opened by its first use. */
export type KernelModel = {
  /** what the command line or the environment named, or was chosen, or stands in `config.toml` */
  name(): Promise<string>;
  /** undefined: none is named */
  open(): Promise<ChatModel | undefined>;
  /** Tests the model and keeps its score for `ask`. @throws {KernelError} when there is none */
  test(options: {
    signal: AbortSignal;
    /** told before the first question */
    onForecast?: (forecast: TestForecast) => void;
    onProgress?: (progress: TestProgress) => void;
  }): Promise<ModelScore>;
  commands: ModelCommands & ModelHealth & { pull: PullModel };
};

type ModelCore = Pick<
  KernelCore,
  'config' | 'options' | 'own' | 'runs' | 'sandbox' | 'store' | 'hasStore' | 'warn' | 'noteRequest'
>;

export function createModel(
  core: ModelCore,
  secrets: Pick<SecretsFile, 'has' | 'unlock' | 'find'>,
): KernelModel {
  const { config, runs } = core;
  const { confine } = core.sandbox;

  const book = once(
    async (): Promise<ModelBook> => (core.hasStore() ? readBook(await core.store()) : emptyBook),
  );
  const name = async (): Promise<string> => {
    const isNamed = config.modelFrom === 'command line' || config.modelFrom === 'environment';
    return isNamed ? config.model : ((await book()).choice ?? config.model);
  };

  /** A secret of the person, where it may be sent there. */
  const secretFor = async (key: string, origin: string): Promise<string | undefined> => {
    if (!secrets.has(key)) return undefined;
    await secrets.unlock(runs.closing);
    const secret = secrets.find(key);
    return secret?.origins.includes(origin) ? secret.value : undefined;
  };

  const learnt = keepLearnt(core);

  const { firstTokenMs } = config.models;
  const aims: Aims = { firstTokenMs, durationMs: config.budget.durationMs };
  const digestOf = async (path: string): Promise<string> =>
    await digestOfFile(path, await core.store());
  /** The result of its test, for the aims of today. */
  const measuredOf = async (digest: string): Promise<Measured | undefined> => {
    const measured = scoreOf(digest, await core.store())?.measured;
    if (measured === undefined) return undefined;
    return { ...measured, aims, contextTokens: contextFor(measured, aims) };
  };

  const statesOf = (digest: string): Promise<PromptStates | undefined> =>
    promptStatesOf(digest, core);

  const openOne = async (
    named: string,
    use: Pick<OpenOptions, 'measuredOf' | 'statesOf'> = { measuredOf, statesOf },
  ): Promise<ChatModel | undefined> =>
    await openModel(named, config, {
      digestOf,
      ...use,
      confine,
      signal: runs.closing,
      book: await book(),
      secretFor,
      ...learnt,
    });

  /** Replacements for a model that the command line did not name. */
  const replacements = async (named: string): Promise<Replacement[]> => {
    if (config.modelFrom === 'command line') return [];
    const kept = await book();
    const others = config.models.fallback.filter((other) => other !== named && other !== 'none');
    return others.map((other) => ({
      name: other,
      remote: providerOf(other, kept)?.isRemote(other, kept) ?? true,
      open: once(async () => core.own((await openOne(other)) as ChatModel)),
    }));
  };

  const openNamed = async (): Promise<ChatModel | undefined> => {
    const named = await name();
    const found = await openOne(named);
    if (found === undefined) return undefined;
    const model = core.own(found);
    const [{ withResilience }, store] = await Promise.all([
      import('../../models/with-resilience.ts'),
      core.store(),
    ]);
    return withResilience(model, {
      replacements: await replacements(named),
      states: breakerStates(store),
      onRetry: ({ message }, waitMs) =>
        core.warn(`${message}; asking again in ${(waitMs / 1_000).toFixed(1)} s`),
      onFallback: (from, to, { message }) =>
        core.warn(`${from} is replaced by ${to} of models.fallback: ${message}`),
    });
  };

  const health = createModelHealth({
    ...{ config, name, book, open: openOne },
    store: async () => (core.hasStore() ? await core.store() : undefined),
  });
  const open = once(() => runs.finish(openNamed));
  const pull = createPullModel(core, secretFor);
  return {
    name,
    open,
    commands: { ...createModelCommands(core, secretFor), ...health, pull },
    test: async ({ signal, onForecast = () => {}, onProgress = () => {} }) => {
      const named = await name();
      const isOurs = providerOf(named, await book())?.name === 'llama';
      const opening = isOurs ? openOne(named, { measuredOf: async () => forExam(aims) }) : open();
      const found = await untilAborted(opening, signal);
      if (found === undefined) {
        throw new KernelError('invalid-argument', 'there is no model to test', {
          hint: 'Name one: cuervo model test PATH.gguf',
        });
      }
      const tested = isOurs ? core.own(found) : found;
      const { testModel } = await import('../../models/test-model.ts');
      const store = await core.store();
      const digest = await tested.digest();
      const outcomes = examOf(digest, store);
      const score = await testModel(tested, {
        ...{ signal, aims, onForecast, onProgress },
        known: { ...outcomes },
        onOutcome: (id, outcome) => {
          outcomes[id] = outcome;
          keepExam(digest, outcomes, store);
        },
      });
      keepScore(named, digest, score, store);
      return score;
    },
  };
}

function breakerStates(store: Pick<Store, 'getSetting' | 'setSetting'>): BreakerStates {
  return {
    load: (key) => store.getSetting(breakerKey(key)),
    save: (key, state) => {
      try {
        store.setSetting(breakerKey(key), JSON.parse(JSON.stringify(state)));
      } catch {
        // A store that is locked is not a reason to lose an answer.
      }
    },
  };
}

/** What servers turn out to refuse and to hold is told, and kept for later questions. */
function keepLearnt(
  core: Pick<KernelCore, 'config' | 'store' | 'warn'>,
): Pick<OpenOptions, 'onRefused' | 'onUnknownContext' | 'onContext'> {
  const change = async (
    server: string,
    of: (kept: ModelServer) => Partial<ModelServer>,
  ): Promise<void> => {
    try {
      const store = await core.store();
      const { servers } = readBook(store);
      const kept = servers[server];
      if (kept === undefined) return;
      changeBook(store, { servers: { ...servers, [server]: { ...kept, ...of(kept) } } });
    } catch (thrown) {
      core.warn(`what ${server} is like is not kept: ${reasonOf(thrown)}`);
    }
  };
  const onRefused = (server: string, model: string, field: string): void => {
    const isTools = field === 'tools';
    core.warn(
      isTools
        ? `${server}/${model} takes no tools from its server; they stand in its prompt instead`
        : `${server} refuses the field "${field}", and is asked without it from now on`,
    );
    void change(server, ({ models, refused = [] }) =>
      isTools
        ? { models: { ...models, [model]: { ...models[model], nativeTools: false } } }
        : { refused: [...refused, field] },
    );
  };

  const onUnknownContext = (name: string, assumedTokens: number): void => {
    const path = join(core.config.home, 'models.toml');
    core.warn(
      `the server does not say the context of ${name}, and ${assumedTokens} tokens are assumed; set the key context below [models."${name}"] in ${path}`,
    );
  };
  const onContext = (server: string, model: string, contextTokens: number): void => {
    core.warn(
      `${server}/${model} has a context of ${contextTokens} tokens, as its server says now`,
    );
    void change(server, ({ models }) => ({
      models: { ...models, [model]: { ...models[model], contextTokens } },
    }));
  };

  return { onRefused, onUnknownContext, onContext };
}
