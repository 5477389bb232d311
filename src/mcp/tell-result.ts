import { KernelError } from '../contracts/error.ts';
import { type NotRead, notReadText } from '../contracts/not-read.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { errorBody } from '../kernel/run-events.ts';
import { truncateMiddle } from '../lib/text/truncate-middle.ts';
import type { CallLimits } from './call-limits.ts';
import type { GuardedTexts } from './guarded-texts.ts';
import type { KeptResult, KeptResults } from './kept-results.ts';

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
