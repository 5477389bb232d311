import { randomUUID } from 'node:crypto';
import { KernelError } from '../contracts/error.ts';
import { type NotRead, notReadText } from '../contracts/not-read.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { errorBody } from '../kernel/run-events.ts';
import { truncateMiddle } from '../lib/text/truncate-middle.ts';
import { createTurns } from '../lib/turns.ts';
import type { GuardedTexts } from './guarded-texts.ts';

/** What a call came to, as it may be sent. */
export type CallResult = {
  text: string;
  structured?: JsonObject;
  /** to all of it, where `text` is not */
  link?: KeptResult;
  /** stands beside the text, which may be JSON that a client reads */
  note?: string;
  isError: boolean;
};

export type TellResult = {
  /**
   * @param options.paths files that were read for it, relative to the workspace
   * @param options.notRead what it came by and could not read
   */
  result(
    source: string,
    content: string,
    options: {
      paths: readonly string[];
      isStructured: boolean;
      notRead?: readonly NotRead[] | undefined;
      signal: AbortSignal;
    },
  ): Promise<CallResult>;
  error(source: string, thrown: unknown): CallResult;
};

export function createTellResult(ports: {
  texts: GuardedTexts;
  limits: CallLimits;
  results: KeptResults;
  maxOutputBytes: number;
}): TellResult {
  const { texts, limits, results, maxOutputBytes } = ports;
  return {
    result: async (source, content, { paths, isStructured, notRead = [], signal }) => {
      const { text, value, warning } = await texts.result(source, content, { paths, signal });
      const bytes = Buffer.byteLength(text);
      limits.spend(bytes);
      const isLong = bytes > maxOutputBytes;
      const lines = [isLong ? truncateMiddle(text, maxOutputBytes) : text];
      if (warning !== undefined) lines.push(warning);
      const missed = notReadText(notRead);
      const mimeType = value === undefined ? 'text/plain' : 'application/json';
      return {
        text: lines.join('\n'),
        ...(isStructured && value !== undefined ? { structured: value } : {}),
        ...(missed === undefined ? {} : { note: texts.text(source, missed) }),
        ...(isLong ? { link: results.keep(source, text, mimeType) } : {}),
        // What the tool promises to give cannot be given without what is withheld.
        isError: isStructured && value === undefined,
      };
    },
    error: (source, thrown) => {
      const { code, message, hint } = errorBody(KernelError.from(thrown, 'internal'));
      const told =
        code === 'permission-denied'
          ? `denied: ${message}\nA model cannot grant this; a person can: ${hint.replace('grants it for one run', 'of mcp serve grants it while it runs')}`
          : `${code}: ${message}\n${hint}`;
      return { text: texts.text(source, told, true), isError: true };
    },
  };
}

const maxBytes = 8 * 1024 ** 2;

/** A long result that a client can read by its link. */
export type KeptResult = { uri: string; name: string; mimeType: string; bytes: number };

/** The long results of this connection, already as they may be sent; the oldest make room. */
export type KeptResults = {
  keep(name: string, text: string, mimeType: string): KeptResult;
  list(): KeptResult[];
  read(uri: string): (KeptResult & { text: string }) | undefined;
};

export function createKeptResults(): KeptResults {
  const kept = new Map<string, KeptResult & { text: string }>();
  let held = 0;
  return {
    keep: (name, text, mimeType) => {
      const bytes = Buffer.byteLength(text);
      // Nobody else can guess it.
      const uri = `cuervo://result/${randomUUID()}`;
      const result = { uri, name, mimeType, bytes };
      kept.set(uri, { ...result, text });
      held += bytes;
      for (const [oldest, { bytes: freed }] of kept) {
        if (held <= maxBytes || oldest === uri) break;
        kept.delete(oldest);
        held -= freed;
      }
      return result;
    },
    list: () => [...kept.values()].map(({ text: _, ...result }) => result),
    read: (uri) => kept.get(uri),
  };
}

const minuteMs = 60_000;
/** Calls that wait for their turn, and questions for an answer; more are refused. */
const maxWaiting = 256;

/** The turn of a call. */
export type CallTurn = Disposable & {
  /**
   * Lets other calls go on while this one waits for a person, and waits for a turn again.
   *
   * @throws {KernelError} `resource-exhausted` where too many wait
   */
  pause<Value>(wait: () => Promise<Value>): Promise<Value>;
};

/** How much a client may ask for. */
export type CallLimits = {
  /**
   * Waits for a turn. The caller gives it back by disposing of it.
   *
   * @throws {KernelError} `resource-exhausted` beyond a limit, `canceled` when the signal fires
   */
  enter(signal: AbortSignal): Promise<CallTurn>;
  /** Counts bytes that are sent. @throws {KernelError} `resource-exhausted` */
  spend(bytes: number): void;
};

export function createCallLimits(
  limits: { callsAtOnce: number; callsAMinute: number; bytesAMinute: number },
  nowMs: () => number,
): CallLimits {
  const turns = createTurns(limits.callsAtOnce);
  let paused = 0;
  let minute = { sinceMs: nowMs(), calls: 0, bytes: 0 };

  const thisMinute = (): typeof minute => {
    if (nowMs() - minute.sinceMs >= minuteMs) minute = { sinceMs: nowMs(), calls: 0, bytes: 0 };
    return minute;
  };

  return {
    enter: async (signal) => {
      const now = thisMinute();
      if (now.calls >= limits.callsAMinute)
        throw exhausted(`${now.calls} calls in a minute`, 'mcp.calls-a-minute');
      if (turns.waiting >= maxWaiting)
        throw exhausted(`${maxWaiting} calls wait`, 'mcp.calls-at-once');
      now.calls += 1;
      let turn = await turns.take(signal);
      /** questions of this call that wait */
      let open = 0;
      return {
        pause: async (wait) => {
          if (paused >= maxWaiting)
            throw exhausted(`${maxWaiting} questions wait`, 'mcp.calls-at-once');
          paused += 1;
          open += 1;
          turn[Symbol.dispose]();
          try {
            return await wait();
          } finally {
            paused -= 1;
            open -= 1;
            if (open === 0) turn = await turns.take(signal);
          }
        },
        [Symbol.dispose]: () => turn[Symbol.dispose](),
      };
    },
    spend: (bytes) => {
      const now = thisMinute();
      if (now.bytes + bytes > limits.bytesAMinute)
        throw exhausted(`${now.bytes + bytes} bytes in a minute`, 'mcp.bytes-a-minute');
      now.bytes += bytes;
    },
  };
}

function exhausted(what: string, key: string): KernelError {
  return new KernelError('resource-exhausted', `${what} for this client, the limit (${key})`, {
    hint: `Ask for less at once; a person sets ${key} in config.toml.`,
  });
}
