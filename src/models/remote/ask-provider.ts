import { KernelError } from '../../contracts/error.ts';
import type { ModelEvent } from '../../contracts/model.ts';
import { faultOf, type ModelFault, modelError } from '../../contracts/talk.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { errorBodyMs, type SilenceLimits, usualConnectMs, watchSilence } from './limits.ts';

export function sdkOptions(silence: SilenceLimits, connectMs = usualConnectMs) {
  const maxErrorMs = Math.min(silence.firstTokenMs / 2, errorBodyMs);
  return {
    maxRetries: 0,
    // Our limits are finer.
    timeout: silence.firstTokenMs * 2,
    fetch: boundedFetch({ maxErrorMs, connectMs }),
    // Only `src/cli` prints.
    logLevel: 'off',
  } as const;
}

/**
 * Sends one request and reads its answer.
 *
 * @param options.signal of the caller; gives up the request
 * @throws {KernelError} with a `ModelFault`, or `canceled` on abort
 */
export async function* askProvider<Part>(
  options: {
    silence: SilenceLimits;
    errors: Omit<ErrorContext, 'began' | 'nowMs'>;
    signal: AbortSignal;
  },
  send: (options: { signal: AbortSignal }) => Promise<AsyncIterable<Part>>,
  read: (parts: AsyncIterable<Part>) => AsyncGenerator<ModelEvent, void, undefined>,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { silence, errors, signal } = options;
  let began = false;
  using watch = watchSilence(silence);
  try {
    if (signal.aborted) throw signal.reason;
    const parts = await send({ signal: AbortSignal.any([signal, watch.signal]) });
    began = true;
    yield* read(watch.watch(parts));
    // One of the SDKs ends a stream that was aborted as if it were whole.
    if (signal.aborted) throw signal.reason;
  } catch (thrown) {
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    if (watch.signal.aborted) throw watch.signal.reason;
    throw toKernelError(thrown, { ...errors, began, nowMs: Date.now() });
  }
}

const withoutModel = 'or run without a model: --model none';
const maxReasonChars = 300;
/** With status 400 a provider says also that an account is empty. */
const unpaid = /\b(?:credit balance|billing|insufficient_quota)\b/i;
/** Every kind of server has words of its own for a prompt above its context. */
const tooLong =
  /\b(?:prompt|input) is too (?:long|large)\b|\bcontext[ _](?:length|size|window|shift|overflow)|\bn_ctx\b|\bmax_model_len\b|\bmaximum (?:context|model length)|\btoo many (?:input )?tokens|\bexceeds? (?:the (?:available )?context|the maximum number of tokens)|`?inputs`? tokens|\bexceed_context/i;
const withoutTools =
  /\b(?:does not support (?:tools|function)|tools? (?:are|is) not supported|requires? --jinja|tool[_ -]?calls?[^.]{0,60}(?:not supported|unsupported)|--enable-auto-tool-choice|tools param requires)/i;

/** `context length is 8192`, `n_ctx (4096)`, `> 200000 maximum`, `4,096 token limit` */
const limits =
  /(?:context|n_ctx|max_model_len|max(?:imum)?(?!_(?:completion_)?tokens)|limit|at most|up to|only|allowed|[<>])[^\d.]{0,40}?(\d[\d,_]*)(k\b)?|(\d[\d,_]*)(k)?[ -]?tokens?[ -](?:context|limit|max|window)/gi;
/** No context is smaller. */
const leastContext = 512;

function limitIn(reason: string): Pick<ModelFault, 'limitTokens'> {
  for (const [, before, thousand, behind, thousands] of reason.matchAll(limits)) {
    const tokens = Number((before ?? behind ?? '').replace(/\D/g, ''));
    const all = tokens * ((thousand ?? thousands) === undefined ? 1 : 1_000);
    if (all >= leastContext) return { limitTokens: all };
  }
  return {};
}

export type ErrorContext = {
  model: string;
  baseUrl: string;
  apiKey: string;
  /** where the person keeps the key, e.g. `ANTHROPIC_API_KEY` */
  keyName: string;
  /** what to look at when nobody answers */
  address: string;
  /** true once the answer has begun */
  began: boolean;
  /** now, in ms since the epoch */
  nowMs: number;
};

/** As the errors of both SDKs are made. */
type ApiError = Error & {
  status?: number;
  type?: string | null;
  code?: string | null;
  headers?: Headers;
  apiMessage?: string;
  error?: { message?: unknown; metadata?: { raw?: unknown } | null } | undefined;
};

