import { KernelError } from '../contracts/error.ts';

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
