import { defineResource, type ResourceCount, type ResourceKind } from '../resource.ts';
import { wasiLimits } from '../wasi-limits.ts';

/** The event that a pollable waits for. */
export type Readiness = {
  isReady(): boolean;
  /** when time alone makes it ready, in nanoseconds of the monotonic clock */
  dueNs?: bigint;
  /** makes it ready, when only this can */
  force?(): void;
};

/** `wasi:io/poll`. */
export function createPolling(ports: {
  count: ResourceCount;
  sleepUntilNs(instant: bigint): void;
}): { pollables: ResourceKind<Readiness>; poll(list: unknown): Uint32Array } {
  /** Waits for the first of them; nothing but time happens while a guest waits. */
  function wait(waiting: readonly Readiness[]): void {
    let first: bigint | undefined;
    for (const { dueNs } of waiting) {
      if (dueNs !== undefined && (first === undefined || dueNs < first)) first = dueNs;
    }
    if (first !== undefined) ports.sleepUntilNs(first);
    else for (const { force } of waiting) force?.();
  }

  const pollables = defineResource<Readiness>({
    name: 'pollable',
    count: ports.count,
    methods: {
      ready: (readiness) => readiness.isReady(),
      block: (readiness) => {
        if (!readiness.isReady()) wait([readiness]);
      },
    },
  });

  function poll(list: unknown): Uint32Array {
    if (!Array.isArray(list) || list.length === 0 || list.length > wasiLimits.pollables) {
      throw new RangeError(`poll takes 1 to ${wasiLimits.pollables} pollables`);
    }
    const waiting = list.map((item) => pollables.stateOf(item));
    const ready = indexesOfReady(waiting);
    if (ready.length > 0) return ready;
    wait(waiting);
    return indexesOfReady(waiting);
  }
  return { pollables, poll };
}

function indexesOfReady(waiting: readonly Readiness[]): Uint32Array {
  return Uint32Array.from(
    waiting.flatMap((readiness, index) => (readiness.isReady() ? [index] : [])),
  );
}
