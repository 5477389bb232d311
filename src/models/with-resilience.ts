import {
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  ExponentialBackoff,
  handleWhen,
  type IBackoff,
  isBrokenCircuitError,
  retry,
  wrap,
} from 'cockatiel';
import { KernelError } from '../contracts/error.ts';
import type { ChatModel, ModelEvent, ModelRequest } from '../contracts/model.ts';
import { faultOf, isPassing, type ModelFault, modelError } from '../contracts/talk.ts';
import { untilAborted } from '../lib/signals.ts';

/** Failures in a row after which a model is left alone, and for how long. */
export const failuresToBreak = 5;
const breakMs = 30_000;

/** What is kept of the breaker of a model, for all processes. */
export type BreakerState = {
  ownState?: { value?: number; openedAt?: number };
  /** failures in a row */
  breakerState?: unknown;
};

/** Milliseconds until a paused model may be asked again; 0 if it may be asked now. */
export function leftAloneMs(kept: BreakerState | undefined, nowMs: number): number {
  const { value, openedAt = 0 } = kept?.ownState ?? {};
  return value === 1 ? Math.max(0, openedAt + breakMs - nowMs) : 0;
}

/** The key of the setting that keeps it. */
export function breakerKey(model: string): string {
  return `model-breaker:${model}`;
}

/** Further attempts at one reply. */
const maxRetries = 3;
/** Longer waits are left to the person. */
const maxWaitMs = 60_000;
const firstDelayMs = 500;

/** What is kept of the health of models from one command to the next. */
export type BreakerStates = {
  load(model: string): BreakerState | undefined;
  save(model: string, state: object): void;
};

/** A model that may take the place of another one, opened when it has to. */
export type Replacement = {
  name: string;
  remote: boolean;
  /** the opener keeps what it opens, and opens it once */
  open(): Promise<ChatModel>;
};

export type ResilienceOptions = {
  states: BreakerStates;
  /** in this order */
  replacements?: readonly Replacement[];
  /** told before a model is asked again */
  onRetry?: (reason: KernelError, waitMs: number) => void;
  /** told when another model takes its place */
  onFallback?: (from: string, to: string, reason: KernelError) => void;
  /** wait before the first further attempt; default 500 ms, then more, with jitter */
  firstDelayMs?: number;
};

type Attempt = {
  /** until the first words, which cannot be taken back */
  first: ModelEvent[];
  rest: AsyncGenerator<ModelEvent, void, undefined> | undefined;
};

/** How many requests one reply took. */
type Made = { attempts: number };

/**
 * Asks a model again after a passing failure before its first words, and pauses it for a while
 * after several failures in a row. After a lasting failure the replacements are asked in order; if
 * all are paused, the model gets one more attempt.
 */
export function withResilience(named: ChatModel, options: ResilienceOptions): ChatModel {
  const { replacements = [] } = options;
  const { name, remote } = named;
  const first = guardModel({ name, remote, open: async () => named }, options);
  const guarded = [first, ...replacements.map((other) => guardModel(other, options))];

  async function* stream(
    request: ModelRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const made = { attempts: 0 };
    const { attempt, by } = await begin(request, signal, made);
    for await (const event of told(attempt)) {
      const isEnd = event.type === 'end';
      const other = by === name ? {} : { by };
      yield isEnd ? { ...event, ...other, ...(made.attempts > 1 ? made : {}) } : event;
    }
  }

  async function begin(
    request: ModelRequest,
    signal: AbortSignal,
    made: Made,
  ): Promise<{ attempt: Attempt; by: string }> {
    let reason: KernelError | undefined;
    let before: string | undefined;
    for (const one of guarded) {
      if (one.isBroken()) continue;
      if (before !== undefined && reason !== undefined)
        options.onFallback?.(before, one.name, reason);
      try {
        return { attempt: await one.attempt(request, signal, made), by: one.name };
      } catch (thrown) {
        const error = KernelError.from(thrown, 'unavailable');
        if (signal.aborted || !mayBeReplaced(faultOf(error))) throw error;
        reason ??= error;
        before = one.name;
      }
    }
    if (reason !== undefined) throw reason;
    return { attempt: await first.lastAttempt(request, signal, made), by: name };
  }

  return {
    ...named,
    // If one of them is remote, all are guarded.
    remote: remote || replacements.some((other) => other.remote),
    stream,
    [Symbol.asyncDispose]: () => named[Symbol.asyncDispose](),
  };
}

/**
 * Whether a replacement may help. It cannot for a prompt that is too long: its maker shortens it.
 */
function mayBeReplaced(fault: ModelFault | undefined): boolean {
  return fault !== undefined && fault.kind !== 'overflow';
}

async function* told({ first, rest }: Attempt): AsyncGenerator<ModelEvent, void, undefined> {
  yield* first;
  if (rest !== undefined) yield* rest;
}

type GuardedModel = {
  name: string;
  isBroken(): boolean;
  attempt(request: ModelRequest, signal: AbortSignal, made: Made): Promise<Attempt>;
  /** one request, whatever its health */
  lastAttempt(request: ModelRequest, signal: AbortSignal, made: Made): Promise<Attempt>;
};

