import type { HostCall } from '../../contracts/tool.ts';

/** Refusals of one call, for one reason, that each have a row. */
const ownRows = 10;

const refusals: ReadonlySet<HostCall['outcome']> = new Set(['denied', 'limit', 'invalid']);

/**
 * Keeps a tool that is refused a thousand times from filling the journal: the first refusals of a
 * kind have a row each, all others of that kind share one row that says how many they are.
 *
 * @param write takes the rows
 */
export function createRefusalSum(write: (call: HostCall) => void): {
  /** Writes the call down, or counts it. */
  add(call: HostCall): void;
  /** Writes the rows of what was counted. */
  end(): void;
} {
  const counts = new Map<string, { call: HostCall; times: number }>();
  return {
    add: (call) => {
      if (!refusals.has(call.outcome)) return write(call);
      const kind = `${call.call} ${call.outcome}`;
      const seen = counts.get(kind) ?? { call, times: 0 };
      counts.set(kind, { call: seen.call, times: seen.times + 1 });
      if (seen.times < ownRows) write(call);
    },
    end: () => {
      for (const { call, times } of counts.values()) {
        const { call: name, outcome } = call;
        if (times > ownRows)
          write({ call: name, target: '', outcome, durationMs: 0, times: times - ownRows });
      }
      counts.clear();
    },
  };
}