/** The provider's own sentence, on one line, never with the key in it. */
function reasonOf(error: ApiError, context: ErrorContext): string {
  const said = error.apiMessage ?? error.error?.message;
  // A gateway reports that another server refused, and adds that server's message.
  const behind = error.error?.metadata?.raw;
  const sentence = [
    typeof said === 'string' ? said : error.message,
    ...(typeof behind === 'string' ? [behind] : []),
  ].join(': ');
  const clean = context.apiKey === '' ? sentence : sentence.replaceAll(context.apiKey, '[key]');
  return clean.replace(/\s+/g, ' ').trim().slice(0, maxReasonChars);
}

/** The innermost code of a chain of causes: `ECONNREFUSED`, `ENOTFOUND`, … */
function networkCode(thrown: unknown): string | undefined {
  let code: string | undefined;
  let at: unknown = thrown;
  for (let depth = 0; depth < 8 && at instanceof Error; depth += 1) {
    if ('code' in at && typeof at.code === 'string') code = at.code;
    at = at instanceof AggregateError ? at.errors[0] : at.cause;
  }
  return code;
}

/**
 * The wait that a provider asks for, in seconds or until a date. A date counts from the provider's
 * own clock, which may differ from ours.
 */
function retryAfterOf(headers: Headers | undefined, nowMs: number): number | undefined {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = headers?.get('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const untilMs = Date.parse(text);
  if (Number.isNaN(untilMs)) return undefined;
  const theirs = Date.parse(headers?.get('date') ?? '');
  return Math.max(0, untilMs - (Number.isNaN(theirs) ? nowMs : theirs));
}

/** Statuses below 500 for which the same request may succeed later. */
const inPassing: ReadonlySet<number> = new Set([408, 409, 425]);

function ofStatus(status: number, error: ApiError, context: ErrorContext): KernelError {
  const { baseUrl, model, keyName } = context;
  const reason = reasonOf(error, context);
  const waitMs = retryAfterOf(error.headers, context.nowMs);
  const passing = (kind: 'busy' | 'limited'): ModelFault => ({
    kind,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
  const wait = waitMs === undefined ? 'a minute' : `${Math.ceil(waitMs / 1_000)} s`;
  switch (status) {
    case 401:
    case 403:
      if (context.apiKey === '') {
        return modelError(
          { kind: 'refused' },
          `${baseUrl} wants a key, and ${keyName} is not set: ${reason}`,
          `export ${keyName}=…, or keep it: cuervo secret set ${keyName} --for ${new URL(baseUrl).origin}`,
        );
      }
      return modelError(
        { kind: 'refused' },
        `the key in ${keyName} was refused by ${baseUrl}: ${reason}`,
        `set ${keyName} to a valid key, ${withoutModel}`,
      );
    case 404:
      return modelError(
        { kind: withoutTools.test(reason) ? 'no-tools' : 'refused', status },
        `${baseUrl} has no model "${model}": ${reason}`,
        `check the name given with --model, ${withoutModel}`,
      );
    case 400:
    case 402:
    case 413:
    case 422:
      if (status === 402 || unpaid.test(reason)) {
        return modelError(
          { kind: 'refused' },
          `${baseUrl} refused the request: ${reason}`,
          `check your account there, ${withoutModel}`,
        );
      }
      return modelError(
        {
          ...{ kind: refusalOf(status, `${error.code} ${error.type} ${reason}`), status },
          ...limitIn(reason),
        },
        `${baseUrl} refused the request: ${reason}`,
        `ask a shorter question, another model, ${withoutModel}`,
        'invalid-argument',
      );
    case 429:
      return modelError(
        unpaid.test(`${error.code} ${reason}`) ? { kind: 'refused' } : passing('limited'),
        `${baseUrl} limits the rate of this key (429): ${reason}`,
        `wait ${wait} and ask again, ${withoutModel}`,
      );
    case 529:
      return modelError(
        passing('busy'),
        `${baseUrl} is overloaded (529): ${reason}`,
        `ask again later, ${withoutModel}`,
      );
    default:
      return modelError(
        withoutTools.test(reason)
          ? { kind: 'no-tools', status }
          : tooLong.test(reason)
            ? { kind: 'overflow', ...limitIn(reason) }
            : inPassing.has(status) || status >= 500
              ? { ...passing('busy'), status }
              : { kind: 'refused', status },
        `${baseUrl} answered with status ${status}: ${reason}`,
        `ask again later, ${withoutModel}`,
      );
  }
}

function refusalOf(status: number, reason: string): ModelFault['kind'] {
  if (withoutTools.test(reason)) return 'no-tools';
  return status === 413 || tooLong.test(reason) ? 'overflow' : 'refused';
}

/** Names that cannot be looked up, and networks that are missing. */
const offline: ReadonlySet<string> = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH'],
]);

/**
 * Any error of a call as a sentence about what is wrong and a hint what to do. The key is in
 * neither.
 */
function toKernelError(thrown: unknown, context: ErrorContext): KernelError {
  const inner = innerKernelError(thrown);
  if (inner !== undefined) return inner;
  const error: ApiError = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { type, code: said } = error;
  const status = error.status ?? statusOf(said);
  if (typeof status === 'number') return ofStatus(status, error, context);
  const { baseUrl, address } = context;
  const reason = reasonOf(error, context);
  // An error event inside a stream has a type and no status.
  if (typeof type === 'string' || (error.headers !== undefined && error.error !== undefined)) {
    const kind = tooLong.test(reason)
      ? 'overflow'
      : withoutTools.test(reason)
        ? 'no-tools'
        : 'busy';
    return modelError(
      { kind, ...(kind === 'overflow' ? limitIn(reason) : {}) },
      `${baseUrl} ended its answer with "${type ?? said ?? 'error'}": ${reason}`,
      `ask again later, ${withoutModel}`,
    );
  }
  const code = networkCode(thrown) ?? reason;
  if (context.began) {
    return modelError(
      { kind: 'broken' },
      `${baseUrl} broke off in the middle of its answer (${code})`,
      `ask again, ${withoutModel}`,
    );
  }
  if (offline.has(code)) {
    return modelError(
      { kind: 'offline' },
      `${baseUrl} cannot be reached (${code}): this machine seems to be offline`,
      `check the network, or use a local model: cuervo model list`,
    );
  }
  return modelError(
    { kind: 'unreachable' },
    `${baseUrl} cannot be reached (${code})`,
    `check ${address}, ${withoutModel}`,
  );
}

/** Gateways put the status of an error behind status 200 into its code. */
function statusOf(code: unknown): number | undefined {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : undefined;
}

/** The SDKs wrap errors of our own `fetch`. */
function innerKernelError(thrown: unknown): KernelError | undefined {
  let at: unknown = thrown;
  for (let depth = 0; depth < 8 && at instanceof Error; depth += 1) {
    if (at.name === 'KernelError') return at as KernelError;
    at = at.cause;
  }
  return undefined;
}

/** Statuses of requests that are refused for what is in them. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 404, 415, 422, 500, 501]);

/** Fields that a request can do without, by name, each with an expression for its refusal. */
export type OptionalFields = Readonly<Record<string, RegExp>>;

/**
 * Sends a request, and sends it again without an optional field that the server refuses: each
 * field once, and from then on never.
 *
 * @param options.refused fields that the server is known to refuse; those that it refuses now are
 *   added
 * @param options.attempt sends the request without these
 * @param options.sent whether a field was in the last request
 */
export async function* withoutRefused(options: {
  fields: OptionalFields;
  refused: Set<string>;
  attempt(): AsyncGenerator<ModelEvent, void, undefined>;
  sent(field: string): boolean;
  onRefused: ((field: string) => void) | undefined;
}): AsyncGenerator<ModelEvent, void, undefined> {
  const { fields, refused, attempt, sent, onRefused } = options;
  for (;;) {
    let began = false;
    try {
      for await (const event of attempt()) {
        began = true;
        yield event;
      }
      return;
    } catch (thrown) {
      const field = began ? undefined : fieldOf(thrown);
      if (field === undefined) throw thrown;
      refused.add(field);
      onRefused?.(field);
    }
  }

  /** The first that the reason names. */
  function fieldOf(thrown: unknown): string | undefined {
    const fault = faultOf(thrown);
    const mayBe = fault?.kind !== 'overflow' && refusals.has(fault?.status);
    const reason = thrown instanceof Error ? thrown.message : '';
    const named = Object.entries(fields).flatMap(([field, form]) => {
      const at = mayBe && !refused.has(field) && sent(field) ? reason.search(form) : -1;
      return at < 0 ? [] : [{ field, at }];
    });
    const [first] = named.sort((a, b) => a.at - b.at);
    return first?.field ?? (fault?.kind === 'no-tools' && sent('tools') ? 'tools' : undefined);
  }
}
