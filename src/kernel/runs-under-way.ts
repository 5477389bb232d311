import { KernelError } from '../contracts/error.ts';
import type { RunEvent } from '../contracts/events.ts';
import { onAbort } from '../lib/signals.ts';

type RunEvents = AsyncGenerator<RunEvent, void, undefined>;

/** Work in a kernel: the parts stay open until it ends. */
export type RunsUnderWay = {
  /** Fires when the kernel is closed. */
  readonly closing: AbortSignal;
  /** @throws {KernelError} `canceled` once the kernel is closed */
  refuseIfClosed(): void;
  /**
   * @param signal of whoever wants the run
   * @param body given a signal that also fires when the kernel is closed; throws nothing
   */
  start(signal: AbortSignal | undefined, body: (signal: AbortSignal) => RunEvents): RunEvents;
  /**
   * Work that closing waits for. Work that cannot stop half-way ignores `closing`.
   *
   * @throws {KernelError} `canceled` when the kernel was closed before it began
   */
  finish<Value>(work: () => Promise<Value>): Promise<Value>;
  /**
   * Cancels the runs and waits for their ends, also of runs whose events are not being read: these
   * events are kept and can be read later. Later runs end as canceled.
   */
  close(): Promise<void>;
};

export function createRunsUnderWay(): RunsUnderWay {
  const runs = new Set<Run>();
  const works = new Set<Promise<unknown>>();
  const closing = new AbortController();
  const { signal: closed } = closing;
  const refuseIfClosed = (): void => {
    if (closed.aborted) throw kernelClosed();
  };
  return {
    closing: closed,
    refuseIfClosed,
    start: (signal, body) => {
      const run = new Run(signal, body, {
        began: () => {
          if (closed.aborted) run.cancel();
          else runs.add(run);
        },
        ended: () => runs.delete(run),
      });
      return run;
    },
    finish: async (work) => {
      refuseIfClosed();
      const made = work();
      works.add(made);
      try {
        return await made;
      } finally {
        works.delete(made);
      }
    },
    close: async () => {
      closing.abort(kernelClosed());
      await Promise.allSettled([...[...runs].map((run) => run.close()), ...works]);
    },
  };
}

/** The events of one run, which goes to its end without its reader when the kernel is closed. */
class Run implements RunEvents {
  readonly #controller = new AbortController();
  readonly #events: RunEvents;
  #begin: (() => void) | undefined;
  /** the unread events after the kernel was closed */
  #left: Promise<RunEvent[]> | undefined;

  constructor(
    signal: AbortSignal | undefined,
    body: (signal: AbortSignal) => RunEvents,
    on: { began(): void; ended(): void },
  ) {
    this.#begin = on.began;
    const controller = this.#controller;
    this.#events = (async function* () {
      const forget = signal && onAbort(signal, (reason) => controller.abort(reason));
      try {
        yield* body(controller.signal);
      } finally {
        forget?.();
        on.ended();
      }
    })();
  }

  next(): Promise<IteratorResult<RunEvent, void>> {
    this.#begin?.();
    this.#begin = undefined;
    return this.#left === undefined ? this.#events.next() : takeFirst(this.#left);
  }

  return(): Promise<IteratorResult<RunEvent, void>> {
    if (this.#left !== undefined) this.#left = Promise.resolve([]);
    return this.#events.return();
  }

  throw(reason: unknown): Promise<IteratorResult<RunEvent, void>> {
    if (this.#left !== undefined) this.#left = Promise.resolve([]);
    return this.#events.throw(reason);
  }

  cancel(): void {
    this.#controller.abort(kernelClosed());
  }

  async close(): Promise<void> {
    this.cancel();
    this.#left ??= allOf(this.#events);
    await this.#left;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}

async function allOf(events: RunEvents): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function takeFirst(
  events: Promise<RunEvent[]>,
): Promise<IteratorResult<RunEvent, undefined>> {
  const value = (await events).shift();
  return value === undefined ? { done: true, value } : { done: false, value };
}

export function kernelClosed(): KernelError {
  return new KernelError('canceled', 'the kernel was closed');
}

// biome-ignore lint/suspicious/noExplicitAny: the arguments are passed on as they are
type Method = (...args: any[]) => unknown;

/** Names of the methods that return no promise. */
type Immediate<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends Method
    ? ReturnType<Methods[Name]> extends PromiseLike<unknown>
      ? never
      : Name
    : never;
}[keyof Methods];

/**
 * The same commands for the life of a kernel. Its closing cancels those under way that were given a
 * signal, as `signal` of their last argument, and waits for all of them. A closed kernel refuses
 * them as `canceled`.
 *
 * @param immediate the methods that return no promise; they throw where the others reject
 */
export function untilClosed<Methods extends object>(
  runs: RunsUnderWay,
  methods: Methods,
  immediate: Record<Immediate<Methods>, true>,
): Methods {
  const wrapped: Record<string, Method> = {};
  for (const [name, method] of Object.entries(methods) as [string, Method][]) {
    wrapped[name] =
      name in immediate
        ? (...args) => {
            runs.refuseIfClosed();
            return method(...withClosing(args, runs.closing));
          }
        : (...args) => runs.finish(async () => await method(...withClosing(args, runs.closing)));
  }
  // Spread first: it also keeps what a symbol names.
  return { ...methods, ...wrapped };
}

function withClosing(args: unknown[], closing: AbortSignal): unknown[] {
  const { signal, ...rest } = Object(args.at(-1)) as { signal?: unknown };
  if (!(signal instanceof AbortSignal)) return args;
  return [...args.slice(0, -1), { ...rest, signal: AbortSignal.any([signal, closing]) }];
}