function guardModel(model: Replacement, options: ResilienceOptions): GuardedModel {
  const { states, onRetry = () => {} } = options;
  const key = model.name;
  const breaker = breakerFor(key, states);
  const delays = new ExponentialBackoff({ initialDelay: options.firstDelayMs ?? firstDelayMs });

  const keep = keeper(key, breaker, states);
  const attempt: GuardedModel['attempt'] = async (request, signal, made) => {
    const seen = { silent: 0, unreachable: 0 };
    let last: unknown;
    const isWorthIt = (error: unknown): boolean => {
      const fault = faultOf(error);
      if (fault !== undefined) last = error;
      if (!isPassing(fault) || signal.aborted) return false;
      // Silent and unreachable models are tried only twice: the person has waited long already.
      if (fault?.kind === 'silent' || fault?.kind === 'unreachable') {
        seen[fault.kind] += 1;
        if (seen[fault.kind] > 1) return false;
      }
      return (fault?.retryAfterMs ?? 0) <= maxWaitMs;
    };
    const plain = retry(handleWhen(isWorthIt), {
      maxAttempts: maxRetries,
      backoff: new DelegateBackoff<{ result: unknown }, IBackoff<unknown>>((context, state) => {
        const next = state === undefined ? delays.next() : state.next(undefined);
        const { error } = context.result as { error?: unknown };
        const wish = faultOf(error)?.retryAfterMs ?? 0;
        // Jitter: everybody with the same wait would come back at the same moment.
        const delay = wish === 0 ? next.duration : wish + Math.min(next.duration, wish / 10);
        return { delay, state: next };
      }),
    });
    // A wait that is given up must not keep the process; `untilAborted` keeps it meanwhile.
    const again = plain.dangerouslyUnref();
    again.onRetry((failed) => {
      const { error } = failed as { error?: unknown };
      onRetry(KernelError.from(error, 'unavailable'), failed.delay);
    });
    try {
      const policy = wrap(again, breaker);
      return await untilAborted(
        policy.execute(async () => await open(model, request, { signal, made }), signal),
        signal,
      );
    } catch (thrown) {
      // The breaker opened between two attempts; the last error tells more.
      if (!isBrokenCircuitError(thrown)) throw thrown;
      if (last !== undefined) throw last;
      return await open(model, request, { signal, made });
    } finally {
      keep();
    }
  };

  return {
    name: model.name,
    isBroken: () => isOpen(breaker, key, states),
    attempt,
    lastAttempt: async (request, signal, made) => {
      const attempted = await open(model, request, { signal, made });
      states.save(key, {});
      return attempted;
    },
  };
}

/** Reads a reply up to its first words. Until then nothing was shown, so it can be asked again. */
async function open(
  model: Replacement,
  request: ModelRequest,
  { signal, made }: { signal: AbortSignal; made: Made },
): Promise<Attempt> {
  made.attempts += 1;
  const opened = await model.open();
  if (opened.sees !== true && hasImages(request)) {
    const hint = 'Name models that see in models.fallback, or leave the image out.';
    throw modelError({ kind: 'refused' }, `${model.name} does not read images`, hint);
  }
  const events = opened.stream(request, { signal });
  const first: ModelEvent[] = [];
  for (;;) {
    const { value, done } = await events.next();
    if (done) return { first, rest: undefined };
    first.push(value);
    if (value.type === 'text') return { first, rest: events };
  }
}

function hasImages({ messages }: ModelRequest): boolean {
  return messages.some((message) => message.role === 'user' && message.images !== undefined);
}

/**
 * Whether a failure is the model's fault; a rate limit is the key's, a missing network the
 * machine's.
 */
function isUnhealthy(error: unknown): boolean {
  const fault = faultOf(error);
  return isPassing(fault) && fault?.kind !== 'limited';
}

function breakerFor(key: string, states: BreakerStates): CircuitBreakerPolicy {
  const options = { halfOpenAfter: breakMs, breaker: new ConsecutiveBreaker(failuresToBreak) };
  const kept = states.load(key);
  const policy = handleWhen(isUnhealthy);
  if (kept?.ownState === undefined) return circuitBreaker(policy, options);
  return circuitBreaker(policy, { ...options, initialState: kept });
}

/** Saves the state when it is another one than before. */
function keeper(key: string, breaker: CircuitBreakerPolicy, states: BreakerStates): () => void {
  let saved = JSON.stringify(breaker.toJSON());
  return () => {
    const now = JSON.stringify(breaker.toJSON());
    if (now === saved) return;
    saved = now;
    states.save(key, JSON.parse(now));
  };
}

/** Reads the kept state: another process may have seen more failures. */
function isOpen(breaker: CircuitBreakerPolicy, key: string, states: BreakerStates): boolean {
  const kept = states.load(key) ?? (breaker.toJSON() as ReturnType<BreakerStates['load']>);
  return leftAloneMs(kept, Date.now()) > 0;
}
