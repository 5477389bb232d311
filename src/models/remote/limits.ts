import type { KernelError } from '../../contracts/error.ts';
import { modelError } from '../../contracts/talk.ts';

/** The most characters of one answer with its calls: far above what any token limit gives. */
export const maxAnswerChars = 1024 * 1024;
/** The most calls of one answer; a whole question may make fewer. */
export const maxCalls = 1000;
/** For the body of an error, once its status is known. */
export const errorBodyMs = 5_000;
/** Until a connection is there: a lost first packet is sent again after one second and after three. */
export const usualConnectMs = 5_000;
/** A provider that is asked and says nothing. */
export const remoteSilence = { firstTokenMs: 60_000, idleMs: 60_000 };
/** A model on this machine may read its prompt for minutes. */
export const localSilence = { firstTokenMs: 600_000, idleMs: 120_000 };

/** Longest times without a word of the provider. */
export type SilenceLimits = {
  /** until its answer begins */
  firstTokenMs: number;
  /** between two parts of the answer */
  idleMs: number;
};

/** Fires `signal` when no data came for too long. */
export type SilenceWatch = Disposable & {
  signal: AbortSignal;
  /** Passes the parts on as they come. Time that the reader takes does not count. */
  watch<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part, void, undefined>;
};

/** The time starts with this call, before the request is sent. */
export function watchSilence({ firstTokenMs, idleMs }: SilenceLimits): SilenceWatch {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const arm = (limitMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => stop.abort(silence(limitMs)), limitMs);
  };
  arm(firstTokenMs);
  return {
    signal: stop.signal,
    watch: async function* (parts) {
      for await (const part of parts) {
        clearTimeout(timer);
        yield part;
        arm(idleMs);
      }
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

function silence(limitMs: number): KernelError {
  return modelError(
    { kind: 'silent' },
    `the model sent nothing for ${limitMs / 1_000} s`,
    'ask again, or run without a model: --model none',
  );
}

/** @param most what an answer may have, as `1048576 characters` */
export function endlessAnswer(most: string): KernelError {
  return modelError(
    { kind: 'refused' },
    `the model's answer has more than ${most} and does not end`,
    'ask again, or run without a model: --model none',
  );
}

/** @param why e.g. `neither text nor a tool call` */
export function emptyAnswer(why: string): KernelError {
  return modelError(
    { kind: 'empty' },
    `the model returned an empty answer: ${why}`,
    'ask again, or run without a model: --model none',
  );
}

export function thoughtsAlone(stop: string): KernelError {
  const isCut = stop === 'length';
  return emptyAnswer(isCut ? 'its thoughts took all of the reply' : 'thoughts alone');
}

/** The error for an answer that began but never ended properly. */
export function brokenAnswer(why: string): KernelError {
  return modelError(
    { kind: 'broken' },
    `the model's answer broke off: ${why}`,
    'ask again, or run without a model: --model none',
  );
}

/** What stands behind a name for a version of the same model: a date, or `latest`. */
const version = /(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)|:latest)$/;
const maxName = 200;

/**
 * The model that a server says it was, where it is another one than was asked.
 *
 * @param said as it stands in the reply; some servers say nothing, or a path of a file
 */
export function otherModel(asked: string, said: unknown): string | undefined {
  if (typeof said !== 'string' || said === '') return undefined;
  const plain = (name: string): string => name.replace(version, '').toLowerCase();
  return plain(said) === plain(asked) ? undefined : said.slice(0, maxName);
}
