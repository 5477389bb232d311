/** Sleeps of which several go on at once; a guest waits for the first of them. */
export type Waits = {
  /** @param dueNs of the monotonic clock */
  until(dueNs: bigint): Promise<void>;
  /** The call has ended: nobody is woken any more. */
  reset(): void;
};

type Sleeper = { dueNs: bigint; wake(): void };

/** The longest that a timer of the engine takes; a longer sleep is made of several. */
const maxTimerMs = 60_000;
const nsPerMs = 1_000_000;

/**
 * The waiting of WASI 0.3. On the fixed clock a sleep takes no time, and the sleepers still wake in
 * the order of their instants: when there is nothing else to do, the clock jumps to the next.
 */
export function createWaits(clock: {
  isReal(): boolean;
  /** for the journal */
  note(): void;
  /** moves the fixed clock */
  pass(instant: bigint): void;
}): Waits {
  const sleepers = new Set<Sleeper>();
  let next: Sleeper | undefined;
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;

  const first = (): Sleeper | undefined => {
    let found: Sleeper | undefined;
    for (const each of sleepers) if (found === undefined || each.dueNs < found.dueNs) found = each;
    return found;
  };

  function wake(sleeper: Sleeper): void {
    sleepers.delete(sleeper);
    next = first();
    sleeper.wake();
  }

  function plan(): void {
    clear();
    const sleeper = next;
    if (sleeper === undefined) return;
    if (!clock.isReal()) {
      // A turn later: who was woken before may have something to do.
      timer = setTimeout(() => {
        timer = setImmediate(() => {
          clock.pass(sleeper.dueNs);
          wake(sleeper);
          plan();
        });
      }, 1);
      return;
    }
    const leftMs = Number(sleeper.dueNs - process.hrtime.bigint()) / nsPerMs;
    timer = setTimeout(
      () => {
        if (sleeper.dueNs <= process.hrtime.bigint()) wake(sleeper);
        plan();
      },
      Math.min(Math.max(0, Math.ceil(leftMs)), maxTimerMs),
    );
  }

  function clear(): void {
    clearTimeout(timer as NodeJS.Timeout);
    clearImmediate(timer as NodeJS.Immediate);
    timer = undefined;
  }

  return {
    until: (dueNs) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (clock.isReal()) clock.note();
      const sleeper = { dueNs, wake: resolve };
      sleepers.add(sleeper);
      if (next === undefined || dueNs < next.dueNs) next = sleeper;
      plan();
      return promise;
    },
    reset: () => {
      sleepers.clear();
      next = undefined;
      clear();
    },
  };
}
