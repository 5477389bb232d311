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
