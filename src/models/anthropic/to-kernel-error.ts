import type { APIError } from '@anthropic-ai/sdk';
import { KernelError } from '../../contracts/error.ts';

const withoutModel = 'or run without a model: --model none';
const maxReasonChars = 300;
/** With status 400 the provider says also that an account is empty. */
const unpaid = /\b(?:credit balance|billing)\b/i;

/** What an error of the provider is about. */
export type ErrorContext = {
  model: string;
  baseUrl: string;
  apiKey: string;
  attempts: number;
  /** true once the answer has begun */
  began: boolean;
};

/** The provider's own sentence, on one line, never with the key in it. */
function reasonOf(error: Error, context: ErrorContext): string {
  const api = error as Partial<APIError>;
  const sentence = typeof api.apiMessage === 'string' ? api.apiMessage : error.message;
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

function unavailable(message: string, hint: string): KernelError {
  // No cause: the SDK's errors hold headers and the request.
  return new KernelError('unavailable', message, { hint });
}

function ofStatus(status: number, error: Error, context: ErrorContext): KernelError {
  const { baseUrl, model } = context;
  const reason = reasonOf(error, context);
  switch (status) {
    case 401:
    case 403:
      return unavailable(
        `the key in ANTHROPIC_API_KEY was refused by ${baseUrl}: ${reason}`,
        `set ANTHROPIC_API_KEY to a valid key, ${withoutModel}`,
      );
    case 404:
      return unavailable(
        `${baseUrl} has no model "${model}": ${reason}`,
        `check the name given with --model, ${withoutModel}`,
      );
    case 400:
    case 402:
    case 413:
    case 422:
      if (status === 402 || unpaid.test(reason)) {
        return unavailable(
          `${baseUrl} refused the request: ${reason}`,
          `check your account there, ${withoutModel}`,
        );
      }
      return new KernelError('invalid-argument', `${baseUrl} refused the request: ${reason}`, {
        hint: `ask a shorter question, another model, ${withoutModel}`,
      });
    case 429:
      return unavailable(
        `${baseUrl} limits the rate of this key (429 after ${context.attempts} attempts): ${reason}`,
        `wait a minute and ask again, ${withoutModel}`,
      );
    case 529:
      return unavailable(
        `${baseUrl} is overloaded (529 after ${context.attempts} attempts): ${reason}`,
        `ask again later, ${withoutModel}`,
      );
    default:
      return unavailable(
        `${baseUrl} answered with status ${status}: ${reason}`,
        `ask again later, ${withoutModel}`,
      );
  }
}

/**
 * Any error of a call as a sentence about what is wrong and a hint what to do. The key is in
 * neither.
 */
export function toKernelError(thrown: unknown, context: ErrorContext): KernelError {
  if (thrown instanceof KernelError) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { status, type } = error as Partial<APIError>;
  if (typeof status === 'number') return ofStatus(status, error, context);
  // An error event inside a stream has a type and no status.
  if (typeof type === 'string') {
    return unavailable(
      `${context.baseUrl} ended its answer with "${type}": ${reasonOf(error, context)}`,
      `ask again later, ${withoutModel}`,
    );
  }
  const code = networkCode(thrown) ?? reasonOf(error, context);
  if (context.began) {
    return unavailable(
      `${context.baseUrl} broke off in the middle of its answer (${code})`,
      `ask again, ${withoutModel}`,
    );
  }
  return unavailable(
    `${context.baseUrl} cannot be reached (${code})`,
    `check the network and ANTHROPIC_BASE_URL, ${withoutModel}`,
  );
}
