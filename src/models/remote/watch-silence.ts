import type { KernelError } from '../../contracts/error.ts';
import { modelError } from '../../contracts/talk/model-fault.ts';

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
  /** The parts as they come; the time in which their reader is busy does not count. */
  watch<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part, void, undefined>;
};

/** Counts from its making, before the request is sent. */
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
