const windowMs = 60_000;

/** How many requests of one plugin may go out of the sandbox in any minute. */
export type RequestRate = {
  /** Takes one; 0 when it may go, else milliseconds until the next one may. */
  take(): number;
};

/** @param perMinute at least 1; more than that in any sixty seconds have to wait */
export function createRequestRate(
  perMinute: number,
  nowMs: () => number = () => performance.now(),
): RequestRate {
  const taken: number[] = [];
  return {
    take: () => {
      const now = nowMs();
      while (taken.length > 0 && now - (taken[0] as number) >= windowMs) taken.shift();
      if (taken.length >= perMinute) return Math.ceil(windowMs - (now - (taken[0] as number)));
      taken.push(now);
      return 0;
    },
  };
}
