import type { ClientAnswers } from '../contracts/config.ts';
import type { AskConsent, ConsentEffect, ConsentRequest } from '../contracts/consent.ts';
import { KernelError } from '../contracts/error.ts';

/** Asks the person behind a client; `undefined` where they did not answer. */
export type AskThroughClient = (
  question: Question,
  request: ConsentRequest,
) => Promise<string | undefined>;

/** Whom a run may ask, while it goes on. */
export type Asker = { client: string; answers: ClientAnswers; ask: AskThroughClient };

/**
 * Consent by way of a client, which may answer by itself: it counts only as far as `config.toml` says
 * for that client, and for nothing that lasts, leaves the machine or lets others run something.
 */
export type ClientConsent = {
  askConsent: AskConsent;
  bind(run: string, asker: Asker): void;
  release(run: string): void;
};

/** @param describe the words of a terminal, without its answers */
export function createClientConsent(describe: (request: ConsentRequest) => string): ClientConsent {
  const askers = new Map<string, Asker>();
  /** what was allowed until this connection ends */
  const held = new Set<string>();
  return {
    bind: (run, asker) => void askers.set(run, asker),
    release: (run) => void askers.delete(run),
    askConsent: async (request) => {
      const asker = askers.get(request.run ?? '');
      if (asker === undefined || asker.answers === 'none' || !mayAnswer(request))
        return { answer: 'unasked' };
      const key = JSON.stringify([asker.client, request.plugin, request.digest, request.grant]);
      if (held.has(key)) return { answer: 'once' };
      const isLong = asker.answers === 'session';
      const task = isLong && request.task !== undefined ? ['task'] : [];
      const answers = ['once', ...task, ...(isLong ? ['session'] : []), 'no'];
      const given = await asker.ask({ text: describe(request), answers }, request);
      if (given === 'task' && answers.includes(given)) return { answer: 'task' };
      if (given === 'session' && answers.includes(given)) held.add(key);
      return { answer: given === 'once' || (given === 'session' && held.has(key)) ? 'once' : 'no' };
    },
  };
}

/** Whether a person may be asked through a client at all; the rest needs a terminal. */
function mayAnswer(request: ConsentRequest): boolean {
  const effects = [request.effect, ...(request.covers ?? []).map(({ effect }) => effect)];
  return request.afterReading === undefined && effects.every(isUndoableHere);
}

/** Not a request to an origin, not a file that others run or that is read-only, nothing that lasts. */
function isUndoableHere(effect: ConsentEffect): boolean {
  if (effect.capability === 'http') return false;
  if (effect.capability === 'call') return effect.at === undefined && effect.origins.length === 0;
  if (effect.capability === 'fs-write')
    return effect.runBy === undefined && !('readOnly' in effect.change);
  const { eachTime, asks, lasting = [], origins = [] } = effect;
  return !eachTime && asks === undefined && lasting.length === 0 && origins.length === 0;
}

/** What a person is asked in the middle of a call. */
export type Question = {
  text: string;
  /** in the order in which they are shown */
  answers: readonly string[];
};

type Asked = Question & { answer(given: string | undefined): void };

/** What a call comes to next. */
export type Next<Result> = { type: 'result'; result: Result } | { type: 'question'; asked: Asked };

/**
 * A call that may stop for a question, and goes on with its answer in a later request: the run
 * stands still in between.
 */
export type OpenCall<Result> = {
  /** Its result, or the next question. */
  next(): Promise<Next<Result>>;
  cancel(reason: unknown): void;
  /** resolves when it has come to its result */
  readonly ended: Promise<unknown>;
};

export type CallBody<Result> = (call: {
  signal: AbortSignal;
  /** @returns undefined where nobody answered */
  ask(question: Question): Promise<string | undefined>;
}) => Promise<Result>;

/** @param maxWaitMs for an answer; without one it counts as none */
export function openCall<Result>(body: CallBody<Result>, maxWaitMs: number): OpenCall<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  const questions: Asked[] = [];
  let arrived = Promise.withResolvers<void>();

  const ask = (question: Question): Promise<string | undefined> => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const end = (given: string | undefined): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', drop);
      resolve(given);
    };
    const drop = (): void => end(undefined);
    const timer = setTimeout(drop, maxWaitMs);
    if (signal.aborted) drop();
    signal.addEventListener('abort', drop);
    questions.push({ ...question, answer: end });
    arrived.resolve();
    return promise;
  };

  const result = body({ signal, ask }).then((done) => ({ type: 'result' as const, result: done }));
  const ended = result.catch(() => {});
  const nextQuestion = async (): Promise<Next<Result>> => {
    for (;;) {
      const asked = questions.shift();
      if (asked !== undefined) return { type: 'question', asked };
      arrived = Promise.withResolvers();
      await arrived.promise;
    }
  };
  return {
    next: () => Promise.race([result, nextQuestion()]),
    cancel: (reason) => controller.abort(KernelError.from(reason, 'canceled')),
    ended,
  };
}
