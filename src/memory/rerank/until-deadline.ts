import { KernelError } from '../../contracts/error.ts';

/** A model is loaded within some 300 ms; on a busy machine, or from a slow disk, in a few times that. */
const warmTimeoutMs = 5_000;

/**
 * Waits for a model that is being loaded.
 *
 * @throws {KernelError} `deadline-exceeded` when it takes too long, or what the model throws
 */
export async function untilWarm(model: { name: string; warm(): Promise<void> }): Promise<void> {
  const deadline = untilDeadline(warmTimeoutMs);
  if (await deadline(model.warm().then(() => true))) return;
  const detail = `the model ${model.name} was not loaded within ${warmTimeoutMs / 1_000} s`;
  throw new KernelError('deadline-exceeded', detail, {
    hint: 'Search again, or switch it off: memory.reranker = "none" in config.toml.',
  });
}

/**
 * One deadline for several pieces of work.
 *
 * @returns a function that gives what the work gives, or undefined when the time is over first; the
 *   work then goes on, and what it throws is dropped
 */
export function untilDeadline(
  timeoutMs: number,
): <Value>(work: Promise<Value>) => Promise<Value | undefined> {
  const untilMs = performance.now() + timeoutMs;
  return async (work) => {
    work.catch(() => {});
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return undefined;
    const over = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => over.resolve(undefined), leftMs);
    try {
      return await Promise.race([work, over.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}
